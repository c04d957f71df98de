"""Saved spectra to numpy and back into a file that `glfft spectrum --inverse` turns into a picture."""

from __future__ import annotations

import os

import numpy as np

from glfft.errors import DataError
from glfft.files import atomic_write
from glfft.spectrum.npz import NpzFile, UnexpectedNpz, open_npz

_WANTED = "an .npz file that glfft spectrum --save-data wrote"
# Bytes of a setting: a name, or some numbers.
_LARGEST_SETTING = 1 << 16


def load(path: str | os.PathLike[str], shifted: bool = False) -> np.ndarray:
    """Read a spectrum that `glfft spectrum --save-data` wrote.

    Args:
        path: the .npz file.
        shifted: put the zero frequency in the middle, at [rows // 2, columns // 2], and not at [0, 0].

    Returns:
        complex64 [rows, columns], or [3, rows, columns] of three channels; sign and factor as `numpy.fft.fft2` has
        them, of a picture where 0 is black and 1 is white.

    Raises:
        DataError: the file is missing, damaged or another.
    """
    with open_npz(path, _WANTED) as file:
        _check(file)
        spectrum = file.read("spectrum")
    return np.fft.fftshift(spectrum, (-2, -1)) if shifted else spectrum


def save(
    path: str | os.PathLike[str], spectrum: np.ndarray, like: str | os.PathLike[str], shifted: bool = False
) -> None:
    """Write an edited spectrum, for `glfft spectrum --inverse`.

    A picture is real where frequencies and their opposites are complex conjugates, spectrum[-k] = conj(spectrum[k]).
    The imaginary part that an edit leaves is dropped by --inverse, which says so.

    Args:
        path: the .npz file to write; it may be `like`.
        spectrum: as `load` returned it, edited; any real or complex numbers.
        like: the file that the spectrum is from; settings and input come from it.
        shifted: the zero frequency is in the middle, not at [0, 0].

    Raises:
        DataError: `like` is missing, damaged or another, or has another shape than `spectrum`.
        OutputError: the file cannot be written.
    """
    values = np.asarray(spectrum)
    with open_npz(like, _WANTED) as file:
        shape = _check(file)
        if values.shape != shape or values.dtype.kind not in "fiuc":
            raise DataError(f"The spectrum must be numbers of shape {shape}, as in {os.fspath(like)}.")
        contents = {name: file.read(name) for name in file.names if name != "spectrum"}
    values = np.fft.ifftshift(values, (-2, -1)) if shifted else values
    with atomic_write(path) as temporary, open(temporary, "wb") as target:
        # A file object, since savez adds .npz to names that do not end with it.
        np.savez(target, allow_pickle=False, spectrum=values.astype(np.complex64), **contents)


def _check(file: NpzFile) -> tuple[int, ...]:
    """Make sure that a file may be read whole; returns the shape of its spectrum."""
    shape, dtype = file.header("spectrum")
    if dtype != np.complex64 or len(shape) not in (2, 3) or file.header("input")[0] != shape:
        raise UnexpectedNpz("its spectrum is not complex64 [rows, columns] or [3, rows, columns]")
    file.check_size(["spectrum", "input"])
    for name in file.names:
        file.header(name)
        if name not in ("spectrum", "input") and file.stored_bytes(name) > _LARGEST_SETTING:
            raise UnexpectedNpz(f"its {name!r} is too long")
    return shape
