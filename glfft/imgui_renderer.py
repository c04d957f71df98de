"""Draws what Dear ImGui has laid out, with moderngl: one vertex buffer, one index buffer, one texture atlas."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

import moderngl
import numpy as np

from glfft import shaders
from glfft.errors import MissingExtraError
from glfft.gl import integer_reader

# Blend factors and equations, colour and alpha (OpenGL 4.3 core specification, tables 23.25 and 23.26): moderngl
# sets these and cannot tell what they were.
_BLEND_FUNCTION = (0x80C9, 0x80C8, 0x80CB, 0x80CA)
_BLEND_EQUATION = (0x8009, 0x883D)
# Dear ImGui's ImDrawVert: position and texture coordinate, two floats each, and four bytes of colour.
_VERTEX_BYTES = 20
_STRAIGHT_ALPHA = (
    moderngl.SRC_ALPHA,
    moderngl.ONE_MINUS_SRC_ALPHA,
    moderngl.ONE,
    moderngl.ONE_MINUS_SRC_ALPHA,
)


def load_imgui() -> ModuleType:
    """The `imgui` module of imgui-bundle, imported when first needed: it links the window system's libraries.

    Raises:
        MissingExtraError: it is not installed, or does not load.
    """
    try:
        from imgui_bundle import imgui
    except ImportError as error:
        raise MissingExtraError(
            f"The overlay and panels need imgui-bundle; install it with: pip install 'glfft[ui]' ({error})."
        ) from error
    if imgui.VERTEX_SIZE != _VERTEX_BYTES:
        # Vertices are copied into ImGui's memory as they are: a wrong size would write past their ends.
        raise MissingExtraError(
            f"This imgui-bundle has vertices of {imgui.VERTEX_SIZE} bytes and {_VERTEX_BYTES} are expected; "
            "install the version of the extra: pip install 'glfft[ui]'."
        )
    return imgui


class ImguiRenderer:
    """Draws ImGui's draw data into a framebuffer.

    State: the framebuffer, moderngl's enable flags, the framebuffer's viewport and scissor, wireframe, and blend
    function and equation are put back as they were. Not put back, because moderngl binds them anew for each of its own
    draws: the program, the vertex array, the active texture unit, and the texture on the highest unit, which moderngl
    itself uses as scratch.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._imgui: Any = load_imgui()
        self._program = shaders.program(ctx, vertex="overlay/imgui.vert", fragment="overlay/imgui.frag")
        self._unit = ctx.max_texture_units - 1
        self._textures: dict[int, moderngl.Texture] = {}
        self._vertices = ctx.buffer(reserve=1 << 16)
        self._indices = ctx.buffer(reserve=1 << 14)
        self._array = self._make_array()
        self._read_integer = integer_reader(ctx)

    def render(self, draw_data: Any, framebuffer: moderngl.Framebuffer, size: tuple[int, int]) -> None:
        """Draw over the framebuffer's lower left `size` pixels (width, height), which the draw data covers."""
        self._update_textures(draw_data)
        if not self._upload(draw_data):
            return
        # Any, because moderngl's annotations know neither four blend factors nor a scissor of None.
        ctx: Any = self._ctx
        target: Any = framebuffer
        width, height = size
        viewport, scissor, wireframe = framebuffer.viewport, framebuffer.scissor, ctx.wireframe
        blend_function = tuple(self._read_integer(name) for name in _BLEND_FUNCTION)
        blend_equation = tuple(self._read_integer(name) for name in _BLEND_EQUATION)
        with ctx.scope(framebuffer, enable=moderngl.BLEND):
            try:
                target.viewport = (0, 0, width, height)
                ctx.wireframe = False
                ctx.blend_func = _STRAIGHT_ALPHA
                ctx.blend_equation = moderngl.FUNC_ADD
                self._draw(draw_data, framebuffer, height)
            finally:
                ctx.blend_func = blend_function
                ctx.blend_equation = blend_equation
                ctx.wireframe = wireframe
                target.viewport = viewport
                # moderngl reports the whole framebuffer where no scissor was set.
                target.scissor = None if scissor == (0, 0, *framebuffer.size) else scissor

    def release(self) -> None:
        """Free the buffers and textures of the current ImGui context; the program stays in glfft's cache."""
        for texture in self._imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.set_status(self._imgui.ImTextureStatus.destroyed)
        for item in (self._array, self._vertices, self._indices, *self._textures.values()):
            item.release()
        self._textures.clear()

    def _draw(self, draw_data: Any, framebuffer: moderngl.Framebuffer, height: int) -> None:
        left, top = draw_data.display_pos
        wide, high = draw_data.display_size
        scale_x, scale_y = draw_data.framebuffer_scale
        to_clip = (2 / wide, -2 / high, -1 - 2 * left / wide, 1 + 2 * top / high)
        self._program["pixels_to_clip"].value = to_clip  # pyright: ignore[reportAttributeAccessIssue]
        self._program["atlas"].value = self._unit  # pyright: ignore[reportAttributeAccessIssue]
        first = 0
        for commands in draw_data.cmd_lists:
            for command in commands.cmd_buffer:
                clip = command.clip_rect
                x0, x1 = round((clip.x - left) * scale_x), round((clip.z - left) * scale_x)
                y0, y1 = round((clip.y - top) * scale_y), round((clip.w - top) * scale_y)
                if command.elem_count and x1 > x0 and y1 > y0:
                    framebuffer.scissor = (x0, height - y1, x1 - x0, y1 - y0)
                    self._textures[command.get_tex_id()].use(self._unit)
                    self._array.render(
                        moderngl.TRIANGLES, vertices=command.elem_count, first=first + command.idx_offset
                    )
            first += commands.idx_buffer.size()

    def _upload(self, draw_data: Any) -> bool:
        """Put all lists behind one another into the two buffers; False when there is nothing to draw."""
        imgui = self._imgui
        index_type = np.dtype(f"u{imgui.INDEX_SIZE}")
        vertices, indices = [], []
        base = 0
        for commands in draw_data.cmd_lists:
            vertices.append(_view(commands.vtx_buffer, np.dtype((np.void, imgui.VERTEX_SIZE))))
            index = _view(commands.idx_buffer, index_type)
            indices.append(index + np.uint32(base) if base else index)
            base += commands.vtx_buffer.size()
        if base == 0:
            return False
        # One list, as a rule: then nothing is copied.
        vertex_data = vertices[0] if len(vertices) == 1 else np.concatenate(vertices)
        index_data = (indices[0] if len(indices) == 1 else np.concatenate(indices)).astype("u4", copy=False)
        if vertex_data.nbytes > self._vertices.size or index_data.nbytes > self._indices.size:
            self._grow(vertex_data.nbytes, index_data.nbytes)
        self._vertices.write(vertex_data)
        self._indices.write(index_data)
        return True

    def _grow(self, vertex_bytes: int, index_bytes: int) -> None:
        sizes = max(self._vertices.size, 2 * vertex_bytes), max(self._indices.size, 2 * index_bytes)
        for item in (self._array, self._vertices, self._indices):
            item.release()
        self._vertices, self._indices = (self._ctx.buffer(reserve=size) for size in sizes)
        self._array = self._make_array()

    def _make_array(self) -> moderngl.VertexArray:
        layout = (self._vertices, "2f 2f 4f1", "in_position", "in_texcoord", "in_colour")
        return self._ctx.vertex_array(self._program, [layout], self._indices, index_element_size=4)

    def _update_textures(self, draw_data: Any) -> None:
        """Do what ImGui asks of its atlas, which grows and fills as glyphs are first used (Dear ImGui 1.92)."""
        status = self._imgui.ImTextureStatus
        for wanted in draw_data.textures:
            if wanted.status == status.want_create:
                texture = self._ctx.texture((wanted.width, wanted.height), 4, wanted.get_pixels_array().tobytes())
                self._textures[texture.glo] = texture
                wanted.set_tex_id(texture.glo)
                wanted.set_status(status.ok)
            elif wanted.status == status.want_updates:
                area = wanted.update_rect
                pixels = wanted.get_pixels_array().reshape(wanted.height, wanted.width, 4)
                part = np.ascontiguousarray(pixels[area.y : area.y + area.h, area.x : area.x + area.w])
                self._textures[wanted.tex_id].write(part, viewport=(area.x, area.y, area.w, area.h))
                wanted.set_status(status.ok)
            elif wanted.status == status.want_destroy and wanted.unused_frames > 0:
                self._textures.pop(wanted.tex_id).release()
                wanted.set_tex_id(0)
                wanted.set_status(status.destroyed)


def _view(vector: Any, item: np.dtype) -> np.ndarray:
    """The items of an ImVector, without copying; valid until ImGui's next frame."""
    size = vector.size() * item.itemsize
    if not size:
        return np.empty(0, item)
    return np.frombuffer((ctypes.c_char * size).from_address(vector.data_address()), item)
