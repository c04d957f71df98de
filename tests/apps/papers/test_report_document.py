"""The report's contents: ratios with their spread, verdicts, and what was left out."""

from __future__ import annotations

from support.papers import AMBULURI, report, spread

from glfft.apps.papers import open_chapters
from glfft.apps.papers.claims import UNTESTED, Conclusion, Grid, Measured, Table
from glfft.apps.papers.report import (
    Cells,
    Heading,
    Picture,
    about,
    counts,
    document,
    left_out,
    notes,
    number,
    numbers,
    spans,
)


def test_a_report_has_a_summary_and_a_part_for_each_chapter() -> None:
    blocks = document(report(ambuluri={"lines": AMBULURI}))
    assert [block.level for block in blocks if isinstance(block, Heading)] == [1, 2, 2, *[3] * 6]
    short, claims, published, *_, here = (block for block in blocks if isinstance(block, Cells))
    ((author, *counts, _),) = short.rows
    assert author == "Ambuluri"
    assert sum(int(count or 0) for count in counts) == len(claims.rows)
    assert claims.rows[-1][-1] == UNTESTED
    untested = next(block for block in blocks if isinstance(block, list))
    assert untested[-1] == f"{len(claims.rows)}. It takes cuFFT, and there is none here."
    assert ["word-group-2, 1 thread", "6.58"] in [list(row[:2]) for row in published.rows]
    # Half of scipy's 2 us.
    assert list(here.rows) == [["constant-geometry, 1 thread", "0.5 (0.45–0.55)"]]
    assert ["It is too long: word-group-2, 1 thread at 16, 32."] in blocks


def test_numbers_have_three_digits_and_no_exponent() -> None:
    found = [number(value) for value in (0.12345, 12.345, 999.4, 999.7, 12345.0)]
    assert found == ["0.123", "12.3", "999", "1000", "12345"]


def test_a_claim_that_is_tested_by_something_near_to_it_is_called_a_proxy() -> None:
    here = {16: spread(0.5)}
    found = [
        Conclusion("a", "a / b", {}, here, proxy="Ours is in GLSL."),
        Conclusion("b", "a / b", {}, here, remark="A remark."),
        Conclusion("c", "a / b", {}, here, proxy="Ours is in GLSL."),
        Conclusion("d", "a / b", {}, {}, reason="There is no b here.", remark="A remark.", proxy="Ours is in GLSL."),
    ]
    assert notes(found) == [["1, 3. Proxy: Ours is in GLSL.", "2. A remark.", "4. There is no b here."]]
    (chapter,) = open_chapters(["hinitt"])
    assert counts(chapter, found) == ["Hinitt and Kocak", "3", "", "", "", "1", "2"]


def test_numbers_of_claims_in_a_few_words() -> None:
    assert spans([1]) == "1"
    assert spans([1, 3, 4, 6, 7, 8]) == "1, 3–4, 6–8"


def test_claims_with_ratios_are_drawn() -> None:
    lines = {**AMBULURI.values, ("word-group-2, 1 thread", 16): spread(2.0)}
    blocks = document(report(ambuluri={"lines": type(AMBULURI)(lines)}))
    (picture,) = (block for block in blocks if isinstance(block, Picture))
    assert picture.name == "ambuluri"
    assert [panel.ratio for panel in picture.panels] == ["constant geometry / word groups", "time / scipy's"]


def test_a_chapter_without_a_library_says_that_nothing_was_compared() -> None:
    assert "Nothing was measured." in document(report(ambuluri={"lines": type(AMBULURI)()}))


def test_a_software_renderer_is_called_one() -> None:
    found = report()
    assert not any("software renderer" in text for text in about(found))
    assert "software renderer" in about(type(found)(found.device, {**found.setup, "software": True}))[0]


def test_published_numbers_keep_their_digits() -> None:
    table = Table("", "", "length", {"a": {16: 41735.0, 32: 13.44}, "b": {32: spread(1234.5)}})
    assert numbers(table) == Cells(
        ["length", "16", "32"], [["a", "41735", "13.44"], ["b", "", "1234 (1234–1235)"]], numbers=True
    )


def test_quartiles_may_be_left_out() -> None:
    assert numbers(Table("", "", "length", {"a": {32: spread(1234.5)}}), quartiles=False).rows == [["a", "1234"]]


def test_of_a_reason_for_many_rows_only_their_number_is_given() -> None:
    skipped = {(f"row {row}", point): "too long" for row in range(4) for point in (16, 32)}
    assert left_out(Measured({"lines": Grid({}, skipped)})) == ["Too long: 4 rows at 16, 32."]


def test_reasons_are_given_once_for_all_points() -> None:
    assert left_out(Measured({"lines": AMBULURI})) == ["It is too long: word-group-2, 1 thread at 16, 32."]
