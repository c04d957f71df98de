"""Templates found in pictures: places known to 1/100 of a pixel are found to a tenth, and marked."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from glfft.apps.matching import Match, find, marked

SHAPE = (90, 120)


def noise(blur: float, seed: int) -> NDArray[np.float64]:
    """Periodic noise, blurred by a Gaussian of so many pixels, of standard deviation 1."""
    down, right = np.fft.fftfreq(SHAPE[0])[:, None], np.fft.fftfreq(SHAPE[1])
    spectrum = np.fft.fft2(np.random.default_rng(seed).standard_normal(SHAPE))
    picture = np.fft.ifft2(spectrum * np.exp(-2 * (np.pi * blur) ** 2 * (down**2 + right**2))).real
    return picture / picture.std()


def shifted(picture: NDArray[np.float64], rows: float, columns: float) -> NDArray[np.float64]:
    down, right = np.fft.fftfreq(SHAPE[0])[:, None], np.fft.fftfreq(SHAPE[1])
    return np.fft.ifft2(np.fft.fft2(picture) * np.exp(-2j * np.pi * (down * rows + right * columns))).real


@pytest.mark.parametrize(("rows", "columns", "blur"), [(0.0, 0.0, 1.0), (0.37, -0.44, 0.0), (-0.08, 0.5, 3.0)])
def test_places_are_found_to_a_tenth_of_a_pixel(
    ctx: moderngl.Context, rows: float, columns: float, blur: float
) -> None:
    whole = noise(blur, 1)
    grain = np.random.default_rng(2).normal(0, 0.05, SHAPE)
    part = 40.0 - 7.0 * -shifted(whole, rows, columns)[30:54, 50:82]
    found = find(ctx, (whole + grain).astype(np.float32), part.astype(np.float32))
    # A tenth, and half a tenth for rounding to tenths.
    assert (found.y, found.x) == pytest.approx((30 - rows, 50 - columns), abs=0.151)
    assert (found.width, found.height) == (32, 24)
    assert 0.8 < found.score <= 1.0


def test_the_frame_lies_around_what_was_found(ctx: moderngl.Context) -> None:
    planes = np.full((3, 60, 80), 0.5, np.float32)
    planes[:, 3, 4] = (np.nan, np.inf, -np.inf)
    image = np.asarray(marked(planes, Match(19.6, 10.4, 30, 20, 0.9)))
    changed = (image != 128).any(axis=2)
    changed[3, 4] = False
    rows, columns = np.nonzero(changed)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (10 - 3, 29 + 3, 20 - 3, 49 + 3)
    assert not changed[10:30, 20:50].any()
