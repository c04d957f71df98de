"""Waves as textures: fixed-point frequencies, and amplitudes that are refused where none may be."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.errors import OptionError, ShapeError
from glfft.sea import waves
from glfft.sea.settings import OceanSettings
from glfft.sea.wave_textures import WaveTextures, fixed_point, fixed_point_time


def test_fixed_point_is_the_number():
    values = np.array([0.0, 0.25, 3.5, 1e-9, 12.999999999999, -0.25, -7.7, -1e-12])
    parts = fixed_point(values).astype(np.int64)
    whole = np.where(parts[:, 0] >= 2**31, parts[:, 0] - 2**32, parts[:, 0])
    assert whole + parts[:, 1] / 2**32 == pytest.approx(values, abs=2.0**-33)
    assert [fixed_point_time(value) for value in values.tolist()] == [tuple(pair) for pair in parts.tolist()]


def test_a_layer_has_the_amplitudes_of_both_directions(ctx):
    tiles = [OceanSettings(size=16, tile=60.0, seed=seed) for seed in (1, 2)]
    with WaveTextures(ctx, tiles) as textures:
        found = np.frombuffer(textures.amplitudes.read(), np.complex64).reshape(2, 16, 8, 2)
        for layer, tile in zip(found, tiles, strict=True):
            h0 = waves.amplitudes(tile)
            assert np.allclose(layer, np.stack([h0, waves.mirrored(h0)], axis=-1)[:, :8], rtol=1e-6, atol=1e-12)
        with pytest.raises(ShapeError, match="zero at k = 0"):
            textures.set_amplitudes(0, tiles[0], np.ones((16, 16), np.complex64))
        with pytest.raises(ShapeError, match="must have"):
            textures.set_amplitudes(0, tiles[0], np.zeros((8, 8), np.complex64))
        for row, amplitude in ((3, np.nan), (12, np.inf), (3, 1e300)):
            spoilt = np.zeros((16, 16), np.complex128)
            spoilt[row, row] = amplitude
            with pytest.raises(OptionError, match="finite in float32"):
                textures.set_amplitudes(0, tiles[0], spoilt)
