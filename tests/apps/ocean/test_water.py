"""The water's surface: what its roughness reflects, its ripples and foam, and a mesh without holes."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import moderngl
import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from support.golden_seas import radiance_of

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import MEDIUM
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.sky import Weather
from glfft.apps.ocean.spray import spray_uniforms
from glfft.apps.ocean.water import (
    Water,
    ripples,
    shading_defines,
    shading_uniforms,
    short_slope_variance,
    unresolved_slopes,
    visible_patches,
    water_reflectance,
)
from glfft.gl.source import assemble
from glfft.sea import waves
from glfft.sea.foam import threshold_of
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings, Swell
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import per_tile

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (160, 90)
CORNERS = (MEDIUM.cells + 1) ** 2
# For tests that look at the waves alone: foam that is soon built up.
HARDLY_FOAM: dict[str, Any] = {"foam_lifetime": 0.1, "foam_threshold": 0.5}
SEA = OceanSettings(size=64, wind=12.0, tile=120.0, **HARDLY_FOAM)


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
    covariance = "vec3(0.04, 0.01, 0.0)"
    call = f"sun_reflection(slope_density(vec2({{}}, {{}}), {covariance}), {covariance}, {up}, {up}, {up}, {up})"
    mean = _on_gpu(ctx, call.format(0.0, 0.0))
    assert _on_gpu(ctx, call.format(0.2, 0.0)) == pytest.approx(mean * math.exp(-0.5), rel=1e-4)
    assert _on_gpu(ctx, call.format(0.0, 0.1)) == pytest.approx(mean * math.exp(-0.5), rel=1e-4)
    # Straight down: F(0) / (4 cos) times the density 1 / (2 pi sqrt(det)).
    assert mean == pytest.approx(0.02 / (4 * 2 * math.pi * math.sqrt(0.04 * 0.01)), rel=1e-3)


@pytest.mark.parametrize(("pixel", "brightest"), [(0.03, 10.0), (0.11, 10.0), (0.7, 5.0)])
def test_glitter_has_sparks_and_keeps_its_light(ctx, pixel, brightest):
    """Pixels side by side differ; the mean is the density without sparks, in the sun's reflection and far off."""
    covariance = "vec3(0.02, 0.03, 0.01)"
    for slope in ("vec2(0.0)", "vec2(0.3, -0.1)"):
        sparks = f"sparkling_density({slope}, {covariance}, vec3(0.0), {400 * pixel} * screen, {pixel})"
        drawn = _drawn(ctx, _water_functions(), f"{sparks}, slope_density({slope}, {covariance}), 0.0, 0.0", (800, 800))
        light, mean = drawn[..., 0], drawn[0, 0, 1]
        assert light.mean() == pytest.approx(mean, rel=0.04)
        assert light.std() > 0.25 * mean
        assert abs(np.corrcoef(light[:, 1:].ravel(), light[:, :-1].ravel())[0, 1]) < 0.6
        # A few outshine the others in the middle of the sun's reflection too, on a darker ground: not two tones.
        assert np.percentile(light, 99) > brightest * mean
        assert np.median(light) < 0.6 * mean


def test_many_facets_in_a_pixel_are_a_sheen(ctx):
    """Pixels of 10 m all have the mean."""
    call = "sparkling_density(vec2(0.1, 0.0), vec3(0.02, 0.03, 0.01), vec3(0.0), 2e3 * screen, 10.0), 0.0, 0.0, 0.0"
    light = _drawn(ctx, _water_functions(), call, (200, 200))[..., 0]
    assert light.std() < 1e-3 * light.mean()


def test_deviates_are_independent_and_normal(ctx):
    """Moments, and the mean exponential, to which their largest values contribute most."""
    noise = assemble("ocean/noise.glsl").text
    deviates = _drawn(ctx, noise, "normal_deviates(ivec2(gl_FragCoord.xy) - 500), 0.0", (1000, 1000))
    deviates = deviates[..., :3].reshape(-1, 3).astype(float)
    np.testing.assert_allclose(np.corrcoef(deviates.T), np.eye(3), atol=0.004)
    np.testing.assert_allclose(np.corrcoef((deviates**2).T), np.eye(3), atol=0.004)
    np.testing.assert_allclose(deviates.mean(axis=0), 0.0, atol=0.004)
    np.testing.assert_allclose((deviates**2).mean(axis=0), 1.0, atol=0.006)
    np.testing.assert_allclose((deviates**4).mean(axis=0), 3.0, atol=0.06)
    np.testing.assert_allclose(np.exp(1.5 * deviates - 1.125).mean(axis=0), 1.0, atol=0.015)


def test_no_deviate_is_without_bounds(ctx):
    """Hashes of which float32 makes exactly 1 or nearly 0: NaN there was a white star in the picture."""
    noise = assemble("ocean/noise.glsl").text
    assert _drawn(ctx, noise, "vec4(random2(ivec2(338, 1312)), 0.0, 0.0)")[0, 0, 0] == 1.0
    for cell in ("ivec2(338, 1312)", "ivec2(0)", "ivec2(-7, 3)"):
        deviates = _drawn(ctx, noise, f"vec4(normal_deviates({cell}), 0.0)")[0, 0, :3]
        assert np.abs(deviates).max() < 6.0


def test_windrows_gather_foam_and_take_none(ctx, scene_of, sea):
    """The factor on foam's cover is 1 on average over the rows."""
    scene = scene_of((8, 8))
    scene._water._foam_pattern.use(7)
    call = "windrow_factor(3000.0 * screen, 2.0), 0.0, 0.0, 0.0"
    factor = _drawn(ctx, _water_functions(), call, (256, 256), foam_pattern=7, windrows=1.0)[..., 0]
    assert factor.mean() == pytest.approx(1.0, abs=0.03)
    assert factor.std() > 0.1


@lru_cache
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


def _water_functions(tiles: int = 1) -> str:
    return assemble("ocean/water_light.glsl", shading_defines(tiles, taps=4)).text


def _on_gpu(ctx, expression: str) -> float:
    return float(_drawn(ctx, assemble("ocean/slopes.glsl").text, expression)[0, 0, 0])


def _drawn(ctx, functions: str, expression: str, size=(1, 1), **uniforms) -> np.ndarray:
    """A GLSL expression at each pixel, made with functions of a shader and `screen`, -1 to 1: [height, width, 4]."""
    main = f"\nin vec2 screen;\nout vec4 colour;\nvoid main() {{ colour = vec4({expression}); }}\n"
    shader = ctx.program(
        vertex_shader=assemble("ocean/fullscreen.vert").text,
        fragment_shader=functions + main,
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
    still = unresolved_slopes(replace(settings, wind=0.01))
    assert still[0] == pytest.approx(still[1])
    total = 3e-3 + 5.08e-3 * 8.0
    assert 0.2 * total <= with_waves[0] + with_waves[1] < total
    # Along the wind the variance is larger: the covariance's main axis is the wind's.
    main = 0.5 * math.atan2(2 * with_waves[2], with_waves[0] - with_waves[1])
    assert main == pytest.approx(0.7, abs=1e-6)


def test_a_dead_calm_is_like_a_mirror_and_ripples_grow_smoothly_from_it():
    """Force 0 of WMO No. 8; from force 1 on, 1 m/s, the law of Cox and Munk holds."""
    variances = [sum(unresolved_slopes(OceanSettings(size=128, wind=wind))[:2]) for wind in (0.15, 0.5, 1.0, 1.01)]
    assert math.degrees(2 * math.sqrt(variances[0] / 2)) < 0.8, "how far reflections are spread, in degrees"
    assert variances == sorted(variances)
    assert variances[2] == pytest.approx(3e-3 + 5.08e-3, rel=0.02)
    assert variances[3] == pytest.approx(variances[2], rel=0.02)


def test_ripples_have_the_variance_they_take_from_the_roughness(ctx):
    """The two readings' short waves times the gain, from the simulation's own slopes, in light and in strong wind."""
    for wind in (4.0, 18.0):
        settings = OceanSettings(size=128, tile=120.0, wind=wind, **HARDLY_FOAM)
        with OceanSimulation(ctx, settings) as simulation:
            simulation.update(3.0)
            slopes = np.frombuffer(simulation.surface.read(), np.float16).reshape(128, 128, 4)[..., 2:].astype(float)
        coarse = slopes.reshape(8, 16, 8, 16, 2).mean(axis=(1, 3)).repeat(16, axis=0).repeat(16, axis=1)
        share, gain = ripples(unresolved_slopes(settings), short_slope_variance(settings))
        assert share == 0.6
        shown = 2 * gain**2 * ((slopes - coarse) ** 2).mean(axis=(0, 1)).sum()
        assert shown == pytest.approx(0.6 * sum(unresolved_slopes(settings)[:2]), rel=0.2)


def test_a_tile_without_short_waves_shows_few_ripples():
    for short in (0.0, 1e-300, 1e-9):
        share, gain = ripples((0.01, 0.005, 0.0), short)
        assert gain <= 8.0
        assert share * 0.015 == pytest.approx(2 * gain**2 * short)


def test_two_readings_keep_the_variance_of_one(ctx):
    """The weights' squares add up to one all over the sea, so nothing is louder or quieter anywhere."""
    weights = _drawn(
        ctx,
        assemble("sea/readings.glsl", {"TILES": 1}).text,
        "reading_weights(screen * 2000.0, 0), 0.0, 0.0",
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
            assemble("sea/readings.glsl", {"TILES": 1}).text,
            f"foam_weights(vec2({shift * tile}, 0.0) + screen * 2400.0), 0.0, 0.0",
            size=(128, 128),
            tile=tile,
        )[..., :2]
        for shift in (0.0, 1.0)
    )
    np.testing.assert_allclose(here.mean(axis=(0, 1)), 1.0, atol=0.05)
    for reading in range(2):
        assert np.corrcoef(here[..., reading].ravel(), there[..., reading].ravel())[0, 1] < 0.5


def test_whitecaps_from_aloft_lie_in_no_weave(ctx):
    """The means of cos 2a and cos 4a, for the angle a of a step of foam's factors, are near 0 for uneven patches."""
    readings = assemble("sea/readings.glsl", {"TILES": 1}).text
    factors = _drawn(ctx, readings, "foam_weights(screen * 600.0), 0.0, 0.0", (512, 512), tile=120.0)
    steps = np.gradient(factors[..., :2].max(axis=-1))
    squares, angles = steps[0] ** 2 + steps[1] ** 2, np.arctan2(*steps)
    for times in (2, 4):
        for wave in (np.cos(times * angles), np.sin(times * angles)):
            assert abs((squares * wave).sum() / squares.sum()) < 0.15


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
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 differences;
layout(location = 2) out vec4 read;
in vec2 screen;

vec3 unmoved(vec3 there) {
    vec2 height_dx = textureLod(surface, there, 0.0).xy;
    return vec3(height_dx.y, height_dx.x, textureLod(stretch, there, 0.0).x);
}

vec3 moved(vec2 at) {
    vec3 sum = vec3(0.0);
    for (int layer = 0; layer < TILES; ++layer) {
        vec2 weights = reading_weights(at, layer);
        vec3 first = unmoved(first_reading(at, layer));
        vec3 second = unmoved(second_reading(at, layer));
        second.xz = rotated(second.xz);
        sum += weights.x * first + weights.y * second;
    }
    return sum;
}

void main() {
    vec2 at = 300.0 * screen;
    float step_length = 0.5 * spacing[FINEST];
    vec3 by_x = (moved(at + vec2(step_length, 0.0)) - moved(at - vec2(step_length, 0.0))) / (2.0 * step_length);
    vec3 by_z = (moved(at + vec2(0.0, step_length)) - moved(at - vec2(0.0, step_length))) / (2.0 * step_length);
    differences = vec4(by_x.y, by_z.y, by_x.z, by_x.x);
    Sea sea = sea_at(at, Footprint(vec2(0.0), 1e-6, 1e-6, 1e-6));
    read = vec4(sea.slope, sea.dxx_dzz_dxz.z, sea.dxx_dzz_dxz.x);
    colour = vec4(sea.covariance.xy, sea.dxx_dzz_dxz.y, by_z.z);
}
"""


@pytest.mark.parametrize("tiles", [1, 2])
def test_slopes_of_the_two_readings_are_those_of_the_surface_they_make(ctx, tiles):
    """Against differences of the displaced surface: a reading turned the wrong way would not even correlate."""
    shader = ctx.program(
        vertex_shader=assemble("ocean/fullscreen.vert").text, fragment_shader=_water_functions(tiles) + _READ_BOTH_WAYS
    )
    textures = [ctx.texture((96, 96), 4, dtype="f4") for _ in range(3)]
    framebuffer = ctx.framebuffer(textures)
    array = ctx.vertex_array(shader, [])
    settings = OceanSettings(size=128, tile=120.0, wind=5.0, cascades=1 if tiles == 1 else (77.0,), **HARDLY_FOAM)
    with OceanSimulation(ctx, settings) as simulation, ctx.scope(framebuffer):
        sampler = ctx.sampler(filter=(moderngl.LINEAR, moderngl.LINEAR))
        # Long waves only: differences between texels say little of short ones.
        order = np.fft.fftfreq(128, 1 / 128)
        long = np.hypot(order[:, None], order) < 7
        random = np.random.default_rng(3).normal(size=(2, 128, 128)) * 0.02 * long
        random[:, 0, 0] = 0.0
        for tile in range(tiles):
            simulation.set_amplitudes(random[0] + 1j * random[1], tile)
        simulation.update(0.0)
        for unit, name in enumerate(("surface", "stretch", "slope_products")):
            getattr(simulation, name).use(unit)
            sampler.use(unit)
            shader[name] = unit
        shader["tile"] = per_tile([each.tile for each in simulation.tiles])
        shader["spacing"] = per_tile([each.spacing for each in simulation.tiles])
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


@pytest.fixture
def written(monkeypatch) -> list[np.ndarray]:
    """The places of the patches of each mesh that is drawn from now on."""
    places_of_meshes = []

    def choose_and_note(*seen):
        places_of_meshes.append(visible_patches(*seen))
        return places_of_meshes[-1]

    monkeypatch.setattr("glfft.apps.ocean.water.visible_patches", choose_and_note)
    return places_of_meshes


def _as_numbers(points: np.ndarray) -> np.ndarray:
    """Points [n, 2] as complex numbers, which numpy sorts faster."""
    return points[:, 0] + 1j * points[:, 1]


def _apart(keys: np.ndarray, data: np.ndarray) -> np.ndarray:
    """Rows of `data` less others with the same key."""
    order = np.argsort(keys, kind="stable")
    return np.diff(data[order], axis=0)[np.diff(keys[order]) == 0]


@pytest.mark.parametrize(("height", "tiles"), [(2.0, 1), (2.0, 2), (30.0, 1), (300.0, 1)])
def test_the_sea_has_no_holes(ctx, height, tiles, written):
    """A point that patches share is at one place to the last bit, whichever draws it: no sample lies between them."""
    water = Water(ctx)
    camera = Camera((3.0, height, -7.0), pitch=math.radians(-14.0))
    shader = ctx.program(
        vertex_shader=assemble("ocean/water.vert", {"CELLS": MEDIUM.cells, "SLIVERS": 0}).text,
        varyings=("still", "gl_Position"),
    )
    target = ctx.simple_framebuffer(SIZE)
    # Sides of patches with many digits, so that sums of them are rounded.
    with OceanSimulation(ctx, replace(SEA, cascades=tiles, tile=123.4)) as simulation, ctx.scope(target):
        simulation.update(7.0)
        water.draw_mesh(simulation, camera, 1.6, 270)
        for name in shader:
            uniform, drawn_with = shader[name], water._grid.program.get(name, None)
            if isinstance(uniform, moderngl.Uniform) and isinstance(drawn_with, moderngl.Uniform):
                uniform.value = drawn_with.value
        places = ctx.buffer(written[0].tobytes())
        points = ctx.buffer(reserve=len(written[0]) * CORNERS * 6 * 4)
        array = ctx.vertex_array(shader, [(water._corners, "2f", "corner"), (places, "4f/i", "patch_place")])
        array.transform(points, moderngl.POINTS, vertices=CORNERS, instances=len(written[0]))
        data = np.frombuffer(points.read(), np.float32).reshape(len(written[0]), CORNERS, 6).astype(float)
    for thing in (array, points, places, shader, target, water):
        thing.release()
    levels = np.broadcast_to(written[0][:, 3:], data.shape[:2])
    data = np.dstack([levels, data])
    x, z, side = written[0][:, None, :3].astype(float).T
    row, column = np.divmod(np.arange(CORNERS), MEDIUM.cells + 1)
    corners = np.rint(x / side).T * MEDIUM.cells + column + 1j * (np.rint(z / side).T * MEDIUM.cells + row)
    for level in np.unique(levels):
        here = levels == level
        assert (_apart(corners[here], data[here]) == 0.0).all()
    # A corner of a finer patch has moved to one of the coarser patch beside.
    apart = _apart(_as_numbers(np.round(data[..., 1:3].reshape(-1, 2), 2)), data.reshape(-1, 7))
    apart = apart[apart[:, 0] != 0.0]
    assert len(apart) > 100
    assert (apart[:, 1:] == 0.0).all()


def test_gusts_leave_the_mean_roughness_as_it_is(ctx):
    """Patches of rougher and smoother water, over a square of 20 km."""
    factors = _drawn(
        ctx, _water_functions(), "gusts(screen * 10000.0)", size=(256, 256), downwind=(0.6, 0.8), gust_drift=0.0
    )[..., 0]
    assert factors.mean() == pytest.approx(1.0, abs=0.05)
    assert 0.1 < factors.std() < 0.3


_READ_SLOPES = """
layout(location = 0) out vec4 colour;
in vec2 screen;
uniform float pixel;

void main() {
    Sea sea = sea_at(900.0 * screen, footprint_of(vec2(pixel, 0.0), vec2(0.0, pixel)));
    colour = vec4(sea.slope, sea.covariance.xy);
}
"""


@pytest.mark.parametrize(("wind", "tiles"), [(6.0, 1), (12.0, 1), (9.0, 2)])
def test_the_slopes_that_are_lit_are_cox_and_munks_whatever_a_pixel_covers(ctx, wind, tiles):
    """Mean squares of slopes seen, of those inside pixels, and of those that no grid holds; wind along x."""
    settings = OceanSettings(size=128, tile=120.0, wind=wind, cascades=tiles, **HARDLY_FOAM)
    shader = ctx.program(
        vertex_shader=assemble("ocean/fullscreen.vert").text, fragment_shader=_water_functions(tiles) + _READ_SLOPES
    )
    texture = ctx.texture((160, 160), 4, dtype="f4")
    framebuffer, array = ctx.framebuffer([texture]), ctx.vertex_array(shader, [])
    found = {}
    with OceanSimulation(ctx, settings) as simulation, ctx.scope(framebuffer):
        simulation.update(5.0)
        for unit, name in enumerate(("surface", "slope_products")):
            getattr(simulation, name).use(unit)
            shader[name] = unit
        shader["tile"] = per_tile([each.tile for each in simulation.tiles])
        shader["spacing"] = per_tile([each.spacing for each in simulation.tiles])
        shader["rotation"] = (math.cos(-0.4), math.sin(-0.4))
        for pixel in (0.01, 1.0, 8.0, 100.0):
            shader["pixel"] = pixel
            array.render(vertices=3)
            data = np.frombuffer(texture.read(), np.float32).reshape(-1, 4).astype(float)
            found[pixel] = (data[:, :2] ** 2).mean(axis=0) + data[:, 2:].mean(axis=0)
    for thing in (array, framebuffer, texture, shader):
        thing.release()
    along, across = 3.16e-3 * wind, 3e-3 + 1.92e-3 * wind
    for pixel, resolved in found.items():
        # Between texels a filter smooths the shortest waves, which a pixel larger than a texel knows by their products.
        assert resolved.sum() == pytest.approx(found[0.01].sum(), rel=0.15), f"pixels of {pixel} m"
        seen = resolved + unresolved_slopes(settings)[:2]
        assert seen.sum() == pytest.approx(along + across, rel=0.15)
        assert 1.0 < seen[0] / seen[1] < 2.2, "rougher along the wind than across it; theirs is 1.2 to 1.4"


@pytest.mark.parametrize("depth", [0.3, 3.0, math.inf])
def test_patches_are_drawn_that_shallow_water_moves_into_view(ctx, depth, monkeypatch):
    swings: list[float] = []

    def watched(*arguments: Any) -> np.ndarray:
        swings.append(arguments[3])
        return visible_patches(*arguments)

    monkeypatch.setattr("glfft.apps.ocean.water.visible_patches", watched)
    sea, target = replace(SEA, tile=300.0, swells=(Swell(0.5, 8.0),)), ctx.simple_framebuffer(SIZE)
    with OceanSimulation(ctx, replace(sea, depth=depth)) as simulation, Water(ctx) as water, ctx.scope(target):
        for time in (7.0, 8.0, 8.7):
            simulation.update(time)
            water.draw_mesh(simulation, Camera((3.0, 2.0, -7.0)), 1.6, 270)
            fields = simulation.evaluate(time)
            moved = simulation.choppiness * np.hypot(fields["dx"], fields["dz"]).max()
            assert moved < swings[-1] < 6 * moved
            if time == 7.0:
                simulation.morph(replace(sea, depth=1.0), 2.0)


@pytest.mark.parametrize("height", [1.0, 40.0, 1500.0, 5000.0])
def test_the_mesh_does_not_swim_while_the_camera_moves(ctx, height, written):
    """Points of the sea that are points of the mesh before and after a step of the camera: they are where they were.

    Morphing between levels of detail and the waves that the mesh leaves to the slopes follow the distance: in a step
    of a tenth of the height, a point moves by less than it may without being seen.
    """
    water, target = Water(ctx), ctx.simple_framebuffer(SIZE)
    points = []
    with OceanSimulation(ctx, SEA) as simulation, ctx.scope(target):
        simulation.update(7.0)
        for step in (0.0, 0.01 * height):
            camera = Camera((3.0 + step, height, -7.0), pitch=math.radians(-20.0))
            water.draw_mesh(simulation, camera, 1.6, 270)
            places = written[-1].astype(float)
            assert water._moved is not None
            moved = np.frombuffer(water._moved.read(), np.float32).reshape(-1, CORNERS, 4)[: len(places), :, :3]
            corners = np.frombuffer(water._corners.read(), np.float32).reshape(-1, 2).astype(float)
            still = places[:, None, :2] + corners * places[:, None, 2:3]
            # Only where no patch is changing into a coarser one: there a corner is where it seems.
            away = np.sqrt(((still - [camera.position[0], camera.position[2]]) ** 2).sum(axis=2) + height**2)
            calm = away / (MEDIUM.reach * places[:, None, 2]) < 0.85
            world = moved.astype(float) + camera.position
            world[..., 1] += (moved[..., ::2].astype(float) ** 2).sum(axis=2) / (2 * 6360e3)
            points.append((_as_numbers(np.round(still[calm], 3)), np.column_stack([world[calm], away[calm]])))
    for each in (water, target):
        each.release()
    # Where patches meet, each has the point; the test of holes says that they have it at one place.
    (keys, before), (later_keys, after) = points
    shared, first, second = np.intersect1d(keys, later_keys, return_indices=True)
    assert len(shared) > 1000
    before, after = before[first], after[second]
    jump = np.linalg.norm(before[:, :3] - after[:, :3], axis=1) / before[:, 3]
    assert jump.max() < 0.3 * Camera().pixel_angle(270), "as the eye sees it: no point jumps by a third of a row"


def test_shallow_water_shows_its_sand_and_deep_water_does_not():
    deep, lagoon, beach = (water_reflectance(depth) for depth in (math.inf, 3.0, 0.01))
    assert deep == water_reflectance(500.0) == (0.006, 0.026, 0.04)
    assert lagoon[1] > lagoon[2] > 2 * lagoon[0], "turquoise"
    assert beach[0] > beach[2] > 0.2
    assert f"EXTINCTION = vec3({', '.join(map(str, (0.36, 0.085, 0.075)))})" in assemble("ocean/underwater.glsl").text
    bottom = assemble("ocean/bottom.glsl", {"TILES": 1}).text
    assert f"SAND_ALBEDO = vec3{water_reflectance(0.0)}" in bottom


def _uniforms(simulation: OceanSimulation, time: float) -> dict[str, np.ndarray]:
    """All that shaders are told of a sea and a time, as they see it."""
    said = {**shading_uniforms(simulation, time), **spray_uniforms(simulation, time)}
    changing = simulation._maps.changing or (threshold_of(simulation.tiles), simulation.choppiness)
    assert changing[1] == pytest.approx(simulation.choppiness)
    said |= {"choppiness": simulation.choppiness, "threshold": changing[0]}
    seen = {name: np.atleast_1d(np.asarray(value, dtype=np.float32)).astype(float) for name, value in said.items()}
    # Lives are counted in whole numbers.
    lived = said["lives_before"] + seen.pop("share")
    return {**seen, "lived": lived, "lives_before": np.zeros(1)}


def test_nothing_that_shaders_are_told_jumps_while_a_sea_becomes_another(ctx):
    """From a lagoon to a storm, and back from halfway: no step is more than a tenth of a change in two seconds."""
    grid = OceanSettings(size=64, tile=1200.0, cascades=3, foam_lifetime=0.05, foam_threshold=0.9)
    lagoon = preset("lagoon", grid)
    storm = replace(preset("storm", grid), choppiness=0.7, wind_direction=0.4, foam_threshold=0.7)
    series = []
    with OceanSimulation(ctx, lagoon) as simulation:
        for frame in range(105):
            time = 50.0 + frame / 30
            if frame == 5:
                simulation.morph(storm, 2.0)
            elif frame == 40:
                assert simulation.morphing
                simulation.morph(lagoon, 2.0)
            simulation.update(time)
            # The time stands still, since what moves by itself is not meant here.
            series.append(_uniforms(simulation, 50.0))
        assert not simulation.morphing
    for name in series[0]:
        values = np.array([each[name] for each in series])
        assert np.all(np.isfinite(values)), name
        change = np.ptp(values, axis=0)
        assert np.all(np.abs(np.diff(values, axis=0)).max(axis=0) <= 0.12 * change), name
        assert values[-1] == pytest.approx(values[0], rel=1e-6), name
    moved = {name for name in series[0] if np.ptp([each[name] for each in series], axis=0).max() > 0}
    assert moved >= {"unresolved", "ripple_gain", "water_reflectance", "significant_height", "wind", "strength"}
    assert moved >= {"choppiness", "threshold", "downwind"}


@pytest.mark.parametrize("hour", [3600.0, 7200.0, 86400.0, 1e6])
def test_what_moves_by_itself_goes_on_after_any_hour(ctx, hour):
    """In float32, as shaders see it: gusts, ripples and spray move as far from frame to frame as at the start."""
    with OceanSimulation(ctx, replace(SEA, size=16, foam_lifetime=0.05)) as simulation:
        simulation.update(0.0)
        early, late = ([_uniforms(simulation, start + shift) for shift in (-0.01, 0.01)] for start in (1.0, hour))
    for name in early[0]:
        steps = [after[name] - before[name] for before, after in (early, late)]
        if name == "ripple_origin":  # whole tiles look the same
            steps = [each - np.rint(each) for each in steps]
        slack = {"ripple_origin": 1e-6, "gust_drift": 0.5, "lived": 1e-6}.get(name, 0.0)
        np.testing.assert_allclose(steps[1], steps[0], atol=slack, err_msg=name)
    assert abs(early[1]["ripple_origin"] - early[0]["ripple_origin"]).min() > 1e-4


@pytest.mark.parametrize(("height", "lens", "tile"), [(300.0, 1.08, 120.0), (5000.0, 0.69, 1200.0)])
def test_from_above_no_tile_is_seen_again(ctx, height, lens, tile):
    """The picture of a sea straight below, moved by a tile along the axes of its readings, is hardly like itself."""
    size, settings = (192, 192), OceanSettings(size=64, tile=tile, wind=12.0, **HARDLY_FOAM)
    camera = Camera((40.0, height, 70.0), pitch=-math.pi / 2, lens=lens)
    # Glare of few rows: its transforms compile sooner, and the radiance is without.
    quality = replace(MEDIUM, glare_rows=15)
    scene, target = OceanScene(ctx, size, Weather(sun_elevation=0.9), quality), ctx.simple_framebuffer(size)
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(3.0)
        scene.draw(simulation, camera, 3.0, target)
        radiance = np.frombuffer(scene._picture.radiance.read(), np.float16).reshape(*size, 4)[..., 1].astype(float)
    for each in (scene, target):
        each.release()
    # Light and dark without the slow change over the picture.
    rows, columns = np.indices(size) / size[0]
    slow = np.stack([rows**i * columns**j for i in range(4) for j in range(4 - i)], axis=-1).reshape(-1, 10)
    seen = np.log(radiance).ravel()
    seen = (seen - slow @ np.linalg.lstsq(slow, seen, rcond=None)[0]).reshape(size)
    assert seen.std() > 5e-3, "there is something to see"
    pixels = tile / (2 * height * math.tan(lens / 2) / size[0])
    angles = [reading + quarter for reading in (0.0, math.radians(-23.0)) for quarter in (0.0, math.pi / 2)]
    alike = [_likeness(seen, pixels * math.cos(angle), pixels * math.sin(angle)) for angle in angles]
    assert max(alike) < 0.4, "0.6 to 0.7 if the tile were read once"


def _likeness(picture: np.ndarray, right: float, down: float) -> float:
    """The largest correlation of a picture with itself moved by about so many pixels."""
    found = []
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            y, x = round(down) + i, round(right) + j
            here = picture[max(0, y) : len(picture) + min(0, y), max(0, x) : len(picture) + min(0, x)]
            there = picture[max(0, -y) : len(picture) - max(0, y), max(0, -x) : len(picture) - max(0, x)]
            found.append(np.corrcoef(here.ravel(), there.ravel())[0, 1])
    return max(found)


def test_sand_with_weed_sends_up_as_much_as_sand_on_the_average(ctx):
    """Over a square of 2 km, in even light; the bottom is darker in some places than in others."""
    light = _drawn(
        ctx,
        _water_functions(),
        "bottom_light(screen * 1000.0, vec2(0.0), vec3(0.3, -0.95, 0.0), 0.0, 1.0)",
        size=(256, 256),
        water_depth=3.0,
    )[..., 0]
    assert light.mean() == pytest.approx(1.0, abs=0.06)
    assert light.min() < 0.6 < 1.1 < light.max()


def test_patches_of_weed_have_edges_in_all_directions(ctx):
    """The mean of cos 4a, for the angle a of a step of light, is 1 for squares along the axes."""
    call = "light_of_sand(200.0 * screen + vec2(300.0, -100.0), 0.0, 1.0)"
    steps = np.gradient(_drawn(ctx, _water_functions(), call, (800, 800))[..., 0])
    squares, turns = steps[0] ** 2 + steps[1] ** 2, 4 * np.arctan2(*steps)
    for wave in (np.cos(turns), np.sin(turns)):
        assert abs((squares * wave).sum() / squares.sum()) < 0.08


def test_beds_of_weed_are_of_many_sizes(ctx):
    """Squares from 8 to 64 m wide differ nearly as much as narrower ones: there are banks, beds, lanes and tufts."""
    light = _drawn(ctx, _water_functions(), "light_of_sand(1024.0 * screen, 0.0, 1.0)", (1024, 1024))[..., 0]
    means = [light.reshape(1024 // side, side, 1024 // side, side).mean(axis=(1, 3)) for side in (1, 4, 16, 32, 64)]
    deviations = [each.std() for each in means]
    assert deviations[-1] > 0.3 * deviations[0]
    # Pixels of several metres show the mean of tufts and lanes, not one place of each.
    coarse = _drawn(ctx, _water_functions(), "light_of_sand(1024.0 * screen, 0.0, 32.0)", (1024, 1024))[..., 0]
    narrow = [each - gaussian_filter(each, 4.0) for each in (light, coarse)]
    assert narrow[1].std() < 0.6 * narrow[0].std()
    assert coarse.mean() == pytest.approx(light.mean(), abs=0.04)


@pytest.mark.parametrize("elevation", [5.0, 15.0, 40.0, 80.0])
def test_the_sun_that_is_seen_through_the_surface_is_all_that_the_surface_lets_in(ctx, elevation):
    """Its light over all directions under water, against Fresnel's transmittance of slopes seen from the sun."""
    height, deviation = math.sin(math.radians(elevation)), 0.1
    sun = math.cos(math.radians(elevation)), height, 0.0
    # Each pixel is a direction, as many in any part of the hemisphere as its light counts on a level surface.
    up = "sqrt(max(1e-6, 1.0 - dot(screen, screen)))"
    through = f"sun_through(vec3(0, 1, 0), vec3(screen.x, {up}, screen.y), vec3({deviation**2}, {deviation**2}, 0))"
    light = _drawn(
        ctx, _water_functions(), f"dot(screen, screen) < 1.0 ? {through} : 0.0", size=(512, 512), sun_direction=sun
    )[..., 0]
    # Each facet takes the light that falls on it. Disk and lens add 0.01 rad, about 0.012 of slope for a low sun.
    deviation += 0.012 if elevation < 20 else 0.025
    slope_x, slope_z = np.meshgrid(*[np.linspace(-5.0, 5.0, 201) * deviation] * 2)
    density = np.exp(-0.5 * (slope_x**2 + slope_z**2) / deviation**2)
    facing = np.maximum(0.0, height - slope_x * sun[0])
    cosine = facing / np.sqrt(1 + slope_x**2 + slope_z**2)
    inside = np.sqrt(1 - (1 - cosine**2) / 1.34**2)
    across = (cosine - 1.34 * inside) / (cosine + 1.34 * inside)
    along = (1.34 * cosine - inside) / (1.34 * cosine + inside)
    passed = (density * facing * (1 - (across**2 + along**2) / 2)).sum() / density.sum()
    assert 4 * light.mean() == pytest.approx(passed, rel=0.05)


def test_a_shader_with_all_parts_draws_what_one_without_those_unseen_does(ctx):
    """As on GPUs; sand too deep to be seen from above is not lit, whatever the texture of its light holds."""
    pictures = []
    for whole in (False, True):
        scene, target = OceanScene(ctx, SIZE, Weather(), MEDIUM), ctx.simple_framebuffer(SIZE)
        scene._water._whole = whole
        caustics = scene._water._caustics
        caustics.write(np.full((caustics.height, caustics.width), np.nan, np.float16).tobytes())
        with OceanSimulation(ctx, replace(SEA, depth=45.0)) as simulation:
            simulation.update(3.0)
            scene.draw(simulation, Camera((0.0, 20.0, 0.0), pitch=math.radians(-20.0)), 3.0, target)
        pictures.append(np.frombuffer(target.read(), np.uint8).astype(int))
        for each in (scene, target):
            each.release()
    assert len(np.unique(pictures[0])) > 20
    # Two programs: a GPU's compiler may round them differently.
    assert np.abs(pictures[0] - pictures[1]).mean() < 0.05


def test_a_dead_calm_mirrors_the_sun_wherever_it_is_between_two_pixels(ctx):
    """The sun's image, narrower than a pixel here, would else come and go as the camera turns."""
    size, weather = (160, 90), Weather(sun_elevation=0.035, sun_heading=0.0, clouds=0.0)
    scene, target = OceanScene(ctx, size, weather, MEDIUM), ctx.simple_framebuffer(size)
    light = []
    with OceanSimulation(ctx, OceanSettings(size=32, tile=60.0, wind=0.05, **HARDLY_FOAM)) as simulation:
        simulation.update(3.0)
        for heading in np.linspace(0.0, math.radians(38.0) / 90, 5):  # the angle of a pixel
            scene.draw(simulation, Camera((0.0, 3.0, 0.0), heading), 3.0, target)
            water = radiance_of(scene._picture)[:48, 60:100, 1]
            light.append((water - np.median(water, axis=1, keepdims=True)).sum())
    for each in (scene, target):
        each.release()
    assert 0 < max(light) < 1.05 * min(light)


def test_waves_are_seen_on_towards_the_horizon(ctx):
    """Waves as long as a hundred pixels are no mere roughness: contrast along rows falls slowly with the distance."""
    size, quality, camera = (320, 180), replace(MEDIUM, glare_rows=15), Camera((0.0, 60.0, 0.0), pitch=-0.1, lens=0.3)
    scene, target = OceanScene(ctx, size, Weather(sun_elevation=0.9), quality), ctx.simple_framebuffer(size)
    with OceanSimulation(ctx, OceanSettings(size=128, tile=250.0, wind=8.0, **HARDLY_FOAM)) as simulation:
        simulation.update(3.0)
        scene.draw(simulation, camera, 3.0, target)
        light = np.log(radiance_of(scene._picture)[..., 1])
    for each in (scene, target):
        each.release()
    slow = light.reshape(len(light), 16, 20).mean(axis=2).repeat(20, axis=1)
    contrast = (light - slow).std(axis=1)
    near, far = contrast[8:24].mean(), contrast[76:92].mean()  # 240 m and 520 m away
    assert far > 0.4 * near, "0.2 times if the waves were read as roughness from where their tile has 200 pixels on"


FOAM_LIGHT = "foam.cover * mix(FILM_ALBEDO, FOAM_ALBEDO, foam.thickness).g * foam.grains"


def _foam_drawn(ctx, shown, cover, metres, pixel, texels, windrows):
    """`shown`, two numbers of `foam`, drawn over a square of the sea, with so many metres a unit of the screen."""
    water = Water(ctx)
    water._foam_pattern.use(7)
    foam = f"Foam foam = foam_at({metres} * screen, {cover}, vec2(0.0), {pixel}, {pixel});"
    functions = f"{_water_functions()} vec4 drawn(vec2 screen) {{ {foam} return vec4({shown}, 0, 0); }}"
    size, given = (texels, texels), {"foam_pattern": 7, "windrows": windrows, "downwind": (1, 0)}
    drawn = _drawn(ctx, functions, "drawn(screen)", size, **given)[..., :2]
    water.release()
    return drawn


@pytest.mark.parametrize("cover", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("windrows", [0.0, 1.0])
def test_the_finest_foam_covers_as_much_as_without_it(ctx, cover, windrows):
    """Pixels of 4 mm show lace that pixels of 12 cm do not; the mean over the sea is alike, and so is its light."""
    found = []
    for pixel in (0.004, 0.12):
        drawn = _foam_drawn(ctx, "foam.cover, foam.grains", cover, 30.0, pixel, 512, windrows)
        covered = drawn[..., 0].astype(float)
        found.append((covered.mean(), (covered * drawn[..., 1]).mean() / covered.mean()))
        assert covered.std() > 0.05
    assert found[0][0] == pytest.approx(found[1][0], abs=0.045)
    assert found[0][1] == pytest.approx(found[1][1], abs=0.09)


@pytest.mark.parametrize("cover", [0.88, 1.0])
@pytest.mark.parametrize("windrows", [0.0, 0.5, 0.77])
def test_fresh_foam_from_far_off_is_the_mean_of_what_it_is_close_by(ctx, cover, windrows):
    """Pixels of 1.2 m against the means of pixels of 15 cm: cover, light, its spread, and how much of it is white."""
    found = []
    for times in (8, 1):
        drawn = _foam_drawn(ctx, f"foam.cover, {FOAM_LIGHT}", cover, 76.8, 1.2 / times, 128 * times, windrows)
        covered, light = np.moveaxis(drawn.reshape(128, times, 128, times, 2).mean(axis=(1, 3)), -1, 0)
        found.append((covered.mean(), light.mean(), light.std(), (light > 0.65).mean()))
    assert found[1] == pytest.approx(found[0], abs=0.04), "light was 0.07 more, and 0.6 of it white in place of 0.3"


def test_foam_of_a_storm_has_shades_from_far_off(ctx):
    """Pixels of 30 cm: breaking crests are white with grey in them, decaying foam is dark and nowhere white."""
    light = {cover: _foam_drawn(ctx, f"{FOAM_LIGHT}, 0", cover, 77.0, 0.3, 512, 1.0)[..., 0] for cover in (0.3, 0.8)}
    assert np.median(light[0.8]) > 0.45
    assert ((light[0.8] > 0.06) & (light[0.8] < 0.3)).mean() > 0.2
    assert np.percentile(light[0.3], 99) < 0.35
    assert light[0.3].mean() > 0.05


@pytest.mark.parametrize(("pitch", "lens", "least"), [(-0.35, 0.07, 0.57), (-0.08, 0.04, 0.3)])
def test_foam_seen_at_a_slant_keeps_its_threads(ctx, scene_of, pitch, lens, least):
    """Steps between pixels are many of those in the same picture drawn twelve times as fine and averaged."""
    camera, size, times = Camera((0.0, 4.0, 0.0), pitch=pitch, lens=lens), (64, 36), 12
    storm = replace(SEA, wind=26.0, foam_lifetime=2.0, foam_threshold=0.9, foam_gain=3.0)
    steps = []
    with OceanSimulation(ctx, storm) as simulation:
        simulation.update(4.0)
        for each in (1, times):
            scene = scene_of((each * size[0], each * size[1]), Weather(low_clouds=1.0))
            scene.draw_light(simulation, camera, 4.0)
            light = radiance_of(scene._picture)[..., 1].reshape(size[1], each, size[0], each).mean(axis=(1, 3))
            steps.append(np.abs(np.diff(light, axis=1)).mean() / light.mean())
    assert least < steps[0] / steps[1] < 1.0


def test_a_sea_that_turns_again_and_again_takes_no_longer_for_it(ctx):
    calm = OceanSettings(size=16, tile=120.0)
    with OceanSimulation(ctx, calm) as simulation:
        for turn in range(40):
            simulation.update(float(turn))
            simulation.morph(replace(calm, wind=5.0 + 0.1 * turn), 2.0)
        simulation.update(40.0)
        assert 20 < len(simulation.shares) < 35  # each turn halves the shares of all before
        misses = []
        for _ in range(3):  # the frames after the first know the spectrum of each of them
            for of in (short_slope_variance, lambda each: unresolved_slopes(each)[0]):
                assert simulation.mean(of) > 0
            assert simulation.significant_height > 0
            misses.append(waves._energy_density.cache_info().misses)
        assert misses[1:] == misses[:1] * 2
