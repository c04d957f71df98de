"""Cosine and sine transforms by name, as data: which complex transform each is done by, and what undoes it."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A discrete cosine or sine transform, as scipy.fft.dct and scipy.fft.dst define the eight of them."""

    sine: bool  # a sine transform, else a cosine transform
    type: int  # 1 to 4

    @property
    def name(self) -> str:
        return f"{'dst' if self.sine else 'dct'}{self.type}"

    @property
    def inverse(self) -> "Kind":
        """The one that undoes it, but for a factor of 1 / `period`."""
        return Kind(self.sine, {2: 3, 3: 2}.get(self.type, self.type))

    @property
    def fewest_points(self) -> int:
        return 2 if self == Kind(sine=False, type=1) else 1

    def period(self, points: int) -> int:
        """Points after which a line, continued by its symmetries, repeats itself but for its sign: what norms count."""
        # Half a period of type 1 shares two ends, or has two zeros beside a line's points.
        return 2 * (points + (0 if self.type != 1 else 1 if self.sine else -1))

    def factor_of_one(self, orthogonal: bool) -> float:
        """What it multiplies a line of one point by, which is all it does."""
        if self.type == 3 and not orthogonal:
            return 1.0
        return math.sqrt(2.0) if self.type in (3, 4) or (self.type == 2 and orthogonal) else 2.0


KINDS = {kind.name: kind for kind in (Kind(sine, number) for sine in (False, True) for number in (1, 2, 3, 4))}
