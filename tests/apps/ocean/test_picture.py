"""A picture in the making: every pixel gets its light, from the sky, from the sea, or from both."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.gl_objects import live_objects
from support.golden_seas import radiance_of

from glfft.apps.ocean.camera import NEAR, Camera
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.sky import Sky, Weather
from glfft.apps.ocean.water import Water, uniforms_of
from glfft.gl.releasable import Keeper
from glfft.sea.queries import SeaQueries
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (52, 37)  # no multiple of a work group's side
CAMERA = Camera((0.0, 2.0, 0.0), pitch=0.0)


class Making(Keeper):
    """A picture of a sea at 2 s, drawn step by step."""

    def __init__(self, ctx, weather, samples, **sea):
        self._ctx = ctx
        self.sky, self.water = self._own(Sky(ctx, weather)), self._own(Water(ctx))
        self.picture = self._own(Picture(ctx, SIZE, samples))
        self.simulation = self._own(OceanSimulation(ctx, OceanSettings(tile=120.0, **sea)))
        self.simulation.update(2.0)

    def look_from(self, camera):
        self.picture.uniforms = uniforms_of(self.picture, self.simulation, self.sky, camera, 2.0)

    def draw_mesh(self, camera):
        self.look_from(camera)
        with self._ctx.scope(self.picture.mesh):
            self._ctx.viewport = (0, 0, *SIZE)
            self.picture.clear()
            self.water.draw_mesh(self.simulation, camera, SIZE[0] / SIZE[1], SIZE[1])

    def find_lens_depths(self):
        self.water.find_lens_depths(self.picture, self.simulation)

    def draw_under_water(self, camera, depth):
        self.draw_mesh(camera)
        self.picture.lens_depths.write(np.full((8, 8), depth, np.float32).tobytes())
        self.sky.draw_background(self.picture, self.water.light_bottom(self.picture, self.simulation))
        self.shade()

    def shade(self):
        self.water.light_bottom(self.picture, self.simulation)
        self.water.shade(self.picture, self.simulation, self.sky)

    @property
    def radiance(self):
        texels = np.frombuffer(self.picture.radiance.read(), np.float16)
        return texels.reshape(SIZE[1], SIZE[0], 4)[..., :3].astype(float)


@pytest.mark.parametrize(("samples", "software"), [(0, True), (4, True), (4, False)])
def test_every_pixel_is_lit_and_an_edge_mixes_sea_and_sky(ctx, monkeypatch, samples, software):
    """By work groups of the whole picture, or without a graphics card by those that have something to do."""
    monkeypatch.setattr("glfft.apps.ocean.picture.is_software", lambda _ctx: software)
    with Making(ctx, Weather(clouds=0.0), samples, size=32, wind=12.0) as making:
        making.picture.radiance.write(np.full((SIZE[1], SIZE[0], 4), np.nan, np.float16).tobytes())
        making.draw_mesh(CAMERA)
        making.find_lens_depths()
        making.sky.draw_background(making.picture)
        behind = making.radiance
        making.shade()
        drawn = making.radiance
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
    found = {}
    with Making(ctx, Weather(sun_elevation=1.0, clouds=0.0), 0, size=32, wind=1.0) as making:
        for pitch in (80.0, 15.0, -60.0):
            making.draw_mesh(Camera((0.0, -6.0, 0.0), heading=math.pi, pitch=math.radians(pitch), lens=0.3))
            making.find_lens_depths()
            making.sky.draw_background(making.picture)
            making.shade()
            found[pitch] = making.radiance.mean(axis=(0, 1))
    assert found[80.0].sum() > 1.3 * found[15.0].sum() > 1.3 * found[-60.0].sum()
    assert found[-60.0][2] > 2 * found[-60.0][0], "the deep is blue"


@pytest.mark.parametrize("height", [-0.7, 0.0, 0.05, 0.6])
def test_the_water_that_stands_before_the_lens_is_that_of_the_waves(ctx, height):
    """Depths at points of the near plane, against the surface looked up by `SeaQueries`; waves cross some pictures."""
    camera = Camera((11.0, height, -4.0), heading=0.7, pitch=-0.2)
    to_world = camera.screen_to_world(SIZE[0] / SIZE[1])
    with Making(ctx, Weather(), 0, size=64, wind=9.0) as making:
        making.look_from(camera)
        making.find_lens_depths()
        depths = np.frombuffer(making.picture.lens_depths.read(), np.float32).reshape(8, 8)
        x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
        points = camera.position + NEAR * np.stack([x, y, -np.ones_like(x)], axis=-1) @ to_world.T
        with SeaQueries.following(making.simulation, blended=True) as queries:
            heights = queries.query(points[..., ::2].reshape(-1, 2)).height.reshape(8, 8)
    np.testing.assert_allclose(depths, heights - points[..., 1], atol=0.02)


@pytest.mark.parametrize("pitch", [0.4, -0.18])
def test_the_waterline_across_the_lens_has_no_steps(ctx, pitch):
    """Before the sky and before the sea: from a pixel to the next along the line, the light changes little."""
    camera = Camera((0.0, 0.6, 0.0), heading=math.pi / 2, pitch=pitch)
    x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
    depths = NEAR * math.tan(camera.lens / 2) * math.cos(pitch) * (0.15 * x - y)
    with Making(ctx, Weather(clouds=0.0), 0, size=32, wind=1.0) as making:
        making.draw_mesh(camera)
        making.picture.lens_depths.write(depths.astype(np.float32).tobytes())
        making.sky.draw_background(making.picture)
        making.shade()
        green = making.radiance[..., 1]
    # The line rises by a tenth of a pixel each column.
    near_line = green[SIZE[1] // 2 - 5 : SIZE[1] // 2 + 6, : SIZE[0] // 2]
    across = np.abs(np.diff(near_line, axis=0)).max(axis=0).mean()
    assert across > 0.003
    assert np.abs(np.diff(near_line, axis=1)).max() < 0.35 * across


def test_a_lens_below_a_crest_sees_as_bright_a_picture_as_one_below_a_trough(scene_of, sea):
    """Whether the still sea is below it or above; and below a waterline across the picture it is as bright."""
    scene, found = scene_of(SIZE, Weather(sun_elevation=0.5, clouds=0.0)), []
    x, z = np.meshgrid(np.arange(0.0, 120.0, 2.0), np.arange(0.0, 120.0, 2.0))
    places = np.stack([x.ravel(), z.ravel()], axis=-1)
    with SeaQueries.following(sea, blended=True) as queries:
        heights = queries.query(places).height
    crest, trough = np.argmax(heights), np.argmin(heights)
    assert min(heights[crest], -heights[trough]) > 1.0
    for place, deep in ((crest, 0.6), (trough, 0.6), (crest, 0.0)):
        camera = Camera((places[place, 0], heights[place] - deep, places[place, 1]), heading=2.0, pitch=-0.1)
        scene.draw_light(sea, camera, 7.0)
        depths = np.frombuffer(scene._picture.lens_depths.read(), np.float32)
        assert depths[:8].min() > 0
        assert (depths[-8:].max() > 0) == (deep > 0)
        scene._exposure = None
        found.append(scene.exposure(camera) * radiance_of(scene._picture)[: SIZE[1] // 4, :, 1].mean())
    assert 0.7 < found[0] / found[1] < 1.4
    assert 0.7 < found[2] / found[1] < 1.4


@pytest.mark.parametrize("wind", [10.0, 20.0])
def test_shafts_of_sunlight_run_together_towards_the_sun_and_add_no_light(ctx, wind):
    """They are alike along lines from the point away from the sun, as the water refracts it, and differ around it."""
    elevation, lights = 0.8, []
    refracted = math.acos(math.cos(elevation) / 1.34)
    away = Camera(heading=math.pi, pitch=-refracted, lens=1.1)
    angles, rows = np.linspace(0, 2 * math.pi, 60, endpoint=False), 0.5 * SIZE[1]
    weather = Weather(sun_elevation=elevation, sun_heading=0.0, clouds=0.0)
    with Making(ctx, weather, 0, size=64, wind=wind, cascades=2) as making:
        for step in range(48):
            making.draw_under_water(replace(away, position=(37.0 * step, -9.0, 23.0 * step)), 9.0)
            lights.append(making.radiance[..., 2])
        making.sky.draw_background(making.picture)
        calm = making.radiance[..., 2]
    shafts = np.array(lights) / calm
    assert shafts.mean() == pytest.approx(1.0, abs=0.02)
    near, far = (
        shafts[:, np.int_(rows + reach * rows * np.sin(angles)), np.int_(SIZE[0] / 2 + reach * rows * np.cos(angles))]
        for reach in (0.6, 0.9)
    )
    assert far.std() > 0.01
    assert np.corrcoef(near.ravel(), far.ravel())[0, 1] > 0.9
    assert np.corrcoef(near.ravel(), np.roll(far, 15, axis=1).ravel())[0, 1] < 0.4
