"""The overlay's contents: when they are brought up to date, and the plot that scrolls with every frame."""

import math
import time
from contextlib import nullcontext, suppress
from itertools import pairwise

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.errors import GlfftError
from glfft.gl import bindings, programs
from glfft.gl.context import is_software, state_of
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.releasable import released_after
from glfft.overlay import painting
from glfft.overlay.shapes import Canvas, Colour
from glfft.profiling.profiler import Profiler
from glfft.profiling.timeline import Path, Timeline
from glfft.profiling.timing import GpuClock, WallClock
from glfft.ui.imgui_layer import ImguiLayer

# Allowed values of the plot's top, so that it changes rarely; each is a little above a common frame time.
_CEILINGS_MS = tuple(1.2 * ms for ms in (painting.BUDGET_MS, 2 * painting.BUDGET_MS, 50.0, 100.0, 200.0, 500.0, 1000.0))
_TALL_QUANTILE = 0.97

# Numbers that change in every frame cannot be read, and computing percentiles costs more than all the drawing.
_NUMBERS_SECONDS, _NUMBERS_LEAST_DRAWS = 0.25, 4
_EARLY_FRAMES = 8

# Width and height: two textures of 64 MiB are more than the caches of a GPU hold. A software renderer takes less.
_SIZE, _SOFTWARE_SIZE = (4096, 2048), (512, 512)
_TEXEL_BYTES, _COPIES = 8, 4
_measured: dict[str, float] = {}  # bytes a second, by device


class OverlayPanel:
    """Draws a profiler's frames, in units of `scale` pixels; `contents` are None where a picture has no room."""

    def __init__(self, ctx: moderngl.Context, profiler: Profiler, scale: float) -> None:
        self._ctx, self._profiler, self._scale = ctx, profiler, scale
        self.contents: painting.Contents | None = None
        self._frames = 0  # in the statistics shown
        self._colours: dict[Path, Colour] = {}
        self._copy, self._copy_asked = math.nan, False  # the speed of a copy, and whether it is measured
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
        layout = self.contents.layout if self.contents else None
        return (math.ceil(layout.width * self._scale), math.ceil(layout.height * self._scale)) if layout else (0, 0)

    @property
    def plot(self) -> tuple[int, int, int, int]:
        """Where the plot is in the panel: left, top, right, bottom, in pixels."""
        assert self.contents is not None
        x, y, width, height = (length * self._scale for length in self.contents.plot)
        return round(x), round(y), round(x + width), round(y + height)

    def update(self, own_cost: float, size: tuple[int, int], folded: bool, asked: bool) -> bool:
        """Compute statistics anew if it is time, or `asked`; `own_cost` in ms. Returns whether the numbers are new."""
        now = time.perf_counter()
        self._draws += 1
        due = now >= self._numbers_due and self._draws >= _NUMBERS_LEAST_DRAWS
        if not (due or asked or self.early):  # short runs should have numbers too
            return False
        self._draws, self._numbers_due = 0, now + _NUMBERS_SECONDS
        statistics = self._profiler.statistics()
        self._frames = statistics.frames
        for section in statistics.sections:
            self._colours.setdefault(section.path[:1], painting.PALETTE[len(self._colours) % len(painting.PALETTE)])
        if any(section.moved for section in statistics.sections) and not self._copy_asked:
            self._copy_asked = True
            self._profiler.before_next_frame(self._measure_copy)
        layout = painting.layout_for((size[0] / self._scale, size[1] / self._scale), statistics.sections, folded)
        self.contents = None
        if layout is not None:
            ceiling = _ceiling(self._profiler.timeline(depth=0, last=layout.frames))
            known = statistics, self._colours, self._profiler.balance(), self._copy
            self.contents = painting.Contents(layout, *known, own_cost, ceiling)
        return True

    def draw(self, layer: ImguiLayer, everything: bool = True) -> None:
        """Draw the panel into a layer's open frame; or only the plot, over a picture in which `plot` was cleared."""
        assert self.contents is not None
        canvas = Canvas(layer, self._scale, 0, 0)
        with nullcontext() if everything else canvas.clipped(self.contents.plot):
            (painting.draw_numbers if everything else painting.draw_ground)(canvas, self.contents)
            self._draw_plot(canvas, self.contents)

    def release(self) -> None:
        if self._chart is not None:
            self._chart.texture.release()
            self._chart = None

    def _draw_plot(self, canvas: Canvas, contents: painting.Contents) -> None:
        """A column a frame: what each outermost section took, and as a line the time between frames."""
        if contents.layout.folded:
            return
        recorded, frames = self._profiler.recorded, contents.layout.frames
        size = frames, round(contents.layout.plot * self._scale)
        if self._chart is not None and self._chart.texture.size != size:
            self.release()
        self._chart = chart = self._chart or ColumnChart(self._ctx, *size, self._scale)
        timeline = self._profiler.timeline(depth=1, last=min(frames, recorded - self._plotted))
        outermost = [path for path in timeline.time if path]
        colours = (*(self._colours.get(path, painting.OTHER) for path in outermost), painting.OTHER, painting.INTERVAL)
        if chart.restyle(colours, contents.ceiling):  # another section, another scale: all columns anew
            timeline = self._profiler.timeline(depth=1, last=frames)
        if len(timeline.numbers):
            total = timeline.time[()]
            series = np.array([timeline.time[path] for path in outermost]).reshape(-1, len(total))
            chart.push(series, total, timeline.since_previous)
        self._plotted = recorded
        canvas.picture(chart.texture, contents.plot, chart.start)
        painting.draw_guides(canvas, contents)

    def _measure_copy(self) -> None:
        with suppress(GlfftError):  # the column stays empty
            self._copy = copy_bandwidth(self._ctx)


def _ceiling(timeline: Timeline) -> float:
    """The value at the plot's top. Warm-up and a rare spike may be cut off, so that they do not flatten the rest."""
    after_warm_up = np.r_[False, timeline.warm_up[:-1]]  # how long it took is the time to the next one's start
    times = np.fmax(timeline.time[()], np.where(after_warm_up, np.nan, timeline.since_previous))
    times = times if timeline.warm_up.all() else times[~timeline.warm_up]
    tall = float(np.quantile(times, _TALL_QUANTILE)) if len(times) else 0.0
    return next((ceiling for ceiling in _CEILINGS_MS if tall <= 0.95 * ceiling), _CEILINGS_MS[-1])


class ColumnChart:
    """Stacked columns and a marker line over them, `thickness` texels thick, which move left with each new one; call
    `restyle` first. The texture has `count` columns of one texel, `rows` high, premultiplied alpha, row 0 at the
    bottom. It is a ring, which repeats and begins at `start`. Only new columns are computed.
    """

    def __init__(self, ctx: moderngl.Context, count: int, rows: int, thickness: float) -> None:
        self._count, self._rows, self._thickness = count, rows, thickness
        self.texture = ctx.texture((count, rows), 4)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._next = 0
        self._style: tuple[tuple[Colour, ...], float] | None = None
        self._table = np.empty((0, 0), np.uint32)

    @property
    def start(self) -> float:
        """The oldest column's left edge, in texture coordinates."""
        return self._next / self._count

    def restyle(self, colours: tuple[Colour, ...], ceiling: float) -> bool:
        """Set the chart's top, and colours: series, lowest first, rest, marker. True if they are new: it is empty."""
        if self._style == (colours, ceiling):
            return False
        self._style = colours, ceiling
        self.texture.write(np.zeros((self._rows, self._count), np.uint32))
        straight = np.array((*colours[:-1], Colour(0, 0, 0, 0), colours[-1])) / 255
        premultiplied = straight * np.where(np.arange(4) < 3, straight[:, 3:], 1)
        under, marker = premultiplied[:-1], premultiplied[-1]
        over = marker + under * (1 - marker[3])
        # [1 where the marker is, index of the series]
        self._table = np.round(np.stack((under, over)) * 255).astype(np.uint8).view(np.uint32)[..., 0]
        return True

    def push(self, series: NDArray, total: NDArray, marker: NDArray) -> None:
        """Add n columns: series [series, n], lowest first, NaN as 0; whole heights [n]; marker [n], NaN for a gap."""
        assert self._style is not None
        scale = self._rows / self._style[1]
        tops = np.empty((len(series) + 1, len(total)))
        np.cumsum(np.fmax(series, 0.0), axis=0, out=tops[:-1])  # if one value is NaN, fmax takes the other
        tops[-1] = np.fmax(total, tops[-2]) if len(series) else total
        line = np.minimum(marker * scale, self._rows - self._thickness)
        height = np.arange(self._rows)[:, None] + 0.5
        index = (height >= tops[:, None] * scale).sum(axis=0)
        columns = self._table[((height >= line) & (height < line + self._thickness)).astype(np.intp), index]
        until_end = self._count - self._next
        for part in (columns[:, :until_end], columns[:, until_end:]):
            if part.shape[1]:
                self.texture.write(np.ascontiguousarray(part), viewport=(self._next, 0, part.shape[1], self._rows))
                self._next = (self._next + part.shape[1]) % self._count


def copy_bandwidth(ctx: moderngl.Context) -> float:
    """Bytes a second, read and written, of a shader that only copies a texture of complex64 numbers: the fastest of
    four copies, measured once a device. GL state: as after a plan. ContextError where the device has no memory for it.
    """
    device, software = state_of(ctx).device, is_software(ctx)
    name = f"{device.renderer} {device.driver}"
    if name in _measured:
        return _measured[name]
    width, height = size = _SOFTWARE_SIZE if software else _SIZE
    source_unit = bindings.source_texture_unit(device.limits)
    units = {"SOURCE_UNIT": source_unit, "TARGET_UNIT": bindings.TARGET_IMAGE_UNIT}
    copy, fill = (programs.compute(ctx, "overlay/copy.comp", {**units, "FILL": fills}) for fills in (0, 1))
    clear_errors(ctx)
    textures = source, target = [ctx.texture(size, 2, dtype="f4") for _ in range(2)]
    clock = WallClock(ctx) if software else GpuClock(ctx)
    with released_after(*textures, clock):
        check_errors(ctx, "measuring how fast the device copies")
        stamps = []
        for program, written in ((fill, source), *[(copy, target)] * (1 + _COPIES)):  # the first copy may still compile
            stamps.append(clock.mark())
            source.use(source_unit)
            written.bind_to_image(bindings.TARGET_IMAGE_UNIT, read=False, write=True)
            program.run(width // 32, height // 8)
            ctx.memory_barrier()
        times = [clock.take(stamp) for stamp in (*stamps, clock.mark())]
    fastest = min(after - before for before, after in pairwise(times[2:]))
    _measured[name] = 2 * _TEXEL_BYTES * width * height / max(1, fastest) * 1e9
    return _measured[name]
