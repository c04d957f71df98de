"""Which transform of an array is asked for, and what kinds of numbers it takes and makes."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np

from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.request import FORWARD, INVERSE
from glfft.errors import OptionError, shown


@dataclass(frozen=True)
class Options:
    """What array functions take beside numpy's arguments; see `glfft.fft`."""

    ctx: moderngl.Context | None
    algorithm: str
    twiddles: str
    precision: str


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
    def trigonometric(cls, name: str, number: Any, direction: int, orthogonalize: bool | None) -> Transform:
        """The cosine ("dct") or sine ("dst") transform of a type, or its inverse. Raises OptionError where there is no
        such type, or `orthogonalize` is neither True, False nor None.
        """
        try:
            kind = KINDS.get(f"{name}{operator.index(number)}")
        except TypeError:
            kind = None
        if kind is None:
            raise OptionError(f"The type is {shown(number)} and must be 1, 2, 3 or 4.")
        if orthogonalize is not None and not isinstance(orthogonalize, bool | np.bool_):
            raise OptionError(f"orthogonalize is {shown(orthogonalize)} and must be True, False or None.")
        return cls(direction, kind=kind, orthogonalize=None if orthogonalize is None else bool(orthogonalize))

    @property
    def storage(self) -> Storage:
        """What its plans work on."""
        return STORAGES["buffer_double" if self.double else "buffer"]

    @property
    def source_type(self) -> type[np.generic]:
        """The type of the numbers it takes."""
        return self._numbers(self.kind is not None or (self.real and self.direction == FORWARD))

    @property
    def target_type(self) -> type[np.generic]:
        """The type of the numbers it makes."""
        return self._numbers(self.kind is not None or (self.real and self.direction == INVERSE))

    @property
    def complex_type(self) -> type[np.generic]:
        """The type of its complex numbers."""
        return self._numbers(False)

    def _numbers(self, real: bool) -> type[np.generic]:
        if self.double:
            return np.float64 if real else np.complex128
        return np.float32 if real else np.complex64

    def default_length(self, have: int) -> int:
        """The length of the transform that the last axis of the input is taken for."""
        return 2 * (have - 1) if self.real and self.direction == INVERSE else have

    def source_length(self, length: int) -> int:
        """Points that a transform of a length takes along its last axis."""
        return length // 2 + 1 if self.real and self.direction == INVERSE else length

    def target_length(self, length: int) -> int:
        """Points that a transform of a length makes along its last axis."""
        return length // 2 + 1 if self.real and self.direction == FORWARD else length
