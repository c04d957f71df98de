"""What a chapter says: conclusions with their verdicts, tables and plots; and measured numbers, as grids."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Point = Any
"""A column: a length, a side or a batch as an int, or a name as a str. `int | str` would refuse dictionaries by int."""

# The rows of libraries and their names. The first that was measured is the one to compare with.
LIBRARIES = {"cufft": "cuFFT", "pyfftw": "FFTW", "scipy": "scipy"}

_DIGITS = 4  # significant digits of the numbers in files, which are more than a measurement has
HOLDS, MIXED, CLOSE, FAILS, UNTESTED = VERDICTS = ("holds", "mixed", "too close", "fails", "untested")

PAPER = "paper"  # the name of a paper's own curve

FASTER, SLOWER = (0.0, 1.0), (1.0, math.inf)
NO_DIFFERENCE = 0.05  # times that differ by less than this share of them count as alike, where a paper calls them so


@dataclass(frozen=True)
class Spread:
    """A number and how far it may be off."""

    middle: float  # the median of a measurement
    low: float  # low, high: its first and third quartiles
    high: float
    # the measurement's samples; where two measurements were taken in turn, equal places mean equal rounds
    samples: tuple[float, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def exact(cls, number: float) -> Spread:
        """A number without a spread, such as a published one."""
        return cls(number, number, number)

    @classmethod
    def of_samples(cls, samples: Sequence[float]) -> Spread:
        low, middle, high = np.percentile(samples, (25, 50, 75))
        return cls(float(middle), float(low), float(high), tuple(samples))

    def over(self, other: Spread | float) -> Spread:
        """The ratio to another number, both above 0: the rounds' median of samples, else all that quartiles allow."""
        other = other if isinstance(other, Spread) else Spread(other, other, other, (other,) * len(self.samples))
        return self._with(other, lambda a, b: a / b, (other.high, other.low))

    def plus(self, other: Spread) -> Spread:
        return self._with(other, lambda a, b: a + b, (other.low, other.high))

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
        return list(dict.fromkeys(point for _, point in (*self.values, *self.skipped)))

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(row for row, _ in (*self.values, *self.skipped)))

    @property
    def cells(self) -> dict[str, dict[Point, Spread]]:
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

    def changed(self, change: Callable[[Spread], Spread]) -> dict[str, dict[Point, Spread]]:
        return {row: {point: change(each) for point, each in cells.items()} for row, cells in self.cells.items()}

    def columns(self, rows: Sequence[str]) -> dict[Point, list[Spread]]:
        """The numbers of some rows at each point where all have one."""
        points = (point for point in self.points if all((row, point) in self.values for row in rows))
        return {point: [self.values[row, point] for row in rows] for point in points}

    def to_json(self) -> dict[str, Any]:
        """As plain data: rows are lists along `points` of samples or {middle, low, high}, a reason, or None."""
        cells: dict[Any, Any] = dict(self.skipped)
        for key, value in self.values.items():
            ends = {name: _rounded(getattr(value, name)) for name in ("middle", "low", "high")}
            cells[key] = [*map(_rounded, value.samples)] or ends
        points = self.points
        return {"points": points, "rows": {row: [cells.get((row, point)) for point in points] for row in self.rows}}


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


@dataclass(frozen=True)
class Conclusion:
    """A claim about a ratio, with the paper's ratios and ours."""

    claim: str  # the paper's, short and in its own words, with its place
    ratio: str  # what is divided by what, such as "radix 4 / radix 2"; times, unless it says something else
    # the paper's ratios, by point; empty where it has no numbers
    published: Mapping[Point, float] = field(default_factory=dict)
    here: Mapping[Point, Spread] = field(default_factory=dict)  # ours
    range: tuple[float, float] = FASTER  # the ratios, both ends left out, for which the claim holds
    reason: str = ""  # a sentence on why the claim cannot be tested, where `here` is empty
    remark: str = ""  # one sentence that the report adds to what was found
    points_name: str = "length"  # what the points are, for the axis of a plot
    proxy: str = ""  # how ours differs from what the claim is about, in a sentence; empty where it does not differ

    @property
    def verdicts(self) -> dict[Point, str]:
        """HOLDS, FAILS, or CLOSE where the spread goes over an end of the range, by point."""
        least, most = self.range
        return {
            point: HOLDS if least < at.low and at.high < most else FAILS if at.high < least or at.low > most else CLOSE
            for point, at in self.here.items()
        }

    @property
    def verdict(self) -> str:
        """The verdict on all points together. Points that are too close to tell count only where all of them are so."""
        told = set(self.verdicts.values()) - {CLOSE}
        if not told:
            return CLOSE if self.here else UNTESTED
        return told.pop() if len(told) == 1 else MIXED

    @property
    def ratios_here(self) -> str:
        """Our ratios in a few words, by verdict, or nothing where there are none."""
        verdicts, parts = self.verdicts, []
        for kind in VERDICTS:
            if at := [point for point, each in verdicts.items() if each == kind]:
                said = "" if len(at) == len(verdicts) else f"{kind} at {', '.join(map(str, at))}: "
                parts.append(f"{said}{_from_to([self.here[point].middle for point in at])}")
        return "; ".join(parts)

    @property
    def ratios_published(self) -> str:
        return _from_to(list(self.published.values())) if self.published else ""

    @property
    def notes(self) -> list[str]:
        """What a reader of the verdict has to know: the remark, how ours is a proxy, or why it is untested."""
        if not self.here:
            return [self.reason or "What it needs was not measured."]
        return [self.remark] * bool(self.remark) + [f"Proxy: {self.proxy}"] * bool(self.proxy)


def _from_to(ratios: Sequence[float]) -> str:
    least, most = (f"{each:.2g}" if each < 10 else f"{each:.0f}" for each in (min(ratios), max(ratios)))
    return least if least == most else f"{least}–{most}"


@dataclass(frozen=True)
class Table:
    """Numbers by row and point; those that were measured have a spread."""

    title: str  # a heading
    text: str  # what they are: unit, device, place in the paper
    points_name: str  # what the points are, such as "length"
    rows: Mapping[str, Mapping[Point, float | Spread]]

    @property
    def columns(self) -> list[Point]:
        """All points: first the numbers in rising order, then the names."""
        return _in_order(self.rows)


@dataclass(frozen=True)
class Panel:
    """One plot of ratios against points: curves, or rows of dots where the points are names."""

    title: str  # the claim, or what is compared
    ratio: str  # what the ratios are
    points_name: str  # what the points are, for the axis
    published: Mapping[str, Mapping[Point, Spread]]  # the paper's curves by name; their spread is not known
    here: Mapping[str, Mapping[Point, Spread]]  # the curves of our runs; a run without any keeps its colour
    range: tuple[float, float] | None = None  # where a claim holds

    @property
    def curves(self) -> dict[str, Mapping[Point, Spread]]:
        """All curves that are not empty, by name. The paper's come first."""
        return {name: curve for name, curve in {**self.published, **self.here}.items() if curve}

    @property
    def points(self) -> list[Point]:
        return _in_order(self.curves)

    @property
    def has_curves(self) -> bool:
        """Whether the points are numbers, of which some curve has several."""
        has_numbers = all(isinstance(point, int) for point in self.points)
        return has_numbers and any(len(curve) > 1 for curve in self.curves.values())


def _in_order(rows: Mapping[str, Mapping[Point, Any]]) -> list[Point]:
    found = dict.fromkeys(point for cells in rows.values() for point in cells)
    numbers = sorted(point for point in found if isinstance(point, int))
    return [*numbers, *(point for point in found if not isinstance(point, int))]


def of_claims(runs: Mapping[str, Sequence[Conclusion]]) -> list[Panel]:
    """A panel for each conclusion that was tested in some run: a chapter's conclusions by run, the same in each."""
    found = []
    for those in zip(*runs.values(), strict=True):
        here, first = {name: each.here for name, each in zip(runs, those, strict=True)}, those[0]
        published = {PAPER: {point: Spread.exact(ratio) for point, ratio in first.published.items()}}
        if any(here.values()):
            found.append(Panel(first.claim, first.ratio, first.points_name, published, here, first.range))
    return found


class Measured(dict[str, Grid]):
    """What a chapter measured: grids by name, empty where not measured. With `software`, GPU and CPU were the same."""

    def __init__(self, grids: Mapping[str, Grid], software: bool = False) -> None:
        super().__init__(grids)
        self.software = software

    def __missing__(self, name: str) -> Grid:
        return Grid()
