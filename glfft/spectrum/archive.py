"""Spectrum, input and settings in one .npz file, from which the image can be restored."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from glfft.errors import DataError
from glfft.files import atomic_write
from glfft.spectrum.fitting import FITS, Fit
from glfft.spectrum.images import CHANNELS
from glfft.spectrum.windows import WINDOWS

_FORMAT = "glfft spectrum 1"


@dataclass(frozen=True)
class Archive:
    """What `--save-data` writes.

    Attributes:
        spectrum: complex64 [planes, rows, columns], unshifted, numpy's sign and factor.
        input: float32 [planes, rows, columns], as transformed: fitted and windowed; 0 is black and 1 is white.
        fit: the sizes before and after.
        channel, window: as on the command line.
        mode, bit_depth, white: of the picture read (`glfft.spectrum.images.Picture`).
        source: the picture's file name.
    """

    spectrum: np.ndarray
    input: np.ndarray
    fit: Fit
    channel: str
    window: str
    mode: str
    bit_depth: int
    white: float
    source: str


def save_archive(path: str | os.PathLike[str], archive: Archive, view: dict[str, object]) -> None:
    """Write an archive; one plane is stored as [rows, columns], three as [3, rows, columns].

    Args:
        view: settings of the picture made beside it, for the reader's information.

    Raises:
        OutputError: it cannot be written.
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

    Raises:
        DataError: the file is missing, damaged, or not written by `save_archive`.
    """
    path = Path(path)
    if path.is_dir():
        raise DataError(f"{path} is a folder; name the .npz file that --save-data wrote.")
    try:
        with np.load(path, allow_pickle=False) as stored:
            values = {name: stored[name] for name in stored.files}
    except FileNotFoundError as error:
        raise DataError(f"There is no file {path}; name the .npz file that --save-data wrote.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    # A damaged file surfaces from zipfile and numpy's header parser as almost any exception.
    except Exception as error:
        raise DataError(
            f"{path} is damaged or no .npz file of plain arrays; name one that --save-data wrote."
        ) from error
    try:
        return _archive_from(values)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DataError(
            f"{path} was not written by glfft spectrum --save-data ({_complaint(error)}); name one that was."
        ) from error


def _complaint(error: Exception) -> str:
    return f"it has no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)


def _archive_from(values: dict[str, np.ndarray]) -> Archive:
    if str(values["format"]) != _FORMAT:
        raise ValueError("its format is another")
    spectrum, planes = values["spectrum"], values["input"]
    if spectrum.dtype != np.complex64 or spectrum.ndim not in (2, 3) or spectrum.shape != planes.shape:
        raise ValueError("its spectrum is not complex64, or not of the shape of its input")
    if spectrum.ndim == 2:
        spectrum, planes = spectrum[None], planes[None]
    channel, window, kind = str(values["channel"]), str(values["window"]), str(values["fit"])
    if channel not in CHANNELS or window not in WINDOWS or kind not in FITS:
        raise ValueError("its channel, window or fit is unknown")
    rows, columns = (int(length) for length in values["original_shape"])
    fit = Fit(kind, (rows, columns), (spectrum.shape[1], spectrum.shape[2]))
    powers = all(length > 0 and length & (length - 1) == 0 for length in fit.fitted)
    fits = min(*fit.offset, *fit.padding, rows - 1, columns - 1) >= 0
    if not powers or not fits or len(spectrum) != (3 if channel == "rgb" else 1):
        raise ValueError("its shapes do not belong together")
    return Archive(
        spectrum,
        planes.astype(np.float32),
        fit,
        channel,
        window,
        str(values["mode"]),
        int(values["bit_depth"]),
        float(values["white"]),
        str(values["source"]),
    )
