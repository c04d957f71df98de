"""What the plots of a report show, as data: the paper's ratios and those of one or several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glfft.papers.chapter import Conclusion, Figure
from glfft.papers.grid import Point, Spread

PAPER = "paper"

Curve = Mapping[Point, Spread]
"""Ratios by point."""


@dataclass(frozen=True)
class Panel:
    """One plot of ratios against points.

    Attributes:
        title: the claim, or what is compared.
        ratio: what the ratios are.
        points_name: what the points are.
        published: the paper's curves by name; their spread is not known.
        here: those of runs.
        range: where a claim holds.
    """

    title: str
    ratio: str
    points_name: str
    published: Mapping[str, Curve]
    here: Mapping[str, Curve]
    range: tuple[float, float] | None = None

    @property
    def curves(self) -> dict[str, Curve]:
        """All curves by name, the paper's first."""
        return {**self.published, **self.here}

    @property
    def points(self) -> list[Point]:
        """All points: numbers in order, names as they come."""
        found = dict.fromkeys(point for curve in self.curves.values() for point in curve)
        return sorted(found) if self.has_numbers else [*found]

    @property
    def has_numbers(self) -> bool:
        """Whether the points are numbers, and not names."""
        return all(isinstance(point, int) for curve in self.curves.values() for point in curve)


def of_claims(runs: Mapping[str, Sequence[Conclusion]]) -> list[Panel]:
    """A panel for each conclusion of a chapter that was tested in some run.

    Args:
        runs: the chapter's conclusions by the name of the run, the same ones in each.
    """
    found = []
    for those in zip(*runs.values(), strict=True):
        here = {name: each.here for name, each in zip(runs, those, strict=True) if each.here}
        if here:
            first = those[0]
            published = {PAPER: _exact(first.published)} if first.published else {}
            found.append(Panel(first.claim, first.ratio, first.points, published, here, first.range))
    return found


def of_figures(runs: Mapping[str, Sequence[Figure]]) -> list[Panel]:
    """A panel for each figure of a chapter that has something of some run."""
    found = []
    for those in zip(*runs.values(), strict=True):
        here = {
            name if len(runs) == 1 else f"{name}, {run}": curve
            for run, each in zip(runs, those, strict=True)
            for name, curve in each.here.items()
            if curve
        }
        if here:
            first = those[0]
            published = {f"{name}, {PAPER}": _exact(curve) for name, curve in first.published.items()}
            found.append(Panel(first.title, first.ratio, first.points, published, here))
    return found


def _exact(ratios: Mapping[Point, float]) -> dict[Point, Spread]:
    return {point: Spread(ratio, ratio, ratio) for point, ratio in ratios.items()}
