"""Spectrum, input and settings in one .npz file, from which the image can be restored."""

from __future__ import annotations

import math
import os
import stat
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from glfft.apps.spectrum.fitting import Fit
from glfft.apps.spectrum.options import CHANNELS, FITS, WINDOWS
from glfft.apps.spectrum.source_pictures import BIT_DEPTHS
from glfft.errors import DataError
from glfft.files import atomic_write

_FORMAT = "glfft spectrum 1"

# Bytes of a setting: a name, or some numbers.
_LARGEST_SETTING = 1 << 16
# Bytes of spectrum and input that any file may unpack to, and beyond that how many times its own size. `save_archive`
# does not compress, and compression gains little on float32 noise.
_ALWAYS_UNPACKED = 64 << 20
_MOST_EXPANSION = 20


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
    path = Path(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise DataError(f"{path} is a folder; name the .npz file that --save-data wrote.")
        if not stat.S_ISREG(status.st_mode):
            raise DataError(f"{path} is a device or pipe; name an ordinary .npz file that --save-data wrote.")
        # numpy warns of headers written by Python 2, which are none of ours.
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(path) as file:
            return _read_archive(file, status.st_size)
    except DataError:
        raise
    except FileNotFoundError as error:
        raise DataError(f"There is no file {path}; name the .npz file that --save-data wrote.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except _Foreign as error:
        raise DataError(
            f"{path} was not written by glfft spectrum --save-data ({error}); name a file that was."
        ) from error
    # A damaged file surfaces from zipfile and numpy's header parser as almost any exception.
    except Exception as error:
        raise DataError(
            f"{path} is damaged or no .npz file of plain arrays; name one that --save-data wrote."
        ) from error


class _Foreign(Exception):
    """What `load_archive` found that `save_archive` does not write, as a phrase."""


def _read_archive(file: zipfile.ZipFile, file_bytes: int) -> Archive:
    def setting(name: str) -> np.ndarray:
        if _member(file, name).file_size > _LARGEST_SETTING:
            raise _Foreign(f"its {name!r} is too long")
        _shape_and_dtype(file, name)
        return _read(file, name)

    if str(setting("format")) != _FORMAT:
        raise _Foreign("its format is another")
    channel, window, kind = (str(setting(name)) for name in ("channel", "window", "fit"))
    if channel not in CHANNELS or window not in WINDOWS or kind not in FITS:
        raise _Foreign("its channel, window or fit is unknown")
    shape, dtype = _shape_and_dtype(file, "spectrum")
    if dtype != np.complex64 or _shape_and_dtype(file, "input") != (shape, np.float32):
        raise _Foreign("its spectrum is not complex64, or its input is not float32 of the same shape")
    try:
        rows, columns = (int(length) for length in setting("original_shape"))
        white, bit_depth = float(setting("white")), int(setting("bit_depth"))
    except (TypeError, ValueError, OverflowError) as error:
        raise _Foreign("its original_shape, white or bit_depth is no number") from error
    fit = Fit(kind, (rows, columns), (shape[-2], shape[-1]) if len(shape) in (2, 3) else (0, 0))
    if shape[:-2] != ((3,) if channel == "rgb" else ()) or not fit.is_possible:
        raise _Foreign("its shapes do not belong together")
    if not 0 < white < math.inf or bit_depth not in BIT_DEPTHS:
        raise _Foreign("its white or bit_depth is out of range")
    _check_size(file, fit, file_bytes)
    spectrum, planes = (_read(file, name).reshape(-1, *fit.fitted) for name in ("spectrum", "input"))
    return Archive(
        spectrum, planes, fit, channel, window, str(setting("mode")), bit_depth, white, str(setting("source"))
    )


def _check_size(file: zipfile.ZipFile, fit: Fit, file_bytes: int) -> None:
    most = Image.MAX_IMAGE_PIXELS
    if most is not None and math.prod(fit.original) > most:
        rows, columns = fit.original
        raise _Foreign(f"it is for a picture of {columns}x{rows}, and none of more than {most} pixels is read")
    unpacked = sum(_member(file, name).file_size for name in ("spectrum", "input"))
    if unpacked > max(_ALWAYS_UNPACKED, _MOST_EXPANSION * file_bytes):
        raise _Foreign(f"{file_bytes} bytes would unpack to {unpacked}, which may be an attack on memory")


def _member(file: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    try:
        return file.getinfo(f"{name}.npy")
    except KeyError as error:
        raise _Foreign(f"it has no {name!r}") from error


def _shape_and_dtype(file: zipfile.ZipFile, name: str) -> tuple[tuple[int, ...], np.dtype]:
    """What the header of an array says, after a check that so much follows: numpy takes its memory first."""
    with file.open(_member(file, name)) as member:
        # numpy writes a newer version only for arrays of named fields.
        if np.lib.format.read_magic(member) != (1, 0):
            raise _Foreign(f"its {name!r} is no plain array")
        shape, _, dtype = np.lib.format.read_array_header_1_0(member)
        if dtype.hasobject or member.tell() + math.prod(shape) * dtype.itemsize != _member(file, name).file_size:
            raise _Foreign(f"its {name!r} is no plain array")
    return shape, dtype


def _read(file: zipfile.ZipFile, name: str) -> np.ndarray:
    with file.open(_member(file, name)) as member:
        return np.lib.format.read_array(member, allow_pickle=False)
