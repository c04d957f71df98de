"""Where the papers say what the report repeats: places of numbers and of quotations, as data.

The report repeats a paper's numbers and words. Each has a place: a file of a paper's text, and the lines of it.
`tests/papers/test_published.py` reads all of them where the texts are at hand, and fails on one that is not there.

How to add some to the TOML file of a chapter:

- A number that a table of the report shows, or that a published ratio is made of, is an entry of `[published]`, in the
  order of the text, with its line: see `published_grid`.
- A conclusion says where its claim stands: `places = ["152", "160-161"]`, with the name of another text before a colon.
  Words in "double quotes" are the text's own, in one piece: they stand in one of these places. Leave off marks such as
  `$` or `*`; what is in [brackets] is ours, and any letters may stand there in the text. What is outside the quotes is
  our wording.
- A claim that nobody makes, and that only follows from published numbers, has the lines of the numbers, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from glfft.papers.grid import Grid, Spread


@dataclass(frozen=True)
class PaperText:
    """A file of a paper's text.

    Attributes:
        file: its name, in the folder of the texts.
        public: where the file can be had by anybody; empty for papers.
    """

    file: str
    public: str = ""

    def line(self, number: int) -> Place:
        """The place of one line, counted from 1."""
        return Place(self, number, number)

    def lines(self, first: int, last: int) -> Place:
        """The place of several lines, the first and the last with them."""
        return Place(self, first, last)


@dataclass(frozen=True)
class Place:
    """Lines of a text, counted from 1, both ends with them."""

    text: PaperText
    first: int
    last: int

    def __str__(self) -> str:
        lines = f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.text.file}, line {lines}"

    def read(self, text: str) -> str:
        """The lines of the place in the text of the file, with tabs between the columns of a CSV file.

        Raises:
            IndexError: the text is shorter.
        """
        lines = text.split("\n")
        if not 1 <= self.first <= self.last <= len(lines):
            raise IndexError(f"{self}: the text has {len(lines)} lines.")
        found = "\n".join(lines[self.first - 1 : self.last])
        return found.replace(",", "\t") if self.text.file.endswith(".csv") else found


@dataclass(frozen=True)
class Numbers:
    """Numbers of a text, in the order of the text.

    Attributes:
        place: where they stand.
        values: the numbers in the report's unit.
        times: what the text has for 1 of the report's unit, such as 1000 ns for 1 us.
    """

    place: Place
    values: tuple[float, ...]
    times: float = 1.0

    @property
    def as_they_stand(self) -> tuple[float, ...]:
        """The numbers in the unit of the text."""
        return tuple(round(value * self.times, 6) for value in self.values)


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


_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")
_QUOTED = re.compile(r'"([^"]+)"')
_OURS = re.compile(r"\\\[[^]]*\\\]")


def numbers_of(text: str) -> list[float]:
    """All numbers in a piece of text, in order."""
    return [float(number.replace(",", "")) for number in _NUMBER.findall(text)]


def has_numbers(text: str, numbers: tuple[float, ...]) -> bool:
    """Whether numbers stand in a piece of text, in this order; others may stand between them."""
    there = iter(numbers_of(text))
    return all(number in there for number in numbers)


def quotations(claim: str) -> list[str]:
    """The parts of a sentence in double quotes."""
    return _QUOTED.findall(claim)


def has_words(text: str, words: str) -> bool:
    """Whether a quotation stands in a piece of text, apart from marks of type, spaces and capitals."""
    pattern = _OURS.sub(r"\\w*", re.escape(_plain(words)))
    return re.search(rf"(?<!\w){pattern}(?!\w)", _plain(text)) is not None


def _plain(text: str) -> str:
    for marked, plain in (("“", '"'), ("”", '"'), ("’", "'"), ("$", ""), ("*", ""), ("{", ""), ("}", "")):
        text = text.replace(marked, plain)
    return re.sub(r"\s+([,.])", r"\1", " ".join(text.casefold().split()))
