"""Where the papers say what the report repeats: places of numbers and of quotations, as data.

The report repeats a paper's numbers and words. Each has a place: a file of a paper's text, and the lines of it.
`tests/apps/papers/test_published.py` reads all of them where the texts are at hand, and fails on one that is not there.

How to add some to the TOML file of a chapter:

- A number that a table of the report shows, or that a published ratio is made of, is an entry of `[published]`, in the
  order of the text, with its line: see `published_grid`.
- A conclusion says where its claim stands: `places = ["152", "160-161"]`, with the name of another text before a colon.
  Words in "double quotes" are the text's own, in one piece: they stand in one of these places. Leave off marks such as
  `$` or `*`; what is in [brackets] is ours, and any letters may stand there in the text. What is outside the quotes is
  our wording.
- A claim that nobody makes, and that only follows from published numbers, has the lines of the numbers, and says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from glfft.apps.papers.grid import Grid, Spread


@dataclass(frozen=True)
class PaperText:
    """A file of a paper's text."""

    file: str  # its name, in the folder of the texts
    public: str = ""  # where the file can be had by anybody; empty for papers


@dataclass(frozen=True)
class Place:
    """Lines of a text, counted from 1, both ends with them."""

    text: PaperText
    first: int
    last: int

    def __str__(self) -> str:
        lines = f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.text.file}, line {lines}"


@dataclass(frozen=True)
class Numbers:
    """Numbers of a text, in the order of the text."""

    place: Place  # where they stand
    values: tuple[float, ...]  # the numbers in the report's unit
    times: float = 1.0  # what the text has for 1 of the report's unit, such as 1000 ns for 1 us


def published_grid(described: Mapping[str, Any], place_of: Callable[[str], Place]) -> tuple[Grid, list[Numbers]]:
    """A table of published numbers, from a paper's TOML file.

    Args:
        described: the list `entries`, and keys that all entries share. An entry has `values` with their `place`; `at`,
            the points of a `row`, or `rows`, the rows at one point `at`; `unit`, see `Numbers.times`; `labelled`, where
            the text has the point before the values. One with `each` has the same value at all points, and one without
            rows is a number that stands in the text alone.
        place_of: makes a place out of its text.
    """
    grid, numbers = Grid(), []
    shared = {name: value for name, value in described.items() if name != "entries"}
    for entry in described["entries"]:
        told = {**shared, **entry}
        at = told.get("at", [])
        values = told.get("values", [told.get("each")])
        rows = [told["row"]] if "row" in told else told.get("rows", [])
        points = at if isinstance(at, list) else [at]
        keys = [(row, point) for row in rows for point in points]
        shown = values * len(keys) if "each" in told else values
        grid.values |= {key: Spread.exact(value) for key, value in zip(keys, shown, strict=False)}
        if "place" in told:
            written = (*points, *values) if told.get("labelled") else tuple(values)
            numbers.append(Numbers(place_of(told["place"]), written, told.get("unit", 1.0)))
    return grid, numbers
