"""Masks in files, and pictures through masks: what `glfft spectrum apply`, `descreen` and a window write."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import screens, source_pictures
from glfft.apps.spectrum.display import SpectrumMaker, read_complex
from glfft.apps.spectrum.fitting import apply_window
from glfft.apps.spectrum.outputs import Paths, check_picture_suffix, choose_targets, each_file
from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_suffix, read_stored, write_stored
from glfft.apps.spectrum.strokes import mirrored
from glfft.errors import DataError, LimitError
from glfft.files import PathName, write_whole
from glfft.files.npz import UnexpectedNpz, open_npz
from glfft.gl.context import open_context
from glfft.gl.releasable import Keeper

_Result = tuple[StoredPicture | None, list[str]]  # what becomes of a picture, None for no change, and notes on it
_Work = Callable[["Retoucher", StoredPicture], _Result]


def apply_mask_files(mask: str, sources: Paths, output: str) -> int:
    """Write copies of pictures without a mask's frequencies to a file or into a folder; returns how many failed."""
    gains, was_mirrored = load_mask(mask)

    def work_on(retoucher: Retoucher, picture: StoredPicture) -> _Result:
        if gains.shape != (shape := picture.samples.shape[:2]):
            sizes = [f"{columns}x{rows}" for rows, columns in (shape, gains.shape)]
            raise DataError(f"The picture is {sizes[0]} and the mask {sizes[1]}; use another.")
        result = None if np.all(gains == 1) else retoucher.filtered(picture, gains)
        return result, [f"mask mirrored, as {mask} is not symmetric"] if was_mirrored else []

    return _retouch_files("glfft spectrum apply", sources, output, work_on, [Path(mask)])


def descreen_files(sources: Paths, output: str) -> int:
    """Write a copy of each picture without its halftone screen, moire or stripes, as `apply_mask_files` writes them."""

    def work_on(retoucher: Retoucher, picture: StoredPicture) -> _Result:
        peaks, result = retoucher.descreened(picture)
        return result, [f"{counted(peaks)} removed" if peaks else "no peaks found"]

    return _retouch_files("glfft spectrum descreen", sources, output, work_on)


def counted(peaks: Sequence[screens.Peak]) -> str:
    return f"{len(peaks)} {'peak' if len(peaks) == 1 else 'peaks'}"


def _retouch_files(command: str, sources: Paths, output: str, work_on: _Work, also_read: Paths = ()) -> int:
    """Write what becomes of each picture, and a line for each; returns how many failed."""
    files = {*Image.registered_extensions(), ".exr", ".npz"}
    if os.path.isdir(output) or os.path.splitext(output)[1].lower() not in files:
        output = os.path.join(output, "")  # a name without a file's ending is a folder's
    else:
        check_picture_suffix(output)
    targets = choose_targets(sources, output, [*map(kept_suffix, sources)], also_read)
    with Retoucher(open_context()) as retoucher:

        def work(index: int) -> str:
            source, target, picture = sources[index], targets[index], read_stored(sources[index])
            result, notes = work_on(retoucher, picture)
            if result is None and source.suffix.lower() == target.suffix.lower():
                write_whole(target, source.read_bytes())  # not even a JPEG loses anything
                notes = [*notes, "copied unchanged"]
            else:
                write_stored(target, result or picture)
                notes = [*picture.notes, *notes]
            rows, columns = picture.samples.shape[:2]
            return f"{', '.join([f'{source}: {columns}x{rows}', *notes])} -> {target}"

        return each_file(command, sources, work)


def write_results(ctx: moderngl.Context, sources: Paths, index: int, mask: np.ndarray) -> list[Path]:
    """Write a picture through a mask, and the mask, beside it: NAME-retouched and NAME-mask.png. Returns the files
    written. Raises LimitError where the mask has another size, GlfftError where a file cannot be read or written.
    """
    picture = read_stored(sources[index])
    if picture.samples.shape[:2] != mask.shape:
        raise LimitError("The mask has another size than the picture; choose the fit exact, and paint again.")
    target = choose_targets(sources, None, f"-retouched{kept_suffix(sources[index])}")[index]
    mask_target = choose_targets(sources, None, "-mask.png")[index]
    with Retoucher(ctx) as retoucher:
        write_stored(target, retoucher.filtered(picture, mask))
    save_mask(mask_target, mask)
    return [target, mask_target]


class Retoucher(Keeper):
    def __init__(self, ctx: moderngl.Context) -> None:
        self._maker = self._own(SpectrumMaker(ctx, advice="cut off rows or columns"))

    def filtered(self, picture: StoredPicture, mask: np.ndarray) -> StoredPicture:
        """The picture with its spectrum times a Hermitian mask: what it removes is subtracted. Raises LimitError."""
        spectra = read_complex(self._maker.forward(picture.planes()))
        return picture.plus(np.real(self._maker.inverse(spectra * (mask - np.float32(1)))))

    def descreened(self, picture: StoredPicture) -> tuple[list[screens.Peak], StoredPicture | None]:
        """The peaks of a picture that a descreening removes, and the result, None where there are none."""
        magnitudes = np.abs(self._windowed(picture.planes()))
        peaks, shape = screens.colour_peaks(magnitudes), magnitudes.shape[1:]
        if screens.is_screen(peaks, shape):
            return peaks, self.filtered(picture, screens.screen_mask(magnitudes, peaks))
        waves = screens.short_waves(peaks, shape)
        return waves, self._without_waves(picture, waves) if waves else None

    def _without_waves(self, picture: StoredPicture, peaks: Sequence[screens.Peak]) -> StoredPicture:
        """A picture less the waves of these peaks."""
        planes, shape = picture.planes(), (picture.samples.shape[0], picture.samples.shape[1])
        is_held = picture.samples.dtype.kind != "f"
        before, waves, added = planes, [], planes
        for _ in range(1 + is_held):  # what clipping hides of a wave shows once the rest of it is known
            waves = [[screens.fit_wave(spectrum, peak) for peak in peaks] for spectrum in self._windowed(before)]
            added = np.stack([screens.wave_values(each, shape) for each in waves])
            if is_held:
                before = np.stack([screens.unclipped(plane, wave) for plane, wave in zip(planes, added, strict=True)])
        rest = before - added
        spectra = read_complex(self._maker.forward(_without_mean(rest)))
        spectra *= np.stack([screens.picture_shares(np.abs(each), peaks) for each in spectra]) - np.float32(1)
        return picture.plus(rest - planes + np.real(self._maker.inverse(spectra)))

    def peaks(self, planes: np.ndarray) -> list[screens.Peak]:
        """The peaks of planes [planes, rows, columns], the highest first. Raises LimitError as `filtered` does."""
        return screens.colour_peaks(np.abs(self._windowed(planes)))

    def _windowed(self, planes: np.ndarray) -> np.ndarray:
        """The spectra of planes [planes, rows, columns] under a Hann window."""
        return read_complex(self._maker.forward(apply_window("hann", _without_mean(planes))))


def _without_mean(planes: np.ndarray) -> np.ndarray:
    known = np.nan_to_num(planes, nan=0.0, posinf=0.0, neginf=0.0)
    return known - known.mean(axis=(1, 2), keepdims=True)


def save_mask(path: PathName, mask: np.ndarray) -> None:
    """Write a mask [rows, columns], FFT order, as a picture of 16-bit grey with the zero frequency in the middle."""
    save_picture(path, Image.fromarray(np.rint(np.fft.fftshift(mask) * np.float64(65535)).astype(np.uint16)))


def load_mask(path: PathName) -> tuple[np.ndarray, bool]:
    """Read a mask, a picture or the array `mask` of an .npz file: float32 [rows, columns] in FFT order, 0 to 1, and
    whether it was mirrored: a frequency and its opposite get the lower value. DataError where the file is no mask.
    """
    if Path(path).suffix.lower() == ".npz":
        with open_npz(path, "an .npz file with the array 'mask'") as file:
            shape, dtype = file.header("mask")
            if len(shape) != 2 or min(shape) < 1 or dtype.kind not in "fiub":
                raise UnexpectedNpz("its 'mask' is no array of numbers [rows, columns]")
            mask = file.read("mask").astype(np.float32)
    else:
        with source_pictures.named(path):
            (plane,), picture = source_pictures.read_picture(path)
            if np.any(picture.samples[..., picture.colours :] < picture.white):
                raise DataError("Parts of this mask are transparent; paint them black, or white.")
            if np.ptp(picture.planes(), axis=0).max() > 1 / 16:  # more than JPEG makes of grey
                raise DataError("A mask is grey and this has colours; put a mask in its place, or save it as grey.")
            mask = np.fft.ifftshift(plane)
    if not np.all((mask >= 0) & (mask <= 1)):  # written so that NaN fails too
        raise DataError(f"{path} is no mask: its values must be from 0, removed, to 1, kept.")
    both = mirrored(mask)
    return both, not np.array_equal(both, mask)
