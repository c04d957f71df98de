"""A picture of a spectrum that somebody painted on, and the data it shows: new magnitudes with the old phases."""

import os

import moderngl
import numpy as np

from glfft.apps.spectrum.archive import Archive
from glfft.apps.spectrum.colours import colour_table
from glfft.apps.spectrum.display import Display, Range, choose_range
from glfft.apps.spectrum.options import View
from glfft.apps.spectrum.stored_pictures import read_stored
from glfft.apps.spectrum.strokes import opposite
from glfft.apps.spectrum.transform import SpectrumMaker
from glfft.errors import DataError, UsageError

# Levels of 255 by which a pixel may differ from what was drawn: another device rounds differently.
_SAME = 2.5
# Pixels whose colours are looked up at a time.
_AT_ONCE = 1 << 15


def edited_spectrum(
    ctx: moderngl.Context, archive: Archive, view: View, path: str | os.PathLike[str]
) -> tuple[np.ndarray, list[str]]:
    """The spectrum that an edited picture of `archive` shows: complex64 [planes, rows, columns], and notes on it.

    Pixels as they were drawn keep their value. Where another colour is, the magnitude becomes what that colour stands
    for, 0 for black, and the phase stays. What is transparent goes as far as it is so. A frequency whose opposite alone
    was edited follows it; of two edits the one that leaves less counts.

    Args:
        view: how the picture was drawn.

    Raises:
        UsageError: a picture of that view says too little about magnitudes.
        DataError: the picture cannot be read, or has another size.
    """
    if view.view not in ("magnitude", "power") or len(view.groups(list(archive.spectrum))) > 1:
        raise UsageError(
            "An edited picture must show magnitudes or powers, all in one picture; make it, and the data, with --view "
            "magnitude and without --colormap."
        )
    colours, opacity = _read(path, archive.fit.fitted)
    limits = choose_range(archive.spectrum, view.scale)
    with SpectrumMaker(ctx) as maker, Display(ctx) as display:
        drawn = display.pixels(maker.upload(archive.spectrum), view, limits, archive.fit.middle)
    changed: np.ndarray = (np.abs(colours - drawn).max(axis=2) > _SAME) | (opacity < 1)
    if view.shift:
        changed, colours, opacity = (np.fft.ifftshift(each, (0, 1)) for each in (changed, colours, opacity))
    spectrum = archive.spectrum.copy()
    tones = colours[changed] / 255 if len(spectrum) > 1 else _tones(colours[changed], view)[:, None]
    for plane in range(len(spectrum)):
        wanted = _magnitudes(tones[:, plane], view, limits) * opacity[changed]
        before = np.abs(spectrum[plane][changed]).astype(np.float64)
        gains = np.full(changed.shape, np.inf)
        gains[changed] = np.divide(wanted, before, out=np.zeros_like(wanted), where=before > 0)
        gains = np.minimum(gains, opposite(gains))
        spectrum[plane] *= np.where(np.isfinite(gains), gains, 1).astype(np.float32)
    both = changed | opposite(changed)
    notes = [f"{np.count_nonzero(both)} frequencies edited"]
    if np.count_nonzero(both) > np.count_nonzero(changed):
        notes.append("edit mirrored")
    return spectrum, notes


def _read(path: str | os.PathLike[str], shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The colours [rows, columns, 3] of an edited picture, from 0 to 255, and its opacity [rows, columns] up to 1."""
    try:
        picture = read_stored(path)
    except DataError as error:
        raise DataError(f"{path}: {error}") from error
    height, width = picture.samples.shape[:2]
    if (height, width) != shape:
        raise DataError(f"{path} is {width}x{height} and the spectrum {shape[1]}x{shape[0]}; keep the picture's size.")
    levels = picture.samples.astype(np.float64) * (255 / picture.white)
    opaque = levels.shape[2] == picture.colours
    opacity = np.ones(shape) if opaque else levels[..., picture.colours] / 255
    return np.broadcast_to(levels[..., : picture.colours], (*shape, 3)), opacity


def _tones(colours: np.ndarray, view: View) -> np.ndarray:
    """For colours [n, 3], 0 to 255, the place of the nearest one in the view's table, from 0 to 1."""
    table = colour_table(view.table_name).colours[0].astype(np.float32) * 255
    tones = np.empty(len(colours))
    for start in range(0, len(colours), _AT_ONCE):
        part = colours[start : start + _AT_ONCE].astype(np.float32)
        distances = (part**2).sum(axis=1)[:, None] - 2 * part @ table.T + (table**2).sum(axis=1)
        tones[start : start + _AT_ONCE] = distances.argmin(axis=1) / (len(table) - 1)
    # What is painted black goes, also with a table whose lowest colour is another.
    return np.where(colours.max(axis=1, initial=0) < _SAME, 0.0, tones)


def _magnitudes(tones: np.ndarray, view: View, limits: Range) -> np.ndarray:
    """What `shaders/spectrum/display.comp` draws with these tones; 0 is the magnitude 0, not the darkest one."""
    lowest = limits.black / limits.white
    if view.exponent is None:
        relative = lowest ** (1 - tones)
    else:
        black = lowest**view.exponent
        relative = (black + tones * (1 - black)) ** (1 / view.exponent)
    return np.where(tones > 0, relative * limits.white, 0.0)
