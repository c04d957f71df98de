"""Buoys that ride on the sea: marks of a channel, whose mesh is made here, placed by the sea's own queries."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.sky import Sky
from glfft.apps.ocean.water import share_between
from glfft.gl import barriers, programs
from glfft.gl.releasable import Keeper
from glfft.gl.textures import use_textures
from glfft.sea.queries import SurfaceLookup
from glfft.sea.simulation import OceanSimulation

Array = NDArray[np.float64]

MOST_BUOYS = 300

FLOAT_WIDTH = 2.4  # waves shorter than a buoy lap at it and do not move it, m
# A lantern is lit for a part of its period, s.
_FLASH, _FLASH_PERIOD = 0.8, 4.0
_PAINT, _STEEL, _RUBBER, _LANTERN_GLASS = 0.0, 1.0, 2.0, 3.0  # as in buoys.frag


class Buoys(Keeper):
    """Draws buoys on the sea of an `OceanSimulation` at `anchors`, x and z, m, [buoys, 2]. The water under each is
    looked up on the GPU: nothing is read back, and pictures do not depend on what was drawn before.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.anchors: Array = np.zeros((0, 2))
        self._lookup = SurfaceLookup(ctx, blended=True, fine=False)
        self._groups: list[_Group] = []

    def draw(self, picture: Picture, simulation: OceanSimulation, sky: Sky, camera: Camera, time: float) -> None:
        """Draw over a lit picture of the moment, behind waves that its mesh shows."""
        if len(self.anchors) == 0:
            return
        self._groups = self._groups or [self._own(_Group(self._ctx, *sides)) for sides in ((48, 8), (16, 4))]
        self._place(simulation, camera, time)
        uniforms = {**picture.uniforms, **self._uniforms(picture, simulation, sky, time)}
        # An eye deeper below the still sea is always under water.
        if camera.position[1] > -1.3 * simulation.significant_height:
            self._draw_images(picture, simulation, uniforms)
        with picture.solids():
            self._ctx.enable(moderngl.DEPTH_TEST | moderngl.BLEND)
            self._ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
            for group in self._groups:
                group.draw(uniforms)
            self._ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND)
        picture.lay_solids()

    def _draw_images(self, picture: Picture, simulation: OceanSimulation, uniforms: dict[str, Any]) -> None:
        defines = {"TILES": len(simulation.tiles), "SAMPLES": picture.samples}
        program = programs.program(self._ctx, "ocean/buoy_image.vert", "ocean/buoy_image.frag", defines)
        picture.use_still_map(program)
        units = use_textures({"surface": simulation.surface, "stretch": simulation.stretch}, picture.free_unit + 3)
        programs.set_declared(program, {**uniforms, **units})
        # Where a buoy stands in the way of the sky, there is less light than before.
        with picture.over():
            for group in self._groups:
                group.draw_images(program)

    def _place(self, simulation: OceanSimulation, camera: Camera, time: float) -> None:
        """Give the groups those in front of the camera: near ones and far ones, the nearest first."""
        offset, number = self.anchors - np.array(camera.position)[[0, 2]], np.arange(len(self.anchors))
        away, ahead = np.hypot(*offset.T), offset @ -camera.axes[2][[0, 2]]
        order = np.argsort(away, kind="stable")
        order = order[ahead[order] > -6.0 - abs(camera.position[1])]
        turns = time / _fitted(19.0, simulation.settings.loop)
        yaw = 2.4 * number + 0.35 * np.sin(2 * math.pi * (turns % 1.0 + 0.37 * number))
        places = np.column_stack([offset, yaw, number])
        near = away[order] < 60.0  # m; their masts are round
        for group, which in zip(self._groups, (order[near], order[~near]), strict=True):
            group.place(self._lookup, simulation, self.anchors[which], places[which])
        self._ctx.memory_barrier(barriers.VERTEX_ATTRIB_ARRAY_BARRIER)

    def _uniforms(self, picture: Picture, simulation: OceanSimulation, sky: Sky, time: float) -> dict[str, Any]:
        height, loop = simulation.significant_height, simulation.settings.loop
        lean = min(0.16, 2.2e-4 * simulation.mean(lambda each: each.wind) ** 2)  # slope
        # Radiance, relative to the sun's in space, as the sun sets.
        lantern = 0.15 * share_between(sky.weather.sun_elevation, math.radians(6.0), math.radians(1.0))
        textures = {"environment": sky.environment, "cloud_tile": sky.cloud_tile, "lens_depths": picture.lens_depths}
        return {
            **use_textures(textures, picture.free_unit),
            "pixel": picture.uniforms["pixel_angle"],
            "picture_size": picture.radiance.size,
            "sway": min(0.06, 0.022 * height),  # slope, by which they rock of themselves
            "rocked": tuple(time / _fitted(period, loop) % 1.0 for period in (2.3, 2.7)),  # along x and z
            "lean": tuple(lean * each for each in picture.uniforms["downwind"]),
            "wash": min(0.55, 0.12 + 0.12 * height),  # wet above the waterline, m
            "flashing": tuple(lantern * _flash(time, loop, shift) for shift in (0.0, 0.5)),
        }


def channel(count: int, camera: Camera) -> Array:
    """Where buoys lie: pairs along a channel ahead of a camera, even ones on the left, [count, 2] in m."""
    number = np.arange(count)
    pair, right = number // 2, number % 2
    random = np.random.default_rng(7).uniform(-1, 1, (MOST_BUOYS, 2))[:count]
    along = 24.0 + 48.0 * pair + 17.0 * right + 5.0 * random[:, 0]
    # The channel bends, so that far pairs do not hide behind near ones.
    across = 11.0 * (2 * right - 1) + 2.0 * random[:, 1] + 26.0 * np.sin(along / 310.0) * np.tanh(along / 400.0)
    across = np.where(number == 0, -5.5, across)
    ahead = np.array([math.cos(camera.heading), math.sin(camera.heading)])
    start = np.array(camera.position)[[0, 2]]
    return start + along[:, None] * ahead + across[:, None] * np.array([-ahead[1], ahead[0]])


class _Group(Keeper):
    """Buoys of one level of detail."""

    def __init__(self, ctx: moderngl.Context, around: int, sides: int) -> None:
        self._ctx = ctx
        self._points = self._own(ctx.buffer(reserve=SurfaceLookup.bytes_a_point * MOST_BUOYS, dynamic=True))
        self._answers = self._own(ctx.buffer(reserve=SurfaceLookup.bytes_an_answer * MOST_BUOYS))
        self._places = self._own(ctx.buffer(reserve=16 * MOST_BUOYS, dynamic=True))
        self._of_a_buoy = [(self._places, "4f/i", "place"), (self._answers, "4f 32x/i", "height_normal")]
        points = self._own(ctx.buffer(buoy_mesh(around, sides).tobytes()))
        mesh = (points, "3f 3f 3f 1f", "position", "normal", "beside", "surface")
        program = programs.program(ctx, vertex="ocean/buoys.vert", fragment="ocean/buoys.frag")
        self._array = self._own(ctx.vertex_array(program, [mesh, *self._of_a_buoy]))

    def place(self, lookup: SurfaceLookup, simulation: OceanSimulation, anchors: Array, places: np.ndarray) -> None:
        """`places` are x and z from the eye, yaw and number of each buoy."""
        self._count = len(anchors)
        if self._count:
            self._points.write(anchors.astype(np.float32).tobytes())
            self._places.write(places.astype(np.float32).tobytes())
            lookup.run(simulation, self._points, self._answers, self._count, FLOAT_WIDTH)

    def draw(self, uniforms: dict[str, Any]) -> None:
        programs.set_declared(self._array.program, uniforms)
        if self._count:
            self._array.render(moderngl.TRIANGLES, instances=self._count)

    def draw_images(self, program: moderngl.Program) -> None:
        array = self._ctx.vertex_array(program, self._of_a_buoy)
        if self._count:
            array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._count)
        array.release()


def _fitted(period: float, loop: float) -> float:
    """A period near to one, of which a loop has a whole number."""
    return period if math.isinf(loop) else loop / max(1, round(loop / period))


def _flash(time: float, loop: float, shift: float) -> float:
    """How bright a lantern is, from 0 to 1, with edges as soft as a filament's."""
    period = _fitted(_FLASH_PERIOD, loop)
    at = (time / period + shift) % 1.0 * period
    return min(1.0, max(0.0, min(at, _FLASH - at) / 0.12))


@lru_cache(maxsize=4)
def buoy_mesh(around: int, sides: int) -> NDArray[np.float32]:
    """Triangles of a buoy, [points, 10]: position, normal, from the middle of thin parts to the point (m), material."""
    hull = [(0.0, -0.80), (0.55, -0.76), (1.02, -0.50), (1.2, -0.22), (1.2, 0.24)]
    deck = [(1.2, 0.42), (1.08, 0.54), (0.80, 0.585), (0.0, 0.62)]
    parts = [
        _lathe(hull, around, _PAINT),
        _lathe([(1.2, 0.22), (1.275, 0.25), (1.29, 0.33), (1.275, 0.41), (1.2, 0.44)], around, _RUBBER),
        _lathe(deck, around, _PAINT),
        _lathe([(0.0, -2.3), (0.30, -2.28), (0.30, -2.0), (0.13, -1.95), (0.13, -0.7)], sides * 2, _STEEL),
        # A hatch on the deck, the platform, the lantern on its foot, its glass and its cap.
        _lathe([(0.32, 0.58), (0.32, 0.70), (0.28, 0.73), (0.0, 0.73)], around // 2, _STEEL),
        _lathe([(0.0, 2.96), (0.36, 2.96), (0.36, 3.01), (0.0, 3.01)], around // 2, _STEEL),
        _lathe([(0.10, 3.01), (0.10, 3.16), (0.14, 3.18)], around // 2, _STEEL),
        _lathe([(0.12, 3.18), (0.135, 3.22), (0.135, 3.40), (0.12, 3.44)], around // 2, _LANTERN_GLASS),
        _lathe([(0.15, 3.44), (0.15, 3.47), (0.05, 3.54), (0.0, 3.55)], around // 2, _STEEL),
    ]
    parts += _tower(sides)
    turn = np.linspace(0, 2 * math.pi, around // 2 + 1)
    rail = np.stack([0.36 * np.cos(turn), np.full_like(turn, 3.20), 0.36 * np.sin(turn)], axis=1)
    parts.append(_bar(rail, 0.012, sides))
    parts += [_bar([each - (0.0, 0.22, 0.0), each], 0.012, sides) for each in rail[:: max(1, around // 8)][:4]]
    return np.concatenate(parts).astype(np.float32)


def _tower(sides: int) -> list[Array]:
    """The four legs between deck and platform with their struts, sheets and eyes; bars have so many sides."""
    parts: list[Array] = []

    def on_leg(corner: float, height: float) -> Array:
        out = 0.86 - (height - 0.58) * (0.86 - 0.33) / (2.96 - 0.58)
        return np.array([out * math.cos(corner), height, out * math.sin(corner)])

    for corner in math.pi / 4 + np.arange(4) * math.pi / 2:
        following = corner + math.pi / 2
        parts.append(_bar([on_leg(corner, 0.58), on_leg(corner, 2.96)], 0.036, sides))
        for height in (0.98, 1.62, 2.30):
            parts.append(_bar([on_leg(corner, height), on_leg(following, height)], 0.024, sides))
        for low, high in ((0.62, 0.98), (0.98, 1.62)):
            parts.append(_bar([on_leg(corner, low), on_leg(following, high)], 0.016, sides))
            parts.append(_bar([on_leg(following, low), on_leg(corner, high)], 0.016, sides))
        # The sheets that show its colour from afar, two crossed ones.
        if corner < math.pi:
            foot, head, opposite = on_leg(corner, 1.66), on_leg(corner, 2.88), np.array([-1, 1, -1])
            parts.append(_sheet([foot, foot * opposite, head * opposite, head], _PAINT))
        # Eyes to lift it by.
        up = np.linspace(0.0, math.pi, 7)
        around_deck = corner + 0.09 * np.cos(up)
        eye = np.stack([np.cos(around_deck), 0.54 + 0.12 * np.sin(up), np.sin(around_deck)], axis=1)
        parts.append(_bar(eye, 0.022, sides))
    return parts


def _triangles(grid: Array, normals: Array, beside: Array, material: float) -> Array:
    points = np.concatenate([grid, normals, beside, np.full((*grid.shape[:2], 1), material)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, :-1], points[1:, 1:]
    return np.stack([a, c, b, b, c, d], axis=2).reshape(-1, points.shape[-1])


def _lathe(profile: Sequence[tuple[float, float]], around: int, material: float) -> Array:
    """A solid of revolution from (radius, height) pairs, with an edge at each."""
    angles = np.linspace(0.0, 2 * math.pi, around + 1)
    out = np.stack([np.cos(angles), np.zeros_like(angles), np.sin(angles)], axis=-1)
    upright, bands = np.array([0.0, 1.0, 0.0]), []
    for (low_radius, low), (high_radius, high) in pairwise(profile):
        grid = np.stack([low_radius * out + low * upright, high_radius * out + high * upright])
        length = math.hypot(high_radius - low_radius, high - low)
        normal = ((high - low) * out - (high_radius - low_radius) * upright) / length
        bands.append(_triangles(grid, np.stack([normal, normal]), np.zeros_like(grid), material))
    return np.concatenate(bands)


def _bar(line: ArrayLike, radius: float, sides: int) -> Array:
    line = np.asarray(line)
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    angles = np.linspace(0.0, 2 * math.pi, sides + 1)
    first = np.cross(along, np.where(np.abs(along[:, 1:2]) > 0.8, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(along, first)
    normals = np.cos(angles)[None, :, None] * first[:, None] + np.sin(angles)[None, :, None] * second[:, None]
    return _triangles(line[:, None] + radius * normals, normals, radius * normals, _STEEL)


def _sheet(corners: Sequence[Array], material: float) -> Array:
    """A flat sheet with four corners in order round it, seen from both sides."""
    a, b, c, d = corners
    normal = np.cross(b - a, d - a)
    normal /= np.linalg.norm(normal)
    grid = np.stack([np.stack([a, b]), np.stack([d, c])])
    return _triangles(grid, np.broadcast_to(normal, grid.shape), np.zeros_like(grid), material)
