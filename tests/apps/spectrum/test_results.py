"""What a retoucher's window finds and writes."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.retouching import landscape
from support.spectrum import files, picture

from glfft.apps.spectrum.masks import load_mask
from glfft.apps.spectrum.results import find_in, write_results
from glfft.apps.spectrum.strokes import Stroke, full_mask, paint
from glfft.errors import LimitError


def test_peaks_are_found_also_where_pixels_are_no_numbers(ctx: moderngl.Context) -> None:
    y, x = np.indices((96, 120))
    plane = landscape((96, 120)) + 0.1 * np.cos(2 * np.pi * (20 * y / 96 + 31 * x / 120))
    plane[5, 5] = np.nan
    peaks = find_in(ctx, plane[None].astype(np.float32))
    assert [peak.point in ((20.0, 31.0), (-20.0, -31.0)) for peak in peaks] == [True]


def test_picture_and_mask_are_written_beside_the_picture(folder: Path, ctx: moderngl.Context) -> None:
    pixels = picture("a.png", 20, 30, bands=4)
    mask = full_mask((20, 30))
    paint(mask, Stroke("ring", ((0.0, 8.0),), radius=2.0))
    written = write_results(ctx, [Path("a.png")], 0, mask)
    assert [path.name for path in written] == ["a-retouched.png", "a-mask.png"]
    assert files(folder) == {"a.png", "a-retouched.png", "a-mask.png"}
    with Image.open("a-retouched.png") as image:
        restored = np.asarray(image)
    expected = np.fft.ifft2(np.fft.fft2(pixels[..., :3], axes=(0, 1)) * mask[..., None], axes=(0, 1)).real
    assert np.abs(restored[..., :3] - np.clip(expected, 0, 255)).max() <= 0.51
    assert np.array_equal(restored[..., 3], pixels[..., 3])
    assert np.abs(load_mask("a-mask.png")[0] - mask).max() < 1e-5


def test_a_mask_of_another_size_is_refused_before_anything_is_written(folder: Path, ctx: moderngl.Context) -> None:
    picture("a.png", 20, 30)
    with pytest.raises(LimitError, match="fit exact"):
        write_results(ctx, [Path("a.png")], 0, full_mask((32, 32)))
    assert files(folder) == {"a.png"}
