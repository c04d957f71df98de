"""Spectrum, input and settings in one .npz file, from which the image can be restored."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PIL import Image

from glfft.apps.spectrum.fitting import Fit
from glfft.apps.spectrum.options import CHANNELS, FITS, WINDOWS, View
from glfft.apps.spectrum.source_pictures import BIT_DEPTHS
from glfft.errors import OptionError
from glfft.files import atomic_write
from glfft.spectrum.npz import NpzFile, UnexpectedNpz, open_npz

_FORMAT = "glfft spectrum 1"

# Bytes of a setting: a name, or some numbers.
_LARGEST_SETTING = 1 << 16


@dataclass(frozen=True)
class Archive:
    """What `--save-data` writes."""

    spectrum: np.ndarray  # complex64 [planes, rows, columns], unshifted, numpy's sign and factor
    input: np.ndarray  # float32 [planes, rows, columns], as transformed: fitted and windowed; 0 is black and 1 is white
    fit: Fit  # the sizes before and after
    channel: str  # channel, window: as on the command line
    window: str
    mode: str  # mode, bit_depth, white: of the picture read (`glfft.apps.spectrum.source_pictures.Picture`)
    bit_depth: int
    white: float
    source: str  # the picture's file name


def save_archive(path: str | os.PathLike[str], archive: Archive, view: dict[str, object]) -> None:
    """Write an archive; one plane is stored as [rows, columns], three as [3, rows, columns]. `view` has settings of the
    picture made beside it, for the reader's information. Raises OutputError where it cannot be written.
    """
    planes = slice(None) if len(archive.input) == 3 else 0
    settings: dict[str, object] = {
        "format": _FORMAT,
        "source": archive.source,
        "channel": archive.channel,
        "window": archive.window,
        "fit": archive.fit.kind,
        "original_shape": np.array(archive.fit.original),
        "crop_offset": np.array(archive.fit.offset),
        "padding": np.array(archive.fit.padding),
        "mode": archive.mode,
        "bit_depth": archive.bit_depth,
        "white": archive.white,
        "input_range": "0 is black, 1 is white",
        **view,
    }
    with atomic_write(path) as temporary, open(temporary, "wb") as file:
        # A file object, since savez adds .npz to names that do not end with it.
        np.savez(
            file,
            spectrum=archive.spectrum[planes].astype(np.complex64),
            input=archive.input[planes].astype(np.float32),
            allow_pickle=False,
            **{name: np.asarray(value) for name, value in settings.items()},
        )


def load_archive(path: str | os.PathLike[str]) -> Archive:
    """Read an archive back.

    Nothing large is read before the file's own account of its sizes has been checked: a file of some kilobytes must not
    take gigabytes of memory. Raises DataError where the file is missing, damaged, too large, or not written by
    `save_archive`.
    """
    with open_npz(path, "an .npz file that glfft spectrum --save-data wrote") as file:
        return _read_archive(file)


def load_view(path: str | os.PathLike[str]) -> View:
    """How the picture beside an archive was drawn. Raises DataError as `load_archive` does."""
    with open_npz(path, "an .npz file that glfft spectrum --save-data wrote") as file:
        view, scale, table, origin = (
            str(_setting(file, name)) for name in ("view", "scale", "colormap", "phase_origin")
        )
        try:
            default = View(view, scale, shift=bool(_setting(file, "shift")), phase_origin=origin)
            # The file names the table of the default too, of which three spectra become one picture.
            return default if table == default.table_name else replace(default, colormap=table)
        except (OptionError, ValueError) as error:
            raise UnexpectedNpz("its view is unknown") from error


def _setting(file: NpzFile, name: str) -> np.ndarray:
    if file.stored_bytes(name) > _LARGEST_SETTING:
        raise UnexpectedNpz(f"its {name!r} is too long")
    file.header(name)
    return file.read(name)


def _read_archive(file: NpzFile) -> Archive:
    setting = partial(_setting, file)
    if str(setting("format")) != _FORMAT:
        raise UnexpectedNpz("its format is another")
    channel, window, kind = (str(setting(name)) for name in ("channel", "window", "fit"))
    if channel not in CHANNELS or window not in WINDOWS or kind not in FITS:
        raise UnexpectedNpz("its channel, window or fit is unknown")
    shape, dtype = file.header("spectrum")
    if dtype != np.complex64 or file.header("input") != (shape, np.float32):
        raise UnexpectedNpz("its spectrum is not complex64, or its input is not float32 of the same shape")
    try:
        rows, columns = (int(length) for length in setting("original_shape"))
        white, bit_depth = float(setting("white")), int(setting("bit_depth"))
    except (TypeError, ValueError, OverflowError) as error:
        raise UnexpectedNpz("its original_shape, white or bit_depth is no number") from error
    fit = Fit(kind, (rows, columns), (shape[-2], shape[-1]) if len(shape) in (2, 3) else (0, 0))
    if shape[:-2] != ((3,) if channel == "rgb" else ()) or not fit.is_possible:
        raise UnexpectedNpz("its shapes do not belong together")
    if not 0 < white < math.inf or bit_depth not in BIT_DEPTHS:
        raise UnexpectedNpz("its white or bit_depth is out of range")
    _check_size(file, fit)
    spectrum, planes = (file.read(name).reshape(-1, *fit.fitted) for name in ("spectrum", "input"))
    return Archive(
        spectrum, planes, fit, channel, window, str(setting("mode")), bit_depth, white, str(setting("source"))
    )


def _check_size(file: NpzFile, fit: Fit) -> None:
    most = Image.MAX_IMAGE_PIXELS
    if most is not None and math.prod(fit.original) > most:
        rows, columns = fit.original
        raise UnexpectedNpz(f"it is for a picture of {columns}x{rows}, and none of more than {most} pixels is read")
    file.check_size(["spectrum", "input"])
