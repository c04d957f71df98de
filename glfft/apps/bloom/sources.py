"""Where light comes from: a picture that stands still, or the ocean at a low sun."""

import math
from dataclasses import replace

import numpy as np
from moderngl import Context, Texture
from numpy.typing import NDArray

from glfft.apps.bloom.bloom import upload
from glfft.apps.ocean.quality import choose
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import Shot, light_of_preset
from glfft.apps.ocean.sky import Weather
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import Sections, timed
from glfft.sea.presets import preset
from glfft.sea.simulation import OceanSimulation

_PRESET = "swell-at-sunset"
# The sun stands a little higher than the preset's, clear of its own glow, and ahead.
_SUN_ELEVATION = math.radians(4.0)
_SUN_ASIDE = math.radians(5.0)


class Source(Keeper):
    size: tuple[int, int]  # width and height
    moves: bool  # whether pictures differ
    top_first: bool  # whether row 0 of the light is at the top
    beyond_white: bool  # whether there is light brighter than white
    exposure: float = 1.0  # display white per light, of the last picture

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        """The light at a time in s, filtered linearly, until the next call."""
        raise NotImplementedError


class Still(Source):
    """A picture that stands still, [height, width, 3], top row first."""

    moves, top_first = False, True

    def __init__(self, ctx: Context, light: NDArray[np.float32], beyond_white: bool) -> None:
        self.size = (light.shape[1], light.shape[0])
        self.beyond_white = beyond_white
        self._texture = self._own(upload(ctx, light))

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        return self._texture


class Ocean(Source):
    """A swell under a low sun, from a camera just above the water."""

    moves, top_first, beyond_white = True, False, True

    def __init__(self, ctx: Context, size: tuple[int, int], quality: str = "auto", in_window: bool = False) -> None:
        self.size = size
        shot = low_sun()
        self._camera = shot.first_camera()
        with released_on_error([self]):
            self._simulation = self._own(OceanSimulation(ctx, shot.settings))
            self._scene = self._own(OceanScene(ctx, size, shot.weather(), choose(ctx, quality, in_window)))
            self._scene.prepare(self._simulation, self._camera)

    def light(self, time: float, profiler: Sections | None = None) -> Texture:
        with timed(profiler, "simulation"):
            self._simulation.update(time, profiler=profiler)
        self.exposure = self._scene.exposure(self._camera)
        return self._scene.draw_light(self._simulation, self._camera, time, profiler)


def low_sun() -> Shot:
    shot = Shot(settings=preset(_PRESET), preset=_PRESET)
    light = light_of_preset(_PRESET) | {"sun_elevation": _SUN_ELEVATION}
    heading = shot.first_camera().heading + _SUN_ASIDE
    return replace(shot, light=Weather(sun_heading=heading, **light))
