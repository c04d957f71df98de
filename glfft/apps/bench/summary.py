"""A run of many cases in a few numbers: how many times as fast as a library glfft is, over all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glfft.apps.bench.cases import Case, ConvolutionCase, OceanCase

_WORST = 5


@dataclass(frozen=True)
class Ratios:
    """Cases of a kind by one algorithm beside a peer. A ratio is the peer's time over glfft's."""

    kind: str  # "complex", "real", "half storage", "cosine", "ocean" or "convolution"
    algorithm: str  # its name
    ratios: tuple[float, ...]  # of each case
    smooth: tuple[float, ...]  # of the cases without a prime factor above 7

    @property
    def mean(self) -> float:
        """The geometric mean."""
        return math.exp(math.fsum(map(math.log, self.ratios)) / len(self.ratios))

    @property
    def share_above_one(self) -> float:
        """The share of cases where glfft is faster."""
        return sum(ratio > 1.0 for ratio in self.ratios) / len(self.ratios)

    @property
    def least_smooth(self) -> float | None:
        """The least ratio without a prime factor above 7, or None where there is no such case."""
        return min(self.smooth, default=None)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "kind": self.kind,
            "algorithm": self.algorithm,
            "cases": len(self.ratios),
            "geometric_mean": self.mean,
            "share_above_one": self.share_above_one,
            "least": min(self.ratios),
            "least_smooth": self.least_smooth,
        }


@dataclass(frozen=True)
class Summary:
    """A run beside one peer."""

    peer: str  # its name
    kinds: tuple[Ratios, ...]  # every kind of case that was measured
    worst: tuple[tuple[str, str, float], ...]  # title, algorithm and ratio of the five lowest ratios, the lowest first

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        worst = [{"case": title, "algorithm": algorithm, "ratio": ratio} for title, algorithm, ratio in self.worst]
        return {"peer": self.peer, "kinds": [each.to_json() for each in self.kinds], "worst": worst}


def summarise(peer: str, found: Sequence[tuple[Case, str, float]]) -> Summary:
    """What was found beside a peer, given as case, algorithm and ratio."""
    by_kind: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    for case, algorithm, ratio in found:
        by_kind.setdefault((_kind(case), algorithm), []).append((ratio, case.smooth))
    kinds = tuple(
        Ratios(*key, tuple(ratio for ratio, _ in pairs), tuple(ratio for ratio, smooth in pairs if smooth))
        for key, pairs in by_kind.items()
    )
    lowest = sorted(found, key=lambda each: each[2])[:_WORST]
    return Summary(peer, kinds, tuple((case.title, algorithm, ratio) for case, algorithm, ratio in lowest))


def _kind(case: Case) -> str:
    if isinstance(case, OceanCase):
        return "ocean"
    if isinstance(case, ConvolutionCase):
        return "convolution"
    if case.storage.dtype == "f2":
        return "half storage"
    return "real" if case.real else "cosine" if case.cosine else "complex"
