"""What the plots of a report show, as data: the paper's ratios and those of one or several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glfft.apps.papers.claims import Conclusion, Figure
from glfft.apps.papers.grid import Point, Spread

PAPER = "paper"

Curve = Mapping[Point, Spread]
"""Ratios by point."""


@dataclass(frozen=True)
class Panel:
    """One plot of ratios against points."""

    title: str  # the claim, or what is compared
    ratio: str  # what the ratios are
    points_name: str  # what the points are
    published: Mapping[str, Curve]  # the paper's curves by name; their spread is not known
    here: Mapping[str, Curve]  # those of runs; a run without any keeps its colour
    range: tuple[float, float] | None = None  # where a claim holds

    @property
    def curves(self) -> dict[str, Curve]:
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
            published = {PAPER: _exact(first.published)} if first.published else {}
            here = {name: each.here for name, each in zip(runs, those, strict=True)}
            found.append(Panel(first.claim, first.ratio, first.points, published, here, first.range))
    return found


def of_figures(figures: Sequence[Figure], run: str = "") -> list[Panel]:
    """A panel for each figure of which something was measured; titles end with the name of the run, if there is one."""
    return [
        Panel(
            f"{each.title}, {run}" if run else each.title,
            each.ratio,
            each.points,
            {f"{name}, {PAPER}": _exact(curve) for name, curve in each.published.items()},
            each.here,
        )
        for each in figures
        if any(each.here.values())
    ]


def _exact(ratios: Mapping[Point, float]) -> dict[Point, Spread]:
    return {point: Spread(ratio, ratio, ratio) for point, ratio in ratios.items()}
