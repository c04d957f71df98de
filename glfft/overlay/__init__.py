"""Draws a profiler's results over a program's picture: where, how often anew, and at what cost."""

import contextlib
import math
import time
from collections import deque
from collections.abc import Iterator

import moderngl
import numpy as np

from glfft.errors import GlfftError, check_choice, require
from glfft.gl import bindings, programs
from glfft.gl.context import is_software, state_of
from glfft.gl.drawing_state import PREMULTIPLIED_ALPHA, drawing_over
from glfft.gl.releasable import Keeper, release_all
from glfft.gl.textures import use_texture
from glfft.gl.timed import timed, waiting
from glfft.overlay.painting import MARGIN
from glfft.overlay.panel import OverlayPanel
from glfft.overlay.shapes import Box, Canvas
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer, check_scale
from glfft.ui.widgets import following

__all__ = ["Overlay"]

OPEN, FOLDED, HIDDEN = VIEWS = ("open", "folded", "hidden")
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")

# All frames show a cached layer, which is drawn anew after so many seconds at least, and in one frame of so many.
_PACE, _SOFTWARE_PACE = (1 / 30, 3), (1 / 15, 6)


class Overlay(Keeper):
    """Draws a profiler's results over a program's picture.

        profiler = glfft.Profiler(ctx)
        overlay = Overlay(ctx, profiler)
        with profiler.frame():
            with profiler.section("scene"):
                draw()
            overlay.render()

    Programs with ImGui panels of their own share one layer instead: `Overlay(ctx, profiler, layer=layer)` and, inside
    `with layer.frame():`, `overlay.draw()`.

    The overlay covers at most a sixth of the picture: in a small one it leaves out columns and nested sections, then
    all but one line, then that too. For the GL state that it changes, see `glfft.ui.imgui_renderer.ImguiRenderer`. The
    first time that it shows a plan's passes, it measures how fast the device copies; state then changes as by a plan.

    Args:
        layer: an ImGui layer to share; by default the overlay makes its own, without input.
        corner: "top-left", "top-right", "bottom-left" or "bottom-right".
        scale: pixels to one unit of length on this display (2 on dense displays), from 0.25; by default the layer's.

    It is drawn anew at most 30 times a second, in one frame of three at most; on a software renderer 15 times, in one
    of six. The other frames show the same picture from a texture.

    Raises MissingExtraError where imgui-bundle is not installed (extra `ui`), OptionError for another corner or scale.
    """

    def __init__(self, ctx: moderngl.Context, profiler: Profiler, *, layer: ImguiLayer | None = None,
                 corner: str = "top-left", scale: float | None = None) -> None:  # fmt: skip
        require(isinstance(profiler, Profiler), "profiler", profiler, "a Profiler")
        require(isinstance(layer, ImguiLayer | None), "layer", layer, "an ImguiLayer, or left out")
        self._ctx, self._profiler, self._software = ctx, profiler, is_software(ctx)
        self._seconds_apart, self._frames_apart = _SOFTWARE_PACE if self._software else _PACE
        self._corner = check_choice("corner", corner, CORNERS)
        check_scale(scale)
        # When the cached layer is drawn, a shared ImGui layer's frame is open, so another ImGui layer is needed.
        self._redraw_layer = self._own(ImguiLayer(ctx, scale=scale if layer is None else layer.scale))
        self._layer = layer or self._redraw_layer
        self._cached = self._own(CachedLayer(ctx))
        self._scale = scale if scale is not None else self._layer.scale
        self._panel = self._own(OverlayPanel(ctx, profiler, self._scale))
        self._redraw_at, self._redraw_asked = 0.0, True
        self._drawn_frames = self._whole_draws = 0  # how many of the profiler's frames the cached layer shows
        self._drawn_over = (0, 0)  # the size of the picture that it was drawn for
        self._costs: deque[float] = deque(maxlen=120)
        self._cleared = profiler.cleared
        self._view_before = self.view = OPEN

    view: str
    """How it is shown from the next frame on: "open", "folded" to one line or "hidden" (else OptionError there). Set
    `profiler.enabled = False` as well to stop timing.
    """

    def show_next(self) -> None:
        """Show the next view: open, folded, hidden, and open again."""
        self.view = following(VIEWS, self.view)

    @property
    def cpu_ms(self) -> float:
        """Processor time for the overlay in milliseconds a frame: the mean of the last 120 frames since the profiler
        was cleared, of the calling thread, or of all on a software renderer, without the drawing of a shared layer.
        """
        self._forget_what_was_cleared()
        return float(np.mean(self._costs)) if self._costs else math.nan

    def refresh(self) -> None:
        """Update picture and numbers in the next frame, for example before a screenshot."""
        self._redraw_asked = True

    def render(self, framebuffer: moderngl.Framebuffer | None = None, size: tuple[int, int] | None = None) -> None:
        """Draw the overlay; inside `profiler.frame()` it appears as a section of its own. By default it is drawn into
        the bound framebuffer, and for a picture of its width and height in pixels. Raises OptionError where the
        framebuffer is none or has been released, or the size is not two whole numbers.
        """
        if not self._is_shown():
            return
        with timed(self._profiler if self._profiler.in_frame else None, "overlay"), self._counted():
            target, size = self._layer.target_of(framebuffer, size)
            if self._must_redraw(size):
                self._redraw(size)
            if self._panel.contents is not None:
                left, top = self._place(size)
                self._cached.draw_over(target, left, size[1] - top - self._panel.size[1])
            if self._is_due():  # for the next frame: this one would have to wait for it
                self._redraw(size)

    def draw(self) -> None:
        """Add the overlay to an open `layer.frame()`, else GlfftError; the program's own panels lie over it."""
        if not self._layer.in_frame:
            raise GlfftError("An overlay is drawn in 'with layer.frame():' of its layer; elsewhere call its render().")
        if not self._is_shown():
            return
        with self._counted():
            shown = self._layer.imgui.get_io().display_size
            size = int(shown.x), int(shown.y)
            if self._must_redraw(size) or self._is_due():
                self._redraw(size)
            if self._panel.contents is not None:
                canvas = Canvas(self._layer, 1.0, *self._place(size))
                canvas.picture(self._cached.texture, Box(0, 0, *self._panel.size))

    def _is_shown(self) -> bool:
        self._check_alive()
        if self.view != self._view_before:
            self._view_before = check_choice("view", self.view, VIEWS)
            self._redraw_asked = True
        return self.view != HIDDEN

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        clock = time.process_time if self._software else time.thread_time
        self._finish()
        begin = clock()
        yield
        self._finish()
        self._forget_what_was_cleared()
        if self._panel.early:  # drawn whole in every frame, and the first time compiled
            self._costs.clear()
        self._costs.append((clock() - begin) * 1e3)

    def _finish(self) -> None:
        """Wait for the threads of a software renderer, so that what they do counts where it belongs."""
        if self._software:
            with waiting(self._ctx, "finish"):
                self._ctx.finish()

    def _forget_what_was_cleared(self) -> None:
        if self._cleared != self._profiler.cleared:
            self._cleared = self._profiler.cleared
            self._costs.clear()

    def _redraw(self, size: tuple[int, int]) -> None:
        panel, layer, cached = self._panel, self._redraw_layer, self._cached
        everything = panel.update(self.cpu_ms, size, self.view == FOLDED, self._is_another(size))
        self._redraw_asked, self._drawn_over, self._drawn_frames = False, size, self._profiler.recorded
        self._redraw_at = time.perf_counter() + self._seconds_apart
        if panel.contents is None or (panel.contents.layout.folded and not everything):
            return
        self._whole_draws += everything
        # The driver compiles for the first two, without numbers and with them: warm-up, for the profiler.
        compiles = everything and self._whole_draws <= 2
        with (
            waiting(self._ctx, "compile") if compiles else contextlib.nullcontext(),
            layer.frame(cached.cleared(panel.size, None if everything else panel.plot)),
        ):
            panel.draw(layer, everything)

    def _must_redraw(self, size: tuple[int, int]) -> bool:
        """Whether this frame must not show the cached layer as it is."""
        return self._is_another(size) or (self._panel.early and self._profiler.recorded > self._drawn_frames)

    def _is_another(self, size: tuple[int, int]) -> bool:
        """Whether all of the picture may be another; if there are fewer frames than it shows, they were cleared."""
        return self._redraw_asked or size != self._drawn_over or self._profiler.recorded < self._drawn_frames

    def _is_due(self) -> bool:
        new = self._profiler.recorded - self._drawn_frames
        return new >= self._frames_apart and time.perf_counter() >= self._redraw_at

    def _place(self, size: tuple[int, int]) -> tuple[int, int]:
        """The panel's upper left corner in a picture, in pixels."""
        near = round(MARGIN * self._scale)
        left = size[0] - self._panel.size[0] - near if self._corner.endswith("right") else near
        top = size[1] - self._panel.size[1] - near if self._corner.startswith("bottom") else near
        return max(near, left), max(near, top)


class CachedLayer:
    """Keeps what is drawn into it, with premultiplied alpha, as `texture`, rgba8, row 0 at the bottom, and draws that
    over other pictures pixel for pixel. GL state: as in `glfft.ui.imgui_renderer.ImguiRenderer`.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._program = programs.program(ctx, vertex="overlay/cached_layer.vert", fragment="overlay/cached_layer.frag")
        self._array = ctx.vertex_array(self._program, [])
        self._unit = bindings.upload_texture_unit(state_of(ctx).limits)  # the same for all that share the program
        self._program["picture"].value = self._unit  # pyright: ignore[reportAttributeAccessIssue]
        self._framebuffer, self.texture = self._make((1, 1))

    def cleared(self, size: tuple[int, int], part: tuple[int, int, int, int] | None = None) -> moderngl.Framebuffer:
        """The framebuffer for a picture of a size, cleared, or a part: left, top, right, bottom, from the top left."""
        if self.texture.size != size:
            release_all((self._framebuffer, self.texture))
            self._framebuffer, self.texture = self._make(size)
        left, top, right, bottom = part or (0, 0, *size)
        self._framebuffer.clear(viewport=(left, size[1] - bottom, right - left, bottom - top))
        return self._framebuffer

    def draw_over(self, framebuffer: moderngl.Framebuffer, left: int, bottom: int) -> None:
        """Blend the picture over a framebuffer, with its lower left corner at a pixel; it may cross the edges."""
        with drawing_over(framebuffer, (left, bottom, *self.texture.size), PREMULTIPLIED_ALPHA):
            use_texture(self.texture, self._unit)
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def release(self) -> None:
        release_all((self._framebuffer, self.texture, self._array))

    def _make(self, size: tuple[int, int]) -> tuple[moderngl.Framebuffer, moderngl.Texture]:
        texture = self._ctx.texture(size, 4)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        return self._ctx.framebuffer([texture]), texture
