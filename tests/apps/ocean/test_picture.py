"""A picture in the making: every pixel gets its light, from the sky, from the sea, or from both."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.apps.ocean.camera import NEAR, Camera
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.sky import Sky, Weather
from glfft.apps.ocean.water import Water, uniforms_of
from glfft.sea.queries import SeaQueries
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (52, 37)  # no multiple of a work group's side
CAMERA = Camera((0.0, 2.0, 0.0), pitch=0.0)


def _radiance(picture) -> np.ndarray:
    return np.frombuffer(picture.radiance.read(), np.float16).reshape(SIZE[1], SIZE[0], 4)[..., :3].astype(float)


@pytest.mark.parametrize(("samples", "software"), [(0, True), (4, True), (4, False)])
def test_every_pixel_is_lit_and_an_edge_mixes_sea_and_sky(ctx, monkeypatch, samples, software):
    """By work groups of the whole picture, or without a graphics card by those that have something to do."""
    monkeypatch.setattr("glfft.apps.ocean.picture.is_software", lambda _ctx: software)
    sky, water, picture = Sky(ctx, Weather(clouds=0.0)), Water(ctx), Picture(ctx, SIZE, samples)
    picture.radiance.write(np.full((SIZE[1], SIZE[0], 4), np.nan, np.float16).tobytes())
    with OceanSimulation(ctx, OceanSettings(size=32, tile=120.0, wind=12.0)) as simulation:
        simulation.update(2.0)
        picture.uniforms = uniforms_of(picture, simulation, sky, CAMERA, 2.0)
        with ctx.scope(picture.mesh):
            ctx.viewport = (0, 0, *SIZE)
            picture.clear()
            water.draw_mesh(simulation, CAMERA, SIZE[0] / SIZE[1], SIZE[1])
        water.find_lens_depths(picture, simulation)
        sky.draw_background(picture)
        behind = _radiance(picture)
        water.shade(picture, simulation, sky)
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
            picture.uniforms = uniforms_of(picture, simulation, sky, camera, 2.0)
            with ctx.scope(picture.mesh):
                ctx.viewport = (0, 0, *SIZE)
                picture.clear()
                water.draw_mesh(simulation, camera, SIZE[0] / SIZE[1], SIZE[1])
            water.find_lens_depths(picture, simulation)
            sky.draw_background(picture)
            water.shade(picture, simulation, sky)
            found[pitch] = _radiance(picture).mean(axis=(0, 1))
    for each in (sky, water, picture):
        each.release()
    assert found[80.0].sum() > 1.3 * found[15.0].sum() > 1.3 * found[-60.0].sum()
    assert found[-60.0][2] > 2 * found[-60.0][0], "the deep is blue"


@pytest.mark.parametrize("height", [-0.7, 0.0, 0.05, 0.6])
def test_the_water_that_stands_before_the_lens_is_that_of_the_waves(ctx, height):
    """Depths at points of the near plane, against the surface looked up by `SeaQueries`; waves cross some pictures."""
    settings = OceanSettings(size=64, tile=120.0, wind=9.0)
    sky, water, picture = Sky(ctx, Weather()), Water(ctx), Picture(ctx, SIZE, 0)
    camera = Camera((11.0, height, -4.0), heading=0.7, pitch=-0.2)
    to_world = camera.screen_to_world(SIZE[0] / SIZE[1])
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(2.0)
        picture.uniforms = uniforms_of(picture, simulation, sky, camera, 2.0)
        water.find_lens_depths(picture, simulation)
        depths = np.frombuffer(picture.lens_depths.read(), np.float32).reshape(8, 8)
        x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
        points = camera.position + NEAR * np.stack([x, y, -np.ones_like(x)], axis=-1) @ to_world.T
        with SeaQueries.following(simulation, blended=True) as queries:
            heights = queries.query(points[..., ::2].reshape(-1, 2)).height.reshape(8, 8)
    for each in (sky, water, picture):
        each.release()
    np.testing.assert_allclose(depths, heights - points[..., 1], atol=0.02)


@pytest.mark.parametrize("pitch", [0.4, -0.18])
def test_the_waterline_across_the_lens_has_no_steps(ctx, pitch):
    """Before the sky and before the sea: from a pixel to the next along the line, the light changes little."""
    sky, water, picture = Sky(ctx, Weather(clouds=0.0)), Water(ctx), Picture(ctx, SIZE, 0)
    camera = Camera((0.0, 2.0, 0.0), heading=math.pi / 2, pitch=pitch)
    x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
    depths = NEAR * math.tan(camera.lens / 2) * math.cos(pitch) * (0.15 * x - y)
    with OceanSimulation(ctx, OceanSettings(size=32, tile=120.0, wind=1.0)) as simulation:
        simulation.update(2.0)
        picture.uniforms = uniforms_of(picture, simulation, sky, camera, 2.0)
        with ctx.scope(picture.mesh):
            ctx.viewport = (0, 0, *SIZE)
            picture.clear()
            water.draw_mesh(simulation, camera, SIZE[0] / SIZE[1], SIZE[1])
        picture.lens_depths.write(depths.astype(np.float32).tobytes())
        sky.draw_background(picture)
        water.shade(picture, simulation, sky)
        green = _radiance(picture)[..., 1]
    for each in (sky, water, picture):
        each.release()
    # The line rises by a tenth of a pixel each column.
    near_line = green[SIZE[1] // 2 - 5 : SIZE[1] // 2 + 6, : SIZE[0] // 2]
    across = np.abs(np.diff(near_line, axis=0)).max(axis=0).mean()
    assert across > 0.003
    assert np.abs(np.diff(near_line, axis=1)).max() < 0.35 * across
