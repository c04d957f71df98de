"""Pictures through masks: what `glfft spectrum apply` and `glfft spectrum descreen` do to files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.spectrum.batches import each_file
from glfft.apps.spectrum.masks import load_mask, save_mask
from glfft.apps.spectrum.outputs import choose_copies
from glfft.apps.spectrum.peaks import Peak, colour_peaks, notch
from glfft.apps.spectrum.screens import screen_mask
from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_name, read_stored, write_stored
from glfft.apps.spectrum.strokes import full_mask, paint
from glfft.apps.spectrum.transform import SpectrumMaker, read_complex
from glfft.apps.spectrum.windows import apply_window
from glfft.errors import DataError, LimitError
from glfft.files import write_whole
from glfft.gl.context import open_context, state_of


@dataclass(frozen=True)
class Descreening:
    """Which peaks `descreen_files` removes, and how."""

    peaks: int | None = None  # at most so many pairs, the highest; None for all
    # A notch of so many cycles a picture for each; None for `glfft.apps.spectrum.screens.screen_mask`.
    radius: float | None = None
    save_masks: bool = False  # write the mask beside each result


def apply_mask_files(mask: str, sources: Sequence[Path], output: str) -> int:
    """Write a copy of each picture with a mask's frequencies removed into a folder; returns how many failed.

    Raises DataError where the file is no mask, OutputError where the folder cannot be written into, ContextError where
    there is no OpenGL 4.3.
    """
    gains, was_mirrored = load_mask(mask)
    targets = choose_copies(sources, output, [kept_name(source) for source in sources])
    retoucher = Retoucher(open_context())

    def work(index: int) -> str:
        picture = read_stored(sources[index])
        rows, columns = picture.samples.shape[:2]
        if gains.shape != (rows, columns):
            raise DataError(
                f"The picture is {columns}x{rows} and the mask {gains.shape[1]}x{gains.shape[0]}; use a mask of the "
                "picture's size."
            )
        notes = ["mask mirrored"] if was_mirrored else []
        return _write(retoucher, sources[index], targets[index], picture, gains, notes)

    try:
        return each_file("glfft spectrum apply", sources, work)
    finally:
        retoucher.release()


def descreen_files(sources: Sequence[Path], output: str, how: Descreening) -> int:
    """Write a copy of each picture without its halftone screen, moire or stripes into a folder; returns how many
    failed. Raises OutputError where the folder cannot be written into, ContextError where there is no OpenGL 4.3.
    """
    targets = choose_copies(sources, output, [kept_name(source) for source in sources])
    retoucher = Retoucher(open_context())

    def work(index: int) -> str:
        picture = read_stored(sources[index])
        peaks, mask = retoucher.descreening(picture, how)
        if how.save_masks:
            save_mask(targets[index].with_name(f"{targets[index].stem}-mask.png"), mask)
        said = f"{len(peaks)} {'peak' if len(peaks) == 1 else 'peaks'} removed" if peaks else "no peaks found"
        return _write(retoucher, sources[index], targets[index], picture, mask, [said])

    try:
        return each_file("glfft spectrum descreen", sources, work)
    finally:
        retoucher.release()


def _write(
    retoucher: Retoucher, source: Path, target: Path, picture: StoredPicture, mask: np.ndarray, notes: list[str]
) -> str:
    """Write one picture through a mask; returns the line that says so."""
    rows, columns = picture.samples.shape[:2]
    if np.all(mask == 1) and source.suffix == target.suffix:
        # Not even a JPEG loses anything.
        write_whole(target, source.read_bytes())
        notes = [*notes, "copied unchanged"]
    else:
        write_stored(target, retoucher.filtered(picture, mask))
    return f"{', '.join([f'{source}: {columns}x{rows}', *picture.notes, *notes])} -> {target}"


class Retoucher:
    """Filters pictures in one context. Plan and textures serve pictures of one size."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._maker = SpectrumMaker(ctx)

    def filtered(self, picture: StoredPicture, mask: np.ndarray) -> StoredPicture:
        """The picture whose spectrum is multiplied by a mask, float32 [rows, columns] in FFT order, Hermitian.

        What the mask removes is computed, and subtracted from the samples: a mask of ones changes none. Raises
        LimitError where this device cannot transform the picture.
        """
        spectra = self._spectra(picture.planes())
        return picture.plus(np.real(self._maker.inverse(spectra * (mask - np.float32(1)))))

    def peaks(self, picture: StoredPicture) -> list[Peak]:
        """The peaks of all colours, see `colour_peaks`."""
        return colour_peaks(self.windowed(picture))

    def descreening(self, picture: StoredPicture, how: Descreening) -> tuple[list[Peak], np.ndarray]:
        """The peaks of a picture that a descreening removes, and its mask."""
        magnitudes = self.windowed(picture)
        peaks = colour_peaks(magnitudes)[: how.peaks]
        if peaks and how.radius is None:
            return peaks, screen_mask(magnitudes, peaks)
        mask = full_mask(picture.samples.shape[:2])
        if peaks and how.radius is not None:
            paint(mask, notch(peaks, how.radius))
        return peaks, mask

    def windowed(self, picture: StoredPicture) -> np.ndarray:
        """The magnitudes of the spectra [planes, rows, columns] of a picture under a Hann window."""
        planes = picture.planes()
        planes -= planes.mean(axis=(1, 2), keepdims=True)
        return np.abs(self._spectra(apply_window("hann", planes)))

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._maker.release()

    def _spectra(self, planes: np.ndarray) -> np.ndarray:
        rows, columns = planes.shape[1:]
        limit = state_of(self._ctx).limits.texture_size
        if max(rows, columns) > limit:
            raise LimitError(
                f"The picture is {columns}x{rows}, over this device's limit of {limit} a side; cut it into parts."
            )
        try:
            return read_complex(self._maker.forward(planes))
        except LimitError as error:
            raise LimitError(
                f"This device cannot transform {columns}x{rows} pixels: a side with a large prime factor is too long; "
                "cut off a row or column."
            ) from error
