"""What tests of the report on papers share: measurements, and how numbers and words are found in the papers' texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glfft.apps.papers.chapter import Chapter, read_text
from glfft.apps.papers.claims import Grid, Spread
from glfft.apps.papers.report import Report


def spread(middle: float, off: float = 0.1) -> Spread:
    """A number that may be off by a tenth."""
    return Spread(middle, middle - off, middle + off)


def report(**chapters: dict[str, Grid]) -> Report:
    """A report with the grids of these chapters."""
    setup = {"timer": "a clock", "samples": 5, "software": False, "cores": 2, "libraries": {"scipy": "scipy.fft 1"}}
    return Report("a device", setup, chapters)


# A row of Ambuluri's beside scipy, and one that does not fit.
AMBULURI = Grid(
    {("constant-geometry, 1 thread", 16): spread(1.0), ("scipy", 16): spread(2.0, 0.0)},
    {("word-group-2, 1 thread", 16): "it is too long", ("word-group-2, 1 thread", 32): "it is too long"},
)

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")
_QUOTED = re.compile(r'"([^"]+)"')
_OURS = re.compile(r"\\\[[^]]*\\\]")


@dataclass(frozen=True)
class PaperText:
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
    place: Place  # where they stand
    values: tuple[float, ...]  # the numbers in the report's unit
    times: float = 1.0  # what the text has for 1 of the report's unit, such as 1000 ns for 1 us


class Places:
    """Where the numbers and the claims of a chapter's TOML file stand."""

    def __init__(self, file: str) -> None:
        self._file = tomllib.loads(file)
        entries = [{**table, **each} for table in self._file["published"].values() for each in table["entries"]]
        self.numbers = [self._numbers(each) for each in entries if "place" in each]
        self.claims = [[self._place(place) for place in claim["places"]] for claim in self._file["claims"]]

    @classmethod
    def of(cls, chapter: Chapter) -> Places:
        return cls(read_text(f"{chapter.name.replace('-', '_')}.toml"))

    def _numbers(self, entry: Mapping[str, Any]) -> Numbers:
        at = entry.get("at", [])
        points = at if isinstance(at, list) else [at]
        values = entry.get("values", [entry.get("each")])
        written = (*points, *values) if entry.get("labelled") else tuple(values)
        return Numbers(self._place(entry["place"]), written, entry.get("unit", 1.0))

    def _place(self, place: str) -> Place:
        name, _, lines = place.rpartition(":")
        first, _, last = lines.partition("-")
        return Place(PaperText(**self._file["texts"][name or "paper"]), int(first), int(last or first))


def read_place(place: Place, text: str) -> str:
    """The lines of a place in the text of its file, with tabs between the columns of a CSV file."""
    lines = text.split("\n")
    if not 1 <= place.first <= place.last <= len(lines):
        raise IndexError(f"{place}: the text has {len(lines)} lines.")
    found = "\n".join(lines[place.first - 1 : place.last])
    return found.replace(",", "\t") if place.text.file.endswith(".csv") else found


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
