"""The profiler and its overlay over a scene without Fourier transforms: a knot of spinning cubes."""

import contextlib
import math
import time

import glfw
import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.apps.ocean.camera import Camera
from glfft.apps.picture_files import read_picture
from glfft.gl import programs
from glfft.gl.releasable import Keeper
from glfft.overlay import Overlay
from glfft.profiling.profiler import Profiler, saved_at_end
from glfft.ui.window import Window

_HAZE = (0.045, 0.06, 0.085)
_CAMERA = Camera((0.0, 2.6, 9.5), math.radians(-90), -math.atan2(2.6, 9.5), math.radians(40))  # looks at the origin
_ASIDE = 0.18  # half widths of the picture from its middle to the right, where the overlay hides less
_FRAME_SECONDS = 1 / 60
_FRAMES = 120  # before a picture: as many as the overlay's times are taken over


class Cubes:
    """Cubes along a torus knot, each turning about its own axis; drawn as one instanced call."""

    def __init__(self, ctx: moderngl.Context, count: int) -> None:
        self._ctx = ctx
        self._along = np.linspace(0, 2 * np.pi, count, endpoint=False)
        self._axes = np.random.default_rng(1).normal(size=(count, 3))
        self._axes /= np.linalg.norm(self._axes, axis=1, keepdims=True)
        self._colours = 0.36 + 0.3 * np.cos(self._along[:, None] * 2 + np.array([0.3, 1.5, 2.7]))
        self._instances = ctx.buffer(reserve=count * 10 * 4)
        self._program = programs.program(ctx, vertex="overlay/cubes.vert", fragment="overlay/cubes.frag")
        self._count = count
        faces = ctx.buffer(_cube().tobytes())
        self._array = ctx.vertex_array(
            self._program,
            [
                (faces, "3f 3f", "in_position", "in_normal"),
                (self._instances, "3f 4f 3f/i", "in_centre", "in_spin", "in_colour"),
            ],
        )

    def move(self, seconds: float) -> None:
        around, through = 2, 3  # turns around the axis, turns through the hole
        t = self._along + 0.15 * seconds
        ring = 2.3 + np.cos(through * t)
        centres = np.stack([ring * np.cos(around * t), 1.1 * np.sin(through * t), ring * np.sin(around * t)], axis=1)
        spins = np.column_stack((self._axes, np.full(self._count, 1.3 * seconds)))
        self._instances.write(np.hstack((centres, spins, self._colours)).astype("f4"))

    def draw(self, aspect: float) -> None:
        values = {"world_to_clip": tuple(_world_to_clip(aspect).T.ravel()), "eye": _CAMERA.position, "haze": _HAZE}
        for name, value in {**values, "half_edge": 0.12}.items():
            self._program[name] = value
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._array.render(moderngl.TRIANGLES, instances=self._count)


class Picture(Keeper):
    """A multisampled framebuffer, and the plain one its samples are averaged into."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self.size = size
        colour, depth = ctx.renderbuffer(size, 4, samples=4), ctx.depth_renderbuffer(size, samples=4)
        fine, plain = self._own(colour), self._own(ctx.renderbuffer(size, 4))
        self.samples = self._own(ctx.framebuffer([fine], self._own(depth)))
        self.resolved = self._own(ctx.framebuffer([plain]))


def draw_frame(
    ctx: moderngl.Context, profiler: Profiler, overlay: Overlay, cubes: Cubes, picture: Picture, seconds: float
) -> None:
    """One frame with its sections; the result is in `picture.resolved`."""
    with profiler.frame():
        with profiler.section("move"):
            cubes.move(seconds)
        with profiler.section("scene"):
            picture.samples.use()
            with profiler.section("clear"):
                # The same curve as the fragment shader's, so that the haze meets the background.
                red, green, blue = ((channel / (channel + 0.8) * 1.5) ** (1 / 2.2) for channel in _HAZE)
                picture.samples.clear(red, green, blue, 1.0)
            with profiler.section("cubes"):
                cubes.draw(picture.size[0] / picture.size[1])
        with profiler.section("resolve"):
            ctx.copy_framebuffer(picture.resolved, picture.samples)
        overlay.render(picture.resolved)


def draw_cubes(
    ctx: moderngl.Context, count: int, size: tuple[int, int], trace: str | None = None, frames: int = _FRAMES
) -> NDArray[np.uint8]:
    """The last of some frames of a size: [height, width, 3], top row first; `trace` names their .trace.json file."""
    picture, cubes = Picture(ctx, size), Cubes(ctx, count)
    with Profiler(ctx) as profiler, Overlay(ctx, profiler) as overlay, saved_at_end(profiler, trace):
        for frame in range(frames):
            if frame == frames - 1:
                overlay.refresh()
            draw_frame(ctx, profiler, overlay, cubes, picture, frame * _FRAME_SECONDS)
        return read_picture(picture.resolved)


def open_cubes(count: int, size: tuple[int, int], frames: int | None, trace: str | None = None) -> None:
    """Draw in a window until it is closed, or for a number of frames. `trace` is as in `draw_cubes`."""
    with Window("glfft: profiler and overlay", size) as window, contextlib.ExitStack() as stack:
        ctx = window.ctx
        window.on_key(lambda key, _: window.close() if key == glfw.KEY_ESCAPE else None)
        profiler = stack.enter_context(Profiler(ctx))
        overlay = stack.enter_context(Overlay(ctx, profiler, scale=window.content_scale))
        cubes, picture = Cubes(ctx, count), Picture(ctx, size)
        stack.enter_context(saved_at_end(profiler, trace))
        begin = time.perf_counter()
        for _ in window.frames(frames):
            if 0 in window.size:  # minimised
                continue
            if window.size != picture.size:
                picture.release()
                picture = Picture(ctx, window.size)
            draw_frame(ctx, profiler, overlay, cubes, picture, time.perf_counter() - begin)
            ctx.screen.viewport = (0, 0, *window.size)
            ctx.copy_framebuffer(ctx.screen, picture.resolved)


def _cube() -> NDArray[np.float32]:
    """Positions and normals [36, 6] of a cube from -1 to 1, faces counter-clockwise seen from outside."""
    corners = []
    for normal in (*-np.eye(3), *np.eye(3)):
        across = np.roll(normal, 1)
        up = np.cross(normal, across)
        quad = [normal - across - up, normal + across - up, normal + across + up, normal - across + up]
        corners += [np.concatenate((quad[index], normal)) for index in (0, 1, 2, 0, 2, 3)]
    return np.array(corners, np.float32)


def _world_to_clip(aspect: float) -> NDArray[np.float64]:
    """The camera's matrix for column vectors; GLSL takes it transposed."""
    from_eye = np.eye(4)
    from_eye[:3, 3] = -np.array(_CAMERA.position)
    matrix = _CAMERA.view_projection(aspect) @ from_eye
    matrix[0] += _ASIDE * matrix[3]
    return matrix
