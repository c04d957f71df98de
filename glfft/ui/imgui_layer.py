"""Dear ImGui over a moderngl program, headless or in a GLFW window: set-up, frames, fonts and colours."""

import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

from moderngl import Context, Framebuffer, InvalidObject, Texture

from glfft.errors import GlfftError, ReleasedError, require, whole_number
from glfft.gl.context import state_of
from glfft.gl.releasable import Releasable
from glfft.ui.imgui_renderer import ImguiRenderer, load_imgui

_FONT_SIZE = 15.0
_LONGEST_STEP = 0.25  # seconds, so that animations do not jump after a pause


class ImguiLayer(Releasable):
    """One ImGui context, drawn over a program's frames. Panels and the profiler's overlay share it.

        layer = ImguiLayer(ctx, window)
        with layer.frame() as imgui:
            imgui.begin("Waves")
            ...
            overlay.draw()

    The mouse and keys of a `window`, a `glfft.ui.window.Window` or a GLFW window handle, go to the panels. All lengths
    are in pixels of the framebuffer. `scale` is how many pixels are one unit, by default on the window's display;
    fonts and style are scaled by it. `imgui` is the module, `font` for words, and `number_font` for numbers, whose
    digits all have the same width. `in_frame` says whether a frame is open, `ImguiRenderer` which GL state changes.
    Raises MissingExtraError without imgui-bundle (extra `ui`), OptionError where the scale is not 0.25 to 100.
    """

    def __init__(self, ctx: Context, window: Any = None, *, scale: float | None = None) -> None:
        state_of(ctx).check.require()
        self.imgui: Any = load_imgui()
        self._ctx = ctx
        self._handle = getattr(window, "handle", window)
        check_scale(scale)
        if scale is None and self._handle is not None:
            import glfw

            scale = glfw.get_window_content_scale(self._handle)[0]
        self.scale = scale or 1.0  # some displays tell none
        self._context = self.imgui.create_context()
        with self._current():
            self._io = self.imgui.get_io()
            self._io.set_ini_filename("")
            self._io.set_log_filename("")
            self._io.config_error_recovery_enable_debug_log = self._io.config_error_recovery_enable_tooltip = False
            self._io.backend_flags |= self.imgui.BackendFlags_.renderer_has_textures
            self.font = self._load_font("Roboto/Roboto-Regular.ttf")
            self.number_font = self._load_font("Inconsolata-Medium.ttf")
            self._apply_style()
            self._renderer = ImguiRenderer(ctx)
            self._input = None
            if self._handle is not None:
                from glfft.ui.imgui_input import ImguiInput

                self._input = ImguiInput(self.imgui, self._io, self._handle)
        self._last = time.perf_counter()
        self.in_frame = False

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse is over a panel. If so, the program should ignore it."""
        return bool(self._io.want_capture_mouse)

    @property
    def wants_keyboard(self) -> bool:
        """Whether keys go into a panel's text field. If so, the program should ignore them."""
        return bool(self._io.want_text_input)

    @contextmanager
    def frame(self, framebuffer: Framebuffer | None = None, size: tuple[int, int] | None = None) -> Iterator[Any]:
        """One ImGui frame: the `with` block, given the `imgui` module, makes the widgets, and its end draws them into
        `framebuffer`, by default the bound one, of a width and height in pixels. Raises ReleasedError after `release`,
        GlfftError inside another frame of this layer, OptionError as `target_of`.
        """
        if self._context is None:
            raise ReleasedError("This ImGui layer was released; make a new one.")
        if self.in_frame:
            raise GlfftError("A frame of this ImGui layer is open already; draw inside that one.")
        target, size = self.target_of(framebuffer, size)
        width, height = (max(1, side) for side in size)  # a minimised window has no pixels, and its widgets still run
        with self._current():
            self._io.display_size = (float(width), float(height))
            now = time.perf_counter()
            self._io.delta_time = min(max(now - self._last, 1e-5), _LONGEST_STEP)
            self._last = now
            if self._input is not None:
                self._input.poll()
            self.imgui.new_frame()
            self.in_frame = True
            try:
                yield self.imgui
            except BaseException:
                # Else an assertion about widgets left open would take the exception's place.
                self._io.config_error_recovery_enable_assert = False
                self.imgui.end_frame()
                self._io.config_error_recovery_enable_assert = True
                raise
            else:
                self.imgui.render()
                self._renderer.render(self.imgui.get_draw_data(), target, (width, height))
            finally:
                self.in_frame = False

    def lend(self, picture: Texture) -> Any:
        """ImGui's reference to a texture with premultiplied alpha, which must exist until the open frame ends."""
        return self._renderer.lend(picture)

    def release(self) -> None:
        """Free everything, and set the window's earlier callbacks again."""
        if self._context is None:
            return
        with self._current():
            if self._input is not None:
                self._input.release()
            self._renderer.release()
            self.imgui.destroy_context(self._context)
            self._context = None

    def target_of(self, framebuffer: Framebuffer | None, size: Any) -> tuple[Framebuffer, tuple[int, int]]:
        """A framebuffer, or the bound one for None, and its width and height in pixels; the screen's are the window's.
        Raises OptionError where it is none or has been released, or the size is not two whole numbers.
        """
        target = framebuffer if framebuffer is not None else self._ctx.fbo
        drawable = isinstance(target, Framebuffer) and not isinstance(target.mglo, InvalidObject)
        require(drawable, "framebuffer", target, "a moderngl.Framebuffer that has not been released")
        lengths: Any = tuple(map(whole_number, size)) if isinstance(size, Iterable) else ()
        require(size is None or (len(lengths) == 2 and None not in lengths), "size", size, "(width, height)")
        # moderngl reads the screen's size only when it makes the context, and a window may change size.
        if size is None and self._handle is not None and target.glo == 0:
            import glfw

            lengths = glfw.get_framebuffer_size(self._handle)
        return target, lengths or target.size

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Make this layer's ImGui context current in a `with` block, then the earlier one, which may be in a frame."""
        own, outer = self._context, self.imgui.get_current_context()
        self.imgui.set_current_context(own)
        try:
            yield
        finally:
            if outer not in (None, own):
                self.imgui.set_current_context(outer)

    def _load_font(self, name: str) -> Any:
        path, fonts = resources.files("imgui_bundle") / "assets" / "fonts" / name, self._io.fonts
        # A bundle may come without its fonts: then ImGui's built-in one.
        return fonts.add_font_from_file_ttf(str(path), _FONT_SIZE) if path.is_file() else fonts.add_font_default()

    def _apply_style(self) -> None:
        style = self.imgui.get_style()
        self.imgui.style_colors_dark()
        colours = tomllib.loads(resources.files("glfft.ui").joinpath("colours.toml").read_text("utf-8"))
        for name, colour in colours.items():
            style.set_color_(getattr(self.imgui.Col_, name), colour)
        style.window_rounding = style.popup_rounding = 6.0
        style.frame_rounding = style.grab_rounding = 3.0
        style.window_border_size = 1.0
        style.window_padding = (12.0, 10.0)
        style.frame_padding = (7.0, 3.0)
        style.item_spacing = (8.0, 6.0)
        style.scale_all_sizes(self.scale)
        style.font_size_base = _FONT_SIZE
        style.font_scale_dpi = self.scale


def check_scale(scale: float | None) -> None:
    holds = scale is None or (isinstance(scale, int | float) and 0.25 <= scale <= 100)  # others make ImGui end
    require(holds, "scale", scale, "a number from 0.25 to 100")
