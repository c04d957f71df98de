"""Wisdom: which kernel was fastest where, by measurement."""
