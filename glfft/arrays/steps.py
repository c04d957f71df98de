"""A transform over any number of axes as plans over one, two or three of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from glfft.arrays.transform import Transform
from glfft.engine.request import FORWARD
from glfft.errors import LimitError

# Axes of a plan.
_MOST_AXES = 3


@dataclass(frozen=True)
class Step:
    """A transform over one, two or three axes of an array: what a plan does at once."""

    kind: Transform  # which
    axes: tuple[int, ...]  # of the array, the last one halved if the kind halves one
    lengths: tuple[int, ...]  # of the transform along the axes


def steps_over(kind: Transform, axes: Sequence[int], lengths: Sequence[int], most: int) -> list[Step]:
    """Plans for any number of axes, in order: as many axes as fit, up to three, from the last axis on.

    Real numbers are real before the first step forward and after the last step back. `most` is the complex numbers that
    a plan can take; raises LimitError where a line is longer.
    """
    if max(lengths) > most:
        raise LimitError(
            f"A transform of length {max(lengths)} is asked for; the device can bind buffers of at most {most} complex "
            "numbers."
        )
    left = list(zip(axes, lengths, strict=True))
    found: list[Step] = []
    while left:
        count = min(_MOST_AXES, len(left))
        while math.prod(length for _, length in left[-count:]) > most:
            count -= 1
        real = kind.real and not found
        # The order of the axes matters only to the one halved; the later one is the nearer one in memory.
        group = left[-count:] if real else sorted(left[-count:])
        found.append(
            Step(replace(kind, real=real), tuple(axis for axis, _ in group), tuple(length for _, length in group))
        )
        del left[-count:]
    return found if kind.direction == FORWARD else found[::-1]


@dataclass(frozen=True)
class Block:
    """A part of an array that a plan takes whole: its last axes, from one on."""

    first: int  # the array's axis that it begins with
    # the plan's: the lengths of transforms, and what lies between and beyond the axes transformed
    shape: tuple[int, ...]
    axes: tuple[int, ...]  # of the shape, the ones transformed

    @property
    def points(self) -> int:
        """Numbers of one block."""
        return math.prod(self.shape)


def block_of(step: Step, shape: Sequence[int]) -> Block | None:
    """The part of an array of a shape that a plan can take as it lies in memory; None where no plan can."""
    if step.kind.real and step.axes[-1] != max(step.axes):
        return None
    lengths = dict(zip(step.axes, step.lengths, strict=True))
    first = min(step.axes)
    sizes: list[int] = []
    transformed: list[int] = []
    for axis in range(first, len(shape)):
        if axis in lengths:
            transformed.append(len(sizes))
            sizes.append(lengths[axis])
        elif axis - 1 in lengths:
            sizes.append(shape[axis])
        else:
            # Neither this axis nor the one before is transformed: they are one axis of the plan.
            sizes[-1] *= shape[axis]
    return Block(first, tuple(sizes), tuple(transformed)) if len(sizes) <= _MOST_AXES else None
