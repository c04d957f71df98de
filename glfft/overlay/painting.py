"""The overlay's picture: its size, and a header, a bar of the sections, a table of numbers and a foot; or one line."""

import itertools
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources

from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.profiling.timeline import Path, SectionStatistics, Statistics
from glfft.profiling.timing import GPU_TIMER
from glfft.profiling.trace import CPU_BOUND, GPU_BOUND, SOFTWARE, Balance

LARGEST_SHARE = 1 / 6  # of the picture's area
MARGIN = 12.0
COPY = "of copy"

BUDGET_MS = 1000.0 / 60.0
_GUIDES_MS = (BUDGET_MS, 2 * BUDGET_MS, 100.0, 500.0)

OTHER = Colour(98, 106, 116)
INTERVAL = Colour(240, 243, 246, 190)
_READ = tomllib.loads(resources.files(__package__ or "").joinpath("layouts.toml").read_text(encoding="utf-8"))
PALETTE = tuple(Colour(*each) for each in _READ["palette"])
_BACKGROUND = Colour(14, 17, 21, 222)
_BORDER = Colour(255, 255, 255, 22)
_WELL = Colour(0, 0, 0, 110)
_BRIGHT = Colour(232, 236, 240)
_PLAIN = Colour(190, 197, 204)
_DIM = Colour(146, 154, 163)
_RULE = Colour(255, 255, 255, 30)
_GUIDE = Colour(255, 255, 255, 46)
_BUDGET_GUIDE = Colour(120, 205, 140, 170)
_WARNING = Colour(236, 178, 86)


@dataclass(frozen=True)
class Layout:
    """Lengths in units of the display's scale; text sizes are the heights of lines."""

    inner: float  # width without padding
    padding: float
    header: float
    plot: float
    frame: float  # width of a frame in the plot
    bar: float
    row: float
    gap: float
    text: float
    small_text: float
    large_text: float
    columns: Sequence[tuple[str, float]]  # titles and widths of the table's numbers
    fewest: int  # rows without which a smaller layout says more, where there are as many sections
    rows: int = 0  # how many sections have a row; with 0 the layout is one line
    more: bool = False  # whether a line says how many sections have no row

    @property
    def folded(self) -> bool:
        return self.plot == 0

    @property
    def width(self) -> float:
        return self.inner + 2 * self.padding

    @property
    def height(self) -> float:
        if self.folded:
            return self.large_text + 2 * self.padding
        bar = self.bar + self.gap if self.bar else 0
        # The table has a line of titles, and one for the whole frame below a rule.
        table = (self.rows + self.more + 2) * self.row + 4
        return 2 * self.padding + self.header + self.plot + bar + 2 * self.gap + table + self.small_text

    @property
    def frames(self) -> int:
        return int(self.inner // self.frame)

    def covers(self, size: tuple[float, float]) -> bool:
        """Whether it covers too much of a picture, or does not fit into it."""
        width, height = size
        fits = self.width + 2 * MARGIN <= width and self.height + 2 * MARGIN <= height
        return not fits or self.width * self.height > LARGEST_SHARE * width * height


_WIDE, _NARROW = (Layout(**each) for each in _READ["layouts"])
_LINE = replace(_NARROW, header=0, plot=0, padding=6, columns=())


def layout_for(size: tuple[float, float], sections: Sequence[SectionStatistics], folded: bool) -> Layout | None:
    """The layout with the most in it for a picture of a size, or `folded` to one line; None where that does not fit."""
    count = len(sections)
    for layout in () if folded else (_WIDE, _NARROW):
        for rows in range(count, min(layout.fewest, count) - 1, -1):
            wanted = replace(layout, rows=rows, more=rows < count)
            if not wanted.covers(size):
                has_moved = any(section.moved for section in shown(sections, rows))
                columns = tuple(column for column in layout.columns if has_moved or column[0] != COPY)
                return replace(wanted, columns=columns)
    return None if _LINE.covers(size) else _LINE


def shown(sections: Sequence[SectionStatistics], rows: int) -> list[SectionStatistics]:
    """The sections that have one of so many rows, in their order: outermost before nested ones, then the longest."""
    totals = [max(0.0, each.time.mean) * each.frames for each in sections]  # 0 for NaN
    ranked = sorted(range(len(sections)), key=lambda index: (sections[index].depth, -totals[index]))
    return [sections[index] for index in sorted(ranked[:rows])]


@dataclass(frozen=True)
class Contents:
    layout: Layout
    statistics: Statistics
    colours: dict[Path, Colour]  # of outermost sections; nested ones share them
    balance: Balance
    copy: float  # bytes a second; NaN where unknown
    cost: float  # the overlay's own, milliseconds a frame
    ceiling: float  # milliseconds at the plot's top

    @property
    def plot(self) -> Box:
        layout = self.layout
        return Box(layout.padding, layout.padding + layout.header, layout.inner, layout.plot)


def draw_ground(canvas: Canvas, contents: Contents) -> None:
    canvas.panel(contents.layout.width, contents.layout.height, _BACKGROUND, _BORDER)
    if not contents.layout.folded:
        canvas.box(*contents.plot, _WELL)


def draw_numbers(canvas: Canvas, contents: Contents) -> None:
    layout = contents.layout
    draw_ground(canvas, contents)
    _draw_header(canvas, contents)
    if layout.folded:
        return
    y = contents.plot.y + layout.plot + layout.gap
    if layout.bar:
        _draw_bar(canvas, contents, y)
        y += layout.bar + layout.gap
    _draw_foot(canvas, contents, _draw_table(canvas, contents, y) + layout.gap)


def draw_guides(canvas: Canvas, contents: Contents) -> None:
    """Lines in the plot at common frame times, labelled if there is room."""
    plot, size = contents.plot, contents.layout.small_text
    label_room = -math.inf
    for guide in _GUIDES_MS:
        if guide > contents.ceiling:
            break
        colour, words = (_BUDGET_GUIDE, _BUDGET_GUIDE) if guide == BUDGET_MS else (_GUIDE, _DIM)
        height = plot.height * guide / contents.ceiling
        y = plot.y + plot.height - height
        canvas.line(plot.x, y, plot.width, colour)
        if height >= label_room:
            label = f"{guide:.1f} ms" if guide < 100 else f"{guide:.0f} ms"
            within = min(max(y, plot.y + size / 2 + 1), plot.y + plot.height - size / 2 - 1)
            canvas.tag(plot.x + 4, within, label, size, words, _BACKGROUND)
            label_room = height + size + 4


def _draw_header(canvas: Canvas, contents: Contents) -> None:
    """The time between frames and their rate; at the right who waits for whom."""
    layout, interval = contents.layout, contents.statistics.since_previous.p50
    large, unit = layout.large_text, layout.text
    x = y = layout.padding

    def beside(size: float) -> float:
        return y + 0.62 * (large - size) + 2

    rate = f"{1000 / interval:.0f}" if interval > 0 else "–"
    for number, name in ((_format(interval), "ms"), (rate, "fps")):
        x += canvas.text(x, y, number, large, _BRIGHT, number=True)
        x += canvas.text(x + 0.16 * large, beside(unit), name, unit, _DIM) + 0.7 * large
    bound, gpu, cpu = contents.balance
    right, small = layout.padding + layout.inner, layout.small_text
    two_lines = layout.header >= 2 * small
    colour = {GPU_BOUND: _BRIGHT, CPU_BOUND: _BRIGHT, SOFTWARE: _WARNING}.get(bound, _PLAIN)
    canvas.text_right(right, y if two_lines else beside(small), bound, small, colour)
    if two_lines and bound:
        shares = "the CPU draws" if bound == SOFTWARE else f"busy: GPU {100 * gpu:.0f}%, CPU {100 * cpu:.0f}%"
        canvas.text_right(right, y + small + 1, shares, small, _DIM)


def _draw_bar(canvas: Canvas, contents: Contents, y: float) -> None:
    """How a median frame divides into sections; the full width is the whole frame."""
    layout, statistics = contents.layout, contents.statistics
    canvas.box(layout.padding, y, layout.inner, layout.bar, _WELL)
    # A section that ran in less than half of the frames takes no part of a median frame.
    outermost = [section for section in statistics.sections if len(section.path) == 1]
    usual = [section for section in outermost if 2 * section.frames > statistics.frames]
    parts = [(contents.colours[section.path], section.time.p50) for section in usual]
    known = sum(part for _, part in parts)
    total = max(statistics.frame.time.p50, known)
    x = layout.padding
    for colour, part in (*parts, (OTHER, total - known)):
        width = layout.inner * part / total if total > 0 else 0.0
        if width >= 0.5:
            canvas.box(x, y, max(0.5, width - 1), layout.bar, colour)
        x += width


def _draw_table(canvas: Canvas, contents: Contents, y: float) -> float:
    """A row for each section and one for the whole frame; returns where they end."""
    layout, statistics = contents.layout, contents.statistics
    left, small = layout.padding, layout.small_text
    canvas.text(left, y, "section, ms", small, _DIM)
    for title, right in _columns(layout):
        canvas.text_right(right, y, title, small, _DIM)
    y += layout.row
    side = round(0.55 * layout.text)
    for section in shown(statistics.sections, layout.rows):
        indent, inset = 0.85 * layout.text * section.depth, 0 if section.depth == 0 else 2
        square, top = side - 2 * inset, y + (layout.text - side) / 2 + 1 + inset
        canvas.box(left + indent + inset, top, square, square, contents.colours[section.path[:1]])
        name_x = left + indent + side + 6
        room = _columns(layout)[0][1] - layout.columns[0][1] + 8 - name_x
        canvas.text_within(name_x, y, room, section.name, layout.text, _PLAIN if section.depth else _BRIGHT)
        _draw_row(canvas, contents, y, section, _PLAIN)
        y += layout.row
    if layout.more:
        canvas.text(left + side + 6, y, f"and {len(statistics.sections) - layout.rows} more", layout.text, _DIM)
        y += layout.row
    canvas.line(left, y + 1, layout.inner, _RULE)
    y += 4
    canvas.text(left, y, "frame", layout.text, _BRIGHT)
    _draw_row(canvas, contents, y, statistics.frame, _BRIGHT)
    return y + layout.row


def _draw_row(canvas: Canvas, contents: Contents, y: float, section: SectionStatistics, first: Colour) -> None:
    share = section.bytes_a_second / contents.copy
    texts = {
        **{name: _format(getattr(section.time, name)) for name in ("p50", "p95", "p99", "max")},
        "cpu p50": _format(section.cpu.p50),
        COPY: "" if math.isnan(share) else f"{100 * share:.0f}%",
    }
    colours = {contents.layout.columns[0][0]: first, "cpu p50": _DIM}
    for title, right in _columns(contents.layout):
        canvas.text_right(right, y, texts[title], contents.layout.text, colours.get(title, _PLAIN), number=True)


def _draw_foot(canvas: Canvas, contents: Contents, y: float) -> None:
    """What the overlay costs, and what the times were taken with and over."""
    layout, statistics = contents.layout, contents.statistics
    canvas.text(layout.padding, y, f"overlay {_format(contents.cost)} ms cpu", layout.small_text, _DIM)
    words = statistics.timer
    if layout.bar:
        words += f", last {statistics.frames} frame{'' if statistics.frames == 1 else 's'}"
        words += f", {statistics.dropped} left out" if statistics.dropped else ""
    else:
        words = words.partition(" (")[0]
    colour = _DIM if statistics.timer == GPU_TIMER else _WARNING
    canvas.text_right(layout.padding + layout.inner, y, words, layout.small_text, colour)


def _columns(layout: Layout) -> list[tuple[str, float]]:
    """The titles of the number columns and their right edges; the last one ends with the panel."""
    left = layout.padding + layout.inner - sum(width for _, width in layout.columns)
    edges = itertools.accumulate((width for _, width in layout.columns), initial=left)
    return [(title, right) for (title, _), right in zip(layout.columns, list(edges)[1:], strict=True)]


def _format(ms: float) -> str:
    """Milliseconds with two decimals, or none from 1000 on, so that columns stay narrow and points aligned."""
    return "–" if math.isnan(ms) else f"{ms:.{2 if ms < 1000 else 0}f}"
