"""The light of sun and sky: how much there is, of which colour, and how it is metered."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.golden_seas import radiance_of

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.sky import Weather, sun_at, sunlight_at_sea
from glfft.apps.ocean.water import seen_through_air
from glfft.gl.source import assemble

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (8, 8)  # of scenes whose skies are looked at


def test_a_low_sun_is_red_and_a_high_one_nearly_white():
    high, low = sunlight_at_sea(1.0, 1.0), sunlight_at_sea(math.sin(math.radians(3)), 1.0)
    assert high[0] > high[1] > high[2] > 0.6
    assert low[2] / low[0] < 0.15


def test_weather_changes_into_another_without_a_jump():
    here, there = Weather(), Weather(sun_elevation=0.9, low_clouds=0.8)
    assert here.towards(there, 0.0) == here
    assert here.towards(there, 1.0) == there
    halfway = here.towards(there, 0.5)
    assert halfway.low_clouds == 0.4
    assert halfway.sun_elevation == pytest.approx((here.sun_elevation + 0.9) / 2)


def test_the_shader_agrees_with_the_sunlight_of_python(ctx):
    """The zenith's transmittance from atmosphere.glsl, by way of its coefficients integrated upwards."""
    text = assemble("ocean/sky_view.frag").text
    assert "vec3(5.802, 13.558, 33.1) * 1e-3" in text
    assert "MIE_EXTINCTION = 4.440e-3" in text
    height = np.linspace(0, 100, 20001)
    rayleigh = np.array([5.802, 13.558, 33.1])[:, None] * 1e-3 * np.exp(-height / 8.0)
    aerosol = 2.0 * 4.44e-3 * np.exp(-height / 1.2)
    ozone = np.array([0.650, 1.881, 0.085])[:, None] * 1e-3 * np.maximum(0, 1 - np.abs(height - 25) / 15)
    depth = ((rayleigh + aerosol + ozone)[:, :-1]).sum(axis=1) * (height[1] - height[0])
    np.testing.assert_allclose(sunlight_at_sea(1.0, 2.0), np.exp(-depth), rtol=2e-3)


def test_the_clear_sky_gets_the_share_of_sunlight_that_skies_get(scene_of):
    """Diffuse over global irradiance on a level surface is about 10 % to 25 % under a clear sky with a high sun."""
    sky = scene_of(SIZE, Weather(sun_elevation=math.radians(60), haze=1.0, clouds=0.0)).sky
    direct = sky.sun_colour[1] * math.sin(math.radians(60))
    share = sky.sky_irradiance[1] / (sky.sky_irradiance[1] + direct)
    assert 0.07 < share < 0.25
    assert sky.sky_irradiance[2] > sky.sky_irradiance[0], "the sky is blue"


def test_the_meter_closes_down_towards_the_sun(scene_of):
    sky = scene_of(SIZE, Weather(sun_elevation=math.radians(10), sun_heading=0.5, clouds=0.0)).sky
    towards, aside, away = (sky.exposure(0.5 + angle) for angle in (0.0, math.pi / 2, math.pi))
    # Air scatters backwards as well as forwards, so it is darkest aside.
    assert towards < 0.8 * away < 0.8 * aside


def test_the_sun_rises_in_the_east_at_six_and_stands_south_at_noon():
    """East is +x, south is +z; at noon of an equinox it is as high as the pole is far from the zenith."""
    for hours, elevation, heading in ((6.0, 0.0, 0.0), (12.0, 50.0, 90.0), (18.0, 0.0, 180.0)):
        found = sun_at(hours)
        assert math.degrees(found[0]) == pytest.approx(elevation, abs=1e-9)
        assert abs(math.remainder(found[1] - math.radians(heading), 2 * math.pi)) < 1e-9


def test_a_setting_sun_fades_and_the_exposure_follows(scene_of):
    light = [sunlight_at_sea(math.sin(math.radians(degrees)), 1.0).sum() for degrees in (2.0, 0.0, -0.5, -0.9, -2.0)]
    assert light == sorted(light, reverse=True)
    assert light[-1] == 0.0
    sky = scene_of(SIZE, Weather(sun_elevation=math.radians(20), clouds=0.0)).sky
    day, looking_down = sky.exposure(0.0), sky.exposure(0.0, math.radians(-60))
    sky.configure(Weather(sun_elevation=math.radians(-6.0), clouds=0.0))
    twilight = sky.exposure(0.0)
    assert day < looking_down < 3 * day
    assert 20 * day < twilight < math.inf


def test_a_view_down_shows_water_in_any_light_about_as_light(scene_of):
    """Seen from above, water sends some hundredths of the light that enters it: dim light is exposed for longer."""
    seas = {"noon": Weather(0.87, low_clouds=0.2), "evening": Weather(0.05), "overcast": Weather(low_clouds=1.0)}
    shown = {}
    for name, weather in seas.items():
        sky = scene_of(SIZE, weather).sky
        shown[name] = 0.025 / math.pi * sky.exposure(0.3, math.radians(-60)) * sky._entering[1]
        before = [sky.exposure(0.3, math.radians(pitch)) for pitch in (0.0, -3.5, -7.0)]
        np.testing.assert_allclose(before, before[0] * 2.0 ** np.array([0.0, 0.1, 0.2]), err_msg="the sky is in view")
    assert 0.03 < shown["noon"] < 0.09
    assert shown["noon"] / 5 < shown["evening"] < shown["overcast"] < shown["noon"]


def test_over_closed_clouds_the_sun_on_them_is_exposed_and_not_the_dim_light_below(scene_of):
    sky = scene_of(SIZE, Weather(low_clouds=1.0)).sky
    below, within, above = (sky.exposure(0.3, height=height) for height in (1500.0, 1590.0, 2500.0))
    assert below == sky.exposure(0.3)
    assert above < within < below
    sunlit = 0.7 / math.pi * (sky.sun_colour[1] * math.sin(sky.weather.sun_elevation) + sky.sky_irradiance[1])
    assert 0.3 < above * sunlit < 0.8
    fewer = scene_of(SIZE, Weather(low_clouds=0.2)).sky
    assert fewer.exposure(0.3, height=2500.0) == fewer.exposure(0.3), "the sea is in view"


CLEAR = Weather(clouds=0.0)
LENS = 0.05  # rad, so that the disk is large


def _around_the_sun(scene, sea):
    """The radiance around a sun that a camera looks at, [height, width, 3]."""
    weather = scene.sky.weather
    camera = Camera((0.0, 9.0, 0.0), weather.sun_heading, weather.sun_elevation, LENS)
    scene.draw_light(sea, camera, 7.0)
    return radiance_of(scene._picture)


@pytest.mark.parametrize("rows", [48, 96])
def test_the_disk_has_the_suns_light_in_a_clear_sky(scene_of, sea, rows):
    scene = scene_of((rows, rows), CLEAR)
    light = _around_the_sun(scene, sea)
    disk = (light - np.median(light, axis=(0, 1))).sum(axis=(0, 1)) * (LENS / rows) ** 2
    # The mean of (1 - r^2)^0.22 over a disk of radius 1.
    np.testing.assert_allclose(disk, scene.sky.sun_colour / 1.22, rtol=0.04)


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_the_disks_edge_is_no_staircase(scene_of, sea, shift):
    """Nearly everywhere, between what is white and what is sky there is a pixel that is neither."""
    weather = replace(CLEAR, sun_elevation=CLEAR.sun_elevation + 1e-3 * shift)
    light = _around_the_sun(scene_of((96, 96), weather), sea)
    brighter, beside = light[..., 1] / np.median(light[..., 1]), []
    for line in (*brighter[42:54], *brighter.T[42:54]):
        white = np.flatnonzero(line > 16.0)
        beside += [line[white[0] - 1], line[white[-1] + 1]]
    assert (np.array(beside) > 1.2).mean() > 0.7


def test_thick_clouds_leave_no_disk(scene_of, sea):
    """What is brightest before a clear sky's sun is as bright as its surroundings when the sky is overcast."""
    overcast = _around_the_sun(scene_of((96, 96), Weather(low_clouds=1.0)), sea)
    inside, around = overcast[44:52, 44:52], overcast[[20, -20]]
    assert inside.mean() == pytest.approx(around.mean(), rel=0.3)


def _found(ctx, texture, include, call, **uniforms):
    """What a call of functions that read one texture finds at places `screen` from -1 to 1, [4, n]."""
    functions = assemble(include).text
    main = f"\nin vec2 screen; out vec4 colour;\nvoid main() {{ colour = {call}; }}\n"
    shader = ctx.program(vertex_shader=assemble("ocean/fullscreen.vert").text, fragment_shader=functions + main)
    for name, value in uniforms.items():
        shader[name] = value
    drawn = ctx.texture((256, 256), 4, dtype="f4")
    framebuffer, array = ctx.framebuffer([drawn]), ctx.vertex_array(shader, [])
    texture.use(0)
    with ctx.scope(framebuffer):
        array.render(vertices=3)
    found = np.frombuffer(drawn.read(), np.float32).reshape(-1, 4).T
    for thing in (array, framebuffer, drawn, shader):
        thing.release()
    return found


@pytest.mark.parametrize("share", [0.1, 0.4, 0.8, 1.0])
def test_low_clouds_cover_the_share_of_the_sky_that_was_asked_for(ctx, scene_of, share):
    """Over a square of 60 km, on the GPU; and the sea below has sun in the gaps, of which closed clouds have none."""
    light = "sunlight_below_clouds(screen * 30e3, vec3(0, 1, 0), 20.0)"
    call = f"vec4(low_cloud_depth(screen * 30e3, 50.0), {light}, sunlight_of_many({light}, 5e3), 0)"
    depth, sunlight, of_many, _ = _found(
        ctx, scene_of(SIZE).sky.cloud_tile, "ocean/low_clouds.glsl", call, low_clouds=share
    )
    assert sunlight.max() == pytest.approx(1.0 if share < 1 else 0.0, abs=0.1)
    assert (depth > 0).mean() == pytest.approx(share, abs=0.06 if share < 1 else 1e-3)
    np.testing.assert_allclose(of_many, sunlight.mean(), atol=0.15)


@pytest.mark.parametrize("function", ["sunlight_below_clouds", "sunlight_below_smooth_clouds"])
def test_clouds_throw_no_hard_shadows_where_the_disc_of_a_low_sun_blurs_them(ctx, scene_of, function):
    """At 3 degrees it sets behind an edge of a cloud over 5 km of the sea, at 12 degrees over 300 m."""
    suns = [f"vec3({math.cos(angle)}, {math.sin(angle)}, 0)" for angle in np.radians([90.0, 12.0, 3.0])]
    call = f"vec4({', '.join(f'{function}(screen * 30e3, {sun}, 20.0)' for sun in suns)}, 0)"
    high, lower, low, _ = _found(ctx, scene_of(SIZE).sky.cloud_tile, "ocean/low_clouds.glsl", call, low_clouds=0.4)
    assert lower.std() == pytest.approx(high.std(), rel=0.05)
    assert low.std() < 0.05 * high.std()
    assert low.mean() == pytest.approx(high.mean(), abs=0.15)


def test_an_overcast_sky_is_greyer_and_darker(scene_of):
    lights = {}
    for share in (0.0, 1.0):
        sky = scene_of(SIZE, Weather(sun_elevation=math.radians(40), clouds=0.0, low_clouds=share)).sky
        lights[share] = sky.sky_irradiance
    from_clear, from_overcast = lights[0.0], lights[1.0]
    blueness = [each[2] / each[0] for each in (from_clear, from_overcast)]
    assert blueness[0] > 1.3 * blueness[1] > 1.2, "grey, and still no warmer than white"
    sun = sunlight_at_sea(math.sin(math.radians(40)), 1.6)[1] * math.sin(math.radians(40))
    assert 0.1 < from_overcast[1] / (from_clear[1] + sun) < 0.6, "of the light of a clear day"


def test_few_clouds_leave_the_gold_of_a_low_sun_and_closed_ones_no_brown(scene_of):
    for share, least, most in ((0.0, 1.0, 1.0), (0.2, 1.0, 1.05), (0.9, 1.3, 2.0)):
        sky = scene_of(SIZE, Weather(sun_elevation=math.radians(5), low_clouds=share)).sky
        light = sky.sky_irradiance + (1 - share) * math.sin(math.radians(5)) * sky.sun_colour
        assert light[0] > 1.4 * light[2]
        assert least <= sky.white[0] / sky.white[2] <= most, share
        assert np.dot(sky.white, (0.2126, 0.7152, 0.0722)) == pytest.approx(1.0, abs=0.03), "as bright"
    seen = light / sky.white
    assert light[0] / light[2] > 2.0
    assert 1.0 < seen[0] / seen[2] < 1.4


def test_late_dusk_is_blue_and_not_violet(scene_of):
    """Below a sky of which ozone keeps the green. Just after sunset clouds are as red as they are."""
    for degrees in (-5.0, -6.0):
        sky = scene_of(SIZE, Weather(sun_elevation=math.radians(degrees))).sky
        red, green, blue = sky.sky_irradiance / sky.white
        assert 1.25 * green > red
        assert 1.3 * green < blue < 2.0 * green
    assert np.allclose(scene_of(SIZE, Weather(sun_elevation=math.radians(-1.5))).sky.white, 1.0)


def test_an_overcast_sky_is_grey_down_to_the_horizon(scene_of):
    """The air under clouds is lit by them alone; no clear sky is seen in front of them."""
    environment = scene_of(SIZE, Weather(sun_elevation=math.radians(40), low_clouds=1.0)).sky.environment
    shape = environment.height, environment.width, 4
    rows = np.frombuffer(environment.read(), np.float16).reshape(shape).astype(float).mean(axis=1)
    np.testing.assert_allclose(rows[:, 2] / rows[:, 0], 1.0, atol=0.1)
    assert rows[:, 1].max() < 1.5 * rows[:, 1].min()


@pytest.mark.parametrize("clouds", [0.0, 1.0])
def test_air_below_a_low_sun_is_darker_and_bluer_than_at_the_horizon(ctx, scene_of, clouds):
    """A view down is farther from the sun, whose light haze scatters mostly forwards; closed clouds light it evenly."""
    sky = scene_of(SIZE, Weather(sun_elevation=math.radians(4.0), sun_heading=0.0, low_clouds=clouds)).sky
    down, ahead = (f"through_haze(vec3(0), vec3({math.cos(by)}, {-math.sin(by)}, 0), 2e3)" for by in (0.35, 0.0))
    light = {name: sky.light[name] for name in ("sun_direction", "sun_colour", "sky_irradiance", "low_clouds")}
    light |= {"environment_columns": float(sky.environment.width), "visibility": sky.weather.visibility}
    red, green, blue, _ = _found(ctx, sky.environment, "ocean/haze.glsl", f"vec4({down} / {ahead}, 0)", **light)[:, 0]
    if clouds == 0.0:
        assert red < 0.5
        assert red < green < blue < 1.0
    else:
        np.testing.assert_allclose([red, green, blue], 1.0, atol=0.05)


def test_the_air_straight_below_is_lit_from_all_around(scene_of, sea):
    """The haze before a low sun's glow is no wedge whose point lies below the eye."""
    weather = Weather(sun_elevation=0.1, clouds=0.0, visibility=2000.0)
    scene = scene_of((64, 64), weather)
    scene.draw_light(sea, Camera((0.0, 800.0, 0.0), pitch=-math.pi / 2, lens=0.3), 7.0)
    light = radiance_of(scene._picture)
    across, down = np.indices((64, 64)) - 31.5
    ring = (np.hypot(across, down) > 4) & (np.hypot(across, down) < 12)
    eighth = np.floor(np.arctan2(down, across)[ring] / (math.pi / 4))
    means = np.array([light[ring][eighth == each].mean(axis=0) for each in range(-4, 4)])
    assert (means.max(axis=0) < 1.15 * means.min(axis=0)).all()


def test_clouds_at_the_horizon_are_lost_in_the_haze(scene_of):
    """Those high above the sea see some sky below, as the lowest row again and again: no columns stand there."""
    environment = scene_of(SIZE, Weather(sun_elevation=0.9, clouds=0.0, low_clouds=0.4)).sky.environment
    shape = environment.height, environment.width, 4
    lowest = np.frombuffer(environment.read(), np.float16).reshape(shape)[0, :, 1].astype(float)
    assert np.abs(np.diff(lowest, n=2)).max() < 0.01 * lowest.mean()


@pytest.mark.parametrize(("clouds", "whiter"), [({"clouds": 0.9}, 3.0), ({"low_clouds": 0.6}, 1.1)])
def test_clouds_are_lit_above_most_of_the_air_that_reddens_a_low_sun(scene_of, clouds, whiter):
    """What they add to a clear sky's light above 51 degrees has more blue than the sun at the sea, if high by far."""
    rows = []
    for cover in ({}, clouds):
        sky = scene_of(SIZE, Weather(math.radians(4), **{"clouds": 0.0, **cover})).sky
        shape = sky.environment.height, sky.environment.width, 4
        rows.append(np.frombuffer(sky.environment.read(), np.float16).reshape(shape).astype(float)[-64:])
    added = np.maximum(rows[1] - rows[0], 0.0).mean(axis=(0, 1))
    assert added[2] / added[0] > whiter * sky.sun_colour[2] / sky.sun_colour[0]


def test_high_clouds_glow_after_sunset(scene_of):
    """At 8 km the sun sets at -2.9 degrees; from then on, clouds are no brighter than the clear sky."""
    brighter = []
    for degrees in (-1.5, -3.5):
        weathers = [Weather(math.radians(degrees), clouds=cover) for cover in (0.0, 0.9)]
        clear, cloudy = (scene_of(SIZE, weather).sky.sky_irradiance[0] for weather in weathers)
        brighter.append(cloudy / clear)
    assert brighter[0] > 1.5 > 1.1 > brighter[1]


def test_the_cloud_tile_has_no_seam(scene_of):
    sky = scene_of(SIZE).sky
    side = sky.cloud_tile.width
    tile = np.frombuffer(sky.cloud_tile.read(), np.float32).reshape(side, side).astype(float)
    for each in (tile, tile.T):
        assert np.abs(each[0] - each[-1]).mean() < 2 * np.abs(np.diff(each, axis=0)).mean()


@pytest.mark.parametrize("frugal", [False, True])
def test_an_eye_above_the_clouds_looks_down_on_them(scene_of, sea, frugal):
    """From above, closed clouds hide the sea and are as bright as snow; none are overhead."""
    seen = {}
    for share in (0.0, 1.0):
        weather = Weather(sun_elevation=0.8, clouds=0.0, low_clouds=share)
        scene = scene_of((32, 32), weather, frugal=frugal)
        scene.draw_light(sea, Camera((0.0, 4000.0, 0.0), pitch=-1.2, lens=0.3), 7.0)
        down = radiance_of(scene._picture)
        scene.draw_light(sea, Camera((0.0, 4000.0, 0.0), pitch=0.6, lens=0.3), 7.0)
        entering = scene.sky.sun_colour[1] * math.sin(0.8) + scene.sky.sky_irradiance[1]
        seen[share] = math.pi * down[..., 1].mean() / entering, radiance_of(scene._picture)
    assert 3 * seen[0.0][0] < 0.5 < seen[1.0][0] < 1.1
    np.testing.assert_allclose(seen[1.0][1], seen[0.0][1], rtol=2e-3)


def test_the_setting_sun_is_round_from_high_up(scene_of, sea):
    """Where the horizon lies below the level, the disk does too, and is no column down to it."""
    weather = Weather(sun_elevation=0.0, sun_heading=0.0, clouds=0.0, visibility=200e3)
    scene = scene_of((96, 96), weather)
    scene.draw_light(sea, Camera((0.0, 2000.0, 0.0), 0.0, 0.0, LENS), 7.0)
    light = radiance_of(scene._picture)[..., 0]
    bright = light > 0.5 * light.max()
    assert bright.any(axis=1).sum() <= bright.any(axis=0).sum() + 2


def test_under_water_the_meter_opens_up_as_less_light_enters(scene_of):
    """But not all the way, and never without bounds: at night there is next to none."""
    bright = []
    for elevation in (0.9, 0.3, 0.1, -0.05, -0.2):
        weather = Weather(sun_elevation=elevation, low_clouds=0.0)
        sky = scene_of(SIZE, weather).sky
        entering = (max(0.0, math.sin(elevation)) * sky.sun_colour + sky.sky_irradiance)[1]
        bright.append(sky.exposure(weather.sun_heading, depth=3.0) * entering)
    assert all(math.isfinite(each) for each in bright)
    assert 1.0 < bright[0] / bright[1] < 1.5 < bright[0] / bright[2] < 4.0


@pytest.mark.parametrize("weather", [Weather(0.9), Weather(0.9, low_clouds=1.0), Weather(-0.05), Weather(-0.1)])
def test_the_sky_seen_from_under_water_is_not_overexposed(scene_of, weather):
    """Where it gives all light, at dusk or below clouds, what is right for water is several times too much for it."""
    sky = scene_of(SIZE, weather).sky
    level, upwards = (sky.exposure(0.3, math.radians(pitch), depth=3.0) for pitch in (0.0, 80.0))
    window = 1.34**2 * sky.sky_irradiance[1] / math.pi * math.exp(-3 * 0.085)
    assert 0.4 < upwards * window < 0.9
    assert level == sky.exposure(0.3, depth=3.0) >= upwards


def test_clouds_below_the_eye_have_sides_in_sun_and_in_shade(ctx, scene_of, sea):
    """Suns on opposite sides light opposite sides of a closed layer's heaps."""
    camera, target, lit = Camera((0.0, 3000.0, 0.0), pitch=-math.pi / 2, lens=1.2), ctx.simple_framebuffer((96, 96)), []
    for heading in (0.0, math.pi):
        scene = scene_of((96, 96), Weather(sun_elevation=0.5, sun_heading=heading, low_clouds=0.999))
        scene.draw(sea, camera, 7.0, target)
        lit.append(np.log(radiance_of(scene._picture)[..., 1]).ravel())
    target.release()
    assert min(each.std() for each in lit) > 0.12
    assert np.corrcoef(lit)[0, 1] < 0.3


@pytest.mark.parametrize("pitch", [-17.0, -25.0])
def test_clouds_below_the_eye_have_soft_outlines(scene_of, sea, pitch):
    """Pixels of a few metres find no edge: an outline was a step of one pixel, with a second one beside it."""
    scene = scene_of((96, 96), Weather(sun_elevation=0.14, sun_heading=1.2, low_clouds=0.8))
    scene.draw_light(sea, Camera((0.0, 3000.0, 0.0), math.radians(36.0), math.radians(pitch), 0.04), 7.0)
    light = np.log(radiance_of(scene._picture)[..., 1])
    assert light.std() > 0.2, "there are clouds and water"
    assert max(np.abs(np.diff(light, axis=axis)).max() for axis in (0, 1)) < 0.4, "it was 0.8"


def test_a_storms_spray_lies_low_and_hides_what_is_far_off(scene_of):
    """Visibility is "affected" at force 10 and "very seriously affected" at force 12 (WMO No. 8, annex)."""
    sky = scene_of(SIZE, Weather(visibility=14e3)).sky

    def seen(wind: float, height: float = 5.0) -> float:
        return seen_through_air(sky, Camera((0.0, height, 0.0)), wind)

    assert seen(12.3) == pytest.approx(seen(0.0), rel=0.01)
    assert 0.8 < seen(20.0) / seen(0.0) < 0.95
    assert 4e3 < seen(26.4) < 9e3
    assert seen(34.5) < 1.2e3
    assert seen(34.5, 300.0) > 5 * seen(34.5), "from above, most of the way is clear"
    assert seen(0.0, 1e-9) == pytest.approx(14e3, rel=0.01)
