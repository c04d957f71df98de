"""A fragment shader run over every pixel of a target: the sky's textures, the background, the finished picture."""

from typing import Any

import moderngl
from moderngl import Context, Texture

from glfft.gl.bindings import FIRST_DRAWING_TEXTURE_UNIT
from glfft.gl.programs import program, set_uniforms
from glfft.gl.releasable import Keeper
from glfft.gl.source import Defines
from glfft.gl.textures import allocate_mipmaps, copy_to_level, use_textures


class ScreenPass(Keeper):
    """One fragment shader from shaders/, drawn as a triangle that covers the screen."""

    def __init__(self, ctx: Context, fragment: str, defines: Defines | None = None) -> None:
        self._ctx = ctx
        self._program = program(ctx, vertex="ocean/fullscreen.vert", fragment=fragment, defines=defines)
        self._triangle = self._own(ctx.vertex_array(self._program, []))

    def draw(self, textures: dict[str, Texture] | None = None, **uniforms: Any) -> None:
        """Draw into the bound framebuffer, with textures by sampler name, and all uniforms: contexts share programs."""
        set_uniforms(self._program, {**uniforms, **use_textures(textures or {}, FIRST_DRAWING_TEXTURE_UNIT)})
        self._ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        self._triangle.render(moderngl.TRIANGLES, vertices=3)

    def draw_into(self, target: Texture, textures: dict[str, Texture] | None = None, **uniforms: Any) -> None:
        """Draw over the whole of a texture; the framebuffer bound before is bound again after."""
        framebuffer = self._ctx.framebuffer([target])
        # In a scope, as moderngl binds the last framebuffer again later, which fails once it is released.
        with self._ctx.scope(framebuffer):
            self.draw(textures, **uniforms)
        framebuffer.release()


class Mipmaps(Keeper):
    """Makes a texture's mipmaps, for sides that are powers of two, and `levels`, copies; what was in it is lost."""

    def __init__(self, ctx: Context, texture: Texture) -> None:
        self._ctx, self._texture = ctx, texture
        allocate_mipmaps(ctx, texture)
        self._halve = self._own(ScreenPass(ctx, "ocean/halve.frag"))
        self.levels: list[Texture] = []
        for level in range(1, max(texture.size).bit_length()):
            width, height = (max(1, side >> level) for side in texture.size)
            self.levels.append(self._own(radiance_texture(ctx, (width, height), texture.components, texture.dtype)))

    def make(self) -> None:
        finer = self._texture
        for level, coarser in enumerate(self.levels, 1):
            self._halve.draw_into(coarser, {"finer": finer})
            copy_to_level(self._ctx, coarser, self._texture, level)
            finer = coarser


def mipmap_filter(nearest: bool) -> int:
    """The filter of textures seen small: of the nearest mipmap, half the work on a processor, or of two."""
    return moderngl.LINEAR_MIPMAP_NEAREST if nearest else moderngl.LINEAR_MIPMAP_LINEAR


def radiance_texture(ctx: Context, size: tuple[int, int], components: int = 4, dtype: str = "f2") -> Texture:
    """A texture (width, height) for passes to draw light into: rgba16f, filtered linearly, clamped at its edges."""
    texture = ctx.texture(size, components, dtype=dtype)
    texture.repeat_x = texture.repeat_y = False
    return texture
