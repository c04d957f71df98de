"""Measured numbers with their spread, as tables of rows and points, and as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from glfft.profiling.timing import Timing

Point = Any
"""A column: a length, a side or a batch as an int, or a name as a str. `int | str` would refuse dictionaries by int."""

# The rows of libraries and their names. The first that was measured is the one to compare with.
LIBRARIES = {"cufft": "cuFFT", "pyfftw": "FFTW", "scipy": "scipy"}

# Significant digits of the numbers in files, which are more than a measurement has.
_DIGITS = 4


@dataclass(frozen=True)
class Spread:
    """A number and how far it may be off."""

    middle: float  # the median of a measurement
    low: float  # low, high: its first and third quartiles
    high: float
    # those of the measurement. Of two that were taken in turn, the same place means the same round.
    samples: tuple[float, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, timing: Timing) -> Spread:
        """The spread of a timing, in microseconds."""
        return cls.of_samples(timing.taken) if timing.taken else cls(timing.microseconds, *timing.quartiles)

    @classmethod
    def exact(cls, number: float) -> Spread:
        """A number without a spread, such as a published one."""
        return cls(number, number, number)

    @classmethod
    def of_samples(cls, samples: Sequence[float]) -> Spread:
        """The spread of samples: their median and quartiles."""
        low, middle, high = np.percentile(samples, (25, 50, 75))
        return cls(float(middle), float(low), float(high), tuple(samples))

    def over(self, other: Spread) -> Spread:
        """The ratio to another number, both above 0.

        With samples it is the median ratio of a round, and its quartiles: other work on the machine slows down both
        sides of a round. Without, the spread is all that the quartiles of both sides allow.
        """
        return self._with(other, lambda a, b: a / b, (other.high, other.low))

    def plus(self, other: Spread) -> Spread:
        """The sum with another number, round by round as in `over`."""
        return self._with(other, lambda a, b: a + b, (other.low, other.high))

    def mean(self, other: Spread) -> Spread:
        """The mean with another number, round by round as in `over`."""
        return self._with(other, lambda a, b: (a + b) / 2, (other.low, other.high))

    def _with(self, other: Spread, combine: Callable[[float, float], float], ends: tuple[float, float]) -> Spread:
        if self.samples and other.samples:
            return Spread.of_samples([combine(a, b) for a, b in zip(self.samples, other.samples, strict=False)])
        return Spread(combine(self.middle, other.middle), combine(self.low, ends[0]), combine(self.high, ends[1]))


@dataclass
class Grid:
    """What a chapter measured of one kind of thing: a number for each row at each point where it can be had."""

    # by row and point; times in microseconds, unless the chapter says something else
    values: dict[tuple[str, Point], Spread] = field(default_factory=dict)
    # why a row has no number at a point: a clause, such as "it would need more threads"
    skipped: dict[tuple[str, Point], str] = field(default_factory=dict)

    @property
    def points(self) -> list[Point]:
        """All points, in the order they were measured in."""
        return list(dict.fromkeys(point for _, point in (*self.values, *self.skipped)))

    @property
    def rows(self) -> list[str]:
        """All rows, in the order they were measured in."""
        return list(dict.fromkeys(row for row, _ in (*self.values, *self.skipped)))

    @property
    def cells(self) -> dict[str, dict[Point, Spread]]:
        """The numbers by row and then by point."""
        rows: dict[str, dict[Point, Spread]] = {}
        for (row, point), value in self.values.items():
            rows.setdefault(row, {})[point] = value
        return rows

    @property
    def reference(self) -> str | None:
        """The row of the library to compare with, or None where none was measured."""
        measured = {row for row, _ in self.values}
        return next((name for name in LIBRARIES if name in measured), None)

    @property
    def reference_name(self) -> str:
        """The name of the library to compare with, for people."""
        return LIBRARIES.get(self.reference or "", "no library")

    def best(self, rows: Iterable[str], point: Point) -> Spread | None:
        """The least of some rows at a point, or None where there is none."""
        found = [self.values[row, point] for row in rows if (row, point) in self.values]
        return min(found, key=lambda value: value.middle, default=None)

    def ratios(self, over: Iterable[str], under: Iterable[str]) -> dict[Point, Spread]:
        """The best of some rows over the best of others, at each point where both have a number."""
        over, under = tuple(over), tuple(under)
        sides = {point: (self.best(over, point), self.best(under, point)) for point in self.points}
        return {point: a.over(b) for point, (a, b) in sides.items() if a is not None and b is not None}

    def relative(self, under: str | None) -> dict[str, dict[Point, Spread]]:
        """The ratios of all other rows to one row."""
        rows = {row: self.ratios([row], [under]) for row in self.rows if row != under} if under is not None else {}
        return {row: cells for row, cells in rows.items() if cells}

    def to_json(self) -> dict[str, Any]:
        """The grid as plain data. Each row is a list along `points`, whose entries are samples, a reason or None; a
        number without samples is a dictionary of middle, low and high.
        """
        points = self.points

        def cell(row: str, point: Point) -> list[float] | dict[str, float] | str | None:
            value = self.values.get((row, point))
            if value is None:
                return self.skipped.get((row, point))
            if value.samples:
                return [_rounded(each) for each in value.samples]
            return {name: _rounded(getattr(value, name)) for name in ("middle", "low", "high")}

        return {"points": points, "rows": {row: [cell(row, point) for point in points] for row in self.rows}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Grid:
        """The grid of data from `to_json`. Other data raises KeyError, TypeError or ValueError."""
        grid = cls()
        for row, cells in data["rows"].items():
            for point, cell in zip(data["points"], cells, strict=True):
                if isinstance(cell, str):
                    grid.skipped[row, point] = cell
                elif isinstance(cell, dict):
                    grid.values[row, point] = Spread(float(cell["middle"]), float(cell["low"]), float(cell["high"]))
                elif cell is not None:
                    grid.values[row, point] = Spread.of_samples([*map(float, cell)])
        return grid


def _rounded(number: float) -> float:
    return round(number, _DIGITS - 1 - math.floor(math.log10(abs(number)))) if number else 0.0
