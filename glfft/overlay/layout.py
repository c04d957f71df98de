"""How large the overlay is: its lengths and columns, chosen so that it covers at most a sixth of the picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from glfft.profiling.timeline import SectionStatistics

LARGEST_SHARE = 1 / 6  # of the picture's area
MARGIN = 12.0
COPY = "of copy"


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
    columns: tuple[tuple[str, float], ...]  # titles and widths of the table's numbers
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


# fmt: off
_WIDE = Layout(
    inner=408, padding=11, header=32, plot=48, frame=2, bar=12, row=17, gap=7, text=14, small_text=12, large_text=24,
    columns=(("p50", 52), ("p95", 52), ("p99", 52), ("max", 52), ("cpu p50", 56), (COPY, 52)), fewest=6,
)
_NARROW = Layout(
    inner=208, padding=7, header=19, plot=24, frame=2, bar=0, row=13, gap=4, text=12, small_text=11, large_text=16,
    columns=(("p50", 42), ("p99", 42), (COPY, 42)), fewest=2,
)
# fmt: on
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
    """The sections that have one of so many rows, in their order: outermost ones come before nested ones."""
    ranked = sorted(range(len(sections)), key=lambda index: (sections[index].depth, index))
    return [sections[index] for index in sorted(ranked[:rows])]
