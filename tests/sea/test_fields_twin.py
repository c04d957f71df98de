"""The sea in numpy is the sea on the GPU, point for point."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.sea_sums import fields_at

from glfft.errors import OptionError
from glfft.sea.fields import OceanTwin
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.settings import OceanSettings, Swell
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import FIELDS

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=64, tile=200.0, wind_direction=0.6)
STORM = replace(SEA, wind=25.0, fetch=500e3, swells=(Swell(6.0, 13.0, 2.0),), cascades=3)
SEAS = {
    "one tile": SEA,
    "storm on three tiles": STORM,
    "any size, loop": replace(STORM, size=50, loop=20.0, depth=12.0),
    "measured": replace(SEA, measured=MeasuredSpectrum((0.08, 0.1, 0.2), (0.5, 4.0, 0.2), (0.0, 1.0, -3.0))),
}


@pytest.mark.parametrize("name", SEAS)
@pytest.mark.parametrize("time", [-3.5, 40.25])
def test_every_point_is_within_a_millimetre(ctx: moderngl.Context, name: str, time: float) -> None:
    twin = OceanTwin(SEAS[name])
    expected = twin.evaluate(time)
    with OceanSimulation(ctx, SEAS[name]) as simulation:
        found = simulation.evaluate(time)
        assert twin.significant_height == simulation.significant_height
        assert twin.tiles == simulation.tiles
    for field in FIELDS:
        assert found[field].shape == expected[field].shape
        assert np.abs(found[field] - expected[field]).max() < 1e-3, field
    assert np.abs(expected["height"]).max() > 0.5


def test_sums_at_points_are_the_fields_of_all_tiles_together() -> None:
    twin = OceanTwin(STORM)
    # Points of the first tile's grid that are on those of the others are rare: ask each tile alone first.
    for index, tile in enumerate(twin.tiles):
        rows, columns = np.array([0, 3, 63]), np.array([5, 0, 62])
        points = np.stack([columns, rows], axis=1) * tile.spacing
        alone = fields_at(tile, points, 7.0)
        fields = twin.evaluate(7.0)
        for name in FIELDS:
            assert alone[name] == pytest.approx(fields[name][index, rows, columns], abs=1e-9), name
    points = np.array([[12.3, -4.5], [1000.0, 77.7]])
    together, parts = fields_at(STORM, points, 7.0), [fields_at(tile, points, 7.0) for tile in twin.tiles]
    for name in FIELDS:
        assert together[name] == pytest.approx(sum(part[name] for part in parts), abs=1e-12)


def test_nonsense_is_refused() -> None:
    with pytest.raises(OptionError, match="finite"):
        OceanTwin(SEA).evaluate(math.nan)
