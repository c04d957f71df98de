"""Algorithms as papers describe them, to be measured and compared: `auto` never takes one."""
