"""A picture kept in a texture: drawn now and then, and shown over every frame."""

import moderngl

from glfft.gl import programs
from glfft.gl.bindings import upload_texture_unit
from glfft.gl.context import state_of
from glfft.gl.drawing_state import PREMULTIPLIED_ALPHA, DrawingState


class CachedLayer:
    """Keeps what is drawn into it, with premultiplied alpha, and draws that over other pictures pixel for pixel.

    GL state: as in `glfft.ui.imgui_renderer.ImguiRenderer`.

    Attributes:
        texture: the picture, rgba8, premultiplied alpha, row 0 at the bottom; `cleared` may make a new one.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._state = DrawingState(ctx)
        self._program = programs.program(ctx, vertex="overlay/cached_layer.vert", fragment="overlay/cached_layer.frag")
        self._array = ctx.vertex_array(self._program, [])
        self._unit = upload_texture_unit(state_of(ctx).limits)  # the same for all that share the program
        self._program["picture"].value = self._unit  # pyright: ignore[reportAttributeAccessIssue]
        self._framebuffer, self.texture = self._make((1, 1))

    def cleared(self, size: tuple[int, int], part: tuple[int, int, int, int] | None = None) -> moderngl.Framebuffer:
        """The framebuffer to draw the picture into, cleared to transparent; a new texture if the size is new.

        Args:
            size: width and height in pixels.
            part: clear only this part: left, top, right and bottom, in pixels from the upper left corner.
        """
        if self.texture.size != size:
            self._free()
            self._framebuffer, self.texture = self._make(size)
        left, top, right, bottom = part or (0, 0, *size)
        self._framebuffer.clear(viewport=(left, size[1] - bottom, right - left, bottom - top))
        return self._framebuffer

    def draw_over(self, framebuffer: moderngl.Framebuffer, left: int, bottom: int) -> None:
        """Blend the picture over a framebuffer, with its lower left corner at a pixel; it may cross the edges."""
        with self._state.over(framebuffer, (left, bottom, *self.texture.size), PREMULTIPLIED_ALPHA):
            self.texture.use(self._unit)
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def release(self) -> None:
        """Free the texture; the program stays in glfft's cache."""
        self._free()
        self._array.release()

    def _make(self, size: tuple[int, int]) -> tuple[moderngl.Framebuffer, moderngl.Texture]:
        texture = self._ctx.texture(size, 4)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        return self._ctx.framebuffer([texture]), texture

    def _free(self) -> None:
        self._framebuffer.release()
        self.texture.release()
