"""A lens's glare laid over pictures: a convolution of each colour, at full resolution, in linear light. Its kernel is
what diffraction by the lens's aperture, which is drawn, makes of a point of white light.

By Fraunhofer, a point of light of one wavelength becomes the power spectrum of the aperture, scaled by the wavelength
times the f-number (Goodman, "Introduction to Fourier Optics", chapter 4). Added up over wavelengths, its speckles
become coloured streaks: Ritschel et al., "Temporal Glare", Eurographics 2009; Hullin et al., "Physically-Based
Real-Time Lens Flare Rendering", SIGGRAPH 2011. The colours of wavelengths are a fit to CIE 1931: Wyman, Sloan and
Shirley, "Simple Analytic Approximations to the CIE XYZ Color Matching Functions", JCGT 2(2), 2013.
"""

import math
from typing import Any

import moderngl
import numpy as np
from moderngl import Context, Texture, TextureArray
from numpy.typing import NDArray

from glfft import Plan, next_fast_len
from glfft.apps.glare.lens import Lens, strokes
from glfft.convolution import Convolution
from glfft.errors import require
from glfft.gl import barriers, programs
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT as _IMAGE
from glfft.gl.bindings import FIRST_DRAWING_TEXTURE_UNIT as _TEXTURE
from glfft.gl.releasable import Keeper, release_all, released_on_error
from glfft.gl.textures import bytes_of, use_textures
from glfft.gl.timed import Sections, timed

SENSOR = 36.0  # width of the picture on the sensor, mm: that of 35 mm film
DETAIL = 2048  # texels along a side of the aperture's picture; finer dust spreads light further
_GROUP = 8
SHORTEST, LONGEST = 390.0, 730.0  # nm
MIDDLE = 550.0  # the wavelength at which kernels have the size that the f-number says, nm: green, near the eye's best

_LOBES = (  # height, centre, width below and above it, nm
    ((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
    ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)),
    ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)),
)

# IEC 61966-2-1 (sRGB).
XYZ_TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])


def default_kernel(size: tuple[int, int]) -> int:
    """The side of the kernel for pictures of a width and a height, an odd number: about the height."""
    return min(max(15, size[1] | 1), 1023)


class Glare(Keeper):
    """Adds the glare of a lens to pictures of one size (width, height). Light is kept: what a pixel sends, others get.
    For side and detail see `GlareKernel`. `strength`: how many times as much light spreads as diffracts.
    """

    def __init__(self, ctx: Context, size: tuple[int, int], kernel_side: int, detail: int) -> None:
        self._ctx, self.size, self.strength = ctx, size, 1.0
        with released_on_error([self]):
            self.kernel = self._own(GlareKernel(ctx, kernel_side, detail))
            layers = (self._own(ctx.texture_array((*size, 3), 1, dtype="f2")) for _ in range(3))
            self._light, self._spread, self._received = layers
            ones = np.ones((3, *size[::-1]), np.float16)
            self._even = self._own(ctx.texture_array((*size, 3), 1, ones.tobytes(), dtype="f2", alignment=1))
            options: dict[str, Any] = {"layers": 3, "kernel_per_layer": True, "storage": "r32f"}
            self._convolution = self._own(Convolution(ctx, size[::-1], 2 * (kernel_side,), **options))
        self._split = programs.compute(ctx, "glare/split.comp", {"PICTURE_UNIT": _TEXTURE, "IMAGE_UNIT": _IMAGE})

    def use(self, lens: Lens, profiler: Sections | None = None) -> None:
        """Take the glare of this lens from now on; nothing waits for it. Profiled sections are "kernel" and "even"."""
        with timed(profiler, "kernel"):
            self.kernel.make(lens, self.size[0])
            self._convolution.set_kernel(self.kernel.texture)
        with timed(profiler, "even"):
            self._convolution.run(self._even, self._received, "sample", profiler)

    def add(self, picture: Texture, target: Texture, profiler: Sections | None = None) -> None:
        """Write a picture with its glare; call `use` first. Sections are "split", the convolution's passes and "merge".
        The picture is linear light in any float format, and its alpha is kept. The target is another texture, rgba16f.
        """
        use_textures({"PICTURE_UNIT": picture}, _TEXTURE)
        self._light.bind_to_image(_IMAGE, read=False, write=True)
        with timed(profiler, "split", bytes_of(picture, self._light)):
            programs.run_over(self._split, _GROUP, *self.size)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)
        self._convolution.run(self._light, self._spread, "sample", profiler)
        with timed(profiler, "merge", bytes_of(picture, self._spread, self._received, target)):
            merge(picture, (self._spread, self._received), self.kernel.core, self.strength, target)


def merge(
    picture: Texture, spread: Texture | tuple[TextureArray, TextureArray], core: Texture, strength: float, into: Texture
) -> None:
    """Write a picture with light from its other pixels, see glare/merge.comp: `spread` is what they send, in three
    layers, and what they would send of even light; or a picture of all light, blurred in another way.
    """
    is_smooth = isinstance(spread, Texture)
    others = {"SPREAD_UNIT": spread} if is_smooth else {"SPREAD_UNIT": spread[0], "RECEIVED_UNIT": spread[1]}
    units = use_textures({"PICTURE_UNIT": picture, "CORE_UNIT": core, **others}, _TEXTURE)
    defines = {"SMOOTH": int(is_smooth), "IMAGE_UNIT": _IMAGE, **units}
    program = programs.compute(picture.ctx, "glare/merge.comp", defines)
    programs.set_uniforms(program, {"strength": strength})
    into.bind_to_image(_IMAGE, read=False, write=True)
    programs.run_over(program, _GROUP, *picture.size)
    next_uses = barriers.TEXTURE_FETCH_BARRIER | barriers.FRAMEBUFFER_BARRIER | barriers.TEXTURE_UPDATE_BARRIER
    picture.ctx.memory_barrier(next_uses)


class GlareKernel(Keeper):
    """The glare of a point of light, made anew for each lens, an odd number of pixels along a `side`, of an aperture of
    `detail` texels, rounded up to a length that transforms well.

    `texture` is r32f, side x side, layers red, green, blue: the share of a point's light that each other pixel gets, 0
    in the middle. `core`, rgba32f, 1 x 1, has the shares that stay in the middle: with them a layer has the sum 1.
    `aperture` is the picture of the aperture, as last drawn.
    """

    def __init__(self, ctx: Context, side: int, detail: int = DETAIL) -> None:
        require(side >= 3 and side % 2, "The kernel's side", side, "an odd number, 3 or more")
        self._ctx, self.side = ctx, side
        self._texels = 2 * next_fast_len(-(-detail // 2), ctx=ctx)
        with released_on_error([self]):
            self.aperture = self._own(AperturePicture(ctx, self._texels))
            self._power = self._own(ctx.texture((self._texels, self._texels), 1, dtype="f4"))
            store, shape = f'#define SIDE {self._texels}\n#include "glare/power_store.glsl"\n', 2 * (self._texels,)
            self._plan = self._own(Plan(ctx, shape, real=True, store=store, directions=["forward"]))
            self._plan.set_uniforms(power=self._power)
            # As many waves that two neighbours' patterns lie no more than a pixel apart at the kernel's edge.
            count = max(48, math.ceil(side / 2 * math.log(LONGEST / SHORTEST)))
            wavelengths, colours = weights(count)
            waves = np.column_stack([colours, MIDDLE / wavelengths]).astype(np.float32)
            self._waves = self._own(ctx.texture((count, 1), 4, waves.tobytes(), dtype="f4"))
            self.texture = self._own(ctx.texture_array((side, side, 3), 1, dtype="f4"))
            self.core = self._own(ctx.texture((1, 1), 4, dtype="f4"))
        units = {"POWER_UNIT": _TEXTURE, "WAVES_UNIT": _TEXTURE + 1, "IMAGE_UNIT": _IMAGE}
        sides = {"KERNEL": side, "SIDE": self._texels, "WAVES": count}
        self._resample = programs.compute(ctx, "glare/kernel.comp", sides | units)
        units = {"KERNEL_UNIT": _IMAGE, "CORE_UNIT": _IMAGE + 1}
        self._normalize = programs.compute(ctx, "glare/normalize.comp", {"KERNEL": side, **units})

    def make(self, lens: Lens, width: float) -> None:
        """Make the kernel of a lens for pictures of a width in pixels, all of it on the GPU."""
        diameter, bins, reach = scales(lens.f_number, width, self.side, self._texels)
        self.aperture.draw(lens, diameter)
        self._plan.forward(self.aperture.texture, None, next_use="sample")
        use_textures({"POWER_UNIT": self._power, "WAVES_UNIT": self._waves}, _TEXTURE)
        programs.set_uniforms(self._resample, {"bins": bins, "reach": reach})
        self.texture.bind_to_image(_IMAGE, read=False, write=True)
        programs.run_over(self._resample, _GROUP, self.side, self.side)
        self._ctx.memory_barrier(barriers.SHADER_IMAGE_ACCESS_BARRIER)
        self.texture.bind_to_image(_IMAGE)
        self.core.bind_to_image(_IMAGE + 1, read=False, write=True)
        self._normalize.run(1)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER | barriers.TEXTURE_UPDATE_BARRIER)


def scales(f_number: float, width: float, side: int, texels: int) -> tuple[float, float, float]:
    """The diameter of the aperture in texels of its picture, bins of the spectrum per pixel of the kernel at the
    wavelength `MIDDLE`, and how far from its middle the kernel reaches, pixels. On the sensor, a frequency of one cycle
    a diameter lies wavelength times f-number from the middle.
    """
    cycles = SENSOR * 1e-3 / width / (MIDDLE * 1e-9 * f_number)  # cycles a diameter between two pixels
    reach, shortest = side / 2, MIDDLE / SHORTEST
    # The spectrum ends at half a cycle a texel: so many texels let the kernel reach its edge at every wavelength.
    wanted = 2.05 * shortest * reach * cycles
    # Where that leaves room, there are up to eight bins a cycle: the spectrum is interpolated linearly between them.
    diameter = min(max(wanted, texels / 8), 0.8 * texels)
    bins = cycles * texels / diameter
    return diameter, bins, min(reach, (texels / 2 - 2) / (bins * shortest))


class AperturePicture(Keeper):
    """An aperture in the middle of `texture`, r32f, [side, side]: 1 where all light passes, 0 where none does."""

    def __init__(self, ctx: Context, side: int) -> None:
        self._ctx, self._side = ctx, side
        with released_on_error([self]):
            self.texture = self._own(ctx.texture((side, side), 1, dtype="f4"))
            self._framebuffer = self._own(ctx.framebuffer([self.texture]))
        self._blades = programs.program(ctx, "ocean/fullscreen.vert", "glare/blades.frag")
        self._strokes = programs.program(ctx, "glare/quad.vert", "glare/stroke.frag")
        self._whole = self._own(ctx.vertex_array(self._blades, []))

    def draw(self, lens: Lens, diameter: float) -> None:
        """Draw the aperture of a lens, so many texels wide; the framebuffer bound before is bound again after."""
        ctx, scale = self._ctx, {"scale": float(diameter), "side": float(self._side)}
        with ctx.scope(self._framebuffer):
            ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
            # Straight blades: how far their edges lie from the middle of the circle through the corners.
            edge = 0.5 * math.cos(math.pi / max(1, lens.blades))
            shape = {"blades": lens.blades, "rotation": lens.rotation, "middle": edge}
            programs.set_uniforms(self._blades, {**scale, **shape})
            self._whole.render(moderngl.TRIANGLES, vertices=3)
            lying = strokes(lens).astype(np.float32)
            if len(lying):
                data = ctx.buffer(lying.tobytes())
                array = ctx.vertex_array(self._strokes, [(data, "4f 2f 1f/i", "ends", "widths", "kept_back")])
                programs.set_uniforms(self._strokes, scale)
                ctx.enable(moderngl.BLEND)
                ctx.blend_func = moderngl.ZERO, moderngl.SRC_COLOR
                array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(lying))
                ctx.disable(moderngl.BLEND)
                ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
                release_all((array, data))


def matching(wavelengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The colour-matching functions x, y, z of CIE 1931 at wavelengths in nm, [count, 3]."""

    def lobe(height: float, centre: float, below: float, above: float) -> NDArray[np.float64]:
        return height * np.exp(-0.5 * ((wavelengths - centre) / np.where(wavelengths < centre, below, above)) ** 2)

    return np.stack([sum(lobe(*each) for each in lobes) for lobes in _LOBES], axis=-1)


def weights(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wavelengths in nm [count], and what each adds to linear RGB, [count, 3]; columns sum to 1: white stays white."""
    middles = SHORTEST + (LONGEST - SHORTEST) * (np.arange(count) + 0.5) / count
    rgb = matching(middles) @ XYZ_TO_RGB.T
    return middles, rgb / rgb.sum(axis=0)
