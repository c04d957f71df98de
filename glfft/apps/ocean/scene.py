"""The picture: the radiance of sea and sky, then glare, exposure and the tone curve."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
from moderngl import Context, Error, Framebuffer, Texture

import glfft
from glfft.algorithms.lengths import is_power_of_two
from glfft.apps.glare.glare import Glare, default_kernel
from glfft.apps.glare.lens import Lens
from glfft.apps.ocean.buoys import Buoys
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import GLARE_ROWS, MEDIUM, Quality, Size
from glfft.apps.ocean.screen_pass import ScreenPass, radiance_texture
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

# As far as light reaches, in pixels of GLARE_ROWS, the plan has a dark margin: a convolution by transforms is circular.
_REACH = 57


class OceanScene(Keeper):
    """Draws an ocean from a camera, in pictures of a size (width, height). Raises LimitError if the picture is larger
    than the device's textures, ContextError if there is no memory for it.
    """

    def __init__(self, ctx: Context, size: Size, weather: Weather | None = None, quality: Quality = MEDIUM) -> None:
        self._ctx, self.size = ctx, (0, 0)  # width and height in pixels
        self._samples = min(quality.samples, ctx.max_samples)
        self._glare = quality.glare_rows, quality.diffraction
        self.sky, self.buoys = Sky(ctx, weather or Weather(), quality), Buoys(ctx)
        self._water, self._spray = Water(ctx, quality), Spray(ctx, quality)
        self.exposure_stops = 0.0
        self._exposure: float | None = None
        with released_on_error([self]):
            self.resize(size)

    def resize(self, size: Size) -> None:
        """Draw pictures of another size from now on. Raises as a new scene does."""
        size = (max(1, size[0]), max(1, size[1]))
        if size == self.size:
            return
        ctx = self._ctx
        with memory_for_picture(ctx, size):
            super().release()
            self.size = (0, 0)
            self._picture = self._own(Picture(ctx, size, self._samples))
            self._development = self._own(Development(ctx, size, *self._glare))
        self.size = size

    def prepare(self, simulation: OceanSimulation, camera: Camera) -> None:
        """Compile what `draw` needs for such a sea and camera, so that no picture takes as long as a compiler does."""
        # A software renderer has shaders of its own for textures whose sides are powers of two.
        size, small = self.size, (15 + is_power_of_two(self.size[0]), 9 - is_power_of_two(self.size[1]))
        target = self._ctx.simple_framebuffer(small, components=3)
        self.resize(small)
        self.draw(simulation, camera, 0.0, target)
        self.resize(size)
        self._exposure = None
        target.release()

    def draw(self, simulation: OceanSimulation, camera: Camera, time: float, target: Framebuffer,
             profiler: Sections | None = None, target_size: Size | None = None,
             seconds: float = math.inf) -> None:  # fmt: skip
        """Draw one picture of a simulation at its time, s, into a framebuffer; the one bound before is bound again.

        It fills `target_size`, width and height, scaled. So many seconds after the picture before, the exposure follows
        the light as eyes do, by default at once. Profiled are "mesh", "sky", "shading" and "post", in it "glare".
        """
        light = self.draw_light(simulation, camera, time, profiler)
        with timed(profiler, "post"):
            size, white = target_size or self.size, self.sky.white
            self._development.develop(light, self.exposure(camera, seconds), target, size, profiler, white)

    def draw_light(self, simulation: OceanSimulation, camera: Camera, time: float,
                   profiler: Sections | None = None) -> Texture:  # fmt: skip
        """Draw the light alone: linear, rgba16f, the last row at the top, until the next picture; see `exposure`."""
        height, picture = self.size[1], self._picture
        with timed(profiler, "mesh"), self._ctx.scope(picture.mesh):
            picture.uniforms = uniforms_of(picture, simulation, self.sky, camera, time)
            picture.clear()
            # Rows of samples from top to bottom, as if a pixel's samples were on a square grid.
            self._water.draw_mesh(simulation, camera, picture.aspect, round(height * max(1, self._samples) ** 0.5))
            self._water.find_lens_depths(picture, simulation)
        with timed(profiler, "sky"):
            self.sky.draw_background(picture, self._water.light_bottom(picture, simulation))
        with timed(profiler, "shading"):
            self._water.shade(picture, simulation, self.sky)
            self.buoys.draw(picture, simulation, self.sky, camera, time)
            self._spray.draw(picture, simulation, self.sky, time)
        return picture.radiance

    def exposure(self, camera: Camera, seconds: float = math.inf) -> float:
        """Display white per light, so many seconds after the picture before."""
        wanted = self.sky.exposure(camera.heading, camera.pitch, height=camera.position[1])
        before = wanted if self._exposure is None else self._exposure
        # In stops, it comes to within 1/e of what it should be in each 0.6 s.
        self._exposure = before * (wanted / before) ** -math.expm1(-max(0.0, seconds) / 0.6)
        return self._exposure * 2.0**self.exposure_stops

    def release(self) -> None:
        super().release()
        release_all((self._spray, self._water, self.buoys, self.sky))


@contextmanager
def memory_for_picture(ctx: Context, size: Size) -> Iterator[None]:
    """Raise LimitError if a picture exceeds the device's textures, ContextError if this block exhausts its memory."""
    limit, pixels = state_of(ctx).limits.texture_size, f"{size[0]} x {size[1]} pixels"
    if max(size) > limit:
        raise LimitError(f"The picture is {pixels} and this device's limit is {limit} a side; choose a smaller one.")
    doing = f"a picture of {pixels}"
    try:
        with errors_checked(ctx, doing):
            yield
    except Error as error:
        # Without memory for an attachment a framebuffer is incomplete.
        clear_errors(ctx)
        raise ContextError(f"The device has not enough memory left for {doing}; choose a smaller size.") from error


def averaged(picture: np.ndarray, size: Size) -> np.ndarray:
    """A picture [height, width, 3] uint8 at a width and height that divide its own, by means over squares."""
    width, height = size
    if picture.shape[:2] == (height, width):
        return picture
    squares = picture.reshape(height, picture.shape[0] // height, width, picture.shape[1] // width, 3)
    return np.rint(squares.mean(axis=(1, 3))).astype(np.uint8)


class Development(Keeper):
    """Makes pictures of one size (width, height) from their radiance, with the glare of a `SmallGlare` or, with
    `diffraction`, of an aperture whose picture has so many texels a side, at full resolution.
    """

    def __init__(self, ctx: Context, size: Size, glare_rows: int = GLARE_ROWS, diffraction: int = 0) -> None:
        self._tone = self._own(ScreenPass(ctx, "ocean/tone.frag"))
        self._enlarge = self._own(ScreenPass(ctx, "ocean/enlarge.frag"))
        self._ctx, self._size = ctx, size
        self._developed: Texture | None = None
        if diffraction:
            # A larger kernel takes longer in each picture.
            self._glare = self._own(Glare(ctx, size, min(default_kernel(size), 511), diffraction))
            self._glare.use(Lens(f_number=22.0, dust=120, scratches=2))
            self._spread = self._own(radiance_texture(ctx, size))
        else:
            self._glare = self._own(SmallGlare(ctx, size, glare_rows))

    def develop(self, scene: Texture, exposure: float, target: Framebuffer, size: Size,
                profiler: Sections | None = None, white: tuple[float, ...] = (1.0, 1.0, 1.0)) -> None:  # fmt: skip
        """Draw the finished picture of a scene (rgba16f, filtered linearly), with an exposure in display white per
        radiance and the colour shown as white, into so much of a framebuffer. Where that is another size, the picture
        is finished at its own and then enlarged, which is less work. A profiled section is "glare".
        """
        with timed(profiler, "glare"):
            if isinstance(self._glare, SmallGlare):
                self._glare.spread(scene, exposure, profiler)
                textures = {"scene": scene, "spread_light": self._glare.glare}
                share, part = 0.03, self._glare.part  # of the light, that a lens spreads
            else:
                self._glare.add(scene, self._spread, profiler)
                textures = {"scene": self._spread, "spread_light": self._spread}
                share, part = 0.0, (1.0, 1.0)
        last, uniforms = self._tone, {"exposure": exposure, "glare": share, "glare_part": part, "white": white}
        if size != self._size:
            own = self._developed = self._developed or self._own(radiance_texture(self._ctx, self._size, dtype="f1"))
            self._tone.draw_into(own, textures, **uniforms)
            last, textures, uniforms = self._enlarge, {"picture": own}, {}
        with self._ctx.scope(target):
            self._ctx.viewport = (0, 0, *size)
            last.draw(textures, **uniforms)


class SmallGlare(Keeper):
    """Glare of pictures of one size (width, height), by a picture of so many rows, convolved with the light that a lens
    makes of a point: `glare`, in the `part` (width, height) of a texture.
    """

    def __init__(self, ctx: Context, size: Size, glare_rows: int) -> None:
        self._gather = self._own(ScreenPass(ctx, "ocean/glare_gather.frag"))
        width, height = size
        wanted = glare_rows * width / height
        # A wider picture has pixels of the glare that are wider than high.
        self._light = self._own(radiance_texture(ctx, (min(max(1, round(wanted)), 960), glare_rows)))
        reach = math.ceil(_REACH * glare_rows / GLARE_ROWS)
        # Windows of any size need few different kernels.
        rows, columns = (64 * glfft.next_fast_len(-(-(side + reach) // 64)) for side in self._light.size[::-1])
        point = light_of_a_point((rows, columns), wanted / self._light.width, GLARE_ROWS / glare_rows)
        spectrum = np.fft.fft2(point).astype(np.complex64)
        factor = self._own(ctx.texture((columns, rows), 2, spectrum.tobytes(), dtype="f4"))
        self.glare = self._own(ctx.texture((columns, rows), 4, dtype="f4"))
        options: dict[str, Any] = {"storage": "rgba32f", "norm": "ortho", "directions": ["convolve"]}
        options |= {"load": '#include "ocean/light_load.glsl"\n', "multiply": glfft.snippets.multiply_by_texture()}
        self._plan = self._own(glfft.Plan(ctx, (rows, columns), **options))
        self._plan.set_uniforms(light=self._light, factor=factor)
        self.part = self._light.width / columns, self._light.height / rows
        self._half: list[Texture] = []
        # Each step averages four by four pixels, so that none is left out.
        while height > 4 * glare_rows:
            width, height = max(1, width // 4), max(1, height // 4)
            self._half.append(self._own(radiance_texture(ctx, (width, height))))

    def spread(self, scene: Texture, exposure: float, profiler: Sections | None = None) -> None:
        """Make the glare of a scene. Profiled sections are "gather" and the passes of the convolution."""
        with timed(profiler, "gather"):
            for source, smaller in pairwise((scene, *self._half, self._light)):
                self._gather.draw_into(smaller, {"scene": source}, most=4000.0 / exposure)  # display whites
        self._plan.convolve(None, self.glare, "sample", profiler)


def light_of_a_point(shape: tuple[int, int], wider: float = 1.0, larger: float = 1.0) -> np.ndarray:
    """What a lens makes of a point of light: a core, a halo that falls with the third power, and faint rays.

    Light scattered in eyes and lenses falls about so (Spencer, Shirley, Zimmerman and Greenberg, "Physically-Based
    Glare Effects for Digital Images", SIGGRAPH 1995). The result is float64 (rows, columns), the point at (0, 0), sum
    1, no light beyond `_REACH` pixels of GLARE_ROWS; a pixel is `larger` of those high, and `wider` times as wide.
    """
    y, x = np.meshgrid(*(np.fft.fftfreq(side, 1 / side) for side in shape), indexing="ij")
    x, y = x * (wider * larger), y * larger
    away = np.hypot(x, y)
    core = np.exp(-0.5 * (away / 1.6) ** 2)
    halo = (1 + (away / 4.0) ** 2) ** -1.5
    angles = math.radians(12.0) + np.arange(3) * math.pi / 3
    rays = sum(np.exp(-((x * np.sin(angle) - y * np.cos(angle)) ** 2)) for angle in angles) * np.exp(-away / 11.0)
    inside = np.clip(1 - (away / _REACH) ** 2, 0.0, 1.0)
    parts = [part * inside / (part * inside).sum() for part in (core, halo, rays)]
    return 0.34 * parts[0] + 0.54 * parts[1] + 0.12 * parts[2]
