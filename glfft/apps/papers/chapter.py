"""A chapter of the report: a paper's claims and published numbers in a TOML file, and how to measure ours in a class.

To add one: write NAME.toml, and a module with a subclass of `Chapter`; name the class in `glfft.apps.papers`.
`measure` alone needs a GPU. What it returns is written as JSON, and everything else is worked out from that, on any
machine. The file has the texts, the published numbers, and what is compared, as mota.toml says.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar

from glfft.apps.papers import claims
from glfft.apps.papers.claims import Conclusion, Grid, Measured, Panel, Point, Spread, Table

if TYPE_CHECKING:
    from glfft.apps.papers.measuring import Run

Rows = Mapping[str, Mapping[Point, Spread]]
"""Numbers by row and point, or ratios by curve and point."""

_RANGES = {
    "faster": claims.FASTER, "significantly faster": (0.0, 1 - claims.NO_DIFFERENCE), "slower": claims.SLOWER,
    "alike": (1 - claims.NO_DIFFERENCE, 1 + claims.NO_DIFFERENCE),
    "not slower": (0.0, 1 + claims.NO_DIFFERENCE), "not faster": (1 - claims.NO_DIFFERENCE, math.inf),
}  # fmt: skip
_KEYS = {"grid", "over", "under", "by", "at", "since", "point", "gpu_only"}


def read_text(name: str) -> str:
    return resources.files(__package__ or "").joinpath(name).read_text(encoding="utf-8")


def published_grid(described: Mapping[str, Any]) -> Grid:
    """A table of published numbers, from a paper's TOML file: the list `entries`, and keys that all entries share.

    An entry has `values` with their `place`; `at`, the points of a `row`, or `rows`, the rows at one point `at`;
    `unit`, what the text has for 1 of the report's unit, such as 1000 ns for 1 us; `labelled`, where the text has the
    point before the values. One with `each` has one value at all points, and one without rows is in the text alone.
    """
    grid = Grid()
    for told in ({**described, **entry} for entry in described["entries"]):
        at = told.get("at", [])
        rows = [told["row"]] if "row" in told else told.get("rows", [])
        keys = [(row, point) for row in rows for point in (at if isinstance(at, list) else [at])]
        values = [told["each"]] * len(keys) if "each" in told else told["values"]
        grid.values |= {key: Spread.exact(value) for key, value in zip(keys, values, strict=False)}
    return grid


class Chapter:
    name = ""  # for `--only`, and with _ for - of the paper's TOML file
    groups: ClassVar[Mapping[str, Iterable[str]]] = {}  # rows by the name of a group, without its @

    def __init__(self) -> None:
        self._file: dict[str, Any] = tomllib.loads(read_text(f"{self.name.replace('-', '_')}.toml"))
        self.title: str = self._file["title"]  # author, title, year
        self.published_on: str = self._file["published_on"]  # the device of the published numbers
        self.published = Measured({name: published_grid(each) for name, each in self._file["published"].items()})

    def measure(self, run: "Run") -> dict[str, Grid]:
        """Measure everything, or less of it where `run.quick`. Raises AccuracyError where a kernel is wrong."""
        raise NotImplementedError

    @property
    def measures(self) -> str:
        """What is measured here, and how it differs from the paper: a sentence or two."""
        return self._file["measures"].format_map(self.words(Measured({})))

    def words(self, measured: Measured) -> dict[str, str]:
        """What stands for {names} in the texts of the file."""
        has_cufft = any("cufft" in grid.rows for grid in measured.values())
        return {
            "no_difference": f"{claims.NO_DIFFERENCE:.0%}",
            "no_cufft": "" if has_cufft else "It takes cuFFT, and there is none here.",
            "on_cpu": "The device is a software renderer: its transforms run on the CPU too." * measured.software,
        }

    def rows(self, names: Iterable[str], grid: Grid) -> list[str]:
        common = {"reference": [grid.reference or ""], "cpu": [name for name in claims.LIBRARIES if name != "cufft"]}
        groups = {**common, **self.groups}
        return [row for name in names for row in (groups[name[1:]] if name.startswith("@") else [name])]

    def _by(self, compared: Mapping[str, Any], grids: Measured, measured: Measured) -> Any:
        return getattr(self, compared["by"])(grids[compared["grid"]] if "grid" in compared else measured)

    def _ratios(self, compared: Mapping[str, Any], grids: Measured) -> dict[Point, Spread]:
        if compared.get("gpu_only") and grids.software:
            return {}
        if "by" in compared:
            return _kept(self._by(compared, grids, grids), compared)
        grid = grids[compared.get("grid", "")]
        over, under = (self.rows(compared.get(side, ()), grid) for side in ("over", "under"))
        return _kept(grid.ratios(over, under) if under or not over else grid.cells.get(over[0], {}), compared)

    def _each(self, compared: Mapping[str, Any], grids: Measured, measured: Measured) -> Rows:
        """Numbers or ratios by row of a table, or by curve of a figure."""
        if "by" in compared:
            return self._by(compared, grids, measured)
        grid = grids[compared.get("grid", "")]
        over, under = compared.get("over", grid.rows), self.rows(compared.get("under", ()), grid)
        named = over if isinstance(over, dict) else {row: [row] for row in self.rows(over, grid) if [row] != under}
        if "under" not in compared:
            return {name: grid.cells.get(name, {}) for name in named}
        return {name: grid.ratios(self.rows(rows, grid), under) for name, rows in named.items()}

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        """The paper's conclusions: the same ones whatever was measured."""
        words = self.words(measured)
        return [self._conclusion(each, measured, words) for each in self._file["claims"]]

    def _conclusion(self, described: Mapping[str, Any], measured: Measured, words: Mapping[str, str]) -> Conclusion:
        texts = ("claim", "ratio", "reason", "remark", "proxy")
        here, published = described.get("here", {}), described.get("published", {})
        if published is True:
            published = here
        elif published and "grid" not in published:
            published = here | published
        limits = described.get("range", "faster")
        return Conclusion(
            **{name: described[name].format_map(words) for name in texts if name in described},
            published={point: ratio.middle for point, ratio in self._ratios(published, self.published).items()},
            here=self._ratios(here, measured),
            range=_RANGES[limits] if isinstance(limits, str) else tuple(limits),
            points_name=described.get("points", "length"),
        )

    def tables(self, measured: Measured) -> list[Table]:
        found = [(self._table(each, measured), "optional" in each) for each in self._file["tables"]]
        return [table for table, is_optional in found if table.rows or not is_optional]

    def _table(self, described: Mapping[str, Any], measured: Measured) -> Table:
        is_published = "published" in described
        compared = described["published" if is_published else "here"]
        grids = self.published if is_published else measured
        grid = grids[compared.get("grid", "")]
        cells: dict[str, Any] = {}
        for row, each in self._each(compared, grids, measured).items():
            kept = _kept(each, compared).items()
            cells[row] = {point: value.middle if is_published else value for point, value in kept}
        words = {**self.words(measured), "reference": str(grid.reference), "reference_name": grid.reference_name}
        title, text = (described[name].format_map(words) for name in ("title", "text"))
        return Table(title, text, described["points"], {row: each for row, each in cells.items() if each})

    def figures(self, measured: Measured) -> list[Panel]:
        """What to plot beside the conclusions, each of which has a plot: figures of which something was measured."""
        found = []
        for each in self._file.get("figures", []):
            words = {**self.words(measured), "reference_name": measured[each["here"].get("grid", "")].reference_name}
            title, ratio = (each[name].format_map(words) for name in ("title", "ratio"))
            published = self._each(each.get("published", {}), self.published, measured)
            named = {f"{name}, {claims.PAPER}": curve for name, curve in published.items()}
            here = self._each(each["here"], measured, measured)
            found.append(Panel(title, ratio, each.get("points", "length"), named, here))
        return [panel for panel in found if any(panel.here.values())]


def _kept(cells: Mapping[Point, Spread], compared: Mapping[str, Any]) -> dict[Point, Spread]:
    """The numbers at the points of a comparison, under the name that it has for them."""
    assert compared.keys() <= _KEYS, compared
    since = compared.get("since")
    kept = compared.get("at") or [point for point in cells if since is None or point >= since]
    return {compared.get("point") or point: value for point, value in cells.items() if point in kept}
