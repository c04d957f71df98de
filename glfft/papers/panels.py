"""What the plots of a report show, as data: for each claim the paper's ratios and those of one or several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glfft.papers.chapter import Conclusion
from glfft.papers.grid import Point, Spread

PAPER = "paper"


@dataclass(frozen=True)
class Panel:
    """One plot of ratios against points.

    Attributes:
        title: the claim.
        ratio: what the ratios are.
        range: where the claim holds.
        points_name: what the points are.
        curves: ratios by point, by the name of where they come from: PAPER, whose spread is not known, and runs.
    """

    title: str
    ratio: str
    range: tuple[float, float]
    points_name: str
    curves: Mapping[str, Mapping[Point, Spread]]

    @property
    def points(self) -> list[Point]:
        """All points: numbers in order, names as they come."""
        found = dict.fromkeys(point for curve in self.curves.values() for point in curve)
        return sorted(found) if all(isinstance(point, int) for point in found) else [*found]


def panels(conclusions: Sequence[Conclusion], run: str) -> list[Panel]:
    """A panel for each conclusion that was tested."""
    return merged({run: conclusions})


def merged(runs: Mapping[str, Sequence[Conclusion]]) -> list[Panel]:
    """A panel for each conclusion of a chapter that was tested in some run.

    Args:
        runs: the chapter's conclusions by the name of the run, the same ones in each.
    """
    found = []
    for those in zip(*runs.values(), strict=True):
        curves = {name: each.here for name, each in zip(runs, those, strict=True) if each.here}
        if curves:
            published = {point: Spread(ratio, ratio, ratio) for point, ratio in those[0].published.items()}
            both = {**({PAPER: published} if published else {}), **curves}
            first = those[0]
            found.append(Panel(first.claim, first.ratio, first.range, first.points, both))
    return found
