"""Every published number and every quotation of the report stands where its chapter says, in the papers' texts.

The texts are in the folder `../shared/papers` beside the checkout, or in the folders that the environment variable
GLFFT_PAPERS names. One that is not there is skipped.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.papers import Numbers, PaperText, Place, Places, has_numbers, has_words, numbers_of, quotations, read_place
from support.paths import ROOT

from glfft.apps.papers import NAMES, open_chapters
from glfft.apps.papers.chapter import Chapter, published_grid
from glfft.apps.papers.claims import Conclusion, Measured, Spread

_FOLDERS = [Path(each) for each in os.environ.get("GLFFT_PAPERS", "").split(os.pathsep) if each]
FOLDERS = [*_FOLDERS, ROOT.parent / "shared" / "papers"]


@cache
def text_of(file: PaperText) -> str | None:
    """A text, or None where it is in none of the folders."""
    found = [folder / file.file for folder in FOLDERS if (folder / file.file).is_file()]
    return found[0].read_text(encoding="utf-8") if found else None


def read(place: Place) -> str:
    text = text_of(place.text)
    if text is None:
        where = f"; it is in {place.text.public}" if place.text.public else ""
        pytest.skip(f"{place.text.file} is not at hand (set GLFFT_PAPERS to its folder){where}")
    return read_place(place, text)


@pytest.fixture(params=NAMES)
def chapter(request: pytest.FixtureRequest) -> Chapter:
    (found,) = open_chapters([request.param])
    return found


def claims(chapter: Chapter) -> list[Conclusion]:
    return chapter.conclusions(Measured({}))


def placed_claims(chapter: Chapter) -> Iterator[tuple[str, list[Place]]]:
    return zip((each.claim for each in claims(chapter)), Places.of(chapter).claims, strict=True)


def files(chapter: Chapter) -> Iterator[PaperText]:
    found = Places.of(chapter)
    places = [each.place for each in found.numbers] + [place for those in found.claims for place in those]
    yield from dict.fromkeys(place.text for place in places)


CASES = [(name, file) for name, found in zip(NAMES, open_chapters(), strict=True) for file in files(found)]


@pytest.mark.parametrize(("name", "file"), CASES, ids=lambda each: getattr(each, "file", each))
def test_every_published_number_stands_in_its_place(name: str, file: PaperText) -> None:
    (found,) = open_chapters([name])
    for each in Places.of(found).numbers:
        if each.place.text == file:
            as_they_stand = tuple(round(value * each.times, 6) for value in each.values)
            assert has_numbers(read(each.place), as_they_stand), f"{as_they_stand} is not in {each.place}"


@pytest.mark.parametrize(("name", "file"), CASES, ids=lambda each: getattr(each, "file", each))
def test_every_quotation_stands_in_its_place(name: str, file: PaperText) -> None:
    (found,) = open_chapters([name])
    for claim, places in placed_claims(found):
        # All places of a claim are in one text.
        if places and places[0].text == file:
            there = [read(place) for place in places]
            for words in quotations(claim):
                assert any(has_words(each, words) for each in there), f'"{words}" is not in {places}'


@pytest.mark.parametrize(("name", "file"), CASES, ids=lambda each: getattr(each, "file", each))
def test_every_number_of_a_claim_stands_in_one_of_its_places(name: str, file: PaperText) -> None:
    (found,) = open_chapters([name])
    for claim, places in placed_claims(found):
        if places and places[0].text == file:
            there = {number for place in places for number in numbers_of(read(place))}
            # Quotations have a test of their own, and sections are in brackets.
            words = re.sub(r'"[^"]*"|\([^()]*\)', "", claim)
            assert set(numbers_of(words)) <= there, claim


def test_every_claim_has_a_place(chapter: Chapter) -> None:
    assert [claim for claim, places in placed_claims(chapter) if not places] == []


def test_every_published_number_of_a_table_has_a_place(chapter: Chapter) -> None:
    placed = {value for each in Places.of(chapter).numbers for value in each.values}
    shown = {
        value
        for table in chapter.tables(Measured({}))
        for cells in table.rows.values()
        for value in cells.values()
        if not isinstance(value, Spread)
    }
    assert shown <= placed


def test_every_published_ratio_is_of_numbers_that_have_a_place(chapter: Chapter) -> None:
    numbers = Places.of(chapter).numbers
    placed = np.array(sorted({value for each in numbers for value in each.values if value}))
    # A number, its share in the numbers of its row, one number over another, or what a gain in per cent leaves.
    rows = np.array([sum(each.values) for each in numbers] or [1.0])
    formed = np.concatenate([placed, np.divide.outer(placed, [*placed, *rows]).ravel(), 1 - placed / 100])
    # Any number over itself is 1, which says nothing.
    formed = formed[formed != 1]
    for claim in claims(chapter):
        for point, ratio in claim.published.items():
            assert np.any(np.abs(formed / ratio - 1) < 1e-9), (claim.claim, point)


def test_numbers_are_read_as_they_stand() -> None:
    assert numbers_of("processes 128 MB or 1,048,576 16-pt, $4.15\\,\\mu s$ in 2.7x") == [128, 1048576, 16, 4.15, 2.7]
    assert has_numbers("a\t6.58\tNP\t8.1", (6.58, 8.1))
    assert not has_numbers("a\t6.58\t8.1", (8.1, 6.58))
    assert not has_numbers("16.58", (6.58,))


def test_quotations_are_whole_words_and_may_have_letters_of_ours() -> None:
    assert quotations('It "is fast" and "small" (3).') == ["is fast", "small"]
    assert has_words("**Radix-4** outperform  radix-2 after $nT = N$ .", "outperform[s] radix-2 after nT = N.")
    assert not has_words("the fastest", "fast")


def test_a_place_is_lines_of_a_text() -> None:
    paper, columns = PaperText("paper.txt"), PaperText("columns.csv")
    assert read_place(Place(paper, 2, 2), "a\nb\nc") == "b"
    assert read_place(Place(paper, 2, 3), "a\nb\nc") == "b\nc"
    # Two columns, and not one number with a comma.
    assert numbers_of(read_place(Place(columns, 1, 1), "384,578.4")) == [384, 578.4]
    with pytest.raises(IndexError, match="has 3 lines"):
        read_place(Place(paper, 3, 4), "a\nb\nc")


def test_published_tables_are_by_row_or_by_point() -> None:
    file = """
texts.paper.file = "paper.txt"
claims = []
[[published.table.entries]]
row = "a"
at = [16, 32]
place = "1"
values = [1.0, 2.0]
unit = 1000
[[published.table.entries]]
rows = ["a", "b"]
at = 64
place = "2"
values = [3.0, 4.0]
labelled = true
[[published.table.entries]]
row = "b"
at = [16, 32]
place = "3"
each = 5.0
[[published.table.entries]]
place = "4"
values = [6.0]
"""
    text, grid = PaperText("paper.txt"), published_grid(tomllib.loads(file)["published"]["table"])
    middles = {row: {point: value.middle for point, value in cells.items()} for row, cells in grid.cells.items()}
    assert middles == {"a": {16: 1.0, 32: 2.0, 64: 3.0}, "b": {64: 4.0, 16: 5.0, 32: 5.0}}
    values = [((1.0, 2.0), 1000), ((64, 3.0, 4.0), 1), ((5.0,), 1), ((6.0,), 1)]
    assert Places(file).numbers == [Numbers(Place(text, line, line), *each) for line, each in enumerate(values, 1)]
