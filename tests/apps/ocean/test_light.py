"""The light of the sea: nothing is counted twice or left out, on any device."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.golden_seas import radiance_of
from support.tolerances import LIGHT

from glfft.apps.ocean import water
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import MEDIUM
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import first_camera
from glfft.apps.ocean.sky import Sky, Weather
from glfft.gl import programs
from glfft.gl.source import Source
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SIZE = (96, 54)
SEA = OceanSettings(size=32, wind=14.0, tile=120.0, foam_gain=0.0, foam_lifetime=0.1)


@pytest.fixture
def change_shaders(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Gives a function that replaces texts, in pairs of one and its new one, in all shaders that have them."""
    assemble = programs.assemble

    def change(*pairs: tuple[str, str]) -> None:
        def changed(*asked: Any) -> Source:
            source = assemble(*asked)
            for text, by in pairs:
                source = replace(source, text=source.text.replace(text, by))
            return source

        monkeypatch.setattr(programs, "assemble", changed)

    return change


# Every quality has 4 samples, and a device without them has 1.
@pytest.mark.parametrize("samples", [1, 4, *(pytest.param(count, marks=pytest.mark.slow) for count in (2, 8))])
def test_the_weights_of_a_pixel_add_up_to_one(
    ctx: moderngl.Context, change_shaders: Callable[..., None], samples: int
) -> None:
    """Water that sends the same light everywhere is as bright in the picture, and at its edges in proportion."""
    pictures = []
    for light in (1.0, 3.0):
        constant = (
            f"vec3 water_radiance(vec2 a, vec2 b, vec2 c, float d, vec3 e, float f) {{ return vec3({light}); }}\n"
        )
        change_shaders(("vec3 water_radiance(", constant + "vec3 not_called("))
        scene = OceanScene(ctx, SIZE, Weather(), replace(MEDIUM, samples=samples))
        target = ctx.simple_framebuffer(SIZE, components=3)
        with OceanSimulation(ctx, SEA) as simulation:
            simulation.update(3.0)
            scene.draw(simulation, first_camera(SEA), 3.0, target)
        pictures.append(radiance_of(scene._picture))
        counted = scene._picture.samples
        for each in (scene, target):
            each.release()
    weights = (pictures[1] - pictures[0]) / 2.0
    lower = SIZE[1] // 3
    np.testing.assert_allclose(pictures[0][:lower], 1.0, rtol=LIGHT)
    np.testing.assert_allclose(weights[:lower], 1.0, rtol=LIGHT)
    np.testing.assert_allclose(weights, np.rint(weights * counted) / counted, atol=LIGHT)
    assert weights.max() < 1 + LIGHT
    assert weights[-lower:].max() == 0.0, "there is only sky"


# --- In a furnace -------------------------------------------------------------------------------------------

FURNACE = np.array([0.5, 0.7, 0.9])
VARIANCE = 0.01
# Changes of shaders: water that takes no light, or scatters none; a bottom without weed; and wind without gusts.
CLEAR = "EXTINCTION = vec3(0.36, 0.085, 0.075)", "EXTINCTION = vec3(0.0)"
BLACK = "WATER_SCATTER = vec3(0.010, 0.062, 0.100)", "WATER_SCATTER = vec3(0.0)"
BARE = "float bright = mix(1.2, 0.5, grown) * mix(1.1, 0.9, bank);", "float bright = 1.0;"
EVEN_WIND = "float gusts(vec2 point) {", "float gusts(vec2 point) { return 1.0; }\nfloat uneven(vec2 point) {"


def foam_of(cover: float) -> tuple[str, str]:
    """The change of shaders that spreads foam of a middling thickness over such a share of all water."""
    aged = "foam.thickness *= 1.0 - aged * (0.2 + 0.7 * thin);"
    return aged, f"foam = Foam({cover}, 0.5, 0.0, vec2(0.0), 1.0);"


@pytest.fixture
def furnace(ctx: moderngl.Context) -> Iterator[Any]:
    """A sky of one colour all around, without a sun."""
    sky = Sky(ctx, Weather(low_clouds=0.0, clouds=0.0))
    colours = np.append(FURNACE, 1.0)
    everywhere = np.tile(colours, (sky.environment.height, sky.environment.width, 1))
    sky.environment.write(everywhere.astype(np.float16).tobytes())
    sky._mipmaps.make()
    sky.sun_colour, sky.sky_irradiance = np.zeros(3), math.pi * FURNACE
    yield sky
    sky.release()


def _flat_water(
    ctx: moderngl.Context,
    sky: Sky,
    camera: Camera,
    monkeypatch: pytest.MonkeyPatch,
    sea: OceanSettings = SEA,
    **more: object,
) -> npt.NDArray[np.float64]:
    """The radiance of rough water without waves in clear air, [height, width, 3], the lowest row first."""
    uniforms = water.shading_uniforms
    flat = {"unresolved": (VARIANCE, VARIANCE, 0.0), "ripple_share": 0.0, **more}
    monkeypatch.setattr(water, "shading_uniforms", lambda *asked: {**uniforms(*asked), **flat})
    monkeypatch.setattr(water, "seen_through_air", lambda *_: 1e9)
    monkeypatch.setattr(Sky, "exposure", lambda *_, **__: 1.0)  # what is under water is not made brighter for display
    picture, surface = Picture(ctx, SIZE, 4), water.Water(ctx, MEDIUM)
    with OceanSimulation(ctx, sea) as simulation:
        simulation.set_amplitudes(np.zeros((sea.size, sea.size), np.complex64))
        simulation.update(3.0)
        picture.uniforms = water.uniforms_of(picture, simulation, sky, camera, 3.0)
        with ctx.scope(picture.mesh):
            ctx.viewport = (0, 0, *SIZE)
            picture.clear()
            surface.draw_mesh(simulation, camera, SIZE[0] / SIZE[1], 2 * SIZE[1])
            surface.find_lens_depths(picture, simulation)
        sky.draw_background(picture, surface.light_bottom(picture, simulation))
        surface.shade(picture, simulation, sky)
    radiance = radiance_of(picture)
    for each in (picture, surface):
        each.release()
    return radiance


def _directions(camera: Camera) -> npt.NDArray[np.float64]:
    """Unit vectors from the eye to each pixel, [height, width, 3], the lowest row first."""
    rows = (np.arange(SIZE[1]) + 0.5) / SIZE[1] * 2 - 1
    columns = (np.arange(SIZE[0]) + 0.5) / SIZE[0] * 2 - 1
    screen = np.stack([*np.broadcast_arrays(columns[None], rows[:, None]), -np.ones(SIZE[::-1])], axis=-1)
    view = screen @ camera.screen_to_world(SIZE[0] / SIZE[1]).T
    return np.asarray(view / np.linalg.norm(view, axis=-1, keepdims=True))


@pytest.mark.parametrize("lens", [0.6, 2.1])
def test_a_pixel_covers_what_lies_between_its_neighbours(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    lens: float,
) -> None:
    """Also far from the middle of a wide picture, where pixels are smaller angles: it was up to 4 times as much."""
    body = "{ return vec3(length(right), length(above), most); }"
    told = f"vec3 water_radiance(vec2 a, vec2 right, vec2 above, float most, vec3 e, float f) {body}\n"
    change_shaders(("vec3 water_radiance(", told + "vec3 not_called("))
    camera = Camera((0.0, 20.0, 0.0), pitch=-0.6, lens=lens)
    found = _flat_water(ctx, furnace, camera, monkeypatch)[1:-1, 1:-1]
    view = _directions(camera)
    place = 20.0 * view[..., ::2] / np.maximum(-view[..., 1:2], 1e-3)
    right, above = (place[1:-1, 2:] - place[1:-1, :-2]) / 2, (place[2:, 1:-1] - place[:-2, 1:-1]) / 2
    # The longer axis of the ellipse: the larger singular value.
    most = np.linalg.svd(np.stack([right, above], axis=-1), compute_uv=False)[..., 0]
    near = view[2:, 1:-1, 1] < -0.2
    assert near.mean() > 0.4
    np.testing.assert_allclose(found[near, 2], most[near], rtol=0.04)
    # These two are filtered over both neighbours, of which the nearer one counts.
    for steps, length in ((found[..., 0], right), (found[..., 1], above)):
        times = steps[near] / np.linalg.norm(length[near], axis=-1)
        assert 1.3 < times.min() < times.max() < 2.1


def test_water_in_a_furnace_sends_what_the_closed_form_says(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Mean reflectance of rough water (Bruneton et al. 2010, equation 18), and what comes back up from below it."""
    change_shaders(EVEN_WIND)
    camera = Camera((0.0, 8.0, 0.0), pitch=math.radians(-32.0))
    found = _flat_water(ctx, furnace, camera, monkeypatch)
    cosine = -_directions(camera)[..., 1:2]
    deviation = math.sqrt(VARIANCE)
    reflected = 0.02 + 0.98 * (1 - cosine) ** (5 * math.exp(-2.69 * deviation)) / (1 + 22.7 * deviation**1.5)
    # Level water sends 0.9 of its mean up (`returned` in water_light.glsl). Even light enters by Fresnel's equations;
    # of what comes from below, that share over the squared index leaves (all ways reversed), and the rest goes back.
    index, slant = 1.34, (np.arange(20000) + 0.5) / 20000
    inside = np.sqrt(1 - (1 - slant**2) / index**2)
    across = (slant - index * inside) / (slant + index * inside)
    along = (index * slant - inside) / (index * slant + inside)
    leaving = (2 * slant * (1 - (across**2 + along**2) / 2)).mean() / index**2
    returned = 0.9 * np.array(water.water_reflectance(SEA.depth))
    from_below = leaving * returned / (1 - (1 - leaving) * returned)
    expected = FURNACE * (reflected + (1 - reflected) * from_below)
    np.testing.assert_allclose(found.mean(axis=(0, 1)), expected.mean(axis=(0, 1)), rtol=LIGHT)
    np.testing.assert_allclose(found.mean(axis=1), expected.mean(axis=1), rtol=2 * LIGHT)


def test_the_sky_of_a_furnace_is_brighter_through_snells_window(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the square of the refractive index, less what is mirrored: Fresnel's equations integrated over the slopes."""
    # The water in front of the window adds and takes nothing.
    change_shaders(EVEN_WIND, CLEAR, BLACK)
    camera = Camera((0.0, -1.0, 0.0), pitch=math.radians(50.0))
    found = _flat_water(ctx, furnace, camera, monkeypatch)
    index, cosine = 1.34, _directions(camera)[..., 1:2]
    steps = np.linspace(-4.0, 4.0, 401)
    inside = np.clip(cosine + steps * np.sqrt(VARIANCE * (1 - cosine**2)), 1e-6, 1.0)
    outside = np.sqrt(np.maximum(0.0, 1 - index**2 * (1 - inside**2)))
    across = (index * inside - outside) / (index * inside + outside)
    along = (inside - index * outside) / (inside + index * outside)
    weights = np.exp(-0.5 * steps**2) / np.exp(-0.5 * steps**2).sum()
    passed = 1 - ((across**2 + along**2) / 2 * weights).sum(axis=-1, keepdims=True)
    assert passed.max() > 0.97, "inside the edge"
    assert passed.min() < 0.1, "and beyond it"
    np.testing.assert_allclose(found / (index**2 * FURNACE), np.broadcast_to(passed, found.shape), atol=0.04)


def test_foam_seen_from_below_passes_what_it_does_not_send_up(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same light before the sky and before the mirrored deep, over water that sends none up: it was not seen."""
    change_shaders(EVEN_WIND, CLEAR, BLACK, foam_of(1.0))
    camera = Camera((0.0, -1.0, 0.0), pitch=math.radians(50.0))
    found = _flat_water(ctx, furnace, camera, monkeypatch, water_reflectance=(0.0, 0.0, 0.0))
    expected = np.broadcast_to((1 - (0.43 + 0.82) / 2) * FURNACE, found.shape)
    np.testing.assert_allclose(found, expected, rtol=LIGHT)


@pytest.mark.parametrize("foam", [0.0, 0.6])
def test_all_is_one_light_over_a_white_bottom_in_a_furnace(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    foam: float,
) -> None:
    """In clear water nothing takes light: bottom, foam, their mirror images and the sky in the window look alike."""
    white = "SAND_ALBEDO = vec3(0.34, 0.31, 0.24)", "SAND_ALBEDO = vec3(1.0)"
    change_shaders(EVEN_WIND, CLEAR, BARE, white, foam_of(foam))
    camera = Camera((0.0, -1.0, 0.0), lens=math.radians(110.0))
    found = _flat_water(ctx, furnace, camera, monkeypatch, replace(SEA, depth=3.0), water_reflectance=(1.0, 1.0, 1.0))
    heights = _directions(camera)[..., 1]
    assert heights.min() < -0.75
    assert heights.max() > 0.75, "from the bottom to the window"
    seen = abs(heights) > 0.03  # at the horizon neither surface nor bottom is met
    expected = np.broadcast_to(1.34**2 * FURNACE, found.shape)
    np.testing.assert_allclose(found[seen], expected[seen], rtol=LIGHT)


@pytest.mark.parametrize("depth", [2.0, 12.0])
def test_the_bottom_fades_by_the_way_through_the_water(
    ctx: moderngl.Context,
    furnace: Sky,
    change_shaders: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    depth: float,
) -> None:
    """Sand under a furnace from 1 m below the surface: light on its way down, and up along the ray (Beer's law)."""
    change_shaders(BLACK, BARE)
    camera = Camera((0.0, -1.0, 0.0), pitch=math.radians(-45.0))
    found = _flat_water(ctx, furnace, camera, monkeypatch, replace(SEA, depth=depth))
    index, from_sky = 1.34, 0.0675  # of even light from above, water mirrors so much (Fresnel)
    held = 1 - (1 - from_sky) / index**2
    extinction = np.array((0.36, 0.085, 0.075))
    entered = (1 - from_sky) / (1 - held * np.array(water.water_reflectance(depth)))
    ways = depth + (depth - 1) / -_directions(camera)[..., 1:2]
    expected = FURNACE * (0.34, 0.31, 0.24) * entered * np.exp(-extinction * ways)
    np.testing.assert_allclose(found, expected, rtol=LIGHT, atol=1e-4)


# --- The sky's light ----------------------------------------------------------------------------------------

_IRRADIANCE = """#version 430
uniform sampler2D environment;
in vec2 screen;
out vec4 colour;
const float PI = 3.14159265358979;
void main() {
    // Each pixel is a direction, as many in any part of the sky as its light counts on a level surface.
    vec2 share = 0.5 + 0.5 * screen;
    float elevation = asin(sqrt(share.y));
    vec2 uv = vec2(share.x, sqrt(elevation / (0.5 * PI)));
    colour = vec4(PI * textureLod(environment, uv, 0.0).rgb, 1.0);
}
"""


@pytest.mark.parametrize(
    "weather", [Weather(), Weather(sun_elevation=0.9, low_clouds=0.6), Weather(sun_elevation=0.02)]
)
def test_the_skys_irradiance_is_what_the_gpu_integrates(ctx: moderngl.Context, weather: Weather) -> None:
    sky = Sky(ctx, weather)
    program = ctx.program(vertex_shader=programs.assemble("ocean/fullscreen.vert").text, fragment_shader=_IRRADIANCE)
    texture = ctx.texture((512, 512), 4, dtype="f4")
    framebuffer, triangle = ctx.framebuffer([texture]), ctx.vertex_array(program, [])
    sky.environment.use(0)
    program["environment"] = 0
    with ctx.scope(framebuffer):
        ctx.viewport = (0, 0, *texture.size)
        triangle.render(vertices=3)
    values = np.frombuffer(texture.read(), np.float32).reshape(-1, 4)[:, :3].astype(np.float64)
    np.testing.assert_allclose(values.mean(axis=0), sky.sky_irradiance, rtol=LIGHT)
    for each in (triangle, framebuffer, texture, program, sky):
        each.release()
