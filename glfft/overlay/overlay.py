"""The overlay: where it is drawn, how often it is drawn anew, and what it costs."""

import contextlib
import math
import time
from collections import deque
from collections.abc import Iterator

import moderngl
import numpy as np

from glfft.errors import OptionError, check_choice
from glfft.gl.context import is_software
from glfft.gl.releasable import Releasable
from glfft.gl.timed import waiting
from glfft.overlay.cached_layer import CachedLayer
from glfft.overlay.layout import MARGIN
from glfft.overlay.panel import OverlayPanel
from glfft.overlay.shapes import Box, Canvas
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer

OPEN, FOLDED, HIDDEN = VIEWS = ("open", "folded", "hidden")
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")

_OWN_COST_FRAMES = 120

# The overlay is drawn into a cached layer, at most so many times a second and in one frame of so many. The other frames
# show the cached layer. Drawing takes twice the time on a software renderer.
_RATE, _SOFTWARE_RATE = 30.0, 15.0
_FRAMES_APART, _SOFTWARE_FRAMES_APART = 3, 6


class Overlay(Releasable):
    """Draws a profiler's results over a program's picture.

        profiler = glfft.Profiler(ctx)
        overlay = Overlay(ctx, profiler)
        ...
        with profiler.frame():
            with profiler.section("scene"):
                draw()
            overlay.render()

    Programs with ImGui panels of their own share one layer instead: `Overlay(ctx, profiler, layer=layer)` and, inside
    `with layer.frame():`, `overlay.draw()`.

    The overlay covers at most a sixth of the picture: in a small one it leaves out columns and nested sections, then
    all but one line, and where there is no room for that, it draws nothing. It names the clock of the section times,
    and shows its own cost. It works headless and in windows. For the GL state that it changes, see
    `glfft.ui.imgui_renderer.ImguiRenderer`. The first time that it shows a plan's passes, it measures between two
    frames how fast the device copies, which changes the GL state as a plan does.

    Args:
        ctx: the context to draw with.
        profiler: where the times come from.
        layer: an ImGui layer to share; by default the overlay makes its own, without input.
        corner: "top-left", "top-right", "bottom-left" or "bottom-right".
        scale: pixels to one unit of length on this display (2 on dense displays); by default the layer's.
        rate: how many times a second it is drawn anew at most; by default 30, or 15 on a software renderer. It is drawn
            anew in at most one frame of three, or one of six on a software renderer; the other frames show the same
            picture from a texture.

    Raises:
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
        OptionError: the corner is none of the four, or the rate is not above zero.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        profiler: Profiler,
        *,
        layer: ImguiLayer | None = None,
        corner: str = "top-left",
        scale: float | None = None,
        rate: float | None = None,
    ) -> None:
        if corner not in CORNERS:
            raise OptionError(f"There is no corner '{corner}'; choose one of {', '.join(CORNERS)}.")
        software = is_software(ctx)
        if rate is None:
            rate = _SOFTWARE_RATE if software else _RATE
        if not rate > 0:
            raise OptionError(f"rate is {rate!r} and must be a number of times a second above zero, or math.inf.")
        self._ctx = ctx
        self._profiler = profiler
        self._corner = corner
        self._owns_layer = layer is None
        self._layer = layer if layer is not None else ImguiLayer(ctx, scale=scale)
        self._cached = CachedLayer(ctx)
        # When the cached layer is drawn, the shared ImGui layer's frame is open, so another ImGui layer is needed.
        self._redraw_layer = self._layer if self._owns_layer else ImguiLayer(ctx, scale=self._layer.scale)
        self._scale = scale if scale is not None else self._layer.scale
        self._panel = OverlayPanel(ctx, profiler, self._scale)
        self._seconds_apart = 1 / rate
        self._frames_apart = _SOFTWARE_FRAMES_APART if software else _FRAMES_APART
        self._redraw_at = 0.0
        self._redraw_asked = True
        self._drawn_frames = 0  # how many of the profiler's frames the cached layer shows
        self._drawn_over = (0, 0)  # the size of the picture that it was drawn for
        self._software = software
        self._costs: deque[float] = deque(maxlen=_OWN_COST_FRAMES)
        self._cleared = profiler.cleared
        self._view_before = self.view = OPEN

    view: str
    """How it is shown from the next frame on: "open", "folded" to one line or "hidden" (else OptionError there).

    Set `profiler.enabled = False` as well to stop timing.
    """

    def show_next(self) -> None:
        """Show the next view: open, folded, hidden, and open again."""
        self.view = next_view(self.view)

    @property
    def cpu_ms(self) -> float:
        """Processor time for the overlay in milliseconds a frame: the mean of the last 120 frames since the profiler
        was cleared, without the first ones, in which all of it is drawn, as soon as there are others.

        It is that of the calling thread, and on a software renderer, which draws on the CPU, that of all threads. It
        excludes the drawing of a shared layer (`draw`).
        """
        self._forget_what_was_cleared()
        return float(np.mean(self._costs)) if self._costs else math.nan

    def refresh(self) -> None:
        """Update picture and numbers in the next frame, for example before a screenshot."""
        self._panel.refresh()
        self._redraw_asked = True

    def render(self, framebuffer: moderngl.Framebuffer | None = None, size: tuple[int, int] | None = None) -> None:
        """Draw the overlay; inside `profiler.frame()` it appears as a section of its own.

        Args:
            framebuffer: where to draw; by default the bound one.
            size: width and height of the picture in pixels; by default the framebuffer's.
        """
        if not self._is_shown():
            return
        own = self._profiler.section("overlay") if self._profiler.in_frame else contextlib.nullcontext()
        with own, self._counted():
            target = framebuffer if framebuffer is not None else self._ctx.fbo
            size = size or self._layer.size_of(target)
            if self._must_redraw(size):
                self._redraw(size)
            if min(self._panel.size) > 0:
                left, top = self._place(size)
                self._cached.draw_over(target, left, size[1] - top - self._panel.size[1])
            # For the next frame: this one would have to wait for it.
            if self._is_due():
                self._redraw(size)

    def draw(self) -> None:
        """Add the overlay to an open `layer.frame()`, which draws it behind the program's own panels."""
        if not self._is_shown():
            return
        with self._counted():
            shown = self._layer.imgui.get_io().display_size
            size = int(shown.x), int(shown.y)
            if self._must_redraw(size) or self._is_due():
                self._redraw(size)
            if min(self._panel.size) > 0:
                canvas = Canvas(self._layer, 1.0, *self._place(size))
                canvas.picture(self._cached.texture, Box(0, 0, *self._panel.size))

    def release(self) -> None:
        """Free what the overlay has made, without a shared layer."""
        self._panel.release()
        self._cached.release()
        if self._redraw_layer is not self._layer:
            self._redraw_layer.release()
        if self._owns_layer:
            self._layer.release()

    def _is_shown(self) -> bool:
        if self.view != self._view_before:
            self._view_before = check_choice("view", self.view, VIEWS)
            self._panel.folded = self.view == FOLDED
            self._redraw_asked = True
        return self.view != HIDDEN

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        """Count what the `with` block costs."""
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
        self._redraw_asked = False
        self._drawn_over = size
        self._drawn_frames = self._profiler.recorded
        self._redraw_at = time.perf_counter() + self._seconds_apart
        panel, layer, cached = self._panel, self._redraw_layer, self._cached
        everything = panel.update(self.cpu_ms, size)
        if min(panel.size) == 0:
            return
        if everything:
            with layer.frame(cached.cleared(panel.size)):
                panel.draw(layer)
        elif panel.has_plot:
            with layer.frame(cached.cleared(panel.size, panel.plot)):
                panel.draw_plot(layer)

    def _must_redraw(self, size: tuple[int, int]) -> bool:
        """Whether this frame must not show the cached layer as it is."""
        new = self._profiler.recorded - self._drawn_frames
        # If there are fewer frames than are shown, the profiler was cleared.
        return self._redraw_asked or size != self._drawn_over or new < 0 or (new > 0 and self._panel.early)

    def _is_due(self) -> bool:
        new = self._profiler.recorded - self._drawn_frames
        return new >= self._frames_apart and time.perf_counter() >= self._redraw_at

    def _place(self, size: tuple[int, int]) -> tuple[int, int]:
        """The panel's upper left corner in a picture, in pixels."""
        near = round(MARGIN * self._scale)
        left = size[0] - self._panel.size[0] - near if self._corner.endswith("right") else near
        top = size[1] - self._panel.size[1] - near if self._corner.startswith("bottom") else near
        return max(near, left), max(near, top)


def next_view(view: str) -> str:
    """The view that a key brings after another: open, folded, hidden, and open again."""
    return VIEWS[(VIEWS.index(view) + 1) % len(VIEWS)]
