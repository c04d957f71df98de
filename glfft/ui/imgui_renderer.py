"""Draws Dear ImGui's draw data with moderngl: one vertex buffer, one index buffer, one texture atlas."""

import ctypes
from types import ModuleType
from typing import Any

import moderngl
import numpy as np

from glfft.errors import MissingExtraError, import_extra
from glfft.gl import bindings, programs
from glfft.gl.context import state_of
from glfft.gl.drawing_state import PREMULTIPLIED_ALPHA, STRAIGHT_ALPHA, drawing_over
from glfft.gl.releasable import release_all
from glfft.gl.textures import use_texture

_VERTEX_BYTES = 20  # Dear ImGui's ImDrawVert: position and texture coordinate, two floats each; four bytes of colour


def load_imgui() -> ModuleType:
    """imgui-bundle's `imgui`, imported when first needed; MissingExtraError where that fails."""
    imgui = import_extra("imgui_bundle", "ui", "The overlay and panels need imgui-bundle").imgui
    if imgui.VERTEX_SIZE != _VERTEX_BYTES:
        # Vertices are copied into ImGui's memory; with a wrong size that would write beyond its end.
        found = f"vertices of {imgui.VERTEX_SIZE} bytes and {_VERTEX_BYTES} are expected"
        raise MissingExtraError(f"This imgui-bundle has {found}; in a checkout of glfft run: pip install '.[ui]'.")
    return imgui


class ImguiRenderer:
    """Draws ImGui's draw data into a framebuffer. What `drawing_over` puts back is restored. These change, and moderngl
    sets them anew for its own draws: the program, the vertex array, the array buffer, the active texture unit, with an
    overlay the clear colour, and the texture and sampler of the highest unit, moderngl's own scratch.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._imgui: Any = load_imgui()
        self._program = programs.program(ctx, vertex="ui/imgui.vert", fragment="ui/imgui.frag")
        self._unit = bindings.upload_texture_unit(state_of(ctx).limits)
        self._textures: dict[int, moderngl.Texture] = {}  # ImGui's own
        self._pictures: dict[int, moderngl.Texture] = {}
        self._make_array(1 << 16, 1 << 14)

    def render(self, draw_data: Any, framebuffer: moderngl.Framebuffer, size: tuple[int, int]) -> None:
        """Draw over the lower left `size` pixels (width, height) of a framebuffer, which the draw data covers."""
        self._update_textures(draw_data)
        if self._upload(draw_data):
            with drawing_over(framebuffer, (0, 0, *size), STRAIGHT_ALPHA):
                self._draw(draw_data, framebuffer, size[1])
        self._pictures.clear()

    def lend(self, picture: moderngl.Texture) -> Any:
        """ImGui's reference to a texture with premultiplied alpha, valid for the open frame."""
        self._pictures[picture.glo] = picture
        return self._imgui.ImTextureRef(picture.glo)

    def release(self) -> None:
        """Free the buffers and textures of the current ImGui context; the program stays in glfft's cache."""
        for texture in self._imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.set_status(self._imgui.ImTextureStatus.destroyed)
        release_all((self._array, self._vertices, self._indices, *self._textures.values()))
        self._textures.clear()

    def _draw(self, draw_data: Any, framebuffer: moderngl.Framebuffer, height: int) -> None:
        ctx: Any = self._ctx  # moderngl's annotations do not know four factors of blending
        wide, high = draw_data.display_size  # in pixels, from (0, 0) on: see `ImguiLayer.frame`
        to_clip = (2 / wide, -2 / high, -1, 1)
        programs.set_uniforms(self._program, {"pixels_to_clip": to_clip, "atlas": self._unit})
        first = 0
        for commands in draw_data.cmd_lists:
            for command in commands.cmd_buffer:
                clip = command.clip_rect
                x0, y0, x1, y1 = map(round, (clip.x, clip.y, clip.z, clip.w))
                if command.elem_count and x1 > x0 and y1 > y0:
                    framebuffer.scissor = (x0, height - y1, x1 - x0, y1 - y0)
                    name = command.get_tex_id()
                    picture = self._pictures.get(name)
                    ctx.blend_func = PREMULTIPLIED_ALPHA if picture else STRAIGHT_ALPHA
                    use_texture(picture or self._textures[name], self._unit)
                    start = first + command.idx_offset
                    self._array.render(moderngl.TRIANGLES, vertices=command.elem_count, first=start)
            first += commands.idx_buffer.size()

    def _upload(self, draw_data: Any) -> bool:
        """Write all lists one after the other into the two buffers. Returns False if there is nothing to draw."""
        vertex_type, index_type = np.dtype((np.void, _VERTEX_BYTES)), np.dtype(f"u{self._imgui.INDEX_SIZE}")
        vertices, indices, base = [], [], 0
        for commands in draw_data.cmd_lists:
            vertices.append(_view(commands.vtx_buffer, vertex_type))
            indices.append(_view(commands.idx_buffer, index_type).astype("u4") + base)
            base += commands.vtx_buffer.size()
        if base == 0:
            return False
        vertex_data, index_data = np.concatenate(vertices), np.concatenate(indices)
        if vertex_data.nbytes > self._vertices.size or index_data.nbytes > self._indices.size:
            wanted = [(self._vertices.size, 2 * vertex_data.nbytes), (self._indices.size, 2 * index_data.nbytes)]
            release_all((self._array, self._vertices, self._indices))
            self._make_array(*map(max, wanted))
        self._vertices.write(vertex_data)
        self._indices.write(index_data)
        return True

    def _make_array(self, vertex_bytes: int, index_bytes: int) -> None:
        self._vertices, self._indices = (self._ctx.buffer(reserve=size) for size in (vertex_bytes, index_bytes))
        layout = (self._vertices, "2f 2f 4f1", "in_position", "in_texcoord", "in_colour")
        self._array = self._ctx.vertex_array(self._program, [layout], self._indices, index_element_size=4)

    def _update_textures(self, draw_data: Any) -> None:
        """Create, update and free textures as ImGui asks: its atlas grows when glyphs are first used (since 1.92)."""
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
    """The items of an ImVector, not copied; valid until ImGui's next frame."""
    size = vector.size() * item.itemsize
    if not size:
        return np.empty(0, item)
    return np.frombuffer((ctypes.c_char * size).from_address(vector.data_address()), item)
