"""Kernels by name and from pictures: their sums, middles and sizes, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.sentences import assert_one_sentence

from glfft.apps.filter_kernels import read_kernel
from glfft.errors import DataError, UsageError


def moments(kernel: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middle, from the kernel's own, and the covariance, of rows and columns."""
    places = np.indices(kernel.shape).reshape(2, -1) - (np.array(kernel.shape)[:, None] - 1) / 2
    middle = places @ kernel.ravel()
    return middle, (places * kernel.ravel()) @ places.T - np.outer(middle, middle)


@pytest.mark.parametrize(
    "asked", ["gaussian:0.4", "gaussian:3", "motion:0.5,0", "motion:9.5,30", "lens:5,0.2", "lens:6,120"]
)
def test_kernels_are_odd_positive_and_sum_to_one(asked: str) -> None:
    kernel = read_kernel(asked)
    assert kernel.shape[0] % 2 == kernel.shape[1] % 2 == 1
    assert kernel.min() >= 0
    assert kernel.sum() == pytest.approx(1.0)


def test_moments_are_those_of_the_shapes() -> None:
    middle, spread = moments(read_kernel("gaussian:2.5"))
    assert middle == pytest.approx(0, abs=1e-9)
    # Cut off at four deviations, 0.1 % of the variance is missing.
    assert spread == pytest.approx(2.5**2 * np.eye(2), abs=0.03)
    middle, spread = moments(read_kernel("motion:20,30"))
    assert middle == pytest.approx(0, abs=1e-9)
    along = np.array([-math.sin(math.radians(30)), math.cos(math.radians(30))])
    # A line's is length^2 / 12; spreading points over four pixels adds at most a quarter in each direction.
    assert along @ spread @ along == pytest.approx(20**2 / 12, abs=0.3)
    assert np.linalg.eigvalsh(spread)[0] < 0.3
    middle, spread = moments(read_kernel("lens:4,12"))
    # A square with a half diagonal of 12; points on its edges may be in or out.
    assert middle == pytest.approx(0, abs=0.01)
    assert spread == pytest.approx(2 * 12**2 / 12 * np.eye(2), abs=0.5)
    triangle = read_kernel("lens:3,10")
    assert triangle[0, 10] > 0
    assert triangle[-1].sum() == 0


def test_a_picture_is_a_kernel(folder: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (5, 8), dtype=np.uint8)
    Image.fromarray(pixels).save("k.png")
    assert read_kernel("k.png") == pytest.approx(pixels / pixels.sum())


def test_what_is_no_kernel_is_refused(folder: Path) -> None:
    Image.new("L", (3, 3)).save("black.png")
    values = np.ones((3, 3), np.float32)
    values[1, 1] = np.nan
    Image.fromarray(values).save("nan.tif")
    Image.fromarray(-np.ones((3, 3), np.float32)).save("negative.tif")
    for asked, error in (
        ("gaussian:", UsageError),
        ("gaussian:0", UsageError),
        ("gaussian:nan", UsageError),
        ("gaussian:501", UsageError),
        ("gaussian:1,2", UsageError),
        ("motion:5", UsageError),
        ("motion:5,400", UsageError),
        ("lens:2,5", UsageError),
        ("lens:5.5,5", UsageError),
        ("lens:a,b", UsageError),
        ("black.png", DataError),
        ("nan.tif", DataError),
        ("negative.tif", DataError),
        ("missing.png", DataError),
        ("box:3", DataError),
    ):
        with pytest.raises(error) as caught:
            read_kernel(asked)
        if asked not in ("missing.png", "box:3"):
            assert_one_sentence(str(caught.value))
