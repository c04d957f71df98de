"""One picture while it is made: which place of the sea each sample shows, and then the light at each pixel."""

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import moderngl

from glfft.apps.ocean.screen_pass import radiance_texture
from glfft.gl import barriers, programs
from glfft.gl.bindings import FIRST_APP_BUFFER_BINDING, FIRST_DRAWING_IMAGE_UNIT, FIRST_DRAWING_TEXTURE_UNIT
from glfft.gl.context import is_software
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.source import Defines
from glfft.gl.textures import use_textures

LENS_POINTS = 8  # along a side of the picture
_GROUP = 8  # a work group has a square of so many pixels a side
_LISTS = ("water", "sky")


class Picture(Keeper):
    """The textures of pictures of one size, and the compute shaders that light them, once per pixel.

    `mesh` is the framebuffer to draw the sea's mesh into, which keeps each sample's place on the still sea, `lit` that
    of the `radiance` (rgba16f, filtered linearly). `samples` are per pixel, from 1; `lens_depths` depths of the lens
    under water at LENS_POINTS² points, see lens_depths.comp. `run` leaves texture units from `free_unit` on.
    """

    free_unit = FIRST_DRAWING_TEXTURE_UNIT + 2
    uniforms: Mapping[str, Any] = {}  # what the shaders of all its passes share, by name: each declares some of them

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int) -> None:
        """Make the textures, for a width, a height and a number of samples a pixel, 0 or 1 for no more than one."""
        self._ctx, samples = ctx, samples if samples > 1 else 0
        with released_on_error([self]):
            self.radiance = self._own(radiance_texture(ctx, size))
            self._still = self._own(ctx.texture(size, 2, samples=samples, dtype="f4"))
            self._depth = self._own(ctx.depth_renderbuffer(size, samples=samples))
            self.lens_depths = self._own(radiance_texture(ctx, (LENS_POINTS, LENS_POINTS), 1, "f4"))
            self.mesh = self._own(ctx.framebuffer([self._still], self._depth))
            self.lit = self._own(ctx.framebuffer([self.radiance]))
        self.samples, self.aspect = max(1, samples), size[0] / size[1]
        self._lists: dict[str, moderngl.Buffer] = {}
        self._listed = False
        self._solids: tuple[moderngl.Texture, moderngl.Framebuffer] | None = None
        self._defines = {"SAMPLES": self.samples, "GROUP": _GROUP, "IMAGE_UNIT": FIRST_DRAWING_IMAGE_UNIT}
        self._groups = (-(-size[0] // _GROUP), -(-size[1] // _GROUP), 1)
        blocks = self._groups[0] * self._groups[1]
        # A GPU has done with a thread that returns; llvmpipe runs all of the shader for it.
        if is_software(ctx) and blocks <= 65535:  # the work groups in a row that any device can be given
            self._lists = {name: self._own(ctx.buffer(reserve=16 + 4 * blocks, dynamic=True)) for name in _LISTS}

    def clear(self) -> None:
        self.mesh.clear(1e30, 1e30, 0.0, 0.0)  # what still_map.glsl takes for no water
        self._listed = False

    def _find_blocks(self) -> None:
        """List which squares of pixels show water and which sky, as the mesh has been drawn."""
        lists = {name.upper(): binding for binding, name in enumerate(_LISTS, FIRST_APP_BUFFER_BINDING)}
        program = programs.compute(self._ctx, "ocean/blocks.comp", {"SAMPLES": self.samples, "GROUP": _GROUP, **lists})
        self.use_still_map(program)
        for name, listed in self._lists.items():
            listed.write(struct.pack("4I", 0, 1, 1, 0))
            listed.bind_to_storage_buffer(lists[name.upper()])
        program.run(*self._groups)
        self._ctx.memory_barrier(barriers.COMMAND_BARRIER | barriers.SHADER_STORAGE_BARRIER)

    def run(self, shader: str, shows: Literal["water", "sky"], defines: Defines, uniforms: Mapping[str, Any]) -> None:
        """Run a compute shader with a thread for each pixel; its `radiance` can be sampled or gone on with after.

        The shader includes own_pixel.glsl, still_map.glsl and lens.glsl, whose defines need not be given, has the image
        `radiance`, and returns at pixels that do not show what it `shows`. `uniforms` are those it does not share.
        """
        if self._lists and not self._listed:
            self._find_blocks()
            self._listed = True
        listed = self._lists.get(shows)
        where = {"LISTED": int(listed is not None), "BLOCKS": FIRST_APP_BUFFER_BINDING}
        program = programs.compute(self._ctx, shader, {**self._defines, **where, **defines})
        self.use_still_map(program)
        programs.set_declared(program, self.uniforms)
        lens = use_textures({"lens_depths": self.lens_depths}, FIRST_DRAWING_TEXTURE_UNIT + 1)
        programs.set_uniforms(program, {**lens, **uniforms})
        self._light(program, listed)

    def _light(self, program: moderngl.ComputeShader, listed: moderngl.Buffer | None = None) -> None:
        """Run a program over the radiance, in all its blocks or in a list of them."""
        self.radiance.bind_to_image(FIRST_DRAWING_IMAGE_UNIT)
        if listed is not None:
            listed.bind_to_storage_buffer(FIRST_APP_BUFFER_BINDING)
            program.run_indirect(listed)
        else:
            program.run(*self._groups)
        # Before what goes on with the radiance: shaders, samplers and framebuffers.
        drawn = barriers.SHADER_IMAGE_ACCESS_BARRIER | barriers.TEXTURE_FETCH_BARRIER | barriers.FRAMEBUFFER_BARRIER
        self._ctx.memory_barrier(drawn)

    @contextmanager
    def solids(self) -> Iterator[moderngl.Framebuffer]:
        """Draw what stands in the sea, behind the mesh and before it, for `lay_solids`; colours times their alpha."""
        if self._solids is None:
            size, samples = self.radiance.size, self._still.samples
            texture = self._own(self._ctx.texture(size, 4, samples=samples, dtype="f2"))
            self._solids = texture, self._own(self._ctx.framebuffer([texture], self._depth))
        framebuffer = self._solids[1]
        with self._ctx.scope(framebuffer):
            # The depth of the mesh stays.
            framebuffer.depth_mask = False
            framebuffer.clear()
            framebuffer.depth_mask = True
            yield framebuffer

    def lay_solids(self) -> None:
        assert self._solids is not None
        program = programs.compute(self._ctx, "ocean/solids.comp", self._defines)
        self._solids[0].use(FIRST_DRAWING_TEXTURE_UNIT)
        programs.set_uniforms(program, {"solids": FIRST_DRAWING_TEXTURE_UNIT})
        self._light(program)

    @contextmanager
    def over(self, *, alpha: int = moderngl.ONE) -> Iterator[None]:
        """Blend over the radiance in this block, with a factor on what is drawn."""
        with self._ctx.scope(self.lit):
            self._ctx.viewport = (0, 0, *self.radiance.size)
            self._ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
            self._ctx.enable(moderngl.BLEND)
            self._ctx.blend_func = alpha, moderngl.ONE_MINUS_SRC_ALPHA
            yield
            self._ctx.disable(moderngl.BLEND)

    def use_still_map(self, program: moderngl.Program | moderngl.ComputeShader) -> None:
        """Bind the places that samples show, for a shader that includes ocean/still_map.glsl."""
        self._still.use(FIRST_DRAWING_TEXTURE_UNIT)
        programs.set_uniforms(program, {"still_map": FIRST_DRAWING_TEXTURE_UNIT})
