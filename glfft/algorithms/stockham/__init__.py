"""The Stockham family: one kernel template, and the configurations of it."""
