"""The scene of `glfft bloom`: any size, the same every time, with light far beyond white in few pixels."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.apps.bloom.sources import city


@pytest.mark.parametrize("size", [(16, 16), (320, 180), (90, 160)])
def test_it_is_light_of_any_size(size):
    scene = city(size)
    assert scene.shape == (size[1], size[0], 3)
    assert np.isfinite(scene).all()
    assert scene.min() >= 0


def test_the_sun_is_far_beyond_white_and_small():
    scene = city((320, 180))
    assert scene.max() > 10_000
    assert 1e-5 < (scene.max(axis=-1) > 5000).mean() < 2e-3
    assert np.median(scene) < 0.5


def test_the_seed_says_which_city():
    one, again, other = (city((160, 90), seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
