"""What a retoucher's window does beyond painting: peaks found in a picture, and its results written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.spectrum.masks import save_mask
from glfft.apps.spectrum.outputs import choose_targets
from glfft.apps.spectrum.peaks import Peak, colour_peaks
from glfft.apps.spectrum.retouching import Retoucher
from glfft.apps.spectrum.stored_pictures import kept_name, read_stored, write_stored
from glfft.apps.spectrum.transform import SpectrumMaker, read_complex
from glfft.apps.spectrum.windows import apply_window
from glfft.errors import LimitError


def find_in(ctx: moderngl.Context, planes: np.ndarray) -> list[Peak]:
    """The peaks of planes [planes, rows, columns], the highest first. Raises LimitError where this device cannot
    transform them.
    """
    maker = SpectrumMaker(ctx)
    try:
        known = np.nan_to_num(planes, nan=0.0, posinf=0.0, neginf=0.0)
        known = known - known.mean(axis=(1, 2), keepdims=True)
        return colour_peaks(np.abs(read_complex(maker.forward(apply_window("hann", known)))))
    finally:
        maker.release()


def write_results(ctx: moderngl.Context, sources: Sequence[Path], index: int, mask: np.ndarray) -> list[Path]:
    """Write a picture through a mask, in all its colours and with what it came with, and the mask, beside it: as
    NAME-retouched and NAME-mask.png. Returns the files written.

    Raises:
        LimitError: the mask has another size, as with a fit other than "exact".
        GlfftError: the picture cannot be read, or the files cannot be written.
    """
    source = sources[index]
    picture = read_stored(source)
    if picture.samples.shape[:2] != mask.shape:
        raise LimitError("The mask has another size than the picture; choose the fit exact, and paint again.")
    suffix = Path(kept_name(source)).suffix
    target = choose_targets(sources, None, f"-retouched{suffix}")[index]
    mask_target = choose_targets(sources, None, "-mask.png")[index]
    retoucher = Retoucher(ctx)
    try:
        write_stored(target, retoucher.filtered(picture, mask))
    finally:
        retoucher.release()
    save_mask(mask_target, mask)
    return [target, mask_target]
