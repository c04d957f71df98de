"""A chapter of the report: a paper's claims and published numbers in a TOML file, and how to measure ours in a class.

To add one: write NAME.toml, and a module with a subclass of `Chapter`; name the class in `glfft.apps.papers.chapters`.
`measure` alone needs a GPU. What it returns is written as JSON, and everything else is worked out from that, on any
machine. The file has the texts, the published numbers, and what is compared (`Comparison`):

    title = "Author, Title of the paper (year)"
    measures = "Transforms of one line in a buffer, a thousand at a time."
    published_on = "GeForce GTX 1, CUDA"
    texts.paper = { file = "author-2010-title.txt" }

    [published.lines]
    at = [256, 512]
    entries = [
        { row = "stockham", place = "218", values = [7, 9] },
        { row = "cooley-tukey", place = "219", values = [8, 9] },
    ]

    [[tables]]
    title = "Here"
    text = "Times over {reference_name}'s."
    points = "length"
    here = { grid = "lines", under = ["@reference"] }

    [[claims]]
    claim = '"Stockham is faster" (3.1).'
    ratio = "stockham / cooley-tukey"
    here = { grid = "lines", over = ["stockham"], under = ["cooley-tukey"] }
    published = true
    places = ["152", "160-161"]
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from glfft.apps.papers import read_text
from glfft.apps.papers.claims import FASTER, NO_DIFFERENCE, PAPER, SLOWER, Conclusion, Measured, Panel, Table
from glfft.apps.papers.grid import LIBRARIES, Grid, Point, Spread
from glfft.apps.papers.published import Numbers, PaperText, Place, published_grid

if TYPE_CHECKING:
    from glfft.apps.papers.measuring import Run

Rows = Mapping[str, Mapping[Point, Spread]]
"""Numbers by row and point, or ratios by curve and point."""

_RANGES = {
    "faster": FASTER,
    "significantly faster": (0.0, 1 - NO_DIFFERENCE),
    "slower": SLOWER,
    "alike": (1 - NO_DIFFERENCE, 1 + NO_DIFFERENCE),
    "not slower": (0.0, 1 + NO_DIFFERENCE),
    "not faster": (1 - NO_DIFFERENCE, math.inf),
}


@dataclass(frozen=True)
class Comparison:
    """How ratios are formed from measured or published grids."""

    grid: str = ""  # the name of the grid
    # over, under: the rows of both sides, of which the fastest count. A name with @ is one of the chapter's groups;
    # "@reference" is the row of the library to compare with. Without `over`, all rows are compared.
    over: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    row: str = ""  # a row whose numbers are ratios already
    by: str = ""  # the chapter's method that forms the ratios, out of the grid if there is its name, or out of all
    at: tuple[Point, ...] = ()  # at, since: the points that are kept, or the least of them; without either, all
    since: int = 0
    point: str | int = ""  # another name for the point
    gpu_only: bool = False  # a software renderer has none of these ratios


_NOTHING = Comparison()


class Chapter:
    """A paper."""

    name = ""  # for `--only`
    file = ""  # the name of the paper's TOML file
    groups: ClassVar[Mapping[str, Iterable[str]]] = {}  # rows by the name of a group, without its @

    def measure(self, run: Run) -> dict[str, Grid]:
        """Measure everything, or less of it where `run.quick`. Raises AccuracyError where a kernel is wrong."""
        raise NotImplementedError

    @cached_property
    def _file(self) -> dict[str, Any]:
        return tomllib.loads(read_text(self.file))

    @property
    def title(self) -> str:
        """Author, title, year."""
        return self._file["title"]

    @property
    def measures(self) -> str:
        """What is measured here, and how it differs from the paper: a sentence or two."""
        return self._file["measures"].format_map(self.words(Measured({})))

    @property
    def published_on(self) -> str:
        """The device of the published numbers."""
        return self._file["published_on"]

    @cached_property
    def _published(self) -> dict[str, tuple[Grid, list[Numbers]]]:
        return {name: published_grid(each, self._place) for name, each in self._file["published"].items()}

    @property
    def published(self) -> Measured:
        """The published numbers, as grids by name."""
        return Measured({name: grid for name, (grid, _) in self._published.items()})

    @property
    def numbers(self) -> list[Numbers]:
        """The published numbers with their places; see `glfft.apps.papers.published`."""
        return [each for _, numbers in self._published.values() for each in numbers]

    def _place(self, place: str) -> Place:
        name, _, lines = place.rpartition(":")
        first, _, last = lines.partition("-")
        return Place(PaperText(**self._file["texts"][name or "paper"]), int(first), int(last or first))

    def words(self, measured: Measured) -> dict[str, str]:
        """What stands for {names} in the texts of the file."""
        has_cufft = any("cufft" in grid.rows for grid in measured.values())
        return {
            "no_difference": f"{NO_DIFFERENCE:.0%}",
            "no_cufft": "" if has_cufft else "It takes cuFFT, and there is none here.",
            "on_cpu": "The device is a software renderer: its transforms run on the CPU too." * measured.software,
        }

    def rows(self, names: Iterable[str], grid: Grid) -> list[str]:
        """Names of rows, with those of groups in their place."""
        common = {"reference": [grid.reference or ""], "cpu": [name for name in LIBRARIES if name != "cufft"]}
        groups = {**common, **self.groups}
        return [row for name in names for row in (groups[name[1:]] if name.startswith("@") else [name])]

    def ratios(self, comparison: Comparison, grids: Measured) -> dict[Point, Spread]:
        """The ratios of a comparison by point."""
        if comparison.gpu_only and grids.software:
            return {}
        grid = grids[comparison.grid]
        if comparison.by:
            found = getattr(self, comparison.by)(grid if comparison.grid else grids)
        elif comparison.row:
            found = {point: value for (row, point), value in grid.values.items() if row == comparison.row}
        else:
            found = grid.ratios(self.rows(comparison.over, grid), self.rows(comparison.under, grid))
        return _kept(found, comparison)

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        """The paper's conclusions: the same ones whatever was measured."""
        words = self.words(measured)
        return [self._conclusion(each, measured, words) for each in self._file["claims"]]

    def _conclusion(self, described: Mapping[str, Any], measured: Measured, words: Mapping[str, str]) -> Conclusion:
        texts = ("claim", "ratio", "reason", "remark", "proxy")
        said = {name: described[name].format_map(words) for name in texts if name in described}
        here = _comparison(described.get("here", {}))
        limits = described.get("range", "faster")
        return Conclusion(
            **said,
            published=self._published_ratios(here, described.get("published", False)),
            here=self.ratios(here, measured),
            range=_RANGES[limits] if isinstance(limits, str) else tuple(limits),
            points=described.get("points", "length"),
            places=tuple(map(self._place, described["places"])),
        )

    def _published_ratios(self, here: Comparison, published: Any) -> dict[Point, float]:
        """The paper's ratios: formed as ours are if `published` is True, or by what it has in place of that."""
        if not published:
            return {}
        changes = {} if published is True else published
        compared = _comparison(changes, _NOTHING if "grid" in changes else here)
        return {point: ratio.middle for point, ratio in self.ratios(compared, self.published).items()}

    def tables(self, measured: Measured) -> list[Table]:
        """The published numbers and ours."""
        found = [(self._table(each, measured), "optional" in each) for each in self._file["tables"]]
        return [table for table, is_optional in found if table.rows or not is_optional]

    def _table(self, described: Mapping[str, Any], measured: Measured) -> Table:
        is_published = "published" in described
        compared = _comparison(described["published" if is_published else "here"])
        grid = (self.published if is_published else measured)[compared.grid]
        if compared.by:
            rows = getattr(self, compared.by)(grid if compared.grid else measured)
        elif compared.under:
            rows = grid.relative(self.rows(compared.under, grid)[0] or None)
        else:
            rows = grid.cells
        shown = self.rows(compared.over, grid) or list(rows)
        cells = {row: _kept(rows[row], compared) for row in rows if row in shown}
        if is_published:
            cells = {row: {point: value.middle for point, value in each.items()} for row, each in cells.items()}
        words = {**self.words(measured), "reference": str(grid.reference), "reference_name": grid.reference_name}
        title, text = (described[name].format_map(words) for name in ("title", "text"))
        return Table(title, text, described["points"], {row: each for row, each in cells.items() if each})

    def figures(self, measured: Measured) -> list[Panel]:
        """What to plot beside the conclusions, each of which has a plot: figures of which something was measured."""
        found = []
        for each in self._file.get("figures", []):
            words = {**self.words(measured), "reference_name": measured[each["here"].get("grid", "")].reference_name}
            title, ratio = (each[name].format_map(words) for name in ("title", "ratio"))
            published = self._curves(each.get("published", {}), self.published, measured)
            named = {f"{name}, {PAPER}": curve for name, curve in published.items()}
            here = self._curves(each["here"], measured, measured)
            found.append(Panel(title, ratio, each.get("points", "length"), named, here))
        return [panel for panel in found if any(panel.here.values())]

    def _curves(self, described: Mapping[str, Any], grids: Measured, measured: Measured) -> Rows:
        """Ratios by curve: of named groups of rows, or of each row alone, or by a method."""
        if not described:
            return {}
        if "by" in described:
            return getattr(self, described["by"])(grids[described["grid"]] if "grid" in described else measured)
        curves, grid = described["curves"], grids[described["grid"]]
        groups = curves if isinstance(curves, dict) else {row: [row] for row in self.rows(curves, grid)}
        under = self.rows(described["under"], grid)
        return {name: grid.ratios(self.rows(rows, grid), under) for name, rows in groups.items()}


def _comparison(described: Mapping[str, Any], base: Comparison = Comparison()) -> Comparison:
    changes = {name: tuple(value) if isinstance(value, list) else value for name, value in described.items()}
    return replace(base, **changes)


def _kept(cells: Mapping[Point, Spread], compared: Comparison) -> dict[Point, Spread]:
    """The numbers at the points of a comparison, under the name that it has for them."""
    kept = compared.at or [point for point in cells if not compared.since or point >= compared.since]
    return {compared.point or point: value for point, value in cells.items() if point in kept}
