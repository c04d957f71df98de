"""Spectra on the GPU: made of planes and turned back, and drawn as pictures."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from moderngl import Context, Texture

from glfft import Plan
from glfft.algorithms.lengths import is_power_of_two
from glfft.apps.picture_files import map_strips
from glfft.apps.spectrum.colours import CYCLIC, colour_table
from glfft.apps.spectrum.options import View
from glfft.errors import LimitError
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import state_of
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, Releasable, release_all, released_after, released_on_error

_NOISE = 1e-7  # Float32 transforms leave noise of about this fraction of the largest bin everywhere
# White is at least this fraction of the largest bin: else all lines of a spectrum of a few lines would be white.
_SPARSE = 1e-3
_WHITE, _LOG_WHITE, _LOG_BLACK = 99.9, 99.99, 2.0  # percentiles
_GROUP = 16
_STRIP_ROWS = 64  # some megabytes of a large picture as complex numbers
_FITS = "use --fit pad, --fit crop or --fit resize"
_COLOUR_UNIT = bindings.FIRST_DRAWING_TEXTURE_UNIT + 3  # up to three spectra come below it


class SpectrumMaker(Releasable):
    """Transforms planes; plan and textures are kept for one size. `advice` says what helps where a side is too long."""

    def __init__(self, ctx: Context, algorithm: str = "auto", advice: str = _FITS) -> None:
        self._ctx, self._algorithm, self._advice = ctx, algorithm, advice
        self._plan: Plan | None = None
        self._textures: list[Texture] = []

    def forward(self, planes: np.ndarray) -> list[Texture]:
        """Spectra of float32 planes [planes, rows, columns], as numpy.fft.fft2 has them, in textures as of `upload`."""
        textures = self.upload(planes)
        assert self._plan is not None
        for texture in textures:
            self._plan.forward(texture, texture, next_use="sample")
        return textures

    def upload(self, planes: np.ndarray) -> list[Texture]:
        """Upload float32 or complex64 planes as rg32f textures of its own. A LimitError changes nothing."""
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


def read_complex(textures: list[Texture]) -> np.ndarray:
    """Read rg32f textures back: complex64 [textures, rows, columns]."""
    columns, rows = textures[0].size
    values = np.empty((len(textures), rows, columns), np.complex64)
    for plane, texture in zip(values, textures, strict=True):
        texture.read_into(plane)
    return values


class Range(NamedTuple):
    """The magnitudes |F| drawn black and white."""

    black: float  # magnitudes up to this are black; 0 for the linear and sqrt scales
    white: float  # magnitudes from this on are white (or the end of the colour map)


def choose_range(spectra: np.ndarray, scale: str) -> Range:
    """Choose the range of the finite bins of spectra [planes, rows, columns], unshifted, by percentiles of all planes
    without the zero frequency: white is the 99.99th on the log scale and the 99.9th on others, and at least a
    thousandth of the largest bin; black is 0, or on the log scale the 2nd, from a ten-millionth of the largest bin
    (float32 noise) to a tenth of white.
    """
    magnitudes = np.empty(spectra.shape, f"f{spectra.itemsize // 2}")
    map_strips(lambda rows: np.abs(spectra[:, rows], magnitudes[:, rows]), spectra.shape[1], _STRIP_ROWS)
    finite = magnitudes.reshape(len(spectra), -1)
    rest = finite[:, 1:]
    if not np.isfinite(finite.max()):
        finite, rest = finite[np.isfinite(finite)], rest[np.isfinite(rest)]
    largest = float(finite.max(initial=0.0))
    if largest == 0.0:
        return Range(0.0, 1.0)
    if rest.size == 0:
        rest = finite
    noise = _NOISE * largest
    least = max(_SPARSE * float(rest.max()), 10 * noise)
    # The magnitudes are ours to put in order.
    white = max(float(np.percentile(rest, _LOG_WHITE if scale == "log" else _WHITE, overwrite_input=True)), least)
    if scale != "log":
        return Range(0.0, white)
    return Range(min(max(float(np.percentile(rest, _LOG_BLACK, overwrite_input=True)), noise), white / 10), white)


class Display(Keeper):
    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._tables: dict[str, Texture] = {}

    def draw(self, spectra: Sequence[Texture], view: View, limits: Range, picture: Texture) -> None:
        """Draw one spectrum, or three as red, green and blue, rg32f in FFT order, into an rgba8 picture of the same
        size, row 0 first, in any view but "radial"; it may be sampled and read. Bins that are not finite are magenta.
        """
        constants = {
            "SPECTRUM_UNIT": bindings.FIRST_DRAWING_TEXTURE_UNIT,
            "COLOUR_UNIT": _COLOUR_UNIT,
            "IMAGE_UNIT": bindings.FIRST_DRAWING_IMAGE_UNIT,
            "VIEW": f"VIEW_{ {'phase': 'PHASE', 'complex': 'COMPLEX'}.get(view.view, 'TONE') }",
            "LOGARITHM": view.exponent is None,
            "EXPONENT": view.exponent or 1.0,
            "CYCLIC": view.table_name in CYCLIC,
            "PLANES": len(spectra),
        }
        program = programs.compute(self._ctx, "spectrum/display.comp", constants)
        columns, rows = picture.size
        values = {
            # As numpy.fft.fftshift has it, the zero frequency is at row rows // 2 and column columns // 2.
            "origin": ((columns + 1) // 2, (rows + 1) // 2) if view.shift else (0, 0),
            "ceiling": limits.white,
            "lowest": limits.black / limits.white,
        }
        programs.set_uniforms(program, values)
        for unit, spectrum in enumerate(spectra, bindings.FIRST_DRAWING_TEXTURE_UNIT):
            spectrum.use(unit)
        if view.table_name not in self._tables:
            opaque = np.pad(colour_table(view.table_name), [(0, 0), (0, 0), (0, 1)], constant_values=1)
            texture = self._own(self._ctx.texture(opaque.shape[1::-1], 4, opaque.tobytes(), dtype="f4"))
            self._tables[view.table_name] = texture
        self._tables[view.table_name].use(_COLOUR_UNIT)
        picture.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        programs.run_over(program, _GROUP, *picture.size)
        self._ctx.memory_barrier(barriers.NEXT_USES["sample"] | barriers.NEXT_USES["read"])

    def pixels(self, spectra: Sequence[Texture], view: View, limits: Range) -> np.ndarray:
        """What `draw` draws, read back: uint8 [rows, columns, 3]."""
        columns, rows = spectra[0].size
        with released_after(picture := self._ctx.texture((columns, rows), 4, dtype="f1")):
            self.draw(spectra, view, limits, picture)
            return np.frombuffer(picture.read(), np.uint8).reshape(rows, columns, 4)[..., :3]
