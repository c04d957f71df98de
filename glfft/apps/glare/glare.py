"""The glare of a lens laid over pictures: a convolution of each colour, at full resolution, in linear light."""

import numpy as np
from moderngl import Context, Texture, TextureArray

from glfft.apps.glare.kernel import DETAIL, GlareKernel
from glfft.apps.glare.lens import Lens
from glfft.convolution import Convolution
from glfft.gl import barriers, bindings, programs
from glfft.gl.releasable import Owner
from glfft.gl.textures import bytes_of
from glfft.gl.timed import Sections, timed
from glfft.gl.uniforms import set_uniforms

_GROUP = 8


class Glare(Owner):
    """Adds the glare of a lens to pictures of one size (width, height). Light is kept: what a pixel sends, others of
    the picture get. For the side and the detail of the `kernel` see `GlareKernel`. `strength` is how many times as much
    light spreads as diffraction makes it.
    """

    _name = "glare"

    def __init__(self, ctx: Context, size: tuple[int, int], kernel_side: int, detail: int = DETAIL) -> None:
        super().__init__(ctx)
        self.size, self.strength = size, 1.0
        width, height = size
        self.kernel = self._own(GlareKernel(ctx, kernel_side, detail))
        layers = (self._own(ctx.texture_array((*size, 3), 1, dtype="f2")) for _ in range(3))
        self._light, self._spread, self._received = layers
        ones = np.ones((3, height, width), np.float16)
        self._even = self._own(ctx.texture_array((*size, 3), 1, ones.tobytes(), dtype="f2", alignment=1))
        sides = (kernel_side, kernel_side)
        convolution = Convolution(ctx, (height, width), sides, layers=3, kernel_per_layer=True, storage="r32f")
        self._convolution = self._own(convolution)
        units = {"PICTURE_UNIT": bindings.FIRST_DRAWING_TEXTURE_UNIT, "IMAGE_UNIT": bindings.FIRST_DRAWING_IMAGE_UNIT}
        self._split = programs.compute(ctx, "glare/split.comp", units)
        self._released = False

    def use(self, lens: Lens, profiler: Sections | None = None) -> None:
        """Take the glare of this lens from now on; nothing waits for it. Profiled sections are "kernel" and "even"."""
        self._check_alive()
        with timed(profiler, "kernel"):
            self.kernel.make(lens, self.size[0])
            self._convolution.set_kernel(self.kernel.texture)
        with timed(profiler, "even"):
            self._convolution.run(self._even, self._received, "sample", profiler)

    def add(self, picture: Texture, target: Texture, profiler: Sections | None = None) -> None:
        """Write a picture with its glare; call `use` first. Sections are "split", the convolution's passes and "merge".
        The picture is linear light in any float format, and its alpha is kept. The target is rgba16f, another texture,
        which may be sampled, drawn into and read after.
        """
        self._check_alive()
        picture.use(bindings.FIRST_DRAWING_TEXTURE_UNIT)
        self._light.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        with timed(profiler, "split", bytes_of(picture, self._light)):
            self._split.run(*groups_of(self.size))
        self.ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)
        self._convolution.run(self._light, self._spread, "sample", profiler)
        with timed(profiler, "merge", bytes_of(picture, self._spread, self._received, target)):
            merge(picture, (self._spread, self._received), self.kernel.core, self.strength, target)


def merge(
    picture: Texture, spread: Texture | tuple[TextureArray, TextureArray], core: Texture, strength: float, into: Texture
) -> None:
    """Write a picture with light from its other pixels, see glare/merge.comp: `spread` is what they send, in three
    layers, and what they would send of even light; or a picture of all light, blurred in another way.
    """
    ctx = picture.ctx
    textures = (picture, core, spread) if isinstance(spread, Texture) else (picture, core, *spread)
    names = ("PICTURE_UNIT", "CORE_UNIT", "SPREAD_UNIT", "RECEIVED_UNIT")
    units = {name: unit for unit, name in enumerate(names, bindings.FIRST_DRAWING_TEXTURE_UNIT)}
    defines = {"SMOOTH": int(isinstance(spread, Texture)), "IMAGE_UNIT": bindings.FIRST_DRAWING_IMAGE_UNIT, **units}
    program = programs.compute(ctx, "glare/merge.comp", defines)
    for unit, texture in zip(units.values(), textures, strict=False):
        texture.use(unit)
    set_uniforms(program, {"strength": strength})
    into.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
    program.run(*groups_of(picture.size))
    ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER | barriers.FRAMEBUFFER_BARRIER | barriers.TEXTURE_UPDATE_BARRIER)


def groups_of(size: tuple[int, int]) -> tuple[int, int]:
    return -(-size[0] // _GROUP), -(-size[1] // _GROUP)
