"""Spectrum, input and settings in one .npz file; and from there back to a picture of the original size and depth."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from moderngl import Context
from PIL import Image

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import colours, outputs, source_pictures, stored_pictures
from glfft.apps.spectrum.display import Display, Range, SpectrumMaker, choose_range
from glfft.apps.spectrum.fitting import Fit
from glfft.apps.spectrum.options import CHANNELS, FITS, WINDOWS, View
from glfft.apps.spectrum.strokes import opposite
from glfft.errors import DataError, OptionError, UsageError
from glfft.files import PathName
from glfft.files.npz import UnexpectedNpz, open_npz, save_npz
from glfft.files.spectra import WANTED
from glfft.gl.context import open_context

_FORMAT = "glfft spectrum 1"
_ROUNDING = 1e-5  # Float32 transforms leave an imaginary part of about 1e-7 of a real picture
_SAME = 2.5  # levels of 255 by which a pixel may differ from what was drawn: another device rounds differently
_STRAY = 1e-3  # share of pixels nearly as drawn from which a palette is not one of all colours
_AT_ONCE = 1 << 15  # pixels whose colours are looked up at a time


@dataclass(frozen=True)
class Archive:
    """What `--save-data` writes."""

    spectrum: np.ndarray  # complex64 [planes, rows, columns], unshifted, numpy's sign and factor
    input: np.ndarray  # float32 [planes, rows, columns], as transformed: fitted and windowed; 0 is black and 1 is white
    fit: Fit  # the sizes before and after
    channel: str  # channel, window: as on the command line
    window: str
    mode: str  # mode, bit_depth, white: of the picture read (`glfft.apps.spectrum.source_pictures.StoredPicture`)
    bit_depth: int
    white: float
    source: str  # the picture's file name
    notes: Sequence[str] = ()  # what a reader of the result ought to know; not written

    @property
    def description(self) -> str:
        """What was done, for one line of output: size, channel, fit, window, notes."""
        rows, columns = self.fit.original
        window = "no window" if self.window == "none" else f"{self.window} window"
        return ", ".join([f"{columns}x{rows}", self.channel, str(self.fit), window, *self.notes])

    @property
    def title(self) -> str:
        return f"{self.source}: {self.description}"


def save_archive(path: PathName, archive: Archive, view: dict[str, object]) -> None:
    """Write an archive, one plane as [rows, columns], with the settings of the picture beside it, or OutputError."""
    planes, fit = slice(None) if len(archive.input) == 3 else 0, archive.fit
    contents: dict[str, object] = {
        "spectrum": archive.spectrum[planes].astype(np.complex64),
        "input": archive.input[planes].astype(np.float32),
        "format": _FORMAT,
        **{name: getattr(archive, name) for name in ("source", "channel", "window", "mode", "bit_depth", "white")},
        "fit": fit.kind,
        "original_shape": fit.original,
        "crop_offset": fit.offset,
        "padding": fit.padding,
        "input_range": "0 is black, 1 is white",
        **view,
    }
    save_npz(path, {name: np.asarray(value) for name, value in contents.items()})


def load_archive(path: PathName) -> Archive:
    """Read an archive, nothing large before its sizes are checked; DataError where it is none, damaged or too large."""
    with open_npz(path, WANTED) as file:
        if str(file.setting("format")) != _FORMAT:
            raise UnexpectedNpz("its format is another")
        names = ("channel", "window", "fit", "mode", "source")
        channel, window, kind, mode, source = (str(file.setting(name)) for name in names)
        if channel not in CHANNELS or window not in WINDOWS or kind not in FITS:
            raise UnexpectedNpz("its channel, window or fit is unknown")
        try:
            rows, columns = (int(length) for length in file.setting("original_shape"))
            white, bit_depth = float(file.setting("white")), int(file.setting("bit_depth"))
        except (TypeError, ValueError, OverflowError) as error:
            raise UnexpectedNpz("its original_shape, white or bit_depth is no number") from error
        if not 0 < white < math.inf or bit_depth not in source_pictures.BIT_DEPTHS:
            raise UnexpectedNpz("its white or bit_depth is out of range")
        shape, dtype = file.header("spectrum")
        if dtype != np.complex64 or file.header("input") != (shape, np.float32):
            raise UnexpectedNpz("its spectrum is not complex64, or its input is not float32 of the same shape")
        fit = Fit(kind, (rows, columns), (shape[-2], shape[-1]) if len(shape) in (2, 3) else (0, 0))
        if shape[:-2] != ((3,) if channel == "rgb" else ()) or not fit.is_possible:
            raise UnexpectedNpz("its shapes do not belong together")
        most = Image.MAX_IMAGE_PIXELS
        if most is not None and rows * columns > most:
            raise UnexpectedNpz(f"it is for a picture of {columns}x{rows}, and none of more than {most} pixels is read")
        spectrum, planes = (file.read(name).reshape(-1, *fit.fitted) for name in ("spectrum", "input"))
    return Archive(spectrum, planes, fit, channel, window, mode, bit_depth, white, source)


def load_view(path: PathName) -> View:
    """How the picture beside an archive was drawn. Raises DataError as `load_archive` does."""
    with open_npz(path, WANTED) as file:
        view, scale, table = (str(file.setting(name)) for name in ("view", "scale", "colormap"))
        try:
            default = View(view, scale, shift=bool(file.setting("shift")))
            # The file names the table of the default too, of which three spectra become one picture.
            return default if table == default.table_name else replace(default, colormap=table)
        except (OptionError, ValueError) as error:
            raise UnexpectedNpz("its view is unknown") from error


def restore_file(data: str, output: str, edited: str | None) -> str:
    """Turn data of `save_archive` back into a picture file, perhaps in a folder; returns a line that says what was
    done. `edited` is the picture of the spectrum, painted on; see `edited_spectrum`. A file that is there is replaced,
    but neither the data nor a file with the name of the picture that they were made from: UsageError. Raises DataError
    where data or edited picture cannot be read, LimitError where the device cannot hold or transform the spectrum,
    OutputError where the picture cannot be written, ContextError without OpenGL 4.3, and as `edited_spectrum` does.
    """
    target = outputs.choose_targets([Path(data)], output, ".png", [Path(each) for each in (edited,) if each])[0]
    archive = load_archive(data)
    names = {target.name.casefold(), os.path.basename(os.path.realpath(target)).casefold()}
    if archive.source.casefold() in names and target.exists():
        raise UsageError(f"{target} has the name of the picture that {data} was made from; name another file to write.")
    ctx, edits = open_context(), []
    if edited is not None:
        spectrum, edits = edited_spectrum(ctx, archive, load_view(data), edited)
        archive = replace(archive, spectrum=spectrum)
    advice = "use a larger device, or save the data again with --fit pad, --fit crop or --fit resize"
    with SpectrumMaker(ctx, advice=advice) as maker:
        values = maker.inverse(archive.spectrum)
    planes = archive.fit.undo(np.real(values))
    imaginary, real = (float(np.sqrt(np.mean(np.square(part, dtype=np.float64)))) for part in (np.imag(values), planes))
    picture, notes = picture_from_planes(planes, archive, target)
    if unknown := np.count_nonzero(~np.isfinite(planes)):
        notes.append(f"{unknown} numbers that are not finite")
    notes += edits + [f"imaginary part of rms {imaginary:.2g} dropped (white is 1)"] * (imaginary > _ROUNDING * real)
    save_picture(target, picture)
    rows, columns = archive.fit.original
    notes += [f"the {archive.window} window is still in it"] * (archive.window != "none")
    if not archive.fit.reversible:
        notes.append("black where the crop left nothing" if archive.fit.kind == "crop" else "detail lost in resizing")
    return f"{', '.join([f'{data}: {columns}x{rows}', archive.channel, *notes])} -> {target}"


def picture_from_planes(planes: np.ndarray, archive: Archive, path: Path) -> tuple[Image.Image, list[str]]:
    """A picture as deep as the original if it can be, and notes; only float TIFFs keep NaN and values outside 0..1."""
    suffix, is_grey, is_deep = path.suffix.lower(), len(planes) == 1, archive.bit_depth >= 16
    is_tiff = suffix in (".tif", ".tiff")
    if is_grey and is_tiff and archive.mode == "F":
        return Image.fromarray(planes[0].astype(np.float32)), ["32-bit floats"]
    white = 65535 if is_grey and is_deep and (is_tiff or suffix == ".png") else 255
    beyond = max(-np.fmin.reduce(planes, None), np.fmax.reduce(planes, None) - 1)  # of the numbers among NaN
    lost = ["values below black or above white cut off"] * bool(beyond > 0.5 / white)
    if white > 255:
        return Image.fromarray(_levels(planes[0], np.uint16)), ["16-bit", *lost]
    levels = _levels(planes, np.uint8)
    picture = Image.fromarray(levels[0] if is_grey else np.stack(list(levels), axis=-1))
    return picture, ["8 bits a channel", *lost] if is_deep else []


def _levels(planes: np.ndarray, dtype: type[np.uint8 | np.uint16]) -> np.ndarray:
    # In float32, which holds 16 bits: the largest pictures take gigabytes as it is.
    levels = np.nan_to_num(planes, nan=0.0, posinf=1.0, neginf=0.0)
    np.clip(levels, 0, 1, out=levels)
    levels *= np.iinfo(dtype).max
    return np.rint(levels, out=levels).astype(dtype)


def edited_spectrum(ctx: Context, archive: Archive, view: View, path: PathName) -> tuple[np.ndarray, list[str]]:
    """The spectrum that an edited picture of `archive` shows: complex64 [planes, rows, columns], and notes on it.
    Pixels as `view` drew them keep their value. Where another colour is, the magnitude becomes what that colour stands
    for, 0 for black, and the phase stays. What is transparent goes as far as it is so. A frequency whose opposite alone
    was edited follows it; of two edits the one that leaves less counts. Raises UsageError where such a picture says too
    little about magnitudes, DataError where it cannot be read, has another size, or was saved with other colours.
    """
    if view.view not in ("magnitude", "power") or len(view.groups(list(archive.spectrum))) > 1:
        again = "make it, and the data, with --view magnitude and without --colormap"
        raise UsageError(f"An edited picture must show magnitudes or powers, all in one picture; {again}.")
    painted, opacity, in_palette = _read(path, archive.fit.fitted)
    limits = choose_range(archive.spectrum, view.scale)
    with SpectrumMaker(ctx) as maker, Display(ctx) as display:
        drawn = display.pixels(maker.upload(archive.spectrum), view, limits)
    if np.ptp(drawn, axis=2).any() and not np.ptp(painted, axis=2).any():
        raise DataError(f"{path} has lost its colours, which say how large magnitudes are; save it as a PNG in RGB.")
    is_black = ~painted.any(axis=2)
    kept = np.abs(painted - drawn) <= np.where(is_black, 1, _SAME)[..., None]  # nearly black may be strong if linear
    near = kept.all(axis=2)
    inexact = np.count_nonzero(near & ~is_black & (painted != drawn).any(axis=2))
    if in_palette and inexact >= _STRAY * np.count_nonzero(near):
        raise DataError(f"{path} has a palette without all the spectrum's colours; save it as a PNG in RGB.")
    changed = ~near | (opacity < 1)
    if view.shift:
        changed, painted, opacity, kept = (np.fft.ifftshift(each, (0, 1)) for each in (changed, painted, opacity, kept))
    spectrum = archive.spectrum.copy()
    tones = painted[changed] / 255 if len(spectrum) > 1 else _tones(painted[changed], view)[:, None]
    for plane in range(len(spectrum)):
        before = np.abs(spectrum[plane][changed]).astype(np.float64)
        as_before = kept[changed][:, plane] if len(spectrum) > 1 else kept[changed].all(axis=1)
        wanted = np.where(as_before, before, _magnitudes(tones[:, plane], view, limits)) * opacity[changed]
        gains = np.full(changed.shape, np.inf)
        gains[changed] = np.divide(wanted, before, out=np.zeros_like(wanted), where=before > 0)
        gains = np.minimum(gains, opposite(gains))
        spectrum[plane] *= np.where(np.isfinite(gains), gains, 1).astype(np.float32)
    both = changed | opposite(changed)
    mirrored = ["edit mirrored"] * bool((both & ~changed).any())
    return spectrum, [f"{np.count_nonzero(both)} frequencies edited", *mirrored]


def _read(path: PathName, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, bool]:
    """Colours [rows, columns, 3] of an edited picture, 0 to 255, its opacity up to 1, and whether it has a palette."""
    with source_pictures.named(path):
        picture = stored_pictures.read_stored(path)
    if "jpeg" in picture.options:
        raise DataError(f"{path} is a JPEG, which does not keep colours; save it as a PNG in RGB.")
    height, width = picture.samples.shape[:2]
    if (height, width) != shape:
        raise DataError(f"{path} is {width}x{height} and the spectrum {shape[1]}x{shape[0]}; keep the picture's size.")
    levels = picture.samples.astype(np.float64) * (255 / picture.white)
    opacity = levels[..., picture.colours] / 255 if levels.shape[2] > picture.colours else np.ones(shape)
    return np.broadcast_to(levels[..., : picture.colours], (*shape, 3)), opacity, picture.mode == "P"


def _tones(painted: np.ndarray, view: View) -> np.ndarray:
    """For colours [n, 3], 0 to 255, the place of the nearest one in the view's table, from 0 to 1."""
    table = colours.colour_table(view.table_name)[0].astype(np.float32) * 255
    tones = np.empty(len(painted))
    for start in range(0, len(painted), _AT_ONCE):
        part = painted[start : start + _AT_ONCE].astype(np.float32)
        distances = (part**2).sum(axis=1)[:, None] - 2 * part @ table.T + (table**2).sum(axis=1)
        tones[start : start + _AT_ONCE] = distances.argmin(axis=1) / (len(table) - 1)
    # What is painted black goes, also with a table whose lowest colour is another.
    return np.where(painted.max(axis=1, initial=0) < _SAME, 0.0, tones)


def _magnitudes(tones: np.ndarray, view: View, limits: Range) -> np.ndarray:
    """What `shaders/spectrum/display.comp` draws with these tones; 0 is the magnitude 0, not the darkest one."""
    lowest = limits.black / limits.white
    if view.exponent is None:
        relative = lowest ** (1 - tones)
    else:
        black = lowest**view.exponent
        relative = (black + tones * (1 - black)) ** (1 / view.exponent)
    return np.where(tones > 0, relative * limits.white, 0.0)
