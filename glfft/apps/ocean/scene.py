"""The picture: the radiance of sea and sky, then glare, exposure and the tone curve."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import moderngl
import numpy as np

from glfft.apps.ocean.buoys import Buoys
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.film import Film
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import MEDIUM, Quality
from glfft.apps.ocean.sky import Sky, Weather
from glfft.apps.ocean.spray import Spray
from glfft.apps.ocean.water import Water, uniforms_of
from glfft.errors import ContextError, LimitError
from glfft.gl.context import state_of
from glfft.gl.functions import clear_errors, errors_checked
from glfft.gl.releasable import Keeper, release_all, released_on_error
from glfft.gl.timed import Sections, timed
from glfft.sea.simulation import OceanSimulation

# The sections of a frame in profiles. Pictures without a window have no overlay.
SECTIONS = ("simulation", "mesh", "sky", "shading", "post", "overlay")

_SMALL = 16, 9  # the size of a picture that is drawn for nothing but the work before the first one
_ADAPTATION = 0.6  # how long the exposure takes to come to within 1/e of what it should be, in stops, s


class OceanScene(Keeper):
    """Draws an ocean from a camera, in pictures of a size (width, height). Raises LimitError if the picture is larger
    than the device's textures, ContextError if there is no memory for it.
    """

    def __init__(
        self, ctx: moderngl.Context, size: tuple[int, int], weather: Weather | None = None, quality: Quality = MEDIUM
    ) -> None:
        self._ctx, self.size = ctx, (0, 0)  # width and height in pixels
        self._samples = min(quality.samples, ctx.max_samples)
        self._glare = quality.glare_rows, quality.diffraction
        self.sky, self.buoys = Sky(ctx, weather or Weather(), quality), Buoys(ctx)
        self._water, self._spray = Water(ctx, quality), Spray(ctx, quality)
        self.exposure_stops = 0.0
        self._exposure: float | None = None
        with released_on_error([self]):
            self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """Draw pictures of another size from now on; errors are those of a new scene."""
        size = (max(1, size[0]), max(1, size[1]))
        if size == self.size:
            return
        ctx = self._ctx
        with memory_for_picture(ctx, size):
            super().release()
            self.size = (0, 0)
            self._picture = self._own(Picture(ctx, size, self._samples))
            self._film = self._own(Film(ctx, size, *self._glare))
        self.size = size

    def prepare(self, simulation: OceanSimulation, camera: Camera) -> None:
        """Compile what `draw` needs for such a sea and camera, so that no picture takes as long as a compiler does."""
        size = self.size
        target = self._ctx.simple_framebuffer(_SMALL, components=3)
        self.resize(_SMALL)
        self.draw(simulation, camera, 0.0, target)
        self.resize(size)
        self._exposure = None
        target.release()

    def draw(
        self,
        simulation: OceanSimulation,
        camera: Camera,
        time: float,
        target: moderngl.Framebuffer,
        profiler: Sections | None = None,
        target_size: tuple[int, int] | None = None,
        seconds: float = math.inf,
    ) -> None:
        """Draw one picture of a simulation at its time, s, into a framebuffer; the one bound before is bound again.

        It fills `target_size`, width and height, scaled. So many seconds after the picture before, the exposure follows
        the light as eyes do, by default at once. Profiled are "mesh", "sky", "shading" and "post", in it "glare".
        """
        light = self.draw_light(simulation, camera, time, profiler)
        with timed(profiler, "post"):
            self._film.develop(light, self.exposure(camera, seconds), target, target_size or self.size, profiler)

    def draw_light(
        self, simulation: OceanSimulation, camera: Camera, time: float, profiler: Sections | None = None
    ) -> moderngl.Texture:
        """Draw the light alone: linear, rgba16f, the last row at the top, until the next picture; see `exposure`."""
        (width, height), picture = self.size, self._picture
        with timed(profiler, "mesh"), self._ctx.scope(picture.mesh):
            picture.uniforms = uniforms_of(picture, simulation, self.sky, camera, time)
            self._ctx.viewport = (0, 0, width, height)
            picture.clear()
            # Rows of samples from top to bottom, as if those of a pixel were on a square grid.
            self._water.draw_mesh(simulation, camera, picture.aspect, round(height * max(1, self._samples) ** 0.5))
            self._water.find_lens_depths(picture, simulation)
        with timed(profiler, "sky"):
            self.sky.draw_background(picture)
        with timed(profiler, "shading"):
            self._water.shade(picture, simulation, self.sky)
            self.buoys.draw(picture, simulation, self.sky, camera, time)
            self._spray.draw(picture, simulation, self.sky, camera, time)
        return picture.radiance

    def exposure(self, camera: Camera, seconds: float = math.inf) -> float:
        """Display white per light, so many seconds after the picture before."""
        wanted = self.sky.exposure(camera.heading, camera.pitch, -camera.position[1])
        before = wanted if self._exposure is None else self._exposure
        # In stops, the way to the right exposure is halved again and again, in even times.
        self._exposure = before * (wanted / before) ** -math.expm1(-max(0.0, seconds) / _ADAPTATION)
        return self._exposure * 2.0**self.exposure_stops

    def release(self) -> None:
        super().release()
        release_all((self._water, self._spray, self.buoys, self.sky))


@contextmanager
def memory_for_picture(ctx: moderngl.Context, size: tuple[int, int]) -> Iterator[None]:
    """Raise LimitError or ContextError if a picture is too large for the device's textures or, here, its memory."""
    limit, pixels = state_of(ctx).limits.texture_size, f"{size[0]} x {size[1]} pixels"
    if max(size) > limit:
        raise LimitError(f"The picture is {pixels} and this device's limit is {limit} a side; choose a smaller one.")
    doing = f"a picture of {pixels}"
    try:
        with errors_checked(ctx, doing):
            yield
    except moderngl.Error as error:
        # Without memory for an attachment a framebuffer is incomplete.
        clear_errors(ctx)
        raise ContextError(f"The device has not enough memory left for {doing}; choose a smaller size.") from error


def averaged(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A picture [height, width, 3] uint8 at a width and height that divide its own, by means over squares."""
    width, height = size
    if picture.shape[:2] == (height, width):
        return picture
    squares = picture.reshape(height, picture.shape[0] // height, width, picture.shape[1] // width, 3)
    return np.rint(squares.mean(axis=(1, 3))).astype(np.uint8)
