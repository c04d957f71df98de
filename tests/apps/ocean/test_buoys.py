"""Buoys: on the water that is drawn, in the same frame, hidden by waves, and gone with the scene."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.apps.ocean import buoys
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import MEDIUM
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.sky import Weather
from glfft.apps.ocean.water import Water, uniforms_of, visible_patches
from glfft.apps.picture_files import read_picture
from glfft.gl.programs import set_uniforms
from glfft.gl.source import assemble
from glfft.sea.queries import SurfaceLookup
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

# No side is a power of two, as in other tests: a software renderer has shaders of its own for textures of such sides.
SIZE = (144, 81)
SEA = OceanSettings(size=64, tile=120.0, wind=12.0, foam_lifetime=0.1, foam_threshold=0.5)
# Glare of few rows: its transforms are short then, and compile sooner.
ALIASED = replace(MEDIUM, samples=0, glare_rows=15)
CAMERA = Camera((0.0, 4.0, 0.0), pitch=-0.15)
AHEAD = np.array([[14.0, -1.0]])


def picture(ctx: moderngl.Context, scene: OceanScene, simulation: OceanSimulation, camera: Camera, time: float):
    simulation.update(time)
    target = ctx.simple_framebuffer(SIZE, components=3)
    scene.draw(simulation, camera, time, target)
    shown = read_picture(target).astype(int)
    target.release()
    return shown


def mesh_heights(water: Water, places: np.ndarray, camera: Camera, anchors: np.ndarray) -> tuple[np.ndarray, float]:
    """Height of the drawn mesh over places of the world, and the widest triangle there, m."""
    assert water._moved is not None
    corners_a_patch = (water._cells + 1) ** 2
    moved = np.frombuffer(water._moved.read(), np.float32).reshape(-1, corners_a_patch, 4)[..., :3].astype(float)
    moved = moved[: len(places)]
    world = moved + camera.position
    world[..., 1] += (moved[..., ::2] ** 2).sum(axis=2) / (2 * 6360e3)
    indices = np.frombuffer(water._triangles.read(), np.uint16).reshape(-1, 3)
    near = np.abs(places[:, :2] + places[:, 2:3] / 2 - anchors.mean(axis=0)).max(axis=1) < places[:, 2] / 2 + 20.0
    triangles = world[near][:, indices].reshape(-1, 3, 3)
    triangles = triangles[np.abs(triangles.mean(axis=1)[:, ::2] - anchors.mean(axis=0)).max(axis=1) < 15.0]
    found, widest = np.full(len(anchors), np.nan), 0.0
    for index, anchor in enumerate(anchors):
        level = triangles[..., ::2]
        near = np.all((level.min(axis=1) <= anchor) & (level.max(axis=1) >= anchor), axis=1)
        for corners in triangles[near]:
            edges = (corners[1:] - corners[0])[:, ::2].T
            shares = np.linalg.solve(edges, anchor - corners[0, ::2]) if np.linalg.det(edges) else np.array([9.0, 9.0])
            if shares.min() >= -1e-6 and shares.sum() <= 1 + 1e-6:
                found[index] = corners[0, 1] + shares @ (corners[1:, 1] - corners[0, 1])
                widest = max(widest, float(np.abs(edges).max()))
    return found, widest


@pytest.mark.parametrize(("wind", "tiles", "size"), [(5.0, 1, 64), (14.0, 2, 128)])
def test_a_buoys_waterline_is_on_the_drawn_mesh(ctx, monkeypatch, wind, tiles, size):
    """Looked up without the width of the float, the height at its anchor is that of the triangles there."""
    written = []

    def choose_and_note(*seen):
        written.append(visible_patches(*seen))
        return written[-1]

    monkeypatch.setattr("glfft.apps.ocean.water.visible_patches", choose_and_note)
    settings = replace(SEA, size=size, tile=300.0 * size / 128, wind=wind, cascades=tiles)
    anchors = np.random.default_rng(3).uniform((6.0, -8.0), (26.0, 8.0), (40, 2)).astype(np.float32)
    water, target = Water(ctx), ctx.simple_framebuffer(SIZE)
    points, answers = ctx.buffer(anchors.tobytes()), ctx.buffer(reserve=40 * SurfaceLookup.bytes_an_answer)
    with OceanSimulation(ctx, settings) as simulation, ctx.scope(target):
        simulation.update(7.0)
        water.draw_mesh(simulation, CAMERA, 1.6, 270)
        drawn, widest = mesh_heights(water, written[0], CAMERA, anchors)
        lookup = SurfaceLookup(ctx, blended=True, fine=False)
        lookup.run(simulation, points, answers, 40)
        ctx.finish()
        rides = np.frombuffer(answers.read(), np.float32).reshape(40, 12)
    for thing in (water, target, points, answers):
        thing.release()
    assert np.isfinite(drawn).all()
    assert np.ptp(drawn) > 0.1
    # A wave of ten cells of the mesh, a tenth as high, loses a twelfth of its height to triangles.
    assert np.abs(rides[:, 0] - drawn).max() < 0.02 + 0.083 * widest
    assert np.std(rides[:, 0] - drawn) < 0.02


def test_buoys_do_not_depend_on_what_was_drawn_before(ctx):
    """No reading comes back late: the first picture of a scene is the same as the picture after others."""
    pictures = []
    for times in ((5.0,), (3.9, 4.5, 5.0)):
        scene = OceanScene(ctx, SIZE, Weather(sun_heading=2.0), quality=ALIASED)
        scene.buoys.anchors = AHEAD
        with OceanSimulation(ctx, replace(SEA, foam_gain=0.0)) as simulation:
            pictures.append([picture(ctx, scene, simulation, CAMERA, time) for time in times][-1])
        scene.release()
    assert np.array_equal(*pictures)


@pytest.mark.parametrize("samples", [0, 4])
@pytest.mark.parametrize("height", [4.0, -3.0])
def test_a_buoy_is_seen_where_it_lies(ctx, scene_of, samples, height):
    scene = scene_of(SIZE, Weather(sun_heading=2.0), samples)
    camera = Camera((0.0, height, 0.0), pitch=-0.15 if height > 0 else 0.1)
    with OceanSimulation(ctx, replace(SEA, wind=4.0)) as simulation:
        without = picture(ctx, scene, simulation, camera, 4.0)
        radiance = [scene._picture.radiance.read()]
        scene.buoys.anchors = AHEAD
        with_buoy = picture(ctx, scene, simulation, camera, 4.0)
        radiance.append(scene._picture.radiance.read())
    values = [np.frombuffer(each, np.float16).reshape(SIZE[1], SIZE[0], 4)[::-1].astype(float) for each in radiance]
    assert np.isfinite(values[1]).all()
    changed = (values[0] != values[1]).any(axis=2)
    rows, columns = np.nonzero(changed)
    # 14 m ahead and 1 m to the left, 2.6 m wide.
    middle = SIZE[0] / 2 - SIZE[0] / (2 * math.tan(math.radians(19)) * 16 / 9) / 14
    assert abs(columns.mean() - middle) < 5
    assert 8 < np.ptp(columns) < 40
    assert np.ptp(rows) > 10
    assert (without != with_buoy).any()
    assert ctx.error == "GL_NO_ERROR"


def test_the_water_before_the_lens_takes_the_red_of_a_buoy_and_not_the_still_seas_level(ctx, scene_of):
    """An eye above the still sea may be in a wave, and one below it in a trough."""
    scene = scene_of(SIZE, Weather(sun_heading=2.0))
    scene.buoys.anchors = AHEAD
    red = {}
    with OceanSimulation(ctx, SEA) as simulation:
        for time in np.arange(0.0, 20.0, 0.5):
            simulation.update(time, dt=0.0)
            for height in (0.4, -0.4):
                if (height, "water" if height > 0 else "air") in red:
                    continue
                camera = Camera((0.0, height, 0.0))
                scene._picture.uniforms = uniforms_of(scene._picture, simulation, scene.sky, camera, time)
                scene._water.find_lens_depths(scene._picture, simulation)
                depths = np.frombuffer(scene._picture.lens_depths.read(), np.float32)
                where = "water" if depths.min() > 0.1 else "air" if depths.max() < -0.1 else ""
                if not where or (height > 0) != (where == "water"):
                    continue
                picture(ctx, scene, simulation, camera, time)
                drawn = scene._picture._solids
                assert drawn is not None
                solids = np.frombuffer(drawn[0].read(), np.float16).reshape(-1, 4).astype(float)
                hull = solids[solids[:, 3] > 0.99]
                if len(hull) > 20:
                    red[height, where] = np.median(hull[:, 0] / hull[:, :3].sum(axis=1))
    assert red[0.4, "water"] < 0.15
    assert red[-0.4, "air"] > 0.3


def test_calm_water_mirrors_a_buoy_and_rough_water_a_blurred_one(ctx, scene_of):
    """A red buoy takes blue light from the water before it, and the more so the calmer it is."""
    taken = []
    for wind in (0.3, 9.0):
        scene = scene_of(SIZE, Weather(sun_elevation=0.7, sun_heading=3.0))
        blue = []
        with OceanSimulation(ctx, replace(SEA, wind=wind, foam_gain=0.0)) as simulation:
            for anchors in (np.zeros((0, 2)), AHEAD * 1.5):
                scene.buoys.anchors = anchors
                picture(ctx, scene, simulation, CAMERA, 4.0)
                radiance = np.frombuffer(scene._picture.radiance.read(), np.float16).reshape(SIZE[1], SIZE[0], 4)
                blue.append(radiance[..., 2].astype(float))
            drawn = scene._picture._solids
            assert drawn is not None
            solid = np.frombuffer(drawn[0].read(), np.float16).reshape(SIZE[1], SIZE[0], 4)[..., 3] > 0
        lowest, middle = np.nonzero(solid)[0].min(), round(np.nonzero(solid)[1].mean())
        before = np.s_[lowest - 4 : lowest - 1, middle - 3 : middle + 4]
        taken.append(1 - blue[1][before].mean() / blue[0][before].mean())
    assert taken[0] > 0.3
    assert 0.0 < taken[1] < taken[0]


def test_a_sea_like_a_mirror_shows_the_bars_of_a_mast(ctx, scene_of):
    """Between the legs of a buoy's image it mirrors all of the sky, and where they are hardly any of it."""
    scene = scene_of(SIZE, Weather(sun_elevation=0.7, sun_heading=3.0))
    camera = Camera((0.0, 2.0, 0.0), pitch=-math.atan((2.0 + 1.3) / 14.0), lens=0.1)
    rows = []
    with OceanSimulation(ctx, replace(SEA, wind=0.01, foam_gain=0.0)) as simulation:
        for anchors in (np.zeros((0, 2)), np.array([[14.0, 0.0]])):
            scene.buoys.anchors = anchors
            picture(ctx, scene, simulation, camera, 4.0)
            radiance = np.frombuffer(scene._picture.radiance.read(), np.float16).reshape(SIZE[1], SIZE[0], 4)
            rows.append(radiance[SIZE[1] // 2, :, 2].astype(float))
    left = rows[1] / rows[0]
    assert left.min() < 0.7
    assert left.max() > 0.97


def test_the_image_of_a_buoy_straight_below_has_a_place(ctx):
    """From there no direction is ahead, and a division by 0 would leave it nowhere."""
    text = assemble("ocean/buoy_image.vert").text.replace("void main() {", "out vec4 corner_at;\nvoid main() {")
    text = text.replace("gl_Position.z = 0.0;", "corner_at = gl_Position;")
    program = ctx.program(vertex_shader=text, varyings=["corner_at"])
    set_uniforms(program, {"eye": (0.0, 30.0, 0.0), "view_projection": tuple(np.eye(4).ravel())})
    buoy = np.tile(np.array([0.0, 0.0, 0.0, 1.0, 0.2, 0.0, 1.0, 0.0], "f4"), (4, 1))
    vertices = ctx.buffer(buoy.tobytes())
    corners = ctx.buffer(reserve=4 * 16)
    buoys_below = ctx.vertex_array(program, [(vertices, "4f 4f", "place", "height_normal")])
    target = ctx.simple_framebuffer((1, 1))
    with ctx.scope(target):
        buoys_below.transform(corners, moderngl.POINTS)
    places = np.frombuffer(corners.read(), "f4").reshape(4, 4)
    for thing in (buoys_below, target, corners, vertices, program):
        thing.release()
    assert np.isfinite(places).all()
    assert np.ptp(places, axis=0).max() > 5.0


def test_waves_hide_a_buoy_behind_them(ctx, scene_of):
    """From just over the water, less is seen of buoys some hundred metres off in high waves than in calm water."""
    seen = []
    for wind in (0.5, 22.0):
        scene = scene_of(SIZE)
        scene.buoys.anchors = np.array([[150.0 + 13.0 * index, 6.0 * (index % 7 - 3)] for index in range(20)])
        with OceanSimulation(ctx, replace(SEA, wind=wind, tile=300.0)) as simulation:
            picture(ctx, scene, simulation, Camera((0.0, 2.0, 0.0), lens=math.radians(6)), 4.0)
            drawn = scene._picture._solids
            assert drawn is not None
            solids = np.frombuffer(drawn[0].read(), np.float16).reshape(-1, 4)
            seen.append((solids[:, 3] > 0).sum())
    assert seen[1] < 0.8 * seen[0]


class _Noted:
    """A group that notes which buoys it has."""

    def place(self, lookup, simulation, anchors, places):
        self.anchors = anchors[:, 0].tolist()


def test_near_buoys_are_round_and_those_behind_are_left_out(ctx, monkeypatch, scene_of):
    scene, groups = scene_of(SIZE), (_Noted(), _Noted())
    scene.buoys.anchors = np.array([[each, 0.0] for each in (61.0, 59.0, -20.0, -5.0, 3.0)])
    monkeypatch.setattr(scene.buoys, "_groups", groups)
    with OceanSimulation(ctx, replace(SEA, size=16)) as simulation:
        scene.buoys._place(simulation, Camera((0.0, 2.0, 0.0)), 0.0)
    assert [each.anchors for each in groups] == [[3.0, -5.0, 59.0], [61.0]]


def test_a_channel_lies_ahead_and_none_lies_on_another():
    camera = Camera((10.0, 3.0, -4.0), heading=2.0)
    places = buoys.channel(buoys.MOST_BUOYS, camera)
    offset = places - [10.0, -4.0]
    assert (offset @ [math.cos(2.0), math.sin(2.0)] > 10).all()
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
    assert apart.min() > 8
    assert np.array_equal(buoys.channel(3, camera), places[:3])
    assert len(buoys.channel(0, camera)) == 0
    assert ((places[1::2] - places[::2]) @ camera.axes[0][[0, 2]] > 0).all(), "even ones are on the left"


def test_lanterns_and_swinging_close_a_loop():
    for time in (0.0, 1.3, 7.9):
        assert buoys._flash(time, 10.0, 0.5) == pytest.approx(buoys._flash(time + 10.0, 10.0, 0.5), abs=1e-9)
    assert {round(buoys._flash(t, math.inf, 0.0)) for t in np.arange(0, 4, 0.05)} == {0, 1}


@pytest.mark.parametrize("sides", [(48, 8), (16, 4)])
def test_the_mesh_has_unit_normals_and_reaches_below_the_water(sides):
    mesh = buoys.buoy_mesh(*sides)
    assert np.isfinite(mesh).all()
    assert np.linalg.norm(mesh[:, 3:6], axis=1) == pytest.approx(1.0, abs=1e-5)
    assert mesh[:, 1].min() < -1
    assert 3 < mesh[:, 1].max() < 4
    assert len(mesh) % 3 == 0


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_nothing_is_left_of_them(ctx):
    def once() -> None:
        scene = OceanScene(ctx, SIZE, quality=ALIASED)
        scene.buoys.anchors = AHEAD
        with OceanSimulation(ctx, SEA) as simulation:
            picture(ctx, scene, simulation, CAMERA, 1.0)
        scene.release()

    once()  # compiles
    before = live_objects(ctx)
    once()
    # What other tests have left may go in the meantime.
    assert all(count <= before[kind] for kind, count in live_objects(ctx).items())
