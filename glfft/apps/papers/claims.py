"""What a chapter says: conclusions with their verdicts, tables and plots, as data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from glfft.apps.papers.grid import Grid, Point, Spread
from glfft.apps.papers.published import Place

HOLDS, FAILS, CLOSE = "holds", "fails", "too close"
MIXED, UNTESTED = "mixed", "untested"
VERDICTS = (HOLDS, MIXED, CLOSE, FAILS, UNTESTED)

PAPER = "paper"  # the name of a paper's own curve

FASTER = (0.0, 1.0)
SLOWER = (1.0, math.inf)

# Times that differ by less than this share of them count as alike, where a paper calls them so.
NO_DIFFERENCE = 0.05


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
    points: str = "length"  # what the points are, for the axis of a plot
    places: tuple[Place, ...] = ()  # where the claim stands; see `glfft.apps.papers.published`
    proxy: str = ""  # how ours differs from what the claim is about, in a sentence; empty where it does not differ

    @property
    def verdicts(self) -> dict[Point, str]:
        """HOLDS, FAILS, or CLOSE where the spread goes over an end of the range, by point."""
        return {point: self._verdict(value) for point, value in self.here.items()}

    def _verdict(self, value: Spread) -> str:
        least, most = self.range
        if least < value.low and value.high < most:
            return HOLDS
        return FAILS if value.high < least or value.low > most else CLOSE

    @property
    def verdict(self) -> str:
        """The verdict on all points together. Points that are too close to tell count only where all of them are so."""
        told = set(self.verdicts.values()) - {CLOSE}
        if not self.here:
            return UNTESTED
        if not told:
            return CLOSE
        return told.pop() if len(told) == 1 else MIXED

    @property
    def ratios_here(self) -> str:
        """Our ratios in a few words, by verdict, or nothing where there are none."""
        verdicts = self.verdicts
        kinds = [kind for kind in VERDICTS if kind in verdicts.values()]
        parts = []
        for kind in kinds:
            at = [point for point, each in verdicts.items() if each == kind]
            said = "" if len(kinds) == 1 else f"{kind} at {', '.join(map(str, at))}: "
            parts.append(f"{said}{_from_to([self.here[point].middle for point in at])}")
        return "; ".join(parts)

    @property
    def ratios_published(self) -> str:
        """The paper's ratios in a few words, or nothing where there are none."""
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
    """Numbers by row and point."""

    title: str  # a heading
    text: str  # what they are: unit, device, place in the paper
    points: str  # what the points are, such as "length"
    # the numbers of each row by point; those that were measured have a spread
    rows: Mapping[str, Mapping[Point, float | Spread]]

    @property
    def is_published(self) -> bool:
        """Whether there are numbers, all of them a paper's."""
        values = [value for cells in self.rows.values() for value in cells.values()]
        return bool(values) and not any(isinstance(value, Spread) for value in values)

    @property
    def columns(self) -> list[Point]:
        """All points: first the numbers in rising order, then the names in the order of the rows."""
        found = dict.fromkeys(point for cells in self.rows.values() for point in cells)
        numbers = sorted(point for point in found if isinstance(point, int))
        return [*numbers, *(point for point in found if not isinstance(point, int))]


@dataclass(frozen=True)
class Panel:
    """One plot of ratios against points: curves, or rows of dots where the points are names."""

    title: str  # the claim, or what is compared
    ratio: str  # what the ratios are
    points_name: str  # what the points are, for the axis
    published: Mapping[str, Mapping[Point, Spread]]  # the paper's curves by name; their spread is not known
    here: Mapping[str, Mapping[Point, Spread]]  # those of runs; a run without any keeps its colour
    range: tuple[float, float] | None = None  # where a claim holds

    @property
    def curves(self) -> dict[str, Mapping[Point, Spread]]:
        """All curves that are not empty, by name. The paper's come first."""
        return {name: curve for name, curve in {**self.published, **self.here}.items() if curve}

    @property
    def points(self) -> list[Point]:
        """All points: first the numbers in rising order, then the names in the order of the curves."""
        found = dict.fromkeys(point for curve in self.curves.values() for point in curve)
        return sorted(found) if self.has_numbers else [*found]

    @property
    def has_numbers(self) -> bool:
        """Whether the points are numbers, and not names."""
        return all(isinstance(point, int) for curve in self.curves.values() for point in curve)


def of_claims(runs: Mapping[str, Sequence[Conclusion]]) -> list[Panel]:
    """A panel for each conclusion that was tested in some run, with all runs: a chapter's conclusions by run, the same
    ones in each.
    """
    found = []
    for those in zip(*runs.values(), strict=True):
        if any(each.here for each in those):
            first = those[0]
            published = {PAPER: {point: Spread.exact(ratio) for point, ratio in first.published.items()}}
            here = {name: each.here for name, each in zip(runs, those, strict=True)}
            found.append(Panel(first.claim, first.ratio, first.points, published, here, first.range))
    return found


class Measured(dict[str, Grid]):
    """What a chapter measured: its grids by name, of which one that was not measured is empty. Where `software` is set,
    the device was a software renderer, so that GPU and CPU were the same.
    """

    def __init__(self, grids: Mapping[str, Grid], software: bool = False) -> None:
        super().__init__(grids)
        self.software = software

    def __missing__(self, name: str) -> Grid:
        return Grid()
