"""From a saved spectrum back to a picture of the original size and depth."""

import os
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum.archive import Archive, load_archive, load_view
from glfft.apps.spectrum.edited import edited_spectrum
from glfft.apps.spectrum.outputs import choose_targets
from glfft.apps.spectrum.transform import SpectrumMaker
from glfft.errors import LimitError, UsageError
from glfft.gl.context import open_context, state_of

_DEEP_GREY_SUFFIXES = {".png", ".tif", ".tiff"}
_FLOAT_SUFFIXES = {".tif", ".tiff"}

# Float32 transforms leave an imaginary part of about 1e-7 of a real picture.
_ROUNDING = 1e-5


def restore_file(data: str, output: str, edited: str | None = None) -> str:
    """Turn saved data back into a picture file.

    A file that is there is replaced, but not the data, and none with the name of the picture that the data were made
    from: it may be that picture, of which the data hold one channel, or have lost something.

    Args:
        data: what `glfft.apps.spectrum.archive.save_archive` wrote.
        output: the picture to write, or a folder.
        edited: the picture of the spectrum, painted on; see `glfft.apps.spectrum.edited`.

    Returns:
        A line that says what was done.

    Raises:
        UsageError: the picture would replace the data or their source, or the edited picture shows no magnitudes.
        DataError: the data or the edited picture cannot be read.
        OutputError: the picture cannot be written.
        ContextError: there is no OpenGL 4.3.
        LimitError: the spectrum is larger than this device can hold, or it cannot transform that size.
    """
    target = choose_targets([Path(data)], output, ".png")[0]
    archive = load_archive(data)
    names = {target.name.casefold(), os.path.basename(os.path.realpath(target)).casefold()}
    if archive.source.casefold() in names and target.exists():
        raise UsageError(f"{target} has the name of the picture that {data} was made from; name another file to write.")
    ctx, edits = open_context(), []
    if edited is not None:
        spectrum, edits = edited_spectrum(ctx, archive, load_view(data), edited)
        archive = replace(archive, spectrum=spectrum)
    planes, imaginary = restore_planes(ctx, archive)
    picture, notes = picture_from_planes(planes, archive, target)
    notes += edits
    if imaginary > _ROUNDING * float(np.sqrt(np.mean(np.square(planes, dtype=np.float64)))):
        notes.append(f"imaginary part of rms {imaginary:.2g} dropped (white is 1)")
    save_picture(target, picture)
    rows, columns = archive.fit.original
    if archive.window != "none":
        notes.append(f"the {archive.window} window is still in it")
    if not archive.fit.reversible:
        notes.append("black where the crop left nothing" if archive.fit.kind == "crop" else "detail lost in resizing")
    return f"{', '.join([f'{data}: {columns}x{rows}', archive.channel, *notes])} -> {target}"


def restore_planes(ctx: moderngl.Context, archive: Archive) -> tuple[np.ndarray, float]:
    """Transform a saved spectrum back and undo the fit: float32 [planes, rows, columns] of the original size, from 0,
    black, to 1, white, and the root mean square of the imaginary part, which is dropped. A window stays in the picture.
    Raises LimitError where the spectrum is larger than this device can hold, or it cannot transform that size.
    """
    limit = state_of(ctx).limits.texture_size
    rows, columns = archive.fit.fitted
    if max(rows, columns) > limit:
        raise LimitError(
            f"The spectrum is {columns}x{rows}, over this device's limit of {limit} a side; use another device."
        )
    advice = "use a larger device, or save the data again with --fit pad, --fit crop or --fit resize"
    with SpectrumMaker(ctx, advice=advice) as maker:
        values = maker.inverse(archive.spectrum)
    imaginary = float(np.sqrt(np.mean(np.square(np.imag(values), dtype=np.float64))))
    return archive.fit.undo(np.real(values)), imaginary


def picture_from_planes(planes: np.ndarray, archive: Archive, path: Path) -> tuple[Image.Image, list[str]]:
    """Make a picture of planes, with the original's bit depth if the file to be written can hold it; and notes on it.

    Values beyond black and white are clipped, and NaN becomes black, except in TIFF files of floats.
    """
    suffix, is_grey, is_deep = path.suffix.lower(), len(planes) == 1, archive.bit_depth >= 16
    if is_grey and suffix in _FLOAT_SUFFIXES:
        if archive.mode == "F":
            return Image.fromarray(planes[0].astype(np.float32)), ["32-bit floats"]
        if archive.mode.startswith("I") and archive.bit_depth == 32:
            values = np.rint(np.nan_to_num(planes[0].astype(np.float64) * archive.white))
            ends = np.iinfo(np.int32)
            return Image.fromarray(np.clip(values, ends.min, ends.max).astype(np.int32)), ["32-bit integers"]
    if is_grey and is_deep and suffix in _DEEP_GREY_SUFFIXES:
        return Image.fromarray(_levels(planes[0], np.uint16)), ["16-bit"]
    levels = _levels(planes, np.uint8)
    picture = Image.fromarray(levels[0] if is_grey else np.stack(list(levels), axis=-1))
    return picture, ["8 bits a channel"] if is_deep else []


def _levels(planes: np.ndarray, dtype: type[np.uint8 | np.uint16]) -> np.ndarray:
    # In float32, which holds 16 bits: the largest pictures take gigabytes as it is.
    levels = np.nan_to_num(planes, nan=0.0, posinf=1.0, neginf=0.0)
    np.clip(levels, 0, 1, out=levels)
    levels *= np.iinfo(dtype).max
    return np.rint(levels, out=levels).astype(dtype)
