"""Where light comes from: a picture, or the ocean at a low sun; linear, 1 for white."""

import math
from dataclasses import replace

import numpy as np
from moderngl import Context, Texture
from numpy.typing import NDArray

from glfft.apps.ocean.quality import choose
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.screen_pass import radiance_texture
from glfft.apps.ocean.shot import Shot, light_of_preset
from glfft.apps.ocean.sky import Weather
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import Sections, timed
from glfft.sea.presets import preset
from glfft.sea.simulation import OceanSimulation

LARGEST_LIGHT = 65504.0  # of half floats


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
    """A swell, with the sun a little higher than its preset's, clear of its own glow and of low clouds, and ahead."""
    name = "swell-at-sunset"
    shot = Shot(settings=preset(name), preset=name)
    light = light_of_preset(name) | {"sun_elevation": math.radians(4.0), "low_clouds": 0.05}
    return replace(shot, light=Weather(sun_heading=shot.first_camera().heading + math.radians(5.0), **light))


def upload(ctx: Context, picture: NDArray[np.float32]) -> Texture:
    """A texture of linear light [height, width, 3], row 0 first; light beyond half floats' range counts as the most."""
    height, width = picture.shape[:2]
    with np.errstate(invalid="ignore"):
        light = np.clip(np.nan_to_num(picture, nan=0.0, posinf=LARGEST_LIGHT, neginf=0.0), 0.0, LARGEST_LIGHT)
    texels = np.pad(light.astype(np.float16), [(0, 0), (0, 0), (0, 1)], constant_values=1)
    texture = radiance_texture(ctx, (width, height))
    texture.write(texels.tobytes())
    return texture


def download(texture: Texture) -> NDArray[np.float16]:
    """The light of a texture of half floats, [height, width, 3], row 0 first."""
    width, height = texture.size
    return np.frombuffer(texture.read(), np.float16).reshape(height, width, 4)[..., :3]
