"""Picture files to pictures of their spectra: the steps of `glfft spectrum` in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import png
from glfft.apps.spectrum.archive import Archive, save_archive
from glfft.apps.spectrum.colours import colour_table
from glfft.apps.spectrum.display import Display, choose_range
from glfft.apps.spectrum.fitting import choose_fit
from glfft.apps.spectrum.options import DATA_ENDING, SPECTRUM_ENDING, Treatment, View
from glfft.apps.spectrum.outputs import choose_targets, each_file
from glfft.apps.spectrum.radial import load_matplotlib, plot_radial_profile
from glfft.apps.spectrum.source_pictures import read_picture
from glfft.apps.spectrum.transform import SpectrumMaker, read_complex
from glfft.errors import UsageError
from glfft.files import write_whole
from glfft.gl.context import open_context, state_of
from glfft.gl.releasable import Releasable

_PANEL_GAP = 8


def paint_files(
    sources: Sequence[Path], treatment: Treatment, view: View, output: str | None = None, save_data: str | None = None
) -> int:
    """Write the picture of each file's spectrum; print a line for each on standard output.

    A file that fails is named on standard error and skipped; returned is how many failed. Raises UsageError or
    OutputError where `output` or `save_data` cannot take the results, MissingExtraError where the view needs
    matplotlib, which is not installed, and ContextError where there is no OpenGL 4.3.

    Args:
        output: a picture file, or a folder; None for one picture beside each source.
        save_data: a file for spectrum and settings, or a folder; None to save none.
    """
    check_drawable(view)
    targets = choose_targets(sources, output, SPECTRUM_ENDING)
    data_targets: Sequence[Path | None] = [None] * len(sources)
    if save_data is not None:
        data_targets = choose_targets(sources, save_data, DATA_ENDING)
        if {target.resolve() for target in targets} & {target.resolve() for target in data_targets}:
            raise UsageError("-o and --save-data name the same file; name two.")
        if any(target.suffix.lower() != ".npz" for target in data_targets):
            raise UsageError(f"--save-data {save_data} must end in .npz.")
    with SpectrumPainter(open_context(), treatment.algorithm) as painter:

        def work(index: int) -> str:
            return _paint_file(painter, sources[index], targets[index], data_targets[index], treatment, view)

        return each_file("glfft spectrum", sources, work)


def check_drawable(view: View) -> None:
    """Find out before the work begins whether a view can be drawn. Raises MissingExtraError where it needs matplotlib,
    which is not installed.
    """
    if view.view == "radial":
        load_matplotlib()
    else:
        colour_table(view.table_name)


def _paint_file(
    painter: SpectrumPainter, source: Path, target: Path, data_target: Path | None, treatment: Treatment, view: View
) -> str:
    """Write what is asked for of one picture; returns the line that says so."""
    archive, notes = archive_input(source, treatment, painter.largest_side)
    spectra = painter.transform(archive.input)
    done = describe(archive, notes)
    picture = painter.paint(spectra, view, f"{source.name}: {done}", archive.fit.middle)
    save_painting(target, picture)
    if data_target is None:
        return f"{source}: {done} -> {target}"
    settings = {**asdict(view), "colormap": view.table_name}
    save_archive(data_target, replace(archive, spectrum=spectra), settings)
    return f"{source}: {done} -> {target}, {data_target}"


def save_painting(path: Path, pixels: np.ndarray) -> None:
    """Write what `SpectrumPainter.paint` returns. Raises OutputError as `save_picture` does."""
    if path.suffix.lower() == ".png":
        write_whole(path, png.quick_file(pixels))
    else:
        save_picture(path, pixels)


def archive_input(path: Path, treatment: Treatment, largest_side: int) -> tuple[Archive, list[str]]:
    """Read a picture and make it ready for its transform: an archive without a spectrum, and notes for a reader of the
    result.
    """
    picture = read_picture(path, treatment.channel)
    fit = choose_fit(treatment.fit, picture.shape, largest_side)
    planes = fit.apply(picture.planes, treatment.window)
    notes = list(picture.notes)
    unknown = int(np.count_nonzero(~np.isfinite(picture.planes)))
    if unknown:
        notes.append(f"{unknown} pixels are not finite numbers" if unknown > 1 else "1 pixel is not a finite number")
    empty = np.empty((0, *fit.fitted), np.complex64)
    read = (picture.mode, picture.bit_depth, picture.white, path.name)
    return Archive(empty, planes, fit, treatment.channel, treatment.window, *read), notes


def describe(archive: Archive, notes: list[str]) -> str:
    """What was done, for one line of output: size, channel, fit, window, notes."""
    rows, columns = archive.fit.original
    window = "no window" if archive.window == "none" else f"{archive.window} window"
    parts = [f"{columns}x{rows}", archive.channel, str(archive.fit), window, *notes]
    return ", ".join(parts)


class SpectrumPainter(Releasable):
    """Transforms pictures and paints their spectra in one context. Plan and textures serve pictures of one size."""

    def __init__(self, ctx: moderngl.Context, algorithm: str = "auto") -> None:
        self._ctx = ctx
        self._maker = SpectrumMaker(ctx, algorithm)
        self._display = Display(ctx)

    @property
    def largest_side(self) -> int:
        """The longest row or column this device can transform."""
        return state_of(self._ctx).limits.texture_size

    def transform(self, planes: np.ndarray) -> np.ndarray:
        """Spectra of float32 planes [planes, rows, columns]: complex64 of that shape, kept on the GPU for `paint`."""
        self._textures = self._maker.forward(planes)
        return read_complex(self._textures)

    def paint(self, spectra: np.ndarray, view: View, title: str, middle: tuple[int, int] = (0, 0)) -> np.ndarray:
        """The picture of what `transform` returned last, as uint8 [rows, columns, 3]. `title` stands above a plot;
        `middle` is the row and column of the pixel that the phase origin "middle" means. Raises MissingExtraError where
        the view needs matplotlib, which is not installed.
        """
        if view.view == "radial":
            return np.asarray(plot_radial_profile(spectra, view.scale, title))
        limits = choose_range(spectra, view.scale)
        panels = [self._display.pixels(group, view, limits, middle) for group in view.groups(self._textures)]
        gap = np.full((panels[0].shape[0], _PANEL_GAP, 3), 255, np.uint8)
        spaced = [part for panel in panels for part in (gap, panel)][1:]
        return np.concatenate(spaced, axis=1)

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._maker.release()
        self._display.release()
