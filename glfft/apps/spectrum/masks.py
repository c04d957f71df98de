"""Masks in files: pictures to paint on in any program, and .npz files for numpy."""

import os
from pathlib import Path

import numpy as np
from PIL import Image

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum.source_pictures import read_picture
from glfft.apps.spectrum.strokes import mirrored
from glfft.errors import DataError, UsageError
from glfft.spectrum.npz import UnexpectedNpz, open_npz, save_npz

_DEEP = 65535


def save_mask(path: str | os.PathLike[str], mask: np.ndarray) -> None:
    """Write a mask [rows, columns], FFT order: as .npz with the array `mask`, float32 and in that order, or as .png of
    16-bit grey with the zero frequency in the middle, white where all is kept. Raises UsageError where the name ends
    in neither, OutputError where the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".npz"):
        raise UsageError(f"{path} must end in .png or .npz, for it is a mask.")
    if suffix == ".npz":
        save_npz(path, {"mask": mask.astype(np.float32)}, compress=True)
        return
    levels = np.rint(np.fft.fftshift(mask).astype(np.float64) * _DEEP).astype(np.uint16)
    save_picture(path, Image.fromarray(levels))


def load_mask(path: str | os.PathLike[str]) -> tuple[np.ndarray, bool]:
    """Read a mask: float32 [rows, columns] in FFT order, from 0 to 1, and whether it had to be mirrored.

    An .npz file has the array `mask` as `save_mask` writes it; any other file is a picture with the zero frequency in
    the middle, of which the luminance counts. A frequency and its opposite get the lower of their values. Raises
    DataError where the file holds no mask.
    """
    if Path(path).suffix.lower() == ".npz":
        mask = _load_npz(path)
    else:
        try:
            mask = np.fft.ifftshift(read_picture(path).planes[0])
        except DataError as error:
            raise DataError(f"{path}: {error}") from error
    if not np.all((mask >= 0) & (mask <= 1)):  # written so that NaN fails too
        raise DataError(f"{path} is no mask: its values must be from 0, removed, to 1, kept.")
    both = mirrored(mask)
    return both, not np.array_equal(both, mask)


def _load_npz(path: str | os.PathLike[str]) -> np.ndarray:
    with open_npz(path, "an .npz file with the array 'mask'") as file:
        shape, dtype = file.header("mask")
        if len(shape) != 2 or min(shape) < 1 or dtype.kind not in "fiub":
            raise UnexpectedNpz("its 'mask' is no array of numbers [rows, columns]")
        file.check_size(["mask"])
        return file.read("mask").astype(np.float32)
