"""The overlay's contents: frame times as a scrolling plot, a bar of the sections, and a table of numbers."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.overlay.chart import ColumnChart
from glfft.overlay.shapes import Box, Canvas, Colour, Recording
from glfft.profiling.profiler import GPU_TIMER, Profiler
from glfft.profiling.timeline import Path, SectionStatistics, Statistics, Timeline
from glfft.ui.imgui_layer import ImguiLayer

_BUDGET_MS = 1000.0 / 60.0
# Allowed values of the plot's top, so that it changes rarely; each is a little above a common frame time.
_CEILINGS_MS = tuple(1.2 * ms for ms in (_BUDGET_MS, 2 * _BUDGET_MS, 50.0, 100.0, 200.0, 500.0, 1000.0))
_GUIDES_MS = (_BUDGET_MS, 2 * _BUDGET_MS, 100.0, 500.0)

_TALL_QUANTILE = 0.97

# Numbers that change in every frame cannot be read, and computing percentiles costs more than all the drawing.
_NUMBERS_SECONDS = 0.25
_NUMBERS_LEAST_DRAWS = 4
_EARLY_FRAMES = 8
_MOST_ROWS = 14

# Lengths in units of the display's scale.
_PADDING = 12.0
_COLUMN = 2.0  # one frame in the plot
_FRAMES_SHOWN = 204
_INNER_WIDTH = _COLUMN * _FRAMES_SHOWN
_WIDTH = _INNER_WIDTH + 2 * _PADDING
_HEADER_HEIGHT = 32.0
_PLOT_HEIGHT = 84.0
_BAR_HEIGHT = 14.0
_ROW_HEIGHT = 18.0
_GAP = 10.0
_TEXT = 14.0
_SMALL_TEXT = 12.0
_LARGE_TEXT = 24.0
_PLOT = Box(_PADDING, _PADDING + _HEADER_HEIGHT, _INNER_WIDTH, _PLOT_HEIGHT)
_NUMBER_COLUMNS = (("p50", 56.0), ("p95", 56.0), ("p99", 56.0), ("max", 56.0), ("cpu p50", 62.0))

_BACKGROUND = Colour(14, 17, 21, 222)
_BORDER = Colour(255, 255, 255, 22)
_WELL = Colour(0, 0, 0, 110)
_BRIGHT = Colour(232, 236, 240)
_PLAIN = Colour(190, 197, 204)
_DIM = Colour(128, 136, 145)
_RULE = Colour(255, 255, 255, 30)
_GUIDE = Colour(255, 255, 255, 46)
_BUDGET_GUIDE = Colour(120, 205, 140, 170)
_WARNING = Colour(236, 178, 86)
_OTHER = Colour(98, 106, 116)
_INTERVAL = Colour(240, 243, 246, 190)
# They differ in lightness and in hue; the order keeps neighbours distinct for colour-blind people.
_PALETTE = (
    Colour(88, 150, 214),
    Colour(232, 164, 74),
    Colour(94, 186, 150),
    Colour(205, 104, 116),
    Colour(160, 136, 214),
    Colour(216, 202, 104),
    Colour(84, 190, 208),
    Colour(206, 138, 186),
)


class OverlayPanel:
    """Draws a profiler's frames: the plot anew each time, the numbers a few times a second.

    Args:
        scale: pixels to one unit of length.
    """

    def __init__(self, ctx: moderngl.Context, profiler: Profiler, scale: float) -> None:
        self._profiler = profiler
        self._scale = scale
        self._statistics = profiler.statistics()
        self._shown_cost = math.nan
        self._colours: dict[Path, Colour] = {}
        self._ceiling = _CEILINGS_MS[0]
        self._refresh_asked = True
        self._numbers_due = 0.0  # when to compute the statistics next, by the performance counter
        self._draws = 0  # since they were computed
        self._updates = 0
        self._numbers: Recording | None = None
        self._guides: Recording | None = None
        self._chart = ColumnChart(ctx, _FRAMES_SHOWN, round(_PLOT_HEIGHT * scale), scale)
        self._plotted = 0  # how many of the profiler's frames the chart shows or has shown

    @property
    def early(self) -> bool:
        """Whether there are so few frames that the numbers should change with each."""
        return self._statistics.frames < _EARLY_FRAMES

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return math.ceil(_WIDTH * self._scale), math.ceil(self._height * self._scale)

    @property
    def plot(self) -> tuple[int, int, int, int]:
        """Where the plot is in the panel: left, top, right, bottom, in pixels."""
        x, y, width, height = (length * self._scale for length in _PLOT)
        return round(x), round(y), round(x + width), round(y + height)

    def refresh(self) -> None:
        """Compute the numbers anew at the next update."""
        self._refresh_asked = True

    def update(self, own_cost: float) -> bool:
        """Compute the statistics anew if it is time to.

        Args:
            own_cost: the overlay's own cost in milliseconds.

        Returns:
            Whether the statistics are new. If so, `draw_plot` is not enough.
        """
        now = time.perf_counter()
        self._draws += 1
        due = now >= self._numbers_due and self._draws >= _NUMBERS_LEAST_DRAWS
        cleared = self._profiler.recorded < self._statistics.frames
        # Short runs should have numbers too.
        if not (due or cleared or self.early or self._refresh_asked):
            return False
        self._draws = 0
        self._refresh_asked = False
        self._statistics = self._profiler.statistics()
        self._ceiling = _ceiling(self._profiler.timeline(depth=0, last=_FRAMES_SHOWN))
        self._shown_cost = own_cost
        self._updates += 1
        self._numbers_due = now + _NUMBERS_SECONDS
        return True

    def draw(self, layer: ImguiLayer, left: int, top: int) -> None:
        """Draw the panel into a layer's open frame, with its upper left corner at a pixel."""
        canvas = Canvas(layer, self._scale, left, top)
        # What is drawn from the statistics is kept until they are computed again.
        self._numbers = canvas.recorded(self._updates, lambda: self._draw_numbers(canvas), self._numbers)
        self._draw_plot(canvas)

    def draw_plot(self, layer: ImguiLayer, left: int, top: int) -> None:
        """Draw only the plot and its background, over a picture of the panel in which `plot` was cleared."""
        canvas = Canvas(layer, self._scale, left, top)
        with canvas.clipped(_PLOT):
            self._draw_ground(canvas)
            self._draw_plot(canvas)

    def release(self) -> None:
        """Free what was made."""
        self._chart.release()

    def _draw_ground(self, canvas: Canvas) -> None:
        canvas.panel(_WIDTH, self._height, _BACKGROUND, _BORDER)
        canvas.box(*_PLOT, _WELL)

    def _draw_plot(self, canvas: Canvas) -> None:
        self._draw_columns(canvas)
        self._guides = canvas.recorded(self._updates, lambda: _draw_guides(canvas, self._ceiling), self._guides)

    @property
    def _rows(self) -> tuple[SectionStatistics, ...]:
        return self._statistics.sections[:_MOST_ROWS]

    @property
    def _hidden(self) -> int:
        """How many sections have no row."""
        return len(self._statistics.sections) - len(self._rows)

    @property
    def _height(self) -> float:
        height = 2 * _PADDING + _HEADER_HEIGHT + _PLOT_HEIGHT + _BAR_HEIGHT + 3 * _GAP
        return height + (len(self._rows) + 2 + (self._hidden > 0)) * _ROW_HEIGHT + _SMALL_TEXT

    def _draw_numbers(self, canvas: Canvas) -> None:
        statistics = self._statistics
        self._draw_ground(canvas)
        pen = _Pen(_PADDING, _PADDING)
        self._draw_header(canvas, pen, statistics)
        pen.y += _PLOT_HEIGHT + _GAP
        self._draw_stack(canvas, pen, statistics)
        self._draw_table(canvas, pen, statistics)
        self._draw_footer(canvas, pen, statistics)

    def _draw_header(self, canvas: Canvas, pen: _Pen, statistics: Statistics) -> None:
        interval = statistics.since_previous.p50
        known = not math.isnan(interval)
        x = pen.x + canvas.number(pen.x, pen.y, _format(interval), _LARGE_TEXT, _BRIGHT)
        x += canvas.text(x + 4, pen.y + 9, "ms", _TEXT, _DIM) + 18
        rate = f"{1000 / interval:.0f}" if known and interval > 0 else "–"
        x += canvas.number(x, pen.y, rate, _LARGE_TEXT, _BRIGHT)
        canvas.text(x + 4, pen.y + 9, "fps", _TEXT, _DIM)
        trusted = statistics.timer == GPU_TIMER
        canvas.text_right(pen.x + _INNER_WIDTH, pen.y, "passes timed with", _SMALL_TEXT, _DIM)
        colour = _PLAIN if trusted else _WARNING
        canvas.text_right(pen.x + _INNER_WIDTH, pen.y + 13, statistics.timer, _SMALL_TEXT, colour)
        pen.y += _HEADER_HEIGHT

    def _draw_columns(self, canvas: Canvas) -> None:
        """A column a frame: what each outermost section took, and as a line the time between frames."""
        recorded = self._profiler.recorded
        timeline = self._profiler.timeline(depth=1, last=min(_FRAMES_SHOWN, recorded - self._plotted))
        colours = (*(self._colour(path) for path in timeline.time if path), _OTHER, _INTERVAL)
        if self._chart.restyle(colours, self._ceiling):  # another section, another scale: all columns anew
            timeline = self._profiler.timeline(depth=1, last=_FRAMES_SHOWN)
        if len(timeline.numbers):
            frame, *outer = timeline.time.values()
            series = np.array(outer) if outer else np.empty((0, len(frame)))
            self._chart.push(series, frame, timeline.since_previous)
        self._plotted = recorded
        canvas.picture(self._chart.texture, _PLOT, self._chart.start)

    def _draw_stack(self, canvas: Canvas, pen: _Pen, statistics: Statistics) -> None:
        """How a median frame divides into sections; the full width is the whole frame."""
        canvas.box(pen.x, pen.y, _INNER_WIDTH, _BAR_HEIGHT, _WELL)
        outer = [section for section in statistics.sections if len(section.path) == 1]
        # A section that ran in less than half of the frames takes no part of a median frame.
        parts = [
            (self._colour(section.path), section.time.p50 if 2 * section.frames > statistics.frames else 0.0)
            for section in outer
        ]
        total = max(statistics.frame.time.p50, sum(part for _, part in parts))
        if total > 0:
            parts.append((_OTHER, total - sum(part for _, part in parts)))
            x = pen.x
            for colour, part in parts:
                width = _INNER_WIDTH * part / total
                if width >= 0.5:
                    canvas.box(x, pen.y, max(0.5, width - 1), _BAR_HEIGHT, colour)
                x += width
        pen.y += _BAR_HEIGHT + _GAP

    def _draw_table(self, canvas: Canvas, pen: _Pen, statistics: Statistics) -> None:
        canvas.text(pen.x, pen.y, "pass, ms", _SMALL_TEXT, _DIM)
        for (title, _), right in zip(_NUMBER_COLUMNS, _column_edges(pen.x), strict=True):
            canvas.text_right(right, pen.y, title, _SMALL_TEXT, _DIM)
        pen.y += _ROW_HEIGHT
        for section in self._rows:
            indent = 12.0 * section.depth
            inset = 0 if section.depth == 0 else 2
            canvas.box(
                pen.x + indent + inset, pen.y + 4 + inset, 8 - 2 * inset, 8 - 2 * inset, self._colour(section.path)
            )
            name_x = pen.x + indent + 14
            room = _column_edges(pen.x)[0] - _NUMBER_COLUMNS[0][1] - name_x
            canvas.text_within(name_x, pen.y, room, section.name, _TEXT, _PLAIN if section.depth else _BRIGHT)
            _draw_numbers(canvas, pen, section, _PLAIN)
            pen.y += _ROW_HEIGHT
        if self._hidden:
            canvas.text(pen.x + 14, pen.y, f"and {self._hidden} more", _TEXT, _DIM)
            pen.y += _ROW_HEIGHT
        canvas.line(pen.x, pen.y + 1, _INNER_WIDTH, _RULE)
        pen.y += 4
        canvas.text(pen.x, pen.y, "whole frame", _TEXT, _BRIGHT)
        _draw_numbers(canvas, pen, statistics.frame, _BRIGHT)
        pen.y += _ROW_HEIGHT + _GAP - 4

    def _draw_footer(self, canvas: Canvas, pen: _Pen, statistics: Statistics) -> None:
        cost = f"overlay {_format(self._shown_cost)} ms cpu"
        canvas.text(pen.x, pen.y, cost, _SMALL_TEXT, _DIM)
        frames = f"last {statistics.frames} frames"
        if statistics.dropped:
            frames += f", {statistics.dropped} left out"
        canvas.text_right(pen.x + _INNER_WIDTH, pen.y, frames, _SMALL_TEXT, _DIM)

    def _colour(self, path: Path) -> Colour:
        """The colour of a section: each outermost section keeps its own, and nested sections share it."""
        outer = path[:1]
        if outer not in self._colours:
            self._colours[outer] = _PALETTE[len(self._colours) % len(_PALETTE)]
        return self._colours[outer]


@dataclass
class _Pen:
    """Where the next part of the panel is drawn."""

    x: float
    y: float


def _draw_numbers(canvas: Canvas, pen: _Pen, section: SectionStatistics, colour: Colour) -> None:
    values = (section.time.p50, section.time.p95, section.time.p99, section.time.max, section.cpu.p50)
    for index, (value, right) in enumerate(zip(values, _column_edges(pen.x), strict=True)):
        shade = colour if index == 0 else _DIM if index == len(values) - 1 else _PLAIN
        canvas.number_right(right, pen.y, _format(value), _TEXT, shade)


def _column_edges(left: float) -> list[float]:
    """The right edges of the number columns; the last one ends with the panel."""
    right = left + _INNER_WIDTH
    edges = []
    for _, width in reversed(_NUMBER_COLUMNS):
        edges.append(right)
        right -= width
    return edges[::-1]


def _format(ms: float) -> str:
    """Milliseconds with two decimals, or none from 1000 on, so that columns stay narrow and points aligned."""
    if math.isnan(ms):
        return "–"
    return f"{ms:.2f}" if ms < 1000 else f"{ms:.0f}"


def _draw_guides(canvas: Canvas, ceiling: float) -> None:
    """Lines at common frame times, labelled if there is room."""
    plot = _PLOT
    label_room = -math.inf
    for guide in _GUIDES_MS:
        if guide > ceiling:
            break
        colour, words = (_BUDGET_GUIDE, _BUDGET_GUIDE) if guide == _BUDGET_MS else (_GUIDE, _DIM)
        height = plot.height * guide / ceiling
        y = plot.y + plot.height - height
        canvas.line(plot.x, y, plot.width, colour)
        if height >= label_room:
            label = f"{guide:.1f} ms" if guide < 100 else f"{guide:.0f} ms"
            canvas.tag(plot.x + 4, y, label, _SMALL_TEXT, words, _BACKGROUND)
            label_room = height + _SMALL_TEXT + 4


def _ceiling(timeline: Timeline) -> float:
    """The value at the plot's top: a rare spike may be cut off, so that it does not flatten the rest."""
    times = np.fmax(timeline.time[()], timeline.since_previous)
    tall = float(np.quantile(times, _TALL_QUANTILE)) if len(times) else 0.0
    return next((ceiling for ceiling in _CEILINGS_MS if tall <= 0.95 * ceiling), _CEILINGS_MS[-1])
