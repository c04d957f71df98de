"""The sea as pictures read it: each tile twice, as high as once, and a surface whose slopes are its own."""

from __future__ import annotations

import numpy as np
import pytest
from support.sea_sums import fields_at

from glfft.sea.settings import OceanSettings

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=32, tile=150.0, wind=9.0, wind_direction=0.6)


def test_the_blended_sea_has_the_wave_height_and_slopes_of_its_tiles():
    """Over many tiles; the shader's weights are compared with these by the queries' tests."""
    places = np.random.default_rng(9).uniform(-4000, 4000, (5000, 2))
    once, both = (fields_at(SEA, places, 20.0, blended) for blended in (False, True))
    # Rotated, derivatives go over from one axis to the other: only what both axes have together stays.
    for parts in (("height",), ("slope_x", "slope_z")):
        squares = [sum(np.mean(each[name] ** 2) for name in parts) for each in (once, both)]
        assert squares[1] == pytest.approx(squares[0], rel=0.07), parts
    assert np.std(both["dxx"] + both["dzz"]) == pytest.approx(np.std(once["dxx"] + once["dzz"]), rel=0.04)
    assert np.corrcoef(once["height"], both["height"])[0, 1] < 0.95, "another sea"


def test_the_fields_of_the_blended_sea_are_derivatives_of_each_other():
    places, step = np.random.default_rng(4).uniform(-300, 300, (100, 2)), 0.01
    fields = fields_at(SEA, places, 3.0, True)
    for of, by_x, by_z in (("height", "slope_x", "slope_z"), ("dx", "dxx", "dxz"), ("dz", "dxz", "dzz")):
        for axis, name in ((0, by_x), (1, by_z)):
            beside = np.eye(2)[axis] * step
            ahead, behind = (fields_at(SEA, places + sign * beside, 3.0, True)[of] for sign in (1, -1))
            # Not equal: the weights vary too, by far more slowly than the waves.
            difference = (ahead - behind) / (2 * step)
            assert np.corrcoef(difference, fields[name])[0, 1] > 0.995, (of, name)
