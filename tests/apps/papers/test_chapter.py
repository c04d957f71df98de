"""What a paper's file compares: rows, groups of rows and methods of its chapter, measured and published alike."""

from __future__ import annotations

from typing import ClassVar

import pytest
from support.papers import Places, spread

from glfft.apps.papers import chapter
from glfft.apps.papers.chapter import Chapter
from glfft.apps.papers.claims import FASTER, SLOWER, UNTESTED, Grid, Measured, Point, Spread

FILE = """
title = "Author, Title (2010)"
measures = "Lines."
published_on = "a card"
texts.paper = { file = "author-2010.txt" }
texts.data = { file = "data.csv", public = "a repository" }

[published.lines]
at = [16, 32]
entries = [
    { row = "fast", place = "1", values = [1.0, 4.0] },
    { row = "slow", place = "data:2", values = [2.0, 5.0] },
]

[[tables]]
title = "Published"
text = "Microseconds."
points = "length"
published = { grid = "lines", at = [16], point = "short" }

[[tables]]
title = "Here"
text = "Over {reference_name}'s, {no_difference}."
points = "length"
here = { grid = "lines", under = ["@reference"] }

[[tables]]
title = "By a method"
text = ""
points = "length"
optional = true
here = { by = "both" }

[[claims]]
claim = "It is faster."
ratio = "fast / slow"
here = { grid = "lines", over = ["@quick"], under = ["slow"], since = 32, gpu_only = true }
published = true
places = ["152", "data:160-161"]

[[claims]]
claim = "It is slower."
ratio = "fast / slow"
here = { by = "halves" }
published = { grid = "lines", over = ["fast"], under = ["slow"], at = [16], point = "all" }
range = "slower"
reason = "Less than {no_difference}."
places = ["3"]

[[figures]]
title = "Beside {reference_name}"
ratio = "time"
here = { grid = "lines", over = { both = ["@quick", "slow"] }, under = ["@reference"] }
published = { grid = "lines", over = ["fast"], under = ["slow"] }
"""


class Example(Chapter):
    name = "example"
    groups: ClassVar = {"quick": ["fast"]}

    def halves(self, measured: Measured) -> dict[Point, Spread]:
        return {point: spread(0.5) for point in measured["lines"].points}

    def both(self, measured: Measured) -> dict[str, dict[Point, Spread]]:
        return {"both": self.halves(measured)}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Example:
    monkeypatch.setattr(chapter, "read_text", lambda name: FILE)
    return Example()


GRID = Grid({(row, n): spread(time) for row, time in (("fast", 2.0), ("slow", 4.0), ("scipy", 8.0)) for n in (16, 32)})


def test_claims_are_of_the_rows_and_points_that_the_file_names(example: Example) -> None:
    faster, slower = example.conclusions(Measured({"lines": GRID}))
    assert (faster.range, slower.range) == (FASTER, SLOWER)
    assert {n: ratio.middle for n, ratio in faster.here.items()} == {32: 0.5}
    assert (faster.published, slower.published) == ({32: 0.8}, {"all": 0.5})
    assert slower.here.keys() == {16, 32}
    faster, slower = example.conclusions(Measured({"lines": GRID}, software=True))
    assert (faster.verdict, faster.published) == (UNTESTED, {32: 0.8})
    assert slower.reason == "Less than 5%."


def test_tables_and_figures_are_of_what_the_file_names(example: Example) -> None:
    published, here, by_method = example.tables(Measured({"lines": GRID}))
    assert published.rows == {"fast": {"short": 1.0}, "slow": {"short": 2.0}}
    assert here.text == "Over scipy's, 5%."
    assert {row: ratios[16].middle for row, ratios in here.rows.items()} == {"fast": 0.25, "slow": 0.5}  # pyright: ignore
    assert by_method.rows.keys() == {"both"}
    assert [table.title for table in example.tables(Measured({}))] == ["Published", "Here"]
    (figure,) = example.figures(Measured({"lines": GRID}))
    assert figure.title == "Beside scipy"
    assert figure.here["both"][16].middle == 0.25
    assert list(figure.curves) == ["fast, paper", "both"]
    assert {n: each.middle for n, each in figure.published["fast, paper"].items()} == {16: 0.5, 32: 0.8}
    assert example.figures(Measured({})) == []


def test_published_numbers_and_claims_have_places() -> None:
    found = Places(FILE)
    assert [(str(each.place), each.values) for each in found.numbers] == [
        ("author-2010.txt, line 1", (1.0, 4.0)), ("data.csv, line 2", (2.0, 5.0))
    ]  # fmt: skip
    assert [str(place) for place in found.claims[0]] == ["author-2010.txt, line 152", "data.csv, line 160 to 161"]


def test_a_library_that_was_measured_is_not_said_to_lack(example: Example) -> None:
    assert example.words(Measured({"lines": Grid({("cufft", 16): spread(1.0)})}))["no_cufft"] == ""
    assert example.words(Measured({"lines": GRID}))["no_cufft"] == "It takes cuFFT, and there is none here."
