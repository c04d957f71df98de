"""Measurements of the report on papers that several tests share."""

from __future__ import annotations

from glfft.papers.grid import Grid, Spread
from glfft.papers.report import Report


def spread(middle: float, off: float = 0.1) -> Spread:
    """A number that may be off by a tenth."""
    return Spread(middle, middle - off, middle + off)


def report(**chapters: dict[str, Grid]) -> Report:
    """A report with the grids of these chapters."""
    setup = {"timer": "a clock", "samples": 5, "software": False, "cores": 2, "libraries": {"scipy": "scipy.fft 1"}}
    return Report("a device", setup, chapters)


# A row of Ambuluri's beside scipy, and one that does not fit.
AMBULURI = Grid(
    {("constant-geometry, 1 thread", 16): spread(1.0), ("scipy", 16): spread(2.0, 0.0)},
    {("word-group-2, 1 thread", 16): "it is too long", ("word-group-2, 1 thread", 32): "it is too long"},
)
