"""The report's contents: ratios with their spread, verdicts, and what was left out."""

from __future__ import annotations

from support.papers import AMBULURI, report, spread

from glfft.papers.chapter import UNTESTED, Measured, Table
from glfft.papers.document import Cells, Heading, Items, Picture, Text, about, document, left_out, numbers


def test_a_report_has_a_summary_and_a_part_for_each_chapter() -> None:
    blocks = document(report(ambuluri={"lines": AMBULURI}))
    assert [block.level for block in blocks if isinstance(block, Heading)] == [1, 2, 2, *[3] * 6]
    short, claims, published, *_, here = (block for block in blocks if isinstance(block, Cells))
    assert len(short.rows) == len(claims.rows)
    assert all(row[0] == "Ambuluri" for row in short.rows)
    assert claims.rows[-1][:0:-1] == ["It takes cuFFT, and there is none here.", UNTESTED]
    assert ["word-group-2, 1 thread", "6.58"] in [list(row[:2]) for row in published.rows]
    # Half of scipy's 2 us.
    assert list(here.rows) == [["constant-geometry, 1 thread", "0.5 (0.45 to 0.55)"]]
    assert Items(["It is too long: word-group-2, 1 thread at 16, 32."]) in blocks


def test_a_claim_that_is_tested_by_something_near_to_it_is_called_a_proxy() -> None:
    short, *_ = (block for block in document(report(hinitt={})) if isinstance(block, Cells))
    assert {row[3] for row in short.rows} == {"", "proxy"}


def test_claims_with_ratios_are_drawn() -> None:
    lines = {**AMBULURI.values, ("word-group-2, 1 thread", 16): spread(2.0)}
    blocks = document(report(ambuluri={"lines": type(AMBULURI)(lines)}))
    (picture,) = (block for block in blocks if isinstance(block, Picture))
    assert picture.name == "ambuluri"
    assert [panel.ratio for panel in picture.panels] == ["constant geometry / word groups", "time / scipy's"]


def test_a_chapter_without_a_library_says_that_nothing_was_compared() -> None:
    assert Text("Nothing was measured.") in document(report(ambuluri={"lines": type(AMBULURI)()}))


def test_a_software_renderer_is_called_one() -> None:
    found = report()
    assert not any("software renderer" in text for text in about(found))
    assert "software renderer" in about(type(found)(found.device, {**found.setup, "software": True}))[0]


def test_published_numbers_keep_their_digits() -> None:
    table = Table("", "", "length", {"a": {16: 41735.0, 32: 13.44}, "b": {32: spread(1234.5)}})
    assert numbers(table) == Cells(
        ["length", "16", "32"], [["a", "41735", "13.44"], ["b", "", "1234 (1234 to 1235)"]], numbers=True
    )


def test_reasons_are_given_once_for_all_points() -> None:
    assert left_out(Measured({"lines": AMBULURI})) == ["It is too long: word-group-2, 1 thread at 16, 32."]
