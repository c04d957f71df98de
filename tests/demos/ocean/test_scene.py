"""The ocean's picture: the mesh covers the sea once, the light adds up, and pictures look as they did."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from support.gl_objects import live_objects

from glfft.demos.ocean import patches, render
from glfft.demos.ocean.camera import Camera
from glfft.demos.ocean.controls import LIGHT_SLIDERS, SEA_SLIDERS, Controls
from glfft.demos.ocean.scene import OceanScene, memory_for_picture, read_picture
from glfft.demos.ocean.settings import OceanSettings
from glfft.demos.ocean.shot import Shot, first_camera
from glfft.demos.ocean.simulation import OceanSimulation
from glfft.demos.ocean.sky import Sky, Weather, sunlight_at_sea
from glfft.demos.ocean.water import Water, ripple_gain, unresolved_slopes
from glfft.errors import ContextError, LimitError
from glfft.gl.context import is_software, state_of
from glfft.gl.programs import program
from glfft.gl.source import assemble

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (160, 90)
SEA = OceanSettings(size=64, wind=12.0, tile=120.0)
GOLDEN = Path(__file__).resolve().parents[2] / "golden"
WATER_DEFINES = {"RIPPLE_LEVEL": 4.0, "STEEPEST": 64.0}

positions = st.tuples(st.floats(-5e4, 5e4), st.floats(0.8, 300.0), st.floats(-5e4, 5e4))
headings = st.floats(-math.pi, math.pi)


def _picture(ctx, *, camera=None, settings=SEA, weather=None, time=7.0, exposure=0.0, samples=0):
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(time)
        scene = OceanScene(ctx, SIZE, weather, samples)
        scene.exposure_stops = exposure
        target = ctx.simple_framebuffer(SIZE, components=3)
        scene.draw(simulation, camera or Camera(), time, target)
        picture = read_picture(target)
        scene.release()
        target.release()
    return picture


# --- The mesh -----------------------------------------------------------------------------------------------


def _covering(places, points):
    low, side = places[:, :2].astype(float), places[:, 2:3].astype(float)
    inside = (points[:, None] >= low) & (points[:, None] < low + side)
    return inside.all(axis=2).sum(axis=1)


@given(positions, headings, st.floats(-1.2, 0.4), st.integers(0, 2**32 - 1))
def test_every_visible_point_of_the_sea_lies_in_exactly_one_patch(position, heading, pitch, seed):
    camera = Camera(position, heading, pitch)
    view_projection = camera.view_projection(16 / 9)
    places = patches.visible_patches(position, view_projection, 8.0, swing=2.0, height=2.0)
    random = np.random.default_rng(seed)
    distance = np.exp(random.uniform(0.0, math.log(40e3), 400))
    angle = heading + random.uniform(-0.7, 0.7, 400)
    points = np.array([position[0], position[2]]) + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    from_eye = np.column_stack([points[:, 0] - position[0], np.full(400, -position[1]), points[:, 1] - position[2]])
    clip = np.column_stack([from_eye, np.ones(400)]) @ view_projection.T
    visible = (np.abs(clip[:, :2]) <= clip[:, 3:]).all(axis=1)
    count = _covering(places, points)
    assert (count[visible] == 1).all()
    assert (count <= 1).all()


def test_patches_do_not_move_with_the_eye():
    """The same square of sea is cut the same way wherever the eye is: corners are multiples of the side."""
    for x in (0.0, 3.7, 1234.5):
        camera = Camera((x, 5.0, -x))
        places = patches.visible_patches(camera.position, camera.view_projection(1.5), 8.0, swing=1.0, height=1.0)
        assert np.all(places[:, :2] % places[:, 2:3] == 0)


@given(positions, headings)
def test_neighbouring_patches_differ_by_one_level_at_most(position, heading):
    everything = np.zeros((4, 4))
    everything[3, 3] = 1.0  # a projection that has every point in view
    places = patches.visible_patches(position, everything, 8.0, swing=0.0, height=0.0).astype(float)
    near = places[np.abs(places[:, :2] - [position[0], position[2]]).max(axis=1) < 600]
    middle = near[:, :2] + near[:, 2:3] / 2
    gap = np.abs(middle[:, None] - middle[None]).max(axis=2) - (near[:, None, 2] + near[None, :, 2]) / 2
    touching = gap < 1e-6
    levels = np.abs(near[:, None, 3] - near[None, :, 3])
    assert levels[touching].max() <= 1


def test_a_patch_has_stopped_morphing_where_a_coarser_one_begins(ctx):
    """water.vert turns a patch into the next level's grid between 0.86 and 0.98 of its reach."""
    side, diagonal = 1.0, math.sqrt(2.0)
    farthest_point_of_finer_patch = patches.REACH * side + 2 * side * diagonal
    assert farthest_point_of_finer_patch <= 0.86 * patches.REACH * 2 * side


# --- The camera ---------------------------------------------------------------------------------------------


@given(headings, st.floats(-1.4, 1.4))
def test_the_camera_turns_without_stretching(heading, pitch):
    axes = Camera((0.0, 3.0, 0.0), heading, pitch).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@given(headings, st.floats(-0.5, 0.5), st.floats(-1, 1), st.floats(-1, 1))
def test_screen_to_world_undoes_the_projection(heading, pitch, x, y):
    camera = Camera((0.0, 3.0, 0.0), heading, pitch)
    direction = camera.screen_to_world(1.6) @ np.array([x, y, -1.0])
    clip = camera.view_projection(1.6) @ np.append(direction, 1.0)
    np.testing.assert_allclose(clip[:2] / clip[3], [x, y], atol=1e-9)


def test_flying_forward_goes_where_the_camera_looks():
    camera = Camera((0.0, 50.0, 0.0), heading=math.pi / 2, pitch=0.0).moved(0.0, 0.0, 10.0)
    np.testing.assert_allclose(camera.position, (0.0, 50.0, 10.0), atol=1e-9)


# --- The light ----------------------------------------------------------------------------------------------


def test_a_low_sun_is_red_and_a_high_one_nearly_white():
    high, low = sunlight_at_sea(1.0, 1.0), sunlight_at_sea(math.sin(math.radians(3)), 1.0)
    assert high[0] > high[1] > high[2] > 0.6
    assert low[2] / low[0] < 0.15


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


def test_the_clear_sky_gets_the_share_of_sunlight_that_skies_get(ctx):
    """Diffuse over global irradiance on a level surface is about 10 % to 25 % under a clear sky with a high sun."""
    sky = Sky(ctx, Weather(sun_elevation=math.radians(60), haze=1.0, clouds=0.0))
    direct = sky.sun_colour[1] * math.sin(math.radians(60))
    share = sky.sky_irradiance[1] / (sky.sky_irradiance[1] + direct)
    sky.release()
    assert 0.07 < share < 0.25
    assert sky.sky_irradiance[2] > sky.sky_irradiance[0], "the sky is blue"


def test_the_meter_closes_down_towards_the_sun(ctx):
    sky = Sky(ctx, Weather(sun_elevation=math.radians(10), sun_heading=0.5, clouds=0.0))
    towards, aside, away = (sky.exposure(0.5 + angle) for angle in (0.0, math.pi / 2, math.pi))
    sky.release()
    # Air scatters backwards as well as forwards, so it is darkest aside.
    assert towards < 0.8 * away < 0.8 * aside


@pytest.mark.parametrize("cosine", [0.02, 0.2, 0.7])
@pytest.mark.parametrize("deviation", [0.05, 0.25])
def test_the_mean_visible_slope_is_that_of_the_facets_seen(ctx, cosine, deviation):
    """Against the weighted mean over a float64 sample of the slopes, computed on the GPU by a point at a pixel."""
    slopes = np.linspace(-8, 8, 200001) * deviation
    density = np.exp(-0.5 * (slopes / deviation) ** 2)
    seen = np.maximum(0, cosine + math.sqrt(1 - cosine**2) * slopes)
    expected = (density * seen * slopes).sum() / (density * seen).sum()
    assert _on_gpu(ctx, f"visible_slope({cosine}, {deviation**2})") == pytest.approx(expected, rel=2e-3, abs=1e-4)


def test_the_density_of_slopes_reflects_the_sun_where_slopes_are_likely(ctx):
    """Reflected radiance falls by exp(-1/2) at one standard deviation along the main axis of the covariance."""
    up = "vec3(0, 1, 0)"
    call = f"sun_reflection(vec2({{}}, {{}}), vec3(0.04, 0.01, 0.0), {up}, {up}, {up}, {up})"
    mean = _on_gpu(ctx, call.format(0.0, 0.0))
    assert _on_gpu(ctx, call.format(0.2, 0.0)) == pytest.approx(mean * math.exp(-0.5), rel=1e-4)
    assert _on_gpu(ctx, call.format(0.0, 0.1)) == pytest.approx(mean * math.exp(-0.5), rel=1e-4)
    # Straight down: F(0) / (4 cos) times the density 1 / (2 pi sqrt(det)).
    assert mean == pytest.approx(0.02 / (4 * 2 * math.pi * math.sqrt(0.04 * 0.01)), rel=1e-3)


def _facets(cosine, deviation):
    """Slopes towards the eye of a float64 sample of facets, how much of each is seen, and its reflectance."""
    towards, across = (np.linspace(-6, 6, 601) * deviation for _ in range(2))
    towards, across = np.meshgrid(towards, across, indexing="ij")
    density = np.exp(-0.5 * (towards**2 + across**2) / deviation**2)
    seen = np.maximum(0.0, cosine + math.sqrt(1 - cosine**2) * towards)
    reflectance = 0.02 + 0.98 * (1 - seen / np.sqrt(1 + towards**2 + across**2)) ** 5
    return towards, across, density * seen, reflectance


@pytest.mark.parametrize("cosine", [-0.05, 0.02, 0.1, 0.4])
@pytest.mark.parametrize("deviation", [0.05, 0.15, 0.25])
def test_rough_water_reflects_as_much_as_its_facets(ctx, cosine, deviation):
    """Light that the tilt towards the eye and the mean reflectance both left out made the far sea half as bright."""
    _, _, weight, reflectance = _facets(cosine, deviation)
    exact = (weight * reflectance).sum() / weight.sum()
    assert _on_gpu(ctx, f"mean_fresnel({cosine}, {deviation})") == pytest.approx(exact, rel=0.12)


@pytest.mark.parametrize("cosine", [-0.05, 0.02, 0.1, 0.4])
@pytest.mark.parametrize("deviation", [0.05, 0.15, 0.25])
def test_rough_water_mirrors_the_sky_where_its_facets_do(ctx, cosine, deviation):
    """The elevation of the sky mirrored, against its mean over facets, weighted by what each reflects."""
    towards, across, weight, reflectance = _facets(cosine, deviation)
    view = np.array([math.sqrt(1 - cosine**2), cosine, 0.0])

    def elevation(slope, aside):
        normal = np.stack([slope, np.ones_like(slope), aside], axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        return np.arcsin(np.abs(2 * (normal @ view) * normal[..., 1] - view[1]))

    exact = (weight * reflectance * elevation(towards, across)).sum() / (weight * reflectance).sum()
    slope = np.array(_on_gpu(ctx, f"mirroring_slope({cosine}, {deviation**2})"))
    assert elevation(slope, np.zeros(())) == pytest.approx(exact, abs=math.radians(5.0))


def _water_functions() -> str:
    """The functions of water.frag, for shaders that have no vertex shader of the sea's to hand over what it needs."""
    fragment = assemble("ocean/water.frag", WATER_DEFINES).text.replace("void main() {", "void shade() {")
    for name in ("vec2 still", "vec3 from_eye", "float raised"):
        fragment = fragment.replace(f"in {name};", f"{name} = {name.split()[0]}(1.0);")
    return fragment


def _on_gpu(ctx, expression: str) -> float:
    return float(_drawn(ctx, assemble("ocean/slopes.glsl").text, expression)[0, 0, 0])


def _drawn(ctx, functions: str, expression: str, size=(1, 1), **uniforms) -> np.ndarray:
    """A GLSL expression at each pixel, made with functions of a shader and `screen`, -1 to 1: [height, width, 4]."""
    main = f"\nin vec2 screen;\nout vec4 colour;\nvoid main() {{ colour = vec4({expression}); }}\n"
    shader = ctx.program(
        vertex_shader=assemble("ocean/fullscreen.vert").text,
        fragment_shader=functions.replace("out vec4 colour;", "vec4 shaded;").replace("    colour = ", "    shaded = ")
        + main,
    )
    for name, value in uniforms.items():
        shader[name] = value
    texture = ctx.texture(size, 4, dtype="f4")
    framebuffer = ctx.framebuffer([texture])
    array = ctx.vertex_array(shader, [])
    with ctx.scope(framebuffer):
        array.render(vertices=3)
    values = np.frombuffer(texture.read(), np.float32).reshape(size[1], size[0], 4)
    for thing in (array, framebuffer, texture, shader):
        thing.release()
    return values


def test_slopes_on_the_grid_and_ripples_together_have_cox_and_munks_variance():
    settings = OceanSettings(size=128, tile=250.0, wind=8.0, wind_direction=0.7)
    with_waves = unresolved_slopes(settings)
    total = 3e-3 + 5.08e-3 * 8.0
    assert 0.2 * total <= with_waves[0] + with_waves[1] < total
    # Along the wind the variance is larger: the covariance's main axis is the wind's.
    main = 0.5 * math.atan2(2 * with_waves[2], with_waves[0] - with_waves[1])
    assert main == pytest.approx(0.7, abs=1e-6)


def test_ripples_have_the_variance_they_take_from_the_roughness(ctx):
    """The two readings' short waves times the gain, from the simulation's own slopes, in light and in strong wind."""
    for wind in (4.0, 18.0):
        settings = OceanSettings(size=128, tile=120.0, wind=wind)
        with OceanSimulation(ctx, settings) as simulation:
            simulation.update(3.0)
            slopes = np.frombuffer(simulation.surface.read(), np.float16).reshape(128, 128, 4)[..., 2:].astype(float)
        coarse = slopes.reshape(8, 16, 8, 16, 2).mean(axis=(1, 3)).repeat(16, axis=0).repeat(16, axis=1)
        shown = 2 * ripple_gain(settings) ** 2 * ((slopes - coarse) ** 2).mean(axis=(0, 1)).sum()
        assert shown == pytest.approx(0.6 * sum(unresolved_slopes(settings)[:2]), rel=0.2)


def test_two_readings_keep_the_variance_of_one(ctx):
    """The weights' squares add up to one all over the sea, so nothing is louder or quieter anywhere."""
    weights = _drawn(
        ctx,
        assemble("ocean/readings.glsl").text,
        "reading_weights(screen * 2000.0), 0.0, 0.0",
        size=(64, 64),
        tile=120.0,
    )[..., :2].reshape(-1, 2)
    np.testing.assert_allclose((weights**2).sum(axis=1), 1.0, atol=1e-5)
    assert weights.std(axis=0).min() > 0.05, "the mixture wanders"


def test_whitecaps_do_not_come_again_with_every_tile(ctx):
    """Foam's factors keep its mean, and a whitecap's likeness a tile further on is another one."""
    tile = 120.0
    here, there = (
        _drawn(
            ctx,
            assemble("ocean/readings.glsl").text,
            f"foam_weights(vec2({shift * tile}, 0.0) + screen * 2400.0), 0.0, 0.0",
            size=(128, 128),
            tile=tile,
        )[..., :2]
        for shift in (0.0, 1.0)
    )
    np.testing.assert_allclose(here.mean(axis=(0, 1)), 1.0, atol=0.05)
    for reading in range(2):
        assert np.corrcoef(here[..., reading].ravel(), there[..., reading].ravel())[0, 1] < 0.5


@pytest.mark.parametrize("cover", [0.1, 0.3, 0.5, 0.8])
def test_foam_close_by_covers_as_much_as_its_mean(ctx, cover):
    """The part of the pattern above the edge; its two readings are as good as independent."""
    water = Water(ctx)
    pattern = np.frombuffer(water._foam_pattern.read(), np.uint8).reshape(-1, 4)[:, 0] / 255
    water.release()
    edge = _drawn(ctx, _water_functions(), f"foam_edge({cover})")[0, 0, 0]
    shuffled = np.random.default_rng(1).permutation(pattern)
    assert (0.65 * pattern + 0.35 * shuffled > edge).mean() == pytest.approx(cover, abs=0.05)


_READ_BOTH_WAYS = """
layout(location = 1) out vec4 differences;
layout(location = 2) out vec4 read;
in vec2 screen;

vec3 unmoved(vec2 where) {
    vec3 there = vec3(where, layer);
    vec2 height_dx = textureLod(surface, there, 0.0).xy;
    return vec3(height_dx.y, height_dx.x, textureLod(stretch, there, 0.0).x);
}

vec3 moved(vec2 at) {
    vec2 weights = reading_weights(at);
    vec3 first = unmoved(first_reading(at));
    vec3 second = unmoved(second_reading(at));
    second.xz = rotated(second.xz);
    return weights.x * first + weights.y * second;
}

void main() {
    vec2 at = 300.0 * screen;
    float step_length = 0.5 * spacing;
    vec3 by_x = (moved(at + vec2(step_length, 0.0)) - moved(at - vec2(step_length, 0.0))) / (2.0 * step_length);
    vec3 by_z = (moved(at + vec2(0.0, step_length)) - moved(at - vec2(0.0, step_length))) / (2.0 * step_length);
    differences = vec4(by_x.y, by_z.y, by_x.z, by_x.x);
    Sea sea = sea_at(at);
    read = vec4(sea.slope, sea.dxz, sea.dxx);
    colour = vec4(sea.covariance.xy, sea.dzz, by_z.z);
}
"""


def test_slopes_of_the_two_readings_are_those_of_the_surface_they_make(ctx):
    """Against differences of the displaced surface: a reading turned the wrong way would not even correlate."""
    shader = ctx.program(
        vertex_shader=assemble("ocean/fullscreen.vert").text, fragment_shader=_water_functions() + _READ_BOTH_WAYS
    )
    textures = [ctx.texture((96, 96), 4, dtype="f4") for _ in range(3)]
    framebuffer = ctx.framebuffer(textures)
    array = ctx.vertex_array(shader, [])
    settings = OceanSettings(size=128, tile=120.0, wind=5.0)
    with OceanSimulation(ctx, settings) as simulation, ctx.scope(framebuffer):
        sampler = ctx.sampler(filter=(moderngl.LINEAR, moderngl.LINEAR))
        # Long waves only: differences between texels say little of short ones.
        order = np.fft.fftfreq(128, 1 / 128)
        long = np.hypot(order[:, None], order) < 7
        random = np.random.default_rng(3).normal(size=(2, 128, 128)) * 0.02 * long
        random[:, 0, 0] = 0.0
        simulation.set_amplitudes(random[0] + 1j * random[1])
        simulation.update(0.0)
        for unit, name in enumerate(("surface", "stretch", "slope_products")):
            getattr(simulation, name).use(unit)
            sampler.use(unit)
            shader[name] = unit
        shader["tile"] = settings.tile
        shader["spacing"] = settings.spacing
        shader["rotation"] = (math.cos(-0.4), math.sin(-0.4))
        array.render(vertices=3)
        for unit in range(3):
            sampler.clear(unit)
    more, differences, read = (np.frombuffer(t.read(), np.float32).reshape(-1, 4) for t in textures)
    for thing in (array, framebuffer, *textures, shader):
        thing.release()
    pairs = {name: (differences[:, i], read[:, i]) for i, name in enumerate(("slope_x", "slope_z", "dxz", "dxx"))}
    pairs["dzz"] = more[:, 2], more[:, 3]
    for name, (difference, value) in pairs.items():
        # Not 1: the readings' weights vary too, and their own slopes are left out of the normal.
        assert np.corrcoef(difference, value)[0, 1] > 0.96, name
    assert more[:, :2].min() >= 0.0, "variances inside a pixel"


# --- The picture --------------------------------------------------------------------------------------------


def test_the_sky_is_above_and_the_sea_below(ctx):
    picture = _picture(ctx, weather=Weather(sun_heading=math.pi / 2, clouds=0.0)).astype(float)
    horizon = SIZE[1] // 2 - round(SIZE[1] * math.tan(math.radians(2)) / (2 * math.tan(math.radians(19))))
    above, below = picture[: horizon - 3], picture[horizon + 3 :]
    assert above.mean() > below.mean() + 20
    # Waves: the sea varies across the picture, the sky has slow gradients. Means over five pixels quiet the dither.
    rough, smooth = (
        np.abs(np.diff(part.reshape(len(part), -1, 5, 3).mean(axis=2), n=2, axis=1)).mean() for part in (below, above)
    )
    assert rough > 2 * smooth


def test_the_sun_lays_its_path_under_itself(ctx):
    weather = Weather(sun_elevation=math.radians(8), sun_heading=math.radians(10), clouds=0.0)
    picture = _picture(ctx, weather=weather).astype(float)
    brightness = picture[SIZE[1] // 2 + 5 :].mean(axis=(0, 2))
    expected = 0.5 + 0.5 * math.tan(math.radians(10)) / (math.tan(math.radians(19)) * 16 / 9)
    assert abs(np.argmax(np.convolve(brightness, np.ones(15), "same")) / SIZE[0] - expected) < 0.08
    assert brightness.max() > 2.5 * np.median(brightness), "glitter outshines the reflected sky"


@pytest.mark.parametrize("sun", [0.2, 1.6, 3.0])
def test_a_coarse_picture_is_as_bright_as_a_fine_one(ctx, sun):
    """The sea in pixels of another size: what they no longer show goes on reflecting, from the roughness."""
    camera = first_camera(SEA)
    weather = Weather(sun_heading=camera.heading + sun)
    coarse, fine = (_radiance(ctx, (160 * more, 90 * more), camera, weather)[: 45 * more].mean() for more in (1, 4))
    assert coarse == pytest.approx(fine, rel=0.1), "the lower half of the picture, which has nothing but sea in it"


@pytest.mark.parametrize("sun", [0.5, 3.0])
def test_the_sea_meets_the_sky_without_a_seam(ctx, sun):
    """From high above haze hides the far edge of the sea: colours change over the horizon as slowly as beside it."""
    camera = Camera((0.0, 400.0, 0.0), pitch=0.0)
    weather = Weather(sun_heading=sun, clouds=0.0)
    rows = _radiance(ctx, (64, 360), camera, weather)[174:186].mean(axis=1)
    steps = np.abs(np.diff(np.log(rows), axis=0)).max(axis=1)
    assert steps.max() < 0.04, "of a radiance, from row to row"


def _radiance(ctx, size, camera, weather):
    """Radiance of the picture, [height, width, 3], the lowest row first."""
    with OceanSimulation(ctx, SEA) as simulation:
        simulation.update(7.0)
        scene = OceanScene(ctx, size, weather, samples=0)
        target = ctx.simple_framebuffer(size, components=3)
        scene.draw(simulation, camera, 7.0, target)
        radiance = np.frombuffer(scene._radiance.read(), np.float16).reshape(size[1], size[0], 4)
        scene.release()
        target.release()
    return radiance[..., :3].astype(float)


@pytest.mark.parametrize("height", [2.0, 30.0, 300.0])
def test_the_sea_has_no_holes(ctx, height, monkeypatch):
    """A point that patches of different size share is at one place, whichever draws it: no gap lies between them."""
    written = []
    monkeypatch.setattr(Water, "_write_places", lambda water, places: written.append(places))
    sky, water = Sky(ctx, Weather()), Water(ctx)
    camera = Camera((3.0, height, -7.0), pitch=math.radians(-14.0))
    shader = ctx.program(
        vertex_shader=assemble("ocean/water.vert", {"CELLS": 32}).text, varyings=("still", "from_eye", "raised")
    )
    target = ctx.simple_framebuffer(SIZE)
    with OceanSimulation(ctx, SEA) as simulation, ctx.scope(target):
        simulation.update(7.0)
        water.draw(simulation, sky, camera, 1.6, 270, 7.0)
        for name in shader:
            uniform, drawn_with = shader[name], water._program.get(name, None)
            if isinstance(uniform, moderngl.Uniform) and isinstance(drawn_with, moderngl.Uniform):
                uniform.value = drawn_with.value
        places = ctx.buffer(written[0].tobytes())
        points = ctx.buffer(reserve=len(written[0]) * 33 * 33 * 6 * 4)
        array = ctx.vertex_array(shader, [(water._corners, "2f", "corner"), (places, "4f/i", "patch_place")])
        array.transform(points, moderngl.POINTS, vertices=33 * 33, instances=len(written[0]))
        data = np.frombuffer(points.read(), np.float32).reshape(len(written[0]), 33 * 33, 6).astype(float)
    for thing in (array, points, places, shader, target, water, sky):
        thing.release()
    levels = np.broadcast_to(written[0][:, 3:], data.shape[:2]).ravel()
    data = data.reshape(-1, 6)
    _, which = np.unique(np.round(data[:, :2], 2), axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    between_levels = (np.diff(which.ravel()[order]) == 0) & (np.diff(levels[order]) != 0)
    assert between_levels.sum() > 100
    from_eye = data[order, 2:5]
    gaps = np.linalg.norm(np.diff(from_eye, axis=0), axis=1) / np.linalg.norm(from_eye[1:], axis=1)
    assert gaps[between_levels].max() < 1e-6, "radians, as the eye sees it"


def test_a_folded_sea_is_whiter_than_a_smooth_one(ctx):
    weather = Weather(sun_elevation=math.radians(50), sun_heading=math.pi, clouds=0.0)
    camera = Camera((0.0, 12.0, 0.0), pitch=math.radians(-20))
    foamy = OceanSettings(size=64, tile=120.0, wind=20.0, foam_threshold=1.1, foam_gain=50.0)
    clean = OceanSettings(size=64, tile=120.0, wind=20.0, foam_gain=0.0)
    low = SIZE[1] // 3
    white = [_picture(ctx, camera=camera, settings=s, weather=weather)[low:, :, 0].mean() for s in (foamy, clean)]
    assert white[0] > white[1] + 25


def test_exposure_brightens(ctx):
    assert _picture(ctx, exposure=1.0).mean() > _picture(ctx).mean() + 10


def test_the_same_options_give_the_same_pictures(ctx):
    shot = Shot(settings=SEA, time=3.0, frames=3, frames_per_second=10.0)
    first = list(render.pictures(ctx, shot, SIZE))
    second = list(render.pictures(ctx, shot, SIZE))
    assert len(first) == 3
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0], first[1])
    fewer = list(render.pictures(ctx, replace(shot, frames=2), SIZE))
    assert all(np.array_equal(a, b) for a, b in zip(first, fewer, strict=False))
    other = list(render.pictures(ctx, Shot(settings=OceanSettings(size=64, wind=12.0, tile=120.0, seed=2)), SIZE))
    assert not np.array_equal(first[0], other[0])


def test_a_scene_changes_size(ctx):
    scene = OceanScene(ctx, (64, 48))
    scene.resize((96, 32))
    assert scene.size == (96, 32)
    with OceanSimulation(ctx, SEA) as simulation:
        simulation.update(0.0)
        target = ctx.simple_framebuffer((96, 32), components=3)
        scene.draw(simulation, Camera(), 0.0, target)
        assert read_picture(target).shape == (32, 96, 3)
        assert read_picture(target).std() > 5
        target.release()
    scene.release()


@pytest.mark.parametrize("size", [(640, 4), (4, 640)])
def test_a_very_wide_or_high_picture_is_drawn(ctx, size):
    """The glare of a picture 160 times as wide as high would be wider than textures may be."""
    scene = OceanScene(ctx, size, samples=0)
    with OceanSimulation(ctx, SEA) as simulation:
        simulation.update(0.0)
        target = ctx.simple_framebuffer(size, components=3)
        scene.draw(simulation, Camera(), 0.0, target)
        assert read_picture(target).std() > 5
    assert ctx.error == "GL_NO_ERROR"
    target.release()
    scene.release()


def test_a_picture_too_large_for_the_device_is_a_sentence_and_leaves_nothing(ctx):
    limit = state_of(ctx).limits.texture_size
    OceanScene(ctx, (8, 8)).release()  # compiles, once for all
    before = live_objects(ctx)
    with pytest.raises(LimitError, match=f"is {limit + 1} x 8 pixels and this device's textures end at {limit}"):
        OceanScene(ctx, (limit + 1, 8))
    assert live_objects(ctx) == before
    with (
        pytest.raises(ContextError, match="memory left for a picture of 8 x 8 pixels"),
        memory_for_picture(ctx, (8, 8)),
    ):
        ctx.framebuffer([ctx.texture((8, 8), 4, dtype="f4"), ctx.renderbuffer((8, 8), samples=4)])


def test_the_picture_is_the_golden_one(ctx):
    """Within 3/255, but for one pixel in a hundred: processors round differently on the way to llvmpipe's picture."""
    if not is_software(ctx) or "llvmpipe" not in ctx.info["GL_RENDERER"]:
        pytest.skip("golden pictures are llvmpipe's")
    settings = OceanSettings(size=64, tile=160.0, wind=14.0, seed=5)
    picture = _picture(ctx, camera=first_camera(settings), settings=settings, weather=Shot(settings).weather())
    golden = np.asarray(Image.open(GOLDEN / "ocean.png").convert("RGB"))
    differing = (np.abs(picture.astype(int) - golden.astype(int)) > 3).any(axis=2).mean()
    assert differing <= 0.01


def test_every_ocean_shader_compiles(ctx):
    program(ctx, "ocean/water.vert", "ocean/water.frag", {"CELLS": 32, **WATER_DEFINES})
    program(ctx, "ocean/fullscreen.vert", "ocean/foam_pattern.frag", WATER_DEFINES)
    for name in ("background", "environment", "sky_view", "multiple_scattering", "tone"):
        program(ctx, "ocean/fullscreen.vert", f"ocean/{name}.frag")


# --- The controls -------------------------------------------------------------------------------------------


def test_every_slider_is_a_setting_with_a_tooltip_and_allowed_ends():
    for slider in SEA_SLIDERS:
        for end in (slider.lowest, slider.highest):
            replace(OceanSettings(), **{slider.name: end * slider.scale})  # pyright: ignore[reportArgumentType]
        assert slider.lowest <= slider.shown(OceanSettings()) <= slider.highest
        assert slider.tip.endswith(".")
    for slider in LIGHT_SLIDERS:
        assert slider.lowest <= slider.shown(Weather()) <= slider.highest
        assert slider.tip.endswith(".")


def test_keys_step_a_slider_within_its_ends():
    wind = SEA_SLIDERS[0]
    assert wind.stepped(10.0, up=True) == 11.0
    assert wind.stepped(wind.highest, up=True) == wind.highest
    fetch = SEA_SLIDERS[1]
    assert fetch.stepped(fetch.stepped(100.0, up=True), up=False) == pytest.approx(100.0)


def test_controls_refuse_in_words_and_reset():
    controls = Controls(Shot(settings=SEA))
    controls.change_sea(wind=-1.0)
    assert controls.settings == SEA
    assert "wind" in controls.message
    controls.change_sea(wind=5.0)
    assert controls.settings.wind == 5.0
    assert controls.message == ""
    controls.next_algorithm(["auto", "stockham-radix4"])
    assert controls.algorithm == "stockham-radix4"
    controls.reset()
    assert controls.settings == SEA
    assert controls.algorithm == "auto"
