"""The profiler's picture over a program's: where it goes, when it is drawn anew, and what it costs."""

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
from glfft.overlay.cached_layer import Sheet
from glfft.overlay.panel import OverlayPanel
from glfft.overlay.shapes import Box, Canvas
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer

CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")

_MARGIN = 12.0  # in units of the display's scale
_OWN_COST_FRAMES = 120

# The overlay is drawn into a sheet, at most so many times a second and in one frame of so many, and all other frames
# only lay the sheet over the picture. On a software renderer, where the CPU is the GPU, drawing takes twice the time.
_RATE, _SOFTWARE_RATE = 30.0, 15.0
_FRAMES_APART, _SOFTWARE_FRAMES_APART = 3, 6


class Overlay:
    """Draws a profiler's frames over a program's picture.

        profiler = glfft.Profiler(ctx)
        overlay = Overlay(ctx, profiler)
        ...
        with profiler.frame():
            with profiler.section("scene"):
                draw()
            overlay.render()

    Programs with ImGui panels of their own share one layer instead: `Overlay(ctx, profiler, layer=layer)` and, inside
    `with layer.frame():`, `overlay.draw()`.

    Section times are labelled with the profiler's timer, and the overlay shows what it costs itself. The GL state it
    leaves is described at `glfft.ui.imgui_renderer.ImguiRenderer`. Works headless and in windows.

    Args:
        ctx: the context to draw with.
        profiler: where the times come from.
        layer: an ImGui layer to share; by default the overlay makes its own, without input.
        corner: "top-left", "top-right", "bottom-left" or "bottom-right".
        scale: pixels to one unit of length on this display (2 on dense ones); by default the layer's.
        rate: how many times a second it is drawn anew at most, and then in no more than every third frame, or every
            sixth on a software renderer, whose drawing is the CPU's work; the frames between show the same picture
            from a texture. By default 30 times, or 15 on a software renderer. `math.inf` draws it in every frame.

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
            raise OptionError(f"rate={rate!r} is not how often a second; give a number above zero, or math.inf.")
        self._ctx = ctx
        self._profiler = profiler
        self._corner = corner
        self._owns_layer = layer is None
        self._layer = layer if layer is not None else ImguiLayer(ctx, scale=scale)
        self._sheet = Sheet(ctx) if math.isfinite(rate) else None
        # The shared layer's frame is open when the sheet is drawn.
        apart = self._sheet is not None and not self._owns_layer
        self._sheet_layer = ImguiLayer(ctx, scale=self._layer.scale) if apart else self._layer
        self._scale = scale if scale is not None else self._layer.scale
        self._panel = OverlayPanel(ctx, profiler, self._scale)
        self._seconds_apart = 1 / rate
        self._frames_apart = _SOFTWARE_FRAMES_APART if software else _FRAMES_APART
        self._redraw_at = 0.0
        self._redraw_asked = True
        self._drawn_frames = 0  # how many of the profiler's frames the sheet shows
        self._costs: deque[float] = deque(maxlen=_OWN_COST_FRAMES)
        self.visible = True

    visible: bool
    """False draws nothing; set `profiler.enabled = False` as well to stop timing."""

    @property
    def cpu_ms(self) -> float:
        """CPU time the overlay takes of the calling thread a frame, in milliseconds: mean of the last 120 frames.

        With `render` it is everything; with `draw` the overlay's own part, without the shared layer's drawing. What a
        software renderer's own threads do for it is not in it, but in the section that `render` makes.
        """
        return float(np.mean(self._costs)) if self._costs else math.nan

    def refresh(self) -> None:
        """Draw anew and take the numbers anew in the next frame: for the last frame before a picture."""
        self._panel.refresh()
        self._redraw_asked = True

    def render(self, framebuffer: moderngl.Framebuffer | None = None, size: tuple[int, int] | None = None) -> None:
        """Draw the overlay; inside `profiler.frame()` it appears as a section of its own.

        Args:
            framebuffer: where to draw; the bound one by default.
            size: width and height of the picture in pixels, where the framebuffer's own size is not it.
        """
        if not self.visible:
            self._redraw_asked = True  # for when it is shown again
            return
        own = self._profiler.section("overlay") if self._profiler.in_frame else contextlib.nullcontext()
        with own, self._counted():
            target = framebuffer if framebuffer is not None else self._ctx.fbo
            width, height = size or self._layer.size_of(target)
            if self._sheet is not None and self._owns_layer:
                if self._must_redraw():
                    self._redraw(self._sheet)
                picture = self._sheet.texture
                left, top = self._place((width, height), picture.size)
                self._sheet.lay_over(target, left, height - top - picture.height)
                # For the next frame: laid over this one it would have to be waited for.
                if self._is_due():
                    self._redraw(self._sheet)
            else:
                with self._layer.frame(target, (width, height)):
                    self._add((width, height))

    def draw(self) -> None:
        """Lay the overlay out inside an open `layer.frame()`, which draws it, behind the program's own panels."""
        if not self.visible:
            self._redraw_asked = True  # for when it is shown again
            return
        with self._counted():
            size = self._layer.imgui.get_io().display_size
            self._add((int(size.x), int(size.y)))

    def release(self) -> None:
        """Free what the overlay made: its layer, unless it is shared."""
        self._panel.release()
        if self._sheet is not None:
            self._sheet.release()
        if self._sheet_layer is not self._layer:
            self._sheet_layer.release()
        if self._owns_layer:
            self._layer.release()

    def __enter__(self) -> Overlay:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        begin = time.thread_time()
        yield
        self._costs.append((time.thread_time() - begin) * 1e3)

    def _add(self, size: tuple[int, int]) -> None:
        """Put the overlay into the layer's open frame, of so many pixels."""
        if self._sheet is not None:
            if self._must_redraw() or self._is_due():
                self._redraw(self._sheet)
            picture = self._sheet.texture
            canvas = Canvas(self._layer, 1.0, *self._place(size, picture.size))
            canvas.picture(picture, Box(0, 0, picture.width, picture.height))
        else:
            self._panel.update(self.cpu_ms)
            self._panel.draw(self._layer, *self._place(size, self._panel.size))

    def _redraw(self, sheet: Sheet) -> None:
        self._redraw_asked = False
        self._drawn_frames = self._profiler.recorded
        self._redraw_at = time.perf_counter() + self._seconds_apart
        panel, layer = self._panel, self._sheet_layer
        if panel.update(self.cpu_ms):
            with layer.frame(sheet.cleared(panel.size)):
                panel.draw(layer, 0, 0)
        else:
            with layer.frame(sheet.cleared(panel.size, panel.plot)):
                panel.draw_plot(layer, 0, 0)

    def _must_redraw(self) -> bool:
        """Whether what the sheet shows will not do for the next frame."""
        new = self._profiler.recorded - self._drawn_frames
        # Fewer frames than are shown: the profiler was cleared.
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
