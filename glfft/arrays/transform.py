"""Which transform of an array is asked for, with which kinds of numbers, and its steps: plans over up to three axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import moderngl
import numpy as np

from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.request import FORWARD, INVERSE, as_orthogonalize
from glfft.errors import LimitError, require, whole_number

_MOST_AXES = 3  # axes of a plan

Options = tuple[moderngl.Context | None, str, str, str]  # ctx, algorithm, twiddles and precision, see `glfft.fft`


@dataclass(frozen=True)
class Transform:
    """One of numpy's transforms, or of scipy's cosine and sine transforms."""

    direction: int  # FORWARD or INVERSE
    real: bool = False  # between real numbers and the non-redundant half of their spectrum
    mirrored: bool = False  # as the names with an h: the half is conjugated, and `norm` means the other direction
    # a cosine or sine transform, from real numbers to as many; complex numbers go as two arrays of real ones
    kind: Kind | None = None
    orthogonalize: bool | None = None  # of a kind, as in scipy
    double: bool = False  # in float64 instead of float32
    norm: str | None = None  # norm, algorithm, twiddles: of its plans
    algorithm: str = "auto"
    twiddles: str = "table"

    @classmethod
    def trigonometric(cls, name: str, direction: int, number: Any, orthogonalize: bool | None) -> Self:
        """The cosine ("dct") or sine ("dst") transform of a type, or its inverse; OptionError for other arguments."""
        kind = KINDS.get(f"{name}{whole_number(number)}")
        require(kind is not None, "The type", number, "1, 2, 3 or 4")
        given = None if orthogonalize is None else as_orthogonalize(orthogonalize, kind, "backward")
        return cls(direction, kind=kind, orthogonalize=given)

    @property
    def storage(self) -> Storage:
        """What its plans work on."""
        return STORAGES["buffer_double" if self.double else "buffer"]

    @property
    def complex_type(self) -> type[np.generic]:
        return np.complex128 if self.double else np.complex64

    @property
    def source_type(self) -> type[np.generic]:
        """The type of the numbers it takes."""
        if self.kind is None and not (self.real and self.direction == FORWARD):
            return self.complex_type
        return np.float64 if self.double else np.float32

    @property
    def target_type(self) -> type[np.generic]:
        """The type of the numbers it makes."""
        return replace(self, direction=-self.direction).source_type

    def default_length(self, have: int) -> int:
        """The length of the transform that the last axis of the input is taken for."""
        return 2 * (have - 1) if self.real and self.direction == INVERSE else have

    def source_length(self, length: int) -> int:
        """Points that a transform of a length takes along its last axis."""
        return length // 2 + 1 if self.real and self.direction == INVERSE else length

    def target_length(self, length: int) -> int:
        """Points that a transform of a length makes along its last axis."""
        return length // 2 + 1 if self.real and self.direction == FORWARD else length


def with_lengths(shape: Sequence[int], axes: Sequence[int], lengths: Sequence[int]) -> tuple[int, ...]:
    """A shape with other lengths along some axes."""
    changed = dict(zip(axes, lengths, strict=True))
    return tuple(changed.get(axis, length) for axis, length in enumerate(shape))


@dataclass(frozen=True)
class Step:
    """A transform over one, two or three axes of an array: what a plan does at once."""

    kind: Transform  # which
    axes: tuple[int, ...]  # of the array, the last one halved if the kind halves one
    lengths: tuple[int, ...]  # of the transform along the axes


def steps_over(kind: Transform, axes: Sequence[int], lengths: Sequence[int], most: int) -> list[Step]:
    """Plans for any number of axes, in order, from the last on: as many, up to three, as fit `most` numbers."""
    if max(lengths) > most:
        wanted = f"A transform of length {max(lengths)} is asked for"
        raise LimitError(f"{wanted}; the device can bind buffers of at most {most} complex numbers.")
    left = list(zip(axes, lengths, strict=True))
    found: list[Step] = []
    while left:
        count = min(_MOST_AXES, len(left))
        while math.prod(length for _, length in left[-count:]) > most:
            count -= 1
        real = kind.real and not found
        # The order of the axes matters only to the one halved; the later one is the nearer one in memory.
        axes, lengths = zip(*(left[-count:] if real else sorted(left[-count:])), strict=True)
        found.append(Step(replace(kind, real=real), axes, lengths))
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
    sizes, transformed = [], []
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
