"""The overlay: where it is drawn, how often it is drawn anew, and what it costs."""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Iterator

import moderngl
import numpy as np

from glfft.errors import OptionError
from glfft.gl.context import is_software
from glfft.gl.releasable import Releasable
from glfft.overlay.cached_layer import CachedLayer
from glfft.overlay.panel import OverlayPanel
from glfft.overlay.shapes import Box, Canvas
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer

CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")

_MARGIN = 12.0  # in units of the display's scale
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

    The overlay names the clock of the section times, and shows its own cost. It works headless and in windows. For the
    GL state that it changes, see `glfft.ui.imgui_renderer.ImguiRenderer`.

    Args:
        ctx: the context to draw with.
        profiler: where the times come from.
        layer: an ImGui layer to share; by default the overlay makes its own, without input.
        corner: "top-left", "top-right", "bottom-left" or "bottom-right".
        scale: pixels to one unit of length on this display (2 on dense displays); by default the layer's.
        rate: how many times a second it is drawn anew at most; by default 30, or 15 on a software renderer. It is drawn
            anew in at most one frame of three, or one of six on a software renderer; the other frames show the same
            picture from a texture. `math.inf` draws it in every frame.

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
        self._cached = CachedLayer(ctx) if math.isfinite(rate) else None
        # When the cached layer is drawn, the shared ImGui layer's frame is open, so another ImGui layer is needed.
        apart = self._cached is not None and not self._owns_layer
        self._redraw_layer = ImguiLayer(ctx, scale=self._layer.scale) if apart else self._layer
        self._scale = scale if scale is not None else self._layer.scale
        self._panel = OverlayPanel(ctx, profiler, self._scale)
        self._seconds_apart = 1 / rate
        self._frames_apart = _SOFTWARE_FRAMES_APART if software else _FRAMES_APART
        self._redraw_at = 0.0
        self._redraw_asked = True
        self._drawn_frames = 0  # how many of the profiler's frames the cached layer shows
        self._costs: deque[float] = deque(maxlen=_OWN_COST_FRAMES)
        self.visible = True

    visible: bool
    """False draws nothing; set `profiler.enabled = False` as well to stop timing."""

    @property
    def cpu_ms(self) -> float:
        """CPU time of the calling thread for the overlay, in milliseconds a frame: the mean of the last 120 frames.

        It excludes the drawing of a shared layer (`draw`), and the work of a software renderer's own threads, which the
        section of `render` includes.
        """
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
        if not self.visible:
            self._redraw_asked = True  # for when it is shown again
            return
        own = self._profiler.section("overlay") if self._profiler.in_frame else contextlib.nullcontext()
        with own, self._counted():
            target = framebuffer if framebuffer is not None else self._ctx.fbo
            width, height = size or self._layer.size_of(target)
            if self._cached is not None and self._owns_layer:
                if self._must_redraw():
                    self._redraw(self._cached)
                picture = self._cached.texture
                left, top = self._place((width, height), picture.size)
                self._cached.draw_over(target, left, height - top - picture.height)
                # For the next frame: this one would have to wait for it.
                if self._is_due():
                    self._redraw(self._cached)
            else:
                with self._layer.frame(target, (width, height)):
                    self._add((width, height))

    def draw(self) -> None:
        """Add the overlay to an open `layer.frame()`, which draws it behind the program's own panels."""
        if not self.visible:
            self._redraw_asked = True  # for when it is shown again
            return
        with self._counted():
            size = self._layer.imgui.get_io().display_size
            self._add((int(size.x), int(size.y)))

    def release(self) -> None:
        """Free what the overlay has made, without a shared layer."""
        self._panel.release()
        if self._cached is not None:
            self._cached.release()
        if self._redraw_layer is not self._layer:
            self._redraw_layer.release()
        if self._owns_layer:
            self._layer.release()

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        begin = time.thread_time()
        yield
        self._costs.append((time.thread_time() - begin) * 1e3)

    def _add(self, size: tuple[int, int]) -> None:
        """Add the overlay to the layer's open frame, which has `size` pixels."""
        if self._cached is not None:
            if self._must_redraw() or self._is_due():
                self._redraw(self._cached)
            picture = self._cached.texture
            canvas = Canvas(self._layer, 1.0, *self._place(size, picture.size))
            canvas.picture(picture, Box(0, 0, picture.width, picture.height))
        else:
            self._panel.update(self.cpu_ms)
            self._panel.draw(self._layer, *self._place(size, self._panel.size))

    def _redraw(self, cached: CachedLayer) -> None:
        self._redraw_asked = False
        self._drawn_frames = self._profiler.recorded
        self._redraw_at = time.perf_counter() + self._seconds_apart
        panel, layer = self._panel, self._redraw_layer
        if panel.update(self.cpu_ms):
            with layer.frame(cached.cleared(panel.size)):
                panel.draw(layer, 0, 0)
        else:
            with layer.frame(cached.cleared(panel.size, panel.plot)):
                panel.draw_plot(layer, 0, 0)

    def _must_redraw(self) -> bool:
        """Whether the next frame must not show the cached layer as it is."""
        new = self._profiler.recorded - self._drawn_frames
        # If there are fewer frames than are shown, the profiler was cleared.
        return self._redraw_asked or new < 0 or (new > 0 and self._panel.early)

    def _is_due(self) -> bool:
        new = self._profiler.recorded - self._drawn_frames
        return new >= self._frames_apart and time.perf_counter() >= self._redraw_at

    def _place(self, size: tuple[int, int], panel: tuple[int, int]) -> tuple[int, int]:
        """The panel's upper left corner in a picture, in pixels."""
        near = round(_MARGIN * self._scale)
        left = size[0] - panel[0] - near if self._corner.endswith("right") else near
        top = size[1] - panel[1] - near if self._corner.startswith("bottom") else near
        return max(near, left), max(near, top)
