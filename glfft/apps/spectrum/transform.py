"""Transforms the planes of a picture on the GPU, and back."""

from typing import Any

import moderngl
import numpy as np

from glfft import Plan
from glfft.algorithms.lengths import is_power_of_two
from glfft.errors import LimitError
from glfft.gl.context import state_of
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Releasable, release_all, released_on_error

_STRIP_ROWS = 64  # some megabytes of a large picture as complex numbers
_FITS = "use --fit pad, --fit crop or --fit resize"


class SpectrumMaker(Releasable):
    """Transforms planes; plan and textures are kept for one size. `advice` says what helps where a side is too long."""

    def __init__(self, ctx: moderngl.Context, algorithm: str = "auto", advice: str = _FITS) -> None:
        self._ctx, self._algorithm, self._advice = ctx, algorithm, advice
        self._plan: Plan | None = None
        self._textures: list[moderngl.Texture] = []

    def forward(self, planes: np.ndarray) -> list[moderngl.Texture]:
        """Spectra of float32 planes [planes, rows, columns], as numpy.fft.fft2 has them, in textures as of `upload`."""
        textures = self.upload(planes)
        assert self._plan is not None
        for texture in textures:
            self._plan.forward(texture, texture, next_use="sample")
        return textures

    def upload(self, planes: np.ndarray) -> list[moderngl.Texture]:
        """Upload float32 or complex64 planes [planes, rows, columns], as rg32f textures that belong to this object
        until the next call. LimitError, with nothing changed, where this device cannot transform them.
        """
        rows, columns = planes.shape[1:]
        if self._plan is None or self._plan.shape != (rows, columns) or len(self._textures) < len(planes):
            # All that is new comes before anything is released: after an error, what there was must still work.
            made: list[Any] = [self._make_plan(rows, columns)]
            with released_on_error(made), errors_checked(self._ctx, f"making textures of {columns}x{rows}"):
                made += [self._ctx.texture((columns, rows), 2, dtype="f4") for _ in planes]
            self.release()
            self._plan, *self._textures = made
        textures = self._textures[: len(planes)]
        for plane, texture in zip(planes, textures, strict=True):
            for first in range(0, len(plane), _STRIP_ROWS):
                strip = np.ascontiguousarray(plane[first : first + _STRIP_ROWS], np.complex64)
                texture.write(strip, (0, first, plane.shape[1], len(strip)))
        return textures

    def inverse(self, spectra: np.ndarray) -> np.ndarray:
        """Transform complex64 spectra [planes, rows, columns] back, as numpy.fft.ifft2. Errors are as of `upload`."""
        textures = self.upload(spectra)
        assert self._plan is not None
        for texture in textures:
            self._plan.inverse(texture, texture, next_use="read")
        return read_complex(textures)

    def _make_plan(self, rows: int, columns: int) -> Plan:
        size, limit = f"{columns}x{rows}", state_of(self._ctx).limits.texture_size
        if max(rows, columns) > limit:
            raise LimitError(f"The picture is {size}, over this device's limit of {limit} a side; {self._advice}.")
        try:
            return Plan(self._ctx, (rows, columns), algorithm=self._algorithm)
        except LimitError as error:
            if is_power_of_two(rows) and is_power_of_two(columns):
                raise  # no --fit helps; the error says what the algorithm would need
            if self._algorithm == "auto":
                who, why = "This device", f": a side with a large prime factor is too long; {self._advice}"
            else:
                who, why = self._algorithm, f"; {_FITS} for sides that are powers of two, or leave out --algorithm"
            raise LimitError(f"{who} cannot transform {size} pixels{why}.") from error

    def release(self) -> None:
        release_all([*self._textures, *([self._plan] if self._plan else [])])
        self._textures, self._plan = [], None


def read_complex(textures: list[moderngl.Texture]) -> np.ndarray:
    """Read rg32f textures back: complex64 [textures, rows, columns]."""
    columns, rows = textures[0].size
    values = np.empty((len(textures), rows, columns), np.complex64)
    for plane, texture in zip(values, textures, strict=True):
        texture.read_into(plane)
    return values
