"""What tests of the report on papers share: measurements, and how numbers and words are found in the papers' texts."""

from __future__ import annotations

import re

from glfft.apps.papers.chapter import Place
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
