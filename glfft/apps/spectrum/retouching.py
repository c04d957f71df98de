"""Pictures through masks: what `glfft spectrum apply`, `glfft spectrum descreen` and a window write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.spectrum.masks import load_mask, save_mask
from glfft.apps.spectrum.outputs import check_not_a_source, choose_targets, each_file
from glfft.apps.spectrum.peaks import Peak, colour_peaks, notch
from glfft.apps.spectrum.screens import screen_mask
from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_suffix, read_stored, write_stored
from glfft.apps.spectrum.strokes import full_mask, paint
from glfft.apps.spectrum.transform import SpectrumMaker, read_complex
from glfft.apps.spectrum.windows import apply_window
from glfft.errors import DataError, LimitError
from glfft.files import write_whole
from glfft.gl.context import open_context, state_of
from glfft.gl.releasable import Releasable


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

    def mask_of(_retoucher: Retoucher, picture: StoredPicture, _target: Path) -> tuple[np.ndarray, list[str]]:
        rows, columns = picture.samples.shape[:2]
        if gains.shape != (rows, columns):
            raise DataError(
                f"The picture is {columns}x{rows} and the mask {gains.shape[1]}x{gains.shape[0]}; use a mask of the "
                "picture's size."
            )
        return gains, ["mask mirrored"] if was_mirrored else []

    return _retouch_files("glfft spectrum apply", sources, output, mask_of, [Path(mask)])


def descreen_files(sources: Sequence[Path], output: str, how: Descreening) -> int:
    """Write a copy of each picture without its halftone screen, moire or stripes into a folder; returns how many
    failed. Raises OutputError where the folder cannot be written into, ContextError where there is no OpenGL 4.3.
    """

    def mask_of(retoucher: Retoucher, picture: StoredPicture, target: Path) -> tuple[np.ndarray, list[str]]:
        peaks, mask = retoucher.descreening(picture, how)
        if how.save_masks:
            written = target.with_name(f"{target.stem}-mask.png")
            check_not_a_source(str(written), sources)
            save_mask(written, mask)
        return mask, [f"{counted(peaks)} removed" if peaks else "no peaks found"]

    return _retouch_files("glfft spectrum descreen", sources, output, mask_of)


def counted(peaks: Sequence[Peak]) -> str:
    """How many peaks there are, in words."""
    return f"{len(peaks)} {'peak' if len(peaks) == 1 else 'peaks'}"


def _retouch_files(
    command: str,
    sources: Sequence[Path],
    output: str,
    mask_of: Callable[[Retoucher, StoredPicture, Path], tuple[np.ndarray, list[str]]],
    also_read: Sequence[Path] = (),
) -> int:
    """Write a copy of each picture through a mask of its own, which comes with notes; returns how many failed."""
    endings = [kept_suffix(source) for source in sources]
    targets = choose_targets(sources, os.path.join(output, ""), endings, also_read)
    with Retoucher(open_context()) as retoucher:

        def work(index: int) -> str:
            source, target, picture = sources[index], targets[index], read_stored(sources[index])
            mask, notes = mask_of(retoucher, picture, target)
            if np.all(mask == 1) and source.suffix == target.suffix:
                # Not even a JPEG loses anything.
                write_whole(target, source.read_bytes())
                notes = [*notes, "copied unchanged"]
            else:
                write_stored(target, retoucher.filtered(picture, mask))
            rows, columns = picture.samples.shape[:2]
            return f"{', '.join([f'{source}: {columns}x{rows}', *picture.notes, *notes])} -> {target}"

        return each_file(command, sources, work)


def write_results(ctx: moderngl.Context, sources: Sequence[Path], index: int, mask: np.ndarray) -> list[Path]:
    """Write a picture through a mask, in all its colours and with what it came with, and the mask, beside it: as
    NAME-retouched and NAME-mask.png. Returns the files written.

    Raises:
        LimitError: the mask has another size, as with a fit other than "exact".
        GlfftError: the picture cannot be read, or the files cannot be written.
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


class Retoucher(Releasable):
    """Filters pictures in one context. Plan and textures serve pictures of one size."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._largest_side = state_of(ctx).limits.texture_size
        self._maker = SpectrumMaker(ctx, advice="cut off a row or column")

    def filtered(self, picture: StoredPicture, mask: np.ndarray) -> StoredPicture:
        """The picture whose spectrum is multiplied by a mask, float32 [rows, columns] in FFT order, Hermitian.

        What the mask removes is computed, and subtracted from the samples: a mask of ones changes none. Raises
        LimitError where this device cannot transform the picture.
        """
        spectra = self._spectra(picture.planes())
        return picture.plus(np.real(self._maker.inverse(spectra * (mask - np.float32(1)))))

    def descreening(self, picture: StoredPicture, how: Descreening) -> tuple[list[Peak], np.ndarray]:
        """The peaks of a picture that a descreening removes, and its mask."""
        planes = picture.planes()
        magnitudes = self._windowed(planes)
        peaks = colour_peaks(magnitudes)[: how.peaks]
        if peaks and how.radius is None:
            return peaks, screen_mask(magnitudes, peaks, np.abs(self._spectra(_without_mean(planes))))
        mask = full_mask(picture.samples.shape[:2])
        if peaks and how.radius is not None:
            paint(mask, notch(peaks, how.radius))
        return peaks, mask

    def peaks(self, planes: np.ndarray) -> list[Peak]:
        """The peaks of planes [planes, rows, columns], the highest first. Raises LimitError where this device cannot
        transform them.
        """
        return colour_peaks(self._windowed(planes))

    def _windowed(self, planes: np.ndarray) -> np.ndarray:
        """The magnitudes of the spectra of planes [planes, rows, columns] under a Hann window."""
        return np.abs(self._spectra(apply_window("hann", _without_mean(planes))))

    def _spectra(self, planes: np.ndarray) -> np.ndarray:
        rows, columns = planes.shape[1:]
        if max(rows, columns) > self._largest_side:
            raise LimitError(
                f"The picture is {columns}x{rows}, over this device's limit of {self._largest_side} a side; cut it "
                "into parts."
            )
        return read_complex(self._maker.forward(planes))

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._maker.release()


def _without_mean(planes: np.ndarray) -> np.ndarray:
    known = np.nan_to_num(planes, nan=0.0, posinf=0.0, neginf=0.0)
    return known - known.mean(axis=(1, 2), keepdims=True)
