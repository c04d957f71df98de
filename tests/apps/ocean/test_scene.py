"""The ocean's picture: sky above and sea below, as bright at every size."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.crops import CropCamera
from support.gl_objects import live_objects

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import MEDIUM
from glfft.apps.ocean.scene import OceanScene, averaged, memory_for_picture
from glfft.apps.ocean.shot import first_camera
from glfft.apps.ocean.sky import Weather
from glfft.apps.ocean.water import shading_defines
from glfft.apps.picture_files import read_picture
from glfft.errors import ContextError, LimitError
from glfft.gl.context import state_of
from glfft.gl.programs import compute, program
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (160, 90)
# Glare of few rows: its transforms are short then, and compile sooner.
QUICK = replace(MEDIUM, glare_rows=15)
ALIASED = replace(QUICK, samples=0)


def _picture(ctx, scene, simulation, camera=None):
    target = ctx.simple_framebuffer(scene.size, components=3)
    scene.draw(simulation, camera or Camera(), 7.0, target)
    picture = read_picture(target)
    target.release()
    return picture


# --- The picture --------------------------------------------------------------------------------------------


def test_the_sky_is_above_and_the_sea_below(ctx, scene_of, sea):
    picture = _picture(ctx, scene_of(SIZE, Weather(sun_heading=math.pi / 2, clouds=0.0)), sea).astype(float)
    horizon = SIZE[1] // 2 - round(SIZE[1] * math.tan(math.radians(2)) / (2 * math.tan(math.radians(19))))
    above, below = picture[: horizon - 3], picture[horizon + 3 :]
    assert above.mean() > below.mean() + 20
    # Waves: the sea varies across the picture, the sky has slow gradients. Means over five pixels quiet the dither.
    rough, smooth = (
        np.abs(np.diff(part.reshape(len(part), -1, 5, 3).mean(axis=2), n=2, axis=1)).mean() for part in (below, above)
    )
    assert rough > 2 * smooth


def test_the_sun_lays_its_path_under_itself(ctx, scene_of, sea):
    weather = Weather(sun_elevation=math.radians(8), sun_heading=math.radians(10), clouds=0.0)
    picture = _picture(ctx, scene_of(SIZE, weather), sea).astype(float)
    brightness = picture[SIZE[1] // 2 + 5 :].mean(axis=(0, 2))
    expected = 0.5 + 0.5 * math.tan(math.radians(10)) / (math.tan(math.radians(19)) * 16 / 9)
    assert abs(np.argmax(np.convolve(brightness, np.ones(15), "same")) / SIZE[0] - expected) < 0.08
    assert brightness.max() > 2.5 * np.median(brightness), "glitter outshines the reflected sky"


@pytest.mark.parametrize("sun", [0.2, 1.6, 3.0])
def test_a_coarse_picture_is_as_bright_as_a_fine_one(ctx, scene_of, sea, sun):
    """The sea in pixels of another size: what they no longer show goes on reflecting, from the roughness."""
    camera = first_camera(sea.settings)
    weather = Weather(sun_heading=camera.heading + sun)
    coarse, fine = (
        _radiance(ctx, scene_of((160 * more, 90 * more), weather), sea, camera)[: 45 * more].mean() for more in (1, 4)
    )
    assert coarse == pytest.approx(fine, rel=0.1), "the lower half of the picture, which has nothing but sea in it"


def test_the_border_of_a_picture_is_lit_as_within_a_larger_one(ctx, scene_of, sea):
    """The outermost pixels of a part, which lack a neighbour, are drawn alone as they are in the whole."""
    camera, part = Camera((0.0, 12.0, 0.0), pitch=math.radians(-8.0), lens=math.radians(10.0)), (24, 16, 136, 80)
    weather, inside = Weather(sun_heading=0.0, low_clouds=0.0), (slice(10, 74), slice(24, 136))
    larger = _radiance(ctx, scene_of(SIZE, weather, samples=4), sea, camera)[inside].sum(axis=-1)
    alone = _radiance(ctx, scene_of((112, 64), weather, samples=4), sea, CropCamera.of(camera, SIZE, part)).sum(axis=-1)
    apart = np.abs(np.log(alone / larger))
    for border in (apart[0], apart[-1], apart[:, 0], apart[:, -1]):
        assert border.mean() < 0.25


@pytest.mark.parametrize("sun", [0.5, 3.0])
def test_the_sea_meets_the_sky_without_a_seam(ctx, scene_of, sea, sun):
    """From high above haze hides the far edge of the sea: colours change over the horizon as slowly as beside it."""
    camera = Camera((0.0, 400.0, 0.0), pitch=0.0)
    weather = Weather(sun_heading=sun, clouds=0.0)
    rows = _radiance(ctx, scene_of((72, 360), weather), sea, camera)[174:186].mean(axis=1)
    steps = np.abs(np.diff(np.log(rows), axis=0)).max(axis=1)
    assert steps.max() < 0.04, "of a radiance, from row to row"


def _radiance(ctx, scene, simulation, camera):
    """Radiance of the picture, [height, width, 3], the lowest row first."""
    _picture(ctx, scene, simulation, camera)
    width, height = scene.size
    radiance = np.frombuffer(scene._picture.radiance.read(), np.float16).reshape(height, width, 4)
    return radiance[..., :3].astype(float)


def test_the_picture_has_no_jump_where_a_sea_begins_to_change(ctx, scene_of):
    """The same at the moment of the start, and from then on away from the unchanged one by and by."""
    # Away from the sun: sparks of its glitter flash up from one frame to the next.
    scene = scene_of(SIZE, Weather(sun_heading=math.pi), samples=4)
    target = ctx.simple_framebuffer(SIZE, components=3)
    calm = preset("beaufort-3", OceanSettings(size=64, tile=1200.0, cascades=2, foam_lifetime=0.1, foam_threshold=0.5))
    series = {}
    for changes in (False, True):
        pictures = []
        with OceanSimulation(ctx, calm) as simulation:
            simulation.update(7.0)
            if changes:
                simulation.morph(preset("storm", calm), 4.0)
            for frame in range(4):
                if frame:
                    simulation.update(7.0 + frame / 24)
                scene.draw(simulation, Camera(), 7.0 + frame / 24, target)
                pictures.append(read_picture(target).astype(float))
        series[changes] = np.array(pictures)
    target.release()
    apart = np.abs(series[True] - series[False]).mean(axis=(1, 2, 3))
    a_frame = np.abs(np.diff(series[False], axis=0)).mean()
    assert apart[0] == 0.0
    assert 0.0 < apart[1] < 0.3 * a_frame, "a small part of what the sea moves by from frame to frame"
    assert apart[3] > 2 * apart[1]


def test_a_folded_sea_is_whiter_than_a_smooth_one(ctx, scene_of):
    weather = Weather(sun_elevation=math.radians(50), sun_heading=math.pi, clouds=0.0)
    camera = Camera((0.0, 12.0, 0.0), pitch=math.radians(-20))
    foamy = OceanSettings(size=64, tile=120.0, wind=20.0, foam_threshold=1.1, foam_gain=50.0)
    clean = OceanSettings(size=64, tile=120.0, wind=20.0, foam_gain=0.0, foam_lifetime=0.1)
    low = SIZE[1] // 3
    white = []
    for settings in (foamy, clean):
        with OceanSimulation(ctx, settings) as simulation:
            simulation.update(7.0)
            white.append(_picture(ctx, scene_of(SIZE, weather), simulation, camera)[low:, :, 0].mean())
    assert white[0] > white[1] + 25


def test_exposure_brightens(ctx, scene_of, sea):
    scene = scene_of(SIZE)
    plain = _picture(ctx, scene, sea).mean()
    scene.exposure_stops = 1.0
    assert _picture(ctx, scene, sea).mean() > plain + 10


def test_the_exposure_follows_the_light_in_a_window_and_is_right_at_once_without_one(ctx):
    scene = OceanScene(ctx, (32, 18), Weather(sun_elevation=math.radians(40), clouds=0.0), ALIASED)
    camera = Camera()
    day = scene.exposure(camera, math.inf)
    scene.sky.configure(Weather(sun_elevation=math.radians(1), clouds=0.0))
    dusk = scene.sky.exposure(camera.heading, camera.pitch)
    seen = [scene.exposure(camera, 0.1) for _ in range(60)]
    assert day < seen[0] < dusk
    assert math.log(dusk / seen[5]) == pytest.approx(math.log(dusk / day) / math.e), "after 0.6 s"
    assert seen[-1] == pytest.approx(dusk, rel=1e-3)
    scene.sky.configure(Weather(sun_elevation=math.radians(40), clouds=0.0))
    twice = [scene.exposure(camera, 0.05) for _ in range(2)][-1]
    assert scene.exposure(camera, math.inf) == pytest.approx(day)
    scene._exposure = seen[-1]
    assert scene.exposure(camera, 0.1) == pytest.approx(twice), "as fast at every frame rate"
    scene.release()


def test_a_finer_picture_is_averaged(ctx):
    fine = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    small = averaged(fine, (3, 2))
    assert small.shape == (2, 3, 3)
    assert small[0, 0].tolist() == np.rint(fine[:2, :2].reshape(4, 3).mean(axis=0)).astype(int).tolist()
    assert averaged(fine, (6, 4)) is fine


def test_a_scene_changes_size(ctx, sea):
    scene = OceanScene(ctx, (64, 48), quality=QUICK)
    scene.resize((96, 36))
    assert scene.size == (96, 36)
    picture = _picture(ctx, scene, sea)
    assert picture.shape == (36, 96, 3)
    assert picture.std() > 5
    scene.release()


@pytest.mark.parametrize("size", [(6000, 5), (5, 800)])
def test_a_very_wide_or_high_picture_is_drawn(ctx, sea, size):
    """The glare of a picture 1200 times as wide as high, of 15 rows and more, would be wider than textures may be."""
    scene = OceanScene(ctx, size, quality=replace(MEDIUM, samples=0))
    assert _picture(ctx, scene, sea).std() > 5
    scene.release()
    assert ctx.error == "GL_NO_ERROR"


def test_a_picture_too_large_for_the_device_is_a_sentence_and_leaves_nothing(ctx):
    limit = state_of(ctx).limits.texture_size
    OceanScene(ctx, (8, 8), quality=QUICK).release()  # compiles, once for all
    before = live_objects(ctx)
    with pytest.raises(LimitError, match=f"is {limit + 1} x 8 pixels and this device's limit is {limit} a side"):
        OceanScene(ctx, (limit + 1, 8), quality=QUICK)
    assert live_objects(ctx) == before
    with (
        pytest.raises(ContextError, match="memory left for a picture of 8 x 8 pixels"),
        memory_for_picture(ctx, (8, 8)),
    ):
        ctx.framebuffer([ctx.texture((8, 8), 4, dtype="f4"), ctx.renderbuffer((8, 8), samples=4)])


def test_every_ocean_shader_compiles(ctx):
    for bounded in (0, 1):
        program(ctx, "ocean/water.vert", "ocean/still.frag", {"CELLS": 32, "SLIVERS": bounded})
    program(ctx, "ocean/fullscreen.vert", "ocean/foam_pattern.frag", {"STEEPEST": 64.0})
    for samples in (1, 4):
        picture = {"SAMPLES": samples, "GROUP": 8, "IMAGE_UNIT": 0, "LISTED": 0}
        below = {"SAND": 1, "BELOW": 1, "TILES": 2}
        compute(ctx, "ocean/shading.comp", {**picture, **shading_defines(2, taps=samples)})
        compute(ctx, "ocean/background.comp", {**picture, "FROM_ENVIRONMENT": samples - 1, **below})
    for name in ("environment", "sky_view", "multiple_scattering", "halve", "tone"):
        program(ctx, "ocean/fullscreen.vert", f"ocean/{name}.frag")
