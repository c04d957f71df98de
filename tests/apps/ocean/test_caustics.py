"""Sunlight on the bottom: waves gather it and lose none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from glfft.apps.ocean.quality import HIGH, LOW
from glfft.apps.ocean.water import Water
from glfft.sea import cascades
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

# Foam, which has no part in it, that is soon built up.
HARDLY_FOAM: dict[str, Any] = {"foam_lifetime": 0.1, "foam_threshold": 0.5}
WAVES = OceanSettings(size=64, tile=8.0, wind=4.0, depth=3.0, **HARDLY_FOAM)
LAGOON = replace(preset("lagoon"), **HARDLY_FOAM)


@pytest.fixture
def caustics(ctx):
    """Gives a function that returns the factors on the bottom under a sea at 3 s, and the slopes of its finest tile."""

    def caustics(settings, depth, quality=HIGH):
        with OceanSimulation(ctx, settings) as simulation, Water(ctx, quality) as water:
            simulation.update(3.0)
            water._find_caustics(simulation, depth)
            side = water._caustics.width
            factors = np.frombuffer(water._caustics.read(), np.float16).astype(np.float64).reshape(side, side)
            surface, size = simulation.surface, settings.size
            texels = np.frombuffer(surface.read(), surface.dtype.replace("f", "<f")).reshape(-1, size, size, 4)
            return factors, texels[-1, ..., 2:].astype(np.float64)

    return caustics


def test_light_is_even_right_below_the_surface(caustics):
    factors, slopes = caustics(WAVES, 0.0)
    assert slopes.std() > 0.01
    # Rays 1 / 0.6 widths apart: sums of their Gaussians differ by at most 4 exp(-2 pi^2 0.6^2) from the mean.
    np.testing.assert_allclose(factors, 1.0, atol=4 * np.exp(-2 * (0.6 * np.pi) ** 2) + 2**-11)


def test_crests_gather_light_in_shallow_water_by_their_curvature(caustics):
    depth = 0.02
    factors, slopes = caustics(WAVES, depth)
    spacing = WAVES.tile / WAVES.size
    along_x, along_z = (
        (np.roll(slopes[..., axis], -1, 1 - axis) - np.roll(slopes[..., axis], 1, 1 - axis)) / (2 * spacing)
        for axis in (0, 1)
    )
    gathered = -depth * (1 - 1 / 1.34) * gaussian_filter(along_x + along_z, 0.6, mode="wrap")
    times = factors.shape[0] // WAVES.size
    seen = factors.reshape(WAVES.size, times, WAVES.size, times).mean(axis=(1, 3)) - 1
    assert np.corrcoef(seen.ravel(), gathered.ravel())[0, 1] > 0.95
    assert seen.std() == pytest.approx(gathered.std(), rel=0.2)


@pytest.mark.parametrize(("depth", "quality"), [(1.0, HIGH), (3.0, LOW), (8.0, HIGH)], ids=["1", "3-low", "8"])
def test_no_light_is_lost_or_made(caustics, quality, depth):
    factors, _ = caustics(LAGOON, depth, quality)
    assert factors.mean() == pytest.approx(1.0, abs=0.05)
    assert factors.std() > 0.2


@pytest.mark.parametrize("depth", [3.0, 8.0])
def test_where_rays_are_drawn_apart_they_do_not_show_one_by_one(caustics, depth):
    """In the dark, light is about as even as its mean over the distance between two rays."""
    factors, _ = caustics(LAGOON, depth)
    tile = cascades.tiles_of(LAGOON)[-1]
    apart = max(tile.spacing, tile.tile / len(factors), 0.3 * depth * (1 - 1 / 1.34) / 4)
    around = gaussian_filter(factors, apart * len(factors) / tile.tile, mode="wrap")
    dark = around < 0.6
    assert dark.mean() > 0.05
    assert (factors - around)[dark].std() < 0.12
