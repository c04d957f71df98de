"""Halftones and stripes over pictures whose clean original is known: what a descreening gains.

Thresholds are those of a blur that knows the original: the Gaussian of the width that comes nearest to it. Dots hide
all that is finer than they are, so that little can be better. Stripes are one frequency, and a blur takes all.
"""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import cbook
from PIL import Image
from support.retouching import halftone, landscape, psnr, ssim

from glfft.apps.spectrum.retouching import Retoucher
from glfft.apps.spectrum.screens import Peak, is_screen, screen_mask
from glfft.apps.spectrum.source_pictures import LUMA
from glfft.apps.spectrum.stored_pictures import StoredPicture
from glfft.apps.spectrum.strokes import opposite

SHAPE = (180, 220)
# dB.
STRIPES_ABOVE_BEST_BLUR = 3.0


def descreened(retoucher: Retoucher, values: np.ndarray) -> np.ndarray:
    picture = StoredPicture(np.rint(values * 255).astype(np.uint8), 3, "RGB", 1, [], {})
    peaks, restored = retoucher.descreened(picture)
    assert peaks
    assert restored is not None
    return restored.samples / 255


def best_blur(values: np.ndarray, clean: np.ndarray) -> float:
    """PSNR, dB, of the Gaussian blur that comes nearest to a picture."""
    rows, columns = clean.shape[:2]
    squares = np.fft.fftfreq(rows)[:, None] ** 2 + np.fft.fftfreq(columns)[None, :] ** 2
    spectrum = np.fft.fft2(values, axes=(0, 1))
    blurs = [np.exp(-2 * (np.pi * width) ** 2 * squares)[..., None] for width in (0.5, 0.7, 1, 1.4, 1.8, 2.2, 3)]
    return max(psnr(np.fft.ifft2(spectrum * blur, axes=(0, 1)).real, clean) for blur in blurs)


def test_dots_over_a_photograph_go(retoucher: Retoucher) -> None:
    # Grace Hopper, of the U.S. Navy; free, and matplotlib's sample.
    photograph = cbook.get_sample_data("grace_hopper.jpg", asfileobj=False)
    with Image.open(photograph) as opened:
        clean = np.asarray(opened.convert("RGB"))[100 : 100 + SHAPE[0], 100 : 100 + SHAPE[1]] / 255
    dots = halftone(clean, 5.2, (15, 75, 0, 45))
    assert psnr(descreened(retoucher, dots), clean) > best_blur(dots, clean)


@pytest.mark.parametrize(
    ("period", "angles", "seed"), [(4.0, (15, 75, 0, 45), 0), (5.2, (15, 75, 0, 45), 1), (4.5, (15, 75, 0), 0)]
)
def test_dots_go(retoucher: Retoucher, period: float, angles: tuple[float, ...], seed: int) -> None:
    clean = landscape(SHAPE, seed, bands=3)
    dots = halftone(clean, period, angles)
    restored = descreened(retoucher, dots)
    assert psnr(restored, clean) > best_blur(dots, clean)
    assert ssim(restored @ LUMA, clean @ LUMA) > 0.75


def test_few_large_dots_go(retoucher: Retoucher) -> None:
    clean = landscape((180, 220), 0, bands=3)
    dots = halftone(clean, 9.0, (15, 75, 0, 45))
    assert psnr(descreened(retoucher, dots), clean) > best_blur(dots, clean)


@pytest.mark.parametrize(
    ("waves", "seed"), [([(0.173, 0.0, 0.08)], 0), ([(0.21, 0.17, 0.06), (-0.3, 0.1, 0.03)], 1)], ids=["one", "two"]
)
def test_stripes_go(retoucher: Retoucher, waves: list[tuple[float, float, float]], seed: int) -> None:
    clean = landscape(SHAPE, seed, bands=3)
    y, x = np.indices(SHAPE)
    stripes = sum(height * np.cos(2 * np.pi * (down * y + across * x)) for down, across, height in waves)
    striped = np.clip(clean + np.asarray(stripes)[..., None], 0, 1)
    restored = descreened(retoucher, striped)
    assert psnr(restored, clean) > best_blur(striped, clean) + STRIPES_ABOVE_BEST_BLUR
    assert ssim(restored @ LUMA, clean @ LUMA) > 0.95


def test_a_mask_keeps_pictures_real_and_their_mean() -> None:
    magnitudes = np.random.default_rng(0).rayleigh(size=(3, 120, 150))
    points = [(40.0, 15.0), (12.0, -50.0)]  # at a right angle, in cycles a pixel
    for down, across in points:
        magnitudes[:, int(down), int(across)] = magnitudes[:, -int(down), -int(across)] = 50
    peaks = [Peak(point, 9.0) for point in points]
    assert is_screen(peaks, magnitudes.shape[1:])
    mask = screen_mask(magnitudes, peaks)
    assert np.array_equal(mask, opposite(mask))
    assert mask[0, 0] == 1
    assert mask.min() >= 0
    assert mask.max() <= 1
    assert mask.min() < 0.5


def test_waves_are_no_screen_unless_two_are_at_a_right_angle() -> None:
    shape = (200, 300)
    peaks = [Peak((0.3 * 200, 0.1 * 300), 40.0), Peak((-0.1 * 200, 0.2 * 300), 30.0), Peak((0.0, 0.25 * 300), 20.0)]
    assert not is_screen(peaks, shape)
    assert is_screen([*peaks, Peak((-0.1 * 200, 0.3 * 300), 15.0)], shape)
    assert is_screen([*peaks, Peak((0.1 * 200, -0.3 * 300), 15.0)], shape)
    assert not is_screen([], shape)


def test_a_long_pattern_of_a_large_picture_is_no_screen() -> None:
    few, many = ([Peak((cycles, 0.0), 40.0), Peak((0.0, cycles), 40.0)] for cycles in (20.0, 32.0))
    assert is_screen(few, (200, 200))
    assert not is_screen(few, (400, 400))
    assert is_screen(many, (400, 400))


def test_a_long_wave_and_its_multiples_may_be_the_picture_and_stay(retoucher: Retoucher) -> None:
    shape = (256, 320)
    clean = landscape(shape, 0, bands=1) * 0.7 + 0.1
    bricks = clean + 0.1 * sum(
        np.cos(2 * np.pi * cycles * np.arange(shape[0]) / shape[0])[:, None, None] for cycles in (15, 30)
    )
    picture = StoredPicture(np.rint(bricks * 255).astype(np.uint8), 1, "L", 1, [], {})
    # A wave and its mirror image are as high: rounding says which is the peak.
    found = {(abs(row), abs(column)) for row, column in (peak.point for peak in retoucher.peaks(picture.planes()))}
    assert found == {(15.0, 0.0), (30.0, 0.0)}
    assert retoucher.descreened(picture) == ([], None)
