"""How the lines of one end of a pass lie in an image, as data."""

import math
from dataclasses import dataclass
from enum import Enum


class Points(Enum):
    """What an image holds of each line."""

    COMPLEX = "complex numbers"
    REAL = "real numbers"
    HERMITIAN = "the non-redundant half of the spectrum of a real line"
    PADDED = "complex numbers of a longer line, in a scratch buffer"
    CARRIED = "complex numbers, by which a cosine or sine transform of real lines is done"


@dataclass(frozen=True)
class LineLayout:
    """The lines that a pass reads or writes."""

    shape: tuple[int, ...]  # rows, columns of a layer of the image; of a volume depth, rows, columns
    axis: int  # of the shape, along which the lines run
    length: int  # points of a whole line; of a Hermitian half the image holds length // 2 + 1 of them
    points: Points  # what they are
    # the number of its first point along each axis, where the image holds a region; else nothing
    first: tuple[int, ...] = ()

    @property
    def stored(self) -> int:
        """Points of a line that the image holds."""
        return self.shape[self.axis]

    @property
    def count(self) -> int:
        """Lines in a layer."""
        return math.prod(self.shape) // self.shape[self.axis]


def half_shape(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape of the non-redundant half of a real picture's spectrum, where `axis` is the one halved."""
    kept = shape[axis] // 2 + 1 if shape[axis] > 1 else 1
    return (*shape[:axis], kept, *shape[axis + 1 :])
