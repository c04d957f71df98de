"""Spectra that `glfft spectrum --save-data` wrote, as numpy arrays to be edited, and back into such files."""

import os

import numpy as np

from glfft.errors import DataError, OutputError
from glfft.files import PathName
from glfft.files.npz import NpzFile, UnexpectedNpz, open_npz, save_npz

__all__ = ["load", "save"]

WANTED = "an .npz file that glfft spectrum --save-data wrote"


def load(path: PathName, shifted: bool = False) -> np.ndarray:
    """Read a spectrum that `glfft spectrum --save-data` wrote.

    Returns complex64 [rows, columns], or [3, rows, columns] of three channels; sign and factor as `numpy.fft.fft2` has
    them, of a picture where 0 is black and 1 is white. If `shifted`, the zero frequency is in the middle, at [rows //
    2, columns // 2], and not at [0, 0]. Raises DataError where the file is missing, damaged or another.
    """
    with open_npz(path, WANTED) as file:
        _checked(file)
        spectrum = file.read("spectrum")
    return np.fft.fftshift(spectrum, (-2, -1)) if shifted else spectrum


def save(path: PathName, spectrum: np.ndarray, like: PathName, shifted: bool = False) -> None:
    """Write an edited spectrum, for `glfft spectrum --inverse`.

    A picture is real where frequencies and their opposites are complex conjugates, spectrum[-k] = conj(spectrum[k]).
    The imaginary part that an edit leaves is dropped by --inverse, which says so.

    Args:
        path: the .npz file to write; it may be `like`.
        spectrum: as `load` returned it, edited; any real or complex numbers.
        like: the file that the spectrum is from; settings and input come from it.
        shifted: the zero frequency is in the middle, not at [0, 0].

    Raises DataError where `like` is missing, damaged or another, or has another shape than `spectrum`, or where
    that is not finite; OutputError where the file cannot be written, or is not named .npz.
    """
    values = np.asarray(spectrum)
    if os.path.splitext(path)[1].lower() != ".npz":
        raise OutputError(f"A spectrum is written as .npz, not as '{os.fspath(path)}'; change the file's name.")
    with open_npz(like, WANTED) as file:
        shape, settings = _checked(file)
        if values.shape != shape or values.dtype.kind not in "fiuc":
            raise DataError(f"The spectrum must be numbers of shape {shape}, as in {os.fspath(like)}.")
        given = file.read("input")
    with np.errstate(over="ignore"):
        values = values.astype(np.complex64)
    if not np.isfinite(values).all():
        raise DataError("The spectrum has numbers that are not finite, and no picture; leave NaN and infinity out.")
    values = np.fft.ifftshift(values, (-2, -1)) if shifted else values
    save_npz(path, {"spectrum": values, "input": given, **settings})


def _checked(file: NpzFile) -> tuple[tuple[int, ...], dict[str, np.ndarray]]:
    """The settings of a file, and the shape of its spectrum and input, which may be read whole."""
    shape, dtype = file.header("spectrum")
    if dtype != np.complex64 or len(shape) not in (2, 3) or file.header("input")[0] != shape:
        raise UnexpectedNpz("its spectrum is not complex64 [rows, columns] or [3, rows, columns]")
    return shape, {name: file.setting(name) for name in file.names if name not in ("spectrum", "input")}
