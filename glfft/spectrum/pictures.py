"""One picture file to the picture of its spectrum: the steps of `glfft spectrum` in order, without the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from glfft.gl.context import state_of
from glfft.spectrum.archive import Archive
from glfft.spectrum.display import Display, Range, View, choose_range
from glfft.spectrum.fitting import choose_fit
from glfft.spectrum.images import read_picture
from glfft.spectrum.radial import plot_radial_profile
from glfft.spectrum.transform import SpectrumMaker, read_complex

SPECTRUM_ENDING = "-spectrum.png"

_PANEL_GAP = 8


@dataclass(frozen=True)
class Treatment:
    """What is done to a picture before it is transformed: channel, fit and window by name."""

    channel: str = "luminance"
    fit: str = "pad"
    window: str = "none"


def archive_input(path: Path, treatment: Treatment, largest_side: int) -> tuple[Archive, list[str]]:
    """Read a picture and make it ready for its transform.

    Returns:
        An archive whose spectrum is still empty, and notes on what a reader ought to know.
    """
    picture = read_picture(path, treatment.channel)
    fit = choose_fit(treatment.fit, picture.shape, largest_side)
    planes = fit.apply(picture.planes, treatment.window)
    notes = list(picture.notes)
    unknown = int(np.count_nonzero(~np.isfinite(picture.planes)))
    if unknown:
        notes.append(f"{unknown} pixels are no finite numbers" if unknown > 1 else "1 pixel is no finite number")
    empty = np.empty((0, *fit.fitted), np.complex64)
    archive = Archive(
        empty,
        planes,
        fit,
        treatment.channel,
        treatment.window,
        picture.mode,
        picture.bit_depth,
        picture.white,
        path.name,
    )
    return archive, notes


def describe(archive: Archive, notes: list[str]) -> str:
    """What was done, for one line of output: size, channel, fit, window, notes."""
    rows, columns = archive.fit.original
    window = "no window" if archive.window == "none" else f"{archive.window} window"
    parts = [f"{columns}x{rows}", archive.channel, str(archive.fit), window, *notes]
    return ", ".join(parts)


class SpectrumPainter:
    """Transforms pictures and paints their spectra on one context, reusing plan and textures."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._maker = SpectrumMaker(ctx)
        self._display = Display(ctx)

    @property
    def largest_side(self) -> int:
        """The longest row or column this device can transform."""
        return state_of(self._ctx).limits.texture_size

    def transform(self, planes: np.ndarray) -> np.ndarray:
        """Spectra of float32 planes [planes, rows, columns]: complex64 of that shape, kept on the GPU for `paint`."""
        self._textures = self._maker.forward(planes)
        return read_complex(self._textures)

    def paint(self, spectra: np.ndarray, view: View, title: str, middle: tuple[int, int] = (0, 0)) -> Image.Image:
        """The picture of what `transform` returned last.

        Args:
            title: what to write above a plot.
            middle: row and column that the phase origin "middle" means.
        """
        if view.view == "radial":
            return plot_radial_profile(spectra, view.scale, title)
        limits = choose_range(spectra, view.scale)
        if view.is_composite(len(spectra)):
            return Image.fromarray(self._draw(self._textures, view, limits, middle))
        panels = [self._draw([texture], view, limits, middle) for texture in self._textures]
        gap = np.full((panels[0].shape[0], _PANEL_GAP, 3), 255, np.uint8)
        spaced = [part for panel in panels for part in (gap, panel)][1:]
        return Image.fromarray(np.concatenate(spaced, axis=1))

    def _draw(self, textures: list[moderngl.Texture], view: View, limits: Range, middle: tuple[int, int]) -> np.ndarray:
        columns, rows = textures[0].size
        picture = self._ctx.texture((columns, rows), 4, dtype="f1")
        try:
            self._display.draw(textures, view, limits, picture, middle)
            pixels = np.frombuffer(picture.read(), np.uint8).reshape(rows, columns, 4)
            return np.ascontiguousarray(pixels[..., :3])
        finally:
            picture.release()

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._maker.release()
        self._display.release()
