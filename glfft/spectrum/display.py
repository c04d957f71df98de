"""Spectra as pictures, drawn on the GPU: what is shown, how bright, in which colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.errors import OptionError
from glfft.gl import programs
from glfft.gl.barriers import PIXEL_BUFFER_BARRIER, TEXTURE_FETCH_BARRIER, TEXTURE_UPDATE_BARRIER
from glfft.spectrum.colours import COLORMAPS, ColourTable, colour_table

VIEWS = ("magnitude", "phase", "power", "complex", "radial")
SCALES = ("log", "sqrt", "linear")
PHASE_ORIGINS = ("corner", "middle")

# Float32 transforms leave noise of about this part of the largest bin everywhere: below it there is nothing to see.
_NOISE = 1e-7
# Sparse spectra (a few lines over noise) would otherwise put all of their lines at white.
_SPARSE = 1e-3
# Percentiles.
_WHITE, _LOG_WHITE, _LOG_BLACK = 99.9, 99.99, 2.0
_GROUP = 16
_COLOUR_UNIT = 3


@dataclass(frozen=True)
class View:
    """How a spectrum is shown.

    Attributes:
        view: one of VIEWS: |F|, its angle, |F|^2, both (angle as hue, magnitude as lightness), or the mean power by
            distance from the zero frequency (`glfft.spectrum.radial`).
        scale: one of SCALES: tone even in the logarithm of the quantity shown, or proportional to its root or itself.
            Phases have none. "complex" scales the magnitude.
        colormap: one of COLORMAPS, or None for the one that suits the view. "complex" has its own.
        shift: the zero frequency in the middle (at row rows // 2 and column columns // 2) and not at the top left.
        phase_origin: where phases are counted from: "corner", the first pixel, as the transform has it, or "middle",
            the pixel in the middle of the picture, which takes out the fast winding that hides their structure.
    """

    view: str = "magnitude"
    scale: str = "log"
    colormap: str | None = None
    shift: bool = True
    phase_origin: str = "corner"

    def __post_init__(self) -> None:
        for name, value, known in (
            ("view", self.view, VIEWS),
            ("scale", self.scale, SCALES),
            ("colour map", self.colormap, (*COLORMAPS, None)),
            ("phase origin", self.phase_origin, PHASE_ORIGINS),
        ):
            if value not in known:
                choices = ", ".join(str(one) for one in known if one)
                raise OptionError(f"There is no {name} named {value!r}; choose one of {choices}.")

    @property
    def exponent(self) -> float | None:
        """The power of the magnitude that the tone is proportional to; None for its logarithm."""
        if self.scale == "log":
            return None
        return (2.0 if self.view == "power" else 1.0) * (0.5 if self.scale == "sqrt" else 1.0)

    @property
    def table_name(self) -> str:
        """The colour table of the picture."""
        if self.view == "complex":
            return "complex"
        return self.colormap or ("hue" if self.view == "phase" else "ember")

    def is_composite(self, planes: int) -> bool:
        """Whether three spectra become the red, green and blue of one picture, or are shown side by side."""
        return planes == 3 and self.view in ("magnitude", "power") and self.colormap is None


@dataclass(frozen=True)
class Range:
    """The magnitudes |F| drawn black and white.

    Attributes:
        black: the least magnitude told from black; 0 for the linear and sqrt scales.
        white: the magnitude from which on all is white (or the end of the colour map).
    """

    black: float
    white: float


def choose_range(spectra: np.ndarray, scale: str) -> Range:
    """A range that a few extreme bins cannot spoil.

    White is the 99.99th percentile on the log scale and the 99.9th on the others, both without the zero frequency, and
    at least a thousandth of the largest bin but that one. Black is 0, or on the log scale the 2nd percentile, held
    between one ten-millionth of the largest bin (float32 noise) and a tenth of white. Bins that are no finite numbers
    do not count.

    Args:
        spectra: complex [planes, rows, columns], unshifted; the planes share one range.
    """
    magnitudes = np.abs(spectra).reshape(spectra.shape[0], -1)
    rest = magnitudes[:, 1:]
    finite = magnitudes[np.isfinite(magnitudes)]
    rest = rest[np.isfinite(rest)]
    largest = float(finite.max(initial=0.0))
    if largest == 0.0:
        return Range(0.0, 1.0)
    if rest.size == 0:
        rest = finite
    noise = _NOISE * largest
    share = _LOG_WHITE if scale == "log" else _WHITE
    white = max(float(np.percentile(rest, share)), _SPARSE * float(rest.max()), 10 * noise)
    if scale != "log":
        return Range(0.0, white)
    return Range(min(max(float(np.percentile(rest, _LOG_BLACK)), noise), white / 10), white)


class Display:
    """Draws spectra that are on the GPU into pictures that stay there."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._tables: dict[str, moderngl.Texture] = {}

    def draw(
        self,
        spectra: Sequence[moderngl.Texture],
        view: View,
        limits: Range,
        picture: moderngl.Texture,
        middle: tuple[int, int] = (0, 0),
    ) -> None:
        """Draw one spectrum, or three as red, green and blue, into a picture of the same size.

        Bins that are no finite number are magenta. Barriers for sampling and reading the picture are issued.

        Args:
            spectra: one or three rg32f textures in FFT order.
            view: any view but "radial".
            picture: rgba8, row 0 is the first row.
            middle: row and column of the pixel that the phase origin "middle" means.
        """
        table = colour_table(view.table_name)
        program = programs.compute(
            self._ctx,
            "spectrum/display.comp",
            {
                "VIEW": f"VIEW_{ {'phase': 'PHASE', 'complex': 'COMPLEX'}.get(view.view, 'TONE') }",
                "LOGARITHM": view.exponent is None,
                "EXPONENT": view.exponent or 1.0,
                "CYCLIC": table.cyclic,
                "PLANES": len(spectra),
            },
        )
        columns, rows = picture.size
        values = {
            "origin": (columns // 2, rows // 2) if view.shift else (0, 0),
            "ceiling": limits.white,
            "lowest": limits.black / limits.white,
            "phase_origin": (middle[1], middle[0]) if view.phase_origin == "middle" else (0, 0),
        }
        for name, value in values.items():
            if name in program:
                program[name] = value
        for unit, spectrum in enumerate(spectra):
            spectrum.use(unit)
        self._table_texture(view.table_name, table).use(_COLOUR_UNIT)
        picture.bind_to_image(0, read=False, write=True)
        program.run(-(-columns // _GROUP), -(-rows // _GROUP))
        self._ctx.memory_barrier(TEXTURE_FETCH_BARRIER | TEXTURE_UPDATE_BARRIER | PIXEL_BUFFER_BARRIER)

    def _table_texture(self, name: str, table: ColourTable) -> moderngl.Texture:
        if name not in self._tables:
            rows, columns, _ = table.colours.shape
            opaque = np.dstack([table.colours, np.ones((rows, columns), np.float32)])
            self._tables[name] = self._ctx.texture((columns, rows), 4, opaque.tobytes(), dtype="f4")
        return self._tables[name]

    def release(self) -> None:
        """Release the colour tables."""
        for texture in self._tables.values():
            texture.release()
        self._tables.clear()
