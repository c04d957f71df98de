"""The numbers of which samples are made, by the names that SigMF has for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, OptionError, shown


@dataclass(frozen=True)
class SampleFormat:
    """Complex samples, real part first.

    Attributes:
        name: as users give it.
        dtype: of their numbers; of "cf32" of both parts together.
        shader_name: what channelizer/samples.glsl calls it.
        zero: the number that stands for 0.
        scale: of a step, where samples go from -1 to 1.
    """

    name: str
    dtype: np.dtype[Any]
    shader_name: str
    zero: int = 0
    scale: float = 1.0

    @property
    def sample_bytes(self) -> int:
        """Bytes of a sample."""
        return self.dtype.itemsize * (1 if self.is_float else 2)

    @property
    def is_float(self) -> bool:
        """Whether its numbers are complex ones of float32."""
        return self.dtype.kind == "c"

    def shape(self, count: int) -> tuple[int, ...]:
        """Of an array of so many samples."""
        return (count,) if self.is_float else (count, 2)

    def silence(self, count: int) -> npt.NDArray[Any]:
        """So many samples that are 0."""
        return np.full(self.shape(count), self.zero, self.dtype)

    def checked(self, samples: npt.ArrayLike) -> npt.NDArray[Any]:
        """Samples as an array of this format.

        Raises:
            DataError: they have another shape or type.
        """
        array = np.asarray(samples)
        if self.is_float and array.ndim == 1 and array.dtype.kind in "fc":
            return array.astype(self.dtype, copy=False)
        if not self.is_float and array.dtype == self.dtype and array.ndim == 2 and array.shape[1] == 2:
            return array
        raise DataError(
            f"Samples have shape {array.shape} and dtype {array.dtype}; {self.name} takes "
            + ("complex numbers [samples]." if self.is_float else f"[samples, 2] of {self.dtype}.")
        )

    def as_complex(self, samples: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
        """What the numbers stand for: complex64 [samples]."""
        if self.is_float:
            return samples.astype(np.complex64, copy=False)
        parts = (samples.astype(np.float32) - self.zero) * np.float32(self.scale)
        return np.ascontiguousarray(parts).view(np.complex64)[:, 0]


FORMATS = {
    each.name: each
    for each in (
        SampleFormat("cf32", np.dtype("<c8"), "FLOAT_32"),
        SampleFormat("ci16", np.dtype("<i2"), "SIGNED_16", scale=1 / 32768),
        SampleFormat("ci8", np.dtype("i1"), "SIGNED_8", scale=1 / 128),
        SampleFormat("cu8", np.dtype("u1"), "UNSIGNED_8", zero=128, scale=1 / 128),
    )
}


def format_named(name: str) -> SampleFormat:
    """The format of a name.

    Raises:
        OptionError: there is none.
    """
    if name not in FORMATS:
        raise OptionError(f"samples is {shown(name)} and must be one of {', '.join(FORMATS)}.")
    return FORMATS[name]
