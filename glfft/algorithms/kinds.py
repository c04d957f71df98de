"""Cosine and sine transforms by name, as data: which complex transform each is done by, and what undoes it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_INVERSE_TYPES = {1: 1, 2: 3, 3: 2, 4: 4}


@dataclass(frozen=True)
class Kind:
    """A discrete cosine or sine transform, as scipy.fft.dct and scipy.fft.dst define the eight of them."""

    sine: bool  # a sine transform, else a cosine transform
    type: int  # 1 to 4

    @property
    def name(self) -> str:
        """What users call it."""
        return f"{'dst' if self.sine else 'dct'}{self.type}"

    @property
    def inverse(self) -> Kind:
        """The one that undoes it, but for a factor of 1 / `period`."""
        return Kind(self.sine, _INVERSE_TYPES[self.type])

    @property
    def fewest_points(self) -> int:
        """Of a line."""
        return 2 if self == Kind(sine=False, type=1) else 1

    @property
    def folds(self) -> bool:
        """Whether each result is made of two points of the complex transform's."""
        return self.type in (2, 4)

    def period(self, points: int) -> int:
        """Points after which a line, continued by its symmetries, repeats itself but for its sign: what norms count."""
        return 2 * (points + self._ends)

    def complex_length(self, points: int) -> int:
        """Points of the complex transform that does it."""
        return self.period(points) if self.type == 1 else points

    def factor_of_one(self, orthogonal: bool) -> float:
        """What it multiplies a line of one point by, which is all it does."""
        if self.type == 3:
            return math.sqrt(2.0) if orthogonal else 1.0
        if self.type == 4 or (self.type == 2 and orthogonal):
            return math.sqrt(2.0)
        return 2.0

    @property
    def _ends(self) -> int:
        """Points of half a period beyond those of a line: of type 1, two ends are shared or two zeros come to them."""
        if self.type != 1:
            return 0
        return 1 if self.sine else -1


KINDS = {kind.name: kind for kind in (Kind(sine, number) for sine in (False, True) for number in (1, 2, 3, 4))}
