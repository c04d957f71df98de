"""The numbers of which samples are made, by the names that SigMF has for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, OptionError, shown


@dataclass(frozen=True)
class SampleFormat:
    """Complex samples, real part first."""

    name: str  # as users give it
    dtype: np.dtype[Any]  # of their numbers; of "cf32" of both parts together
    shader_name: str  # what channelizer/samples.glsl calls it
    zero: int = 0  # the number that stands for 0

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
        """Samples as an array of this format. Raises DataError where they have another shape or type."""
        array = np.asarray(samples)
        if self.is_float and array.ndim == 1 and array.dtype.kind in "fc":
            return array.astype(self.dtype, copy=False)
        if not self.is_float and array.dtype == self.dtype and array.ndim == 2 and array.shape[1] == 2:
            return array
        raise DataError(
            f"Samples have shape {array.shape} and dtype {array.dtype}; {self.name} takes "
            + ("complex numbers [samples]." if self.is_float else f"[samples, 2] of {self.dtype}.")
        )


FORMATS = {
    each.name: each
    for each in (
        SampleFormat("cf32", np.dtype("<c8"), "FLOAT_32"),
        SampleFormat("ci16", np.dtype("<i2"), "SIGNED_16"),
        SampleFormat("ci8", np.dtype("i1"), "SIGNED_8"),
        SampleFormat("cu8", np.dtype("u1"), "UNSIGNED_8", zero=128),
    )
}


def format_named(name: str) -> SampleFormat:
    """The format of a name. Raises OptionError where there is none."""
    if name not in FORMATS:
        raise OptionError(f"samples is {shown(name)} and must be one of {', '.join(FORMATS)}.")
    return FORMATS[name]


@dataclass(frozen=True)
class StoredNumbers:
    """The numbers of a recording, as SigMF names them: "ci16_le", "rf32_be" and so on."""

    dtype: np.dtype[Any]  # of a number
    parts: int  # 2 for complex samples, real part first; 1 for real ones

    @classmethod
    def named(cls, datatype: str) -> StoredNumbers | None:
        """Those of a SigMF datatype, None if it is none. Without a byte order they are little endian."""
        found = re.fullmatch(r"([cr])(f32|f64|[iu]32|[iu]16|[iu]8)(_le|_be)?", datatype)
        if found is None:
            return None
        order, bytes_each = ">" if found[3] == "_be" else "<", int(found[2][1:]) // 8
        return cls(np.dtype(f"{order}{found[2][0]}{bytes_each}"), 2 if found[1] == "c" else 1)

    @classmethod
    def of(cls, kind: SampleFormat) -> StoredNumbers:
        """Those of a format."""
        return cls(np.dtype("<f4") if kind.is_float else kind.dtype, 2)

    @property
    def sample_bytes(self) -> int:
        """Bytes of a sample."""
        return self.parts * self.dtype.itemsize

    def to_complex(self, numbers: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
        """Samples [n, parts], or [n] if they are real: complex64, whole numbers as from -1 to 1."""
        wide = numbers.astype(np.float64).reshape(len(numbers), -1)
        if self.dtype.kind != "f":
            half = 2.0 ** (8 * self.dtype.itemsize - 1)
            wide = (wide - half * (self.dtype.kind == "u")) / half
        samples = np.zeros(len(wide), np.complex64)
        samples.real = wide[:, 0]
        if self.parts == 2:
            samples.imag = wide[:, 1]
        return samples
