"""A picture in the making: every pixel gets its light, from the sky, from the sea, or from both."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.demos.ocean.camera import Camera
from glfft.demos.ocean.picture import Picture
from glfft.demos.ocean.sky import Sky, Weather
from glfft.demos.ocean.water import Water
from glfft.ocean.settings import OceanSettings
from glfft.ocean.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (52, 37)  # no multiple of a work group's side
CAMERA = Camera((0.0, 2.0, 0.0), pitch=0.0)


def _radiance(picture) -> np.ndarray:
    return np.frombuffer(picture.radiance.read(), np.float16).reshape(SIZE[1], SIZE[0], 4)[..., :3].astype(float)


@pytest.mark.parametrize("samples", [0, 4])
def test_every_pixel_is_lit_and_an_edge_mixes_sea_and_sky(ctx, samples):
    sky, water, picture = Sky(ctx, Weather(clouds=0.0)), Water(ctx), Picture(ctx, SIZE, samples)
    picture.radiance.write(np.full((SIZE[1], SIZE[0], 4), np.nan, np.float16).tobytes())
    to_world = CAMERA.screen_to_world(SIZE[0] / SIZE[1])
    with OceanSimulation(ctx, OceanSettings(size=32, tile=120.0, wind=12.0)) as simulation:
        simulation.update(2.0)
        with ctx.scope(picture.mesh):
            ctx.viewport = (0, 0, *SIZE)
            picture.clear()
            water.draw_mesh(simulation, CAMERA, SIZE[0] / SIZE[1], SIZE[1])
        sky.draw_background(picture, to_world, 0.01, -2.0)
        behind = _radiance(picture)
        water.shade(picture, simulation, sky, CAMERA, to_world, 2.0)
        drawn = _radiance(picture)
    for each in (sky, water, picture):
        each.release()
    assert np.isfinite(drawn).all()
    all_sea: np.ndarray = np.asarray(np.isnan(behind).any(axis=2))
    assert all_sea[:10].all()
    assert not all_sea[-10:].any()
    assert (drawn[-10:] == behind[-10:]).all(), "sky alone is left as it is"
    changed = ~all_sea & (drawn != behind).any(axis=2)
    assert changed.any() == (samples > 0), "samples of a pixel may be sea and sky"


def test_a_picture_releases_what_it_made(ctx):
    before = live_objects(ctx)
    Picture(ctx, (8, 8), 4).release()
    assert live_objects(ctx) == before


def test_from_under_water_the_sky_is_seen_through_a_window(ctx):
    """Beyond the critical angle, 48 degrees from the zenith, the surface mirrors the deep."""
    sky, water, picture = Sky(ctx, Weather(sun_elevation=1.0, clouds=0.0)), Water(ctx), Picture(ctx, SIZE, 0)
    settings = OceanSettings(size=32, tile=120.0, wind=1.0)
    found = {}
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(2.0)
        for pitch in (80.0, 15.0, -60.0):
            camera = Camera((0.0, -6.0, 0.0), heading=math.pi, pitch=math.radians(pitch), lens=0.3)
            to_world = camera.screen_to_world(SIZE[0] / SIZE[1])
            with ctx.scope(picture.mesh):
                ctx.viewport = (0, 0, *SIZE)
                picture.clear()
                water.draw_mesh(simulation, camera, SIZE[0] / SIZE[1], SIZE[1])
            sky.draw_background(picture, to_world, 0.01, 6.0)
            water.shade(picture, simulation, sky, camera, to_world, 2.0)
            found[pitch] = _radiance(picture).mean(axis=(0, 1))
    for each in (sky, water, picture):
        each.release()
    assert found[80.0].sum() > 1.3 * found[15.0].sum() > 1.3 * found[-60.0].sum()
    assert found[-60.0][2] > 2 * found[-60.0][0], "the deep is blue"
