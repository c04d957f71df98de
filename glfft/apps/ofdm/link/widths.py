"""Samples as a radio delivers them: 32-bit floats, 16-bit floats, or integers of eight bits or fewer.

The paper's LittleFloat has 1 sign, 5 exponent and 10 mantissa bits, which is IEEE's half precision; its TinyFixed has
eight bits. Narrower integers are kept in eight bits each.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

import glfft
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32, WIDTHS
from glfft.errors import OptionError, shown
from glfft.gl.bindings import FIRST_DEMO_BUFFER_BINDING

SAMPLES_BINDING = FIRST_DEMO_BUFFER_BINDING

_DTYPES = {FLOAT32: "<f4", FLOAT16: "<f2"}


@dataclass(frozen=True)
class Width:
    """How a sample is kept."""

    name: str = FIXED8  # "float32", "float16", or "fixed8" down to "fixed2" for integers of so many bits

    def __post_init__(self) -> None:
        if self.name not in WIDTHS:
            raise OptionError(f"The samples are {shown(self.name)} and must be one of {', '.join(WIDTHS)}.")

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Of the real and the imaginary part."""
        return np.dtype(_DTYPES.get(self.name, "i1"))

    @property
    def bits(self) -> int:
        """Bits of an integer, 0 for floats."""
        return 0 if self.name in _DTYPES else int(self.name.removeprefix("fixed"))

    def encode(self, samples: npt.NDArray[np.complex64], power: float) -> npt.NDArray[np.generic]:
        """Samples [samples] as the receiver takes them: [samples, 2], real and imaginary parts. Integers are scaled to
        the mean power of the samples, and what is larger than they can say is cut.
        """
        parts = np.ascontiguousarray(samples).view(np.float32).reshape(-1, 2)
        if not self.bits:
            return parts.astype(self.dtype)
        # A number stands for the middle of its interval, so that all of them have as many below zero as above.
        most = 1 << (self.bits - 1)
        numbers = np.floor(parts * np.float32(1 / self.step(power)))
        return np.clip(numbers, -most, most - 1).astype(np.int8)

    def load(self) -> glfft.snippets.Snippet:
        """What a transform loads: the samples of a symbol behind its guard interval, from `SAMPLES_BINDING`.

        For integers it has the uniform `sample_step`, see `step`.
        """
        return glfft.snippets.Snippet(
            f'{self.samples}#include "ofdm/symbol_load.glsl"\n', name=f"of {self.name} samples"
        )

    @property
    def samples(self) -> str:
        """GLSL of `vec2 sample_at(int index)`."""
        kind = "fixed" if self.bits else self.name
        return f'#define SAMPLES_BINDING {SAMPLES_BINDING}\n#include "ofdm/{kind}_samples.glsl"\n'

    def step(self, power: float) -> float:
        """What lies between an integer and the next, for samples of a mean power."""
        return _best_range(self.bits) * math.sqrt(power / 2) / (1 << (self.bits - 1))

    def noise(self, power: float) -> float:
        """The power of what rounding changes, for samples of a mean power with a normal distribution."""
        return _rounding(self.bits, _best_range(self.bits)) * power if self.bits else 0.0


@cache
def _best_range(bits: int) -> float:
    """The largest number worth saying, in standard deviations of one part: more would round coarser, less cut more."""
    return min((each / 50 for each in range(25, 300)), key=lambda largest: _rounding(bits, largest))


@cache
def _rounding(bits: int, largest: float) -> float:
    """The mean square of what rounding changes of normal numbers of unit variance, by numerical integration."""
    step = largest / (1 << (bits - 1))
    x = np.linspace(-8, 8, 16001)
    weights = np.exp(-(x**2) / 2)
    rounded = np.clip((np.floor(x / step) + 0.5) * step, step / 2 - largest, largest - step / 2)
    return float(((x - rounded) ** 2 * weights).sum() / weights.sum())
