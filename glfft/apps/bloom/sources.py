"""Where light comes from: a picture that stands still, or the ocean at a low sun."""

import math
from contextlib import ExitStack
from dataclasses import replace

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.apps.bloom.bloom import upload
from glfft.apps.ocean.quality import choose
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import Shot, light_of_preset
from glfft.apps.ocean.sky import Weather
from glfft.gl.releasable import Releasable
from glfft.gl.timed import Sections, timed
from glfft.sea.presets import preset
from glfft.sea.simulation import OceanSimulation

_PRESET = "swell-at-sunset"
# The sun stands a little higher than the preset's, clear of its own glow, and ahead.
_SUN_ELEVATION = math.radians(4.0)
_SUN_ASIDE = math.radians(5.0)


class Source(Releasable):
    """Linear light, one picture after the other.

    Attributes:
        size: width and height.
        moves: whether pictures differ.
        top_first: whether row 0 of the light is at the top.
        beyond_white: whether there is light brighter than white.
        exposure: display white per light, of the last picture.
    """

    size: tuple[int, int]
    moves: bool
    top_first: bool
    beyond_white: bool
    exposure: float = 1.0

    def light(self, time: float, profiler: Sections | None = None) -> moderngl.Texture:
        """The light at a time in s, filtered linearly, until the next call."""
        raise NotImplementedError


class Still(Source):
    """A picture that stands still, [height, width, 3], top row first."""

    moves, top_first = False, True

    def __init__(self, ctx: moderngl.Context, light: NDArray[np.float32], beyond_white: bool) -> None:
        self.size = (light.shape[1], light.shape[0])
        self.beyond_white = beyond_white
        self._texture = upload(ctx, light)

    def light(self, time: float, profiler: Sections | None = None) -> moderngl.Texture:
        """The picture, at any time."""
        return self._texture

    def release(self) -> None:
        """Free the texture."""
        self._texture.release()


class Ocean(Source):
    """A swell under a low sun, from a camera just above the water."""

    moves, top_first, beyond_white = True, False, True

    def __init__(
        self, ctx: moderngl.Context, size: tuple[int, int], quality: str = "auto", in_window: bool = False
    ) -> None:
        self.size = size
        shot = low_sun()
        self._camera = shot.first_camera()
        with ExitStack() as stack:
            self._simulation = stack.enter_context(OceanSimulation(ctx, shot.settings))
            self._scene = OceanScene(ctx, size, shot.weather(), choose(ctx, quality, in_window))
            stack.callback(self._scene.release)
            self._scene.prepare(self._simulation, self._camera)
            self._stack = stack.pop_all()

    def light(self, time: float, profiler: Sections | None = None) -> moderngl.Texture:
        """The light of sea and sky."""
        with timed(profiler, "simulation"):
            self._simulation.update(time, profiler=profiler)
        self.exposure = self._scene.exposure(self._camera)
        return self._scene.draw_light(self._simulation, self._camera, time, profiler)

    def release(self) -> None:
        """Free sea and scene."""
        self._stack.close()


def low_sun() -> Shot:
    """The shot of the ocean that glare is shown on."""
    shot = Shot(settings=preset(_PRESET), preset=_PRESET)
    light = light_of_preset(_PRESET) | {"sun_elevation": _SUN_ELEVATION}
    heading = shot.first_camera().heading + _SUN_ASIDE
    return replace(shot, light=Weather(sun_heading=heading, **light))
