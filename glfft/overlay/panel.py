"""The overlay's contents: when they are brought up to date, and the plot that scrolls with every frame."""

import math
import time

import moderngl
import numpy as np

from glfft.errors import GlfftError
from glfft.overlay.bandwidth import copy_bandwidth
from glfft.overlay.chart import ColumnChart
from glfft.overlay.layout import Layout, layout_for, pixels
from glfft.overlay.painting import (
    BUDGET_MS,
    INTERVAL,
    OTHER,
    PALETTE,
    Contents,
    draw_ground,
    draw_guides,
    draw_numbers,
)
from glfft.overlay.shapes import Canvas, Colour
from glfft.profiling.profiler import Profiler
from glfft.profiling.timeline import Path, Timeline
from glfft.ui.imgui_layer import ImguiLayer

# Allowed values of the plot's top, so that it changes rarely; each is a little above a common frame time.
_CEILINGS_MS = tuple(1.2 * ms for ms in (BUDGET_MS, 2 * BUDGET_MS, 50.0, 100.0, 200.0, 500.0, 1000.0))
_TALL_QUANTILE = 0.97

# Numbers that change in every frame cannot be read, and computing percentiles costs more than all the drawing.
_NUMBERS_SECONDS = 0.25
_NUMBERS_LEAST_DRAWS = 4
_EARLY_FRAMES = 8


class OverlayPanel:
    """Draws a profiler's frames: the plot anew each time, the numbers a few times a second.

    Args:
        scale: pixels to one unit of length.

    Attributes:
        folded: whether it is one line.
    """

    def __init__(self, ctx: moderngl.Context, profiler: Profiler, scale: float) -> None:
        self._ctx = ctx
        self._profiler = profiler
        self._scale = scale
        self.folded = False
        self._contents: Contents | None = None
        self._shape: tuple[tuple[int, int], bool] | None = None  # the picture's size, and whether it is folded
        self._frames = 0  # in the statistics shown
        self._colours: dict[Path, Colour] = {}
        self._copy = math.nan
        self._copy_asked = False
        self._refresh_asked = True
        self._numbers_due = 0.0  # when to compute the statistics next, by the performance counter
        self._draws = 0  # since they were computed
        self._chart: ColumnChart | None = None
        self._plotted = 0  # how many of the profiler's frames the chart shows or has shown

    @property
    def early(self) -> bool:
        """Whether there are so few frames that the numbers should change with each."""
        return self._frames < _EARLY_FRAMES

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; (0, 0) where the picture has no room for it."""
        if self._contents is None:
            return 0, 0
        return pixels(self._contents.layout.width, self._scale), pixels(self._contents.layout.height, self._scale)

    @property
    def has_plot(self) -> bool:
        """Whether there is a plot, which scrolls."""
        return self._contents is not None and not self._contents.layout.folded

    @property
    def plot(self) -> tuple[int, int, int, int]:
        """Where the plot is in the panel: left, top, right, bottom, in pixels."""
        assert self._contents is not None
        x, y, width, height = (length * self._scale for length in self._contents.plot)
        return round(x), round(y), round(x + width), round(y + height)

    def refresh(self) -> None:
        """Compute the numbers anew at the next update."""
        self._refresh_asked = True

    def update(self, own_cost: float, size: tuple[int, int]) -> bool:
        """Compute the statistics anew if it is time to, or if the panel must have another size.

        Args:
            own_cost: the overlay's own cost in milliseconds.
            size: of the picture that it is drawn over, in pixels.

        Returns:
            Whether the numbers are new. If so, `draw_plot` is not enough.
        """
        now = time.perf_counter()
        self._draws += 1
        due = now >= self._numbers_due and self._draws >= _NUMBERS_LEAST_DRAWS
        changed = self._profiler.recorded < self._frames or self._shape != (size, self.folded)
        # Short runs should have numbers too.
        if not (due or changed or self.early or self._refresh_asked):
            return False
        self._draws, self._refresh_asked, self._shape = 0, False, (size, self.folded)
        self._numbers_due = now + _NUMBERS_SECONDS
        statistics = self._profiler.statistics()
        self._frames = statistics.frames
        for section in statistics.sections:
            self._colours.setdefault(section.path[:1], PALETTE[len(self._colours) % len(PALETTE)])
        if any(section.moved for section in statistics.sections) and not self._copy_asked:
            self._copy_asked = True
            self._profiler.before_next_frame(self._measure_copy)
        width, height = (length / self._scale for length in size)
        layout = layout_for((width, height), statistics.sections, self.folded)
        if layout is None:
            self._contents = None
            return True
        timeline = self._profiler.timeline(depth=0, last=layout.frames)
        self._contents = Contents(
            layout, statistics, self._colours, self._profiler.balance(), self._copy, own_cost, _ceiling(timeline)
        )
        return True

    def draw(self, layer: ImguiLayer) -> None:
        """Draw the panel into a layer's open frame, with its upper left corner in that of the frame."""
        if self._contents is not None:
            canvas = Canvas(layer, self._scale, 0, 0)
            draw_numbers(canvas, self._contents)
            self._draw_plot(canvas, self._contents)

    def draw_plot(self, layer: ImguiLayer) -> None:
        """Draw only the plot and its background, over a picture of the panel in which `plot` was cleared."""
        if self._contents is not None:
            canvas = Canvas(layer, self._scale, 0, 0)
            with canvas.clipped(self._contents.plot):
                draw_ground(canvas, self._contents)
                self._draw_plot(canvas, self._contents)

    def release(self) -> None:
        """Free what was made."""
        if self._chart is not None:
            self._chart.release()
            self._chart = None

    def _draw_plot(self, canvas: Canvas, contents: Contents) -> None:
        """A column a frame: what each outermost section took, and as a line the time between frames."""
        if contents.layout.folded:
            return
        chart = self._chart_for(contents.layout)
        recorded, frames = self._profiler.recorded, contents.layout.frames
        timeline = self._profiler.timeline(depth=1, last=min(frames, recorded - self._plotted))
        outermost = [path for path in timeline.time if path]
        colours = (*(self._colours.get(path, OTHER) for path in outermost), OTHER, INTERVAL)
        if chart.restyle(colours, contents.ceiling):  # another section, another scale: all columns anew
            timeline = self._profiler.timeline(depth=1, last=frames)
        if len(timeline.numbers):
            series = np.array([timeline.time[path] for path in outermost]).reshape(
                len(outermost), len(timeline.numbers)
            )
            chart.push(series, timeline.time[()], timeline.since_previous)
        self._plotted = recorded
        canvas.picture(chart.texture, contents.plot, chart.start)
        draw_guides(canvas, contents)

    def _chart_for(self, layout: Layout) -> ColumnChart:
        size = layout.frames, round(layout.plot * self._scale)
        if self._chart is not None and self._chart.texture.size != size:
            self.release()
        if self._chart is None:
            self._chart = ColumnChart(self._ctx, *size, self._scale)
        return self._chart

    def _measure_copy(self) -> None:
        try:
            self._copy = copy_bandwidth(self._ctx)
        except GlfftError:
            return  # the column stays empty


def _ceiling(timeline: Timeline) -> float:
    """The value at the plot's top: a rare spike may be cut off, so that it does not flatten the rest."""
    times = np.fmax(timeline.time[()], timeline.since_previous)
    tall = float(np.quantile(times, _TALL_QUANTILE)) if len(times) else 0.0
    return next((ceiling for ceiling in _CEILINGS_MS if tall <= 0.95 * ceiling), _CEILINGS_MS[-1])
