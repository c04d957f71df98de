"""The kernel of a lens's glare: what diffraction at its aperture makes of a point of white light.

By Fraunhofer, a point of light of one wavelength becomes the power spectrum of the aperture, scaled by the wavelength
times the f-number (Goodman, "Introduction to Fourier Optics", chapter 4). Added up over wavelengths, its rings and
speckles become coloured streaks: Ritschel, Ihrke, Frisvad, Coppens, Myszkowski and Seidel, "Temporal Glare: Real-Time
Dynamic Simulation of the Scattering in the Human Eye", Eurographics 2009; Hullin, Eisemann, Seidel and Lee,
"Physically-Based Real-Time Lens Flare Rendering", SIGGRAPH 2011.
"""

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft import Plan, next_fast_len
from glfft.apps.glare.aperture import AperturePicture
from glfft.apps.glare.lens import Lens
from glfft.apps.glare.wavelengths import LONGEST, MIDDLE, SHORTEST, weights
from glfft.errors import OptionError
from glfft.gl import programs
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, TEXTURE_FETCH_BARRIER, TEXTURE_UPDATE_BARRIER
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT, FIRST_DRAWING_TEXTURE_UNIT
from glfft.gl.releasable import Owner
from glfft.gl.uniforms import set_uniforms

# Width of the picture on the sensor, mm: that of 35 mm film.
SENSOR = 36.0

# Texels along a side of the aperture's picture. Finer dust spreads light further.
DETAIL = 2048
_MOST_OF_SIDE = 0.8  # that the aperture's diameter takes

# Sides of kernels that are chosen for pictures: about the height.
LEAST_KERNEL, MOST_KERNEL = 15, 1023

_GROUP = 8
_LEAST_WAVES = 48


def default_kernel(size: tuple[int, int]) -> int:
    """The side of the kernel for pictures of a width and a height, an odd number."""
    return min(max(LEAST_KERNEL, size[1] | 1), MOST_KERNEL)


class GlareKernel(Owner):
    """The glare of a point of light, made anew for each lens.

    Args:
        ctx: the context.
        side: pixels along a side of the kernel, an odd number.
        detail: texels along a side of the aperture's picture, rounded up to a length that transforms well.

    Attributes:
        texture: r32f, side x side, layers red, green, blue: the share of a point's light that each other pixel gets,
            0 in the middle. Each layer and its share of `core` have the sum 1.
        core: rgba32f, 1 x 1: the shares of red, green and blue that stay in the middle.
        aperture: the picture of the aperture, as last drawn.
    """

    _name = "kernel of glare"

    def __init__(self, ctx: moderngl.Context, side: int, detail: int = DETAIL) -> None:
        super().__init__(ctx)
        if side < 3 or side % 2 == 0:
            raise OptionError(f"The kernel's side is {side} and must be an odd number, 3 or more.")
        self.side = side
        self._texels = 2 * next_fast_len(-(-detail // 2), ctx=ctx)
        self.aperture = self._own(AperturePicture(ctx, self._texels))
        self._power = self._own(ctx.texture((self._texels, self._texels), 1, dtype="f4"))
        self._power.filter = (moderngl.LINEAR, moderngl.LINEAR)
        store = f'#define SIDE {self._texels}\n#include "glare/power_store.glsl"\n'
        self._plan = self._own(Plan(ctx, (self._texels, self._texels), real=True, store=store))
        self._plan.set_uniforms(power=self._power)
        self._waves, count = self._wave_colours()
        self.texture = self._own(ctx.texture_array((side, side, 3), 1, dtype="f4"))
        self.core = self._own(ctx.texture((1, 1), 4, dtype="f4"))
        self.core.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture, image = FIRST_DRAWING_TEXTURE_UNIT, FIRST_DRAWING_IMAGE_UNIT
        sizes = {"KERNEL": side, "SIDE": self._texels, "WAVES": count}
        units = {"POWER_UNIT": texture, "WAVES_UNIT": texture + 1, "IMAGE_UNIT": image}
        self._resample = programs.compute(ctx, "glare/kernel.comp", {**sizes, **units})
        units = {"KERNEL": side, "KERNEL_UNIT": image, "CORE_UNIT": image + 1}
        self._normalize = programs.compute(ctx, "glare/normalize.comp", units)
        self._released = False

    def make(self, lens: Lens, width: float) -> None:
        """Make the kernel of a lens for pictures of a width in pixels, all of it on the GPU."""
        self._check_alive()
        ctx = self.ctx
        diameter, bins, reach = scales(lens.f_number, width, self.side, self._texels)
        self.aperture.draw(lens, diameter)
        self._plan.forward(self.aperture.texture, None, next_use="sample")
        self._power.use(FIRST_DRAWING_TEXTURE_UNIT)
        self._waves.use(FIRST_DRAWING_TEXTURE_UNIT + 1)
        set_uniforms(self._resample, {"bins": bins, "reach": reach})
        self.texture.bind_to_image(FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        groups = -(-self.side // _GROUP)
        self._resample.run(groups, groups)
        ctx.memory_barrier(SHADER_IMAGE_ACCESS_BARRIER)
        self.texture.bind_to_image(FIRST_DRAWING_IMAGE_UNIT)
        self.core.bind_to_image(FIRST_DRAWING_IMAGE_UNIT + 1, read=False, write=True)
        self._normalize.run(1)
        ctx.memory_barrier(TEXTURE_FETCH_BARRIER | TEXTURE_UPDATE_BARRIER)

    def read(self) -> NDArray[np.float32]:
        """The kernel with its middle, [side, side, 3], top row first; waits for the GPU."""
        layers = np.frombuffer(self.texture.read(), np.float32).reshape(3, self.side, self.side)
        kernel = np.moveaxis(layers, 0, -1).copy()
        kernel[self.side // 2, self.side // 2] = np.frombuffer(self.core.read(), np.float32)[:3]
        return kernel

    def _wave_colours(self) -> tuple[moderngl.Texture, int]:
        # As many that two neighbours' patterns lie no more than a pixel apart at the kernel's edge.
        count = max(_LEAST_WAVES, math.ceil(self.side / 2 * math.log(LONGEST / SHORTEST)))
        wavelengths, colours = weights(count)
        texels = np.column_stack([colours, MIDDLE / wavelengths]).astype(np.float32)
        texture = self._own(self.ctx.texture((count, 1), 4, texels.tobytes(), dtype="f4"))
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture, count


def scales(f_number: float, width: float, side: int, texels: int) -> tuple[float, float, float]:
    """The diameter of the aperture in texels of its picture, bins of the spectrum per pixel of the kernel at the
    wavelength `MIDDLE`, and how far from its middle the kernel reaches, pixels.

    On the sensor, a frequency of one cycle a diameter lies wavelength times f-number from the middle.
    """
    # Cycles a diameter between two pixels.
    cycles = SENSOR * 1e-3 / width / (MIDDLE * 1e-9 * f_number)
    reach = side / 2
    shortest = MIDDLE / SHORTEST
    # The spectrum ends at half a cycle a texel: so many texels let the kernel reach its edge at every wavelength.
    wanted = 2.05 * shortest * reach * cycles
    # Where that leaves room, there are up to eight bins a cycle: the spectrum is interpolated linearly between them.
    diameter = min(max(wanted, texels / 8), _MOST_OF_SIDE * texels)
    bins = cycles * texels / diameter
    return diameter, bins, min(reach, (texels / 2 - 2) / (bins * shortest))
