"""Pictures through masks, compared with numpy in float64."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.retouching import landscape, psnr
from support.spectrum import files, picture

from glfft.apps.spectrum.retouching import Retoucher, load_mask, write_results
from glfft.apps.spectrum.stored_pictures import StoredPicture, read_stored
from glfft.apps.spectrum.strokes import Stroke, paint
from glfft.errors import LimitError


def stored(samples: np.ndarray, colours: int) -> StoredPicture:
    return StoredPicture(samples, colours, "RGB", 1, [], {})


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_a_mask_multiplies_the_spectrum(retoucher: Retoucher, dtype: str) -> None:
    clean = landscape((30, 42), bands=3)
    white = 1 if dtype == "float32" else np.iinfo(dtype).max
    samples = clean.astype(np.float32) if dtype == "float32" else np.rint(clean * white).astype(dtype)
    mask = np.ones((30, 42), np.float32)
    paint(mask, Stroke("notch", ((3.0, 5.0), (-7.0, 2.0)), radius=2.5))
    filtered = retoucher.filtered(stored(samples, 3), mask)
    for band in range(3):
        expected = np.fft.ifft2(np.fft.fft2(samples[..., band].astype(np.float64)) * mask).real
        # Half a level of rounding, and what float32 transforms leave: well under a millionth of the largest value.
        assert np.abs(filtered.samples[..., band] - expected).max() <= (0.5 if dtype != "float32" else 0) + 2e-6 * white


def test_nothing_painted_changes_nothing(retoucher: Retoucher) -> None:
    samples = np.random.default_rng(0).normal(size=(15, 21, 3)).astype(np.float32)
    assert np.array_equal(retoucher.filtered(stored(samples, 3), np.ones((15, 21), np.float32)).samples, samples)


def test_a_wave_in_one_colour_is_found(retoucher: Retoucher) -> None:
    clean = landscape((96, 120), bands=3)
    y, x = np.indices(clean.shape[:2])
    noisy = clean.copy()
    noisy[..., 2] += 0.1 * np.cos(2 * np.pi * (20 * y / 96 - 31 * x / 120))
    peaks = retoucher.peaks(np.moveaxis(noisy, -1, 0).astype(np.float32))
    assert [peak.point in ((20.0, -31.0), (-20.0, 31.0)) for peak in peaks] == [True]


def test_stripes_go_and_the_picture_stays(folder: Path, retoucher: Retoucher) -> None:
    """A wave of whole cycles is one bin and its mirror image. What is lost is what the picture had in the notch."""
    clean = landscape((96, 120))
    y, x = np.indices(clean.shape)
    wave = 0.1 * np.cos(2 * np.pi * (20 * y / 96 + 31 * x / 120))
    Image.fromarray(np.rint((clean * 0.8 + 0.1 + wave) * 65535).astype(np.uint16)).save("a.png")
    stripes = read_stored("a.png")
    mask = np.ones(clean.shape, np.float32)
    paint(mask, Stroke("notch", tuple(peak.point for peak in retoucher.peaks(stripes.planes())), radius=3.0))
    spectrum = np.fft.fft2(clean * 0.8 + 0.1)
    lost = np.fft.ifft2(spectrum * (1 - mask)).real
    restored = retoucher.filtered(stripes, mask).samples[..., 0] / 65535
    assert psnr(restored, clean * 0.8 + 0.1) >= -10 * np.log10(np.mean(lost**2)) - 0.1
    assert psnr(restored, clean * 0.8 + 0.1) > 40


def test_peaks_are_found_also_where_pixels_are_no_numbers(retoucher: Retoucher) -> None:
    y, x = np.indices((96, 120))
    plane = landscape((96, 120)) + 0.1 * np.cos(2 * np.pi * (20 * y / 96 + 31 * x / 120))
    plane[5, 5] = np.nan
    peaks = retoucher.peaks(plane[None].astype(np.float32))
    assert [peak.point in ((20.0, 31.0), (-20.0, -31.0)) for peak in peaks] == [True]


def test_picture_and_mask_are_written_beside_the_picture(folder: Path, ctx: moderngl.Context) -> None:
    pixels = picture("a.png", 20, 30, bands=4)
    mask = np.ones((20, 30), np.float32)
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
        write_results(ctx, [Path("a.png")], 0, np.ones((32, 32), np.float32))
    assert files(folder) == {"a.png"}
