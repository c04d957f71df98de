"""Reports as tables."""

from __future__ import annotations

from dataclasses import replace

from support.tuning import lines_of

from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham.config import KernelConfig
from glfft.tuning.report import TunedPass, TuningReport

BEFORE = Choice("stockham", KernelConfig((8, 8), 8))
AFTER = Choice("stockham", KernelConfig((4, 16), 4))


def test_a_table_shows_each_pass_before_and_after() -> None:
    faster = TunedPass(lines_of(64), BEFORE, AFTER, 10.0, 4.0, 9, 1)
    same = TunedPass(replace(lines_of(64, axis=0), layers=3), BEFORE, BEFORE, 10.0, 10.0, 8, 0)
    text = TuningReport((faster, same), "gpu timestamps").to_text()
    headings, first, second = text.splitlines()
    assert headings.split("  ")[0] == "lines"
    assert first.startswith("64 rows of 64, rg32f ")
    assert second.startswith("64 columns of 64 x 3 layers, rg32f ")
    assert [word in first for word in ("8x8", "4x16", " 10 ", " 4 ", "2.50", " 9")] == [True] * 6
    assert "the same" in second
    assert "1.00" in second


def test_long_times_are_whole_microseconds() -> None:
    text = TuningReport((TunedPass(lines_of(64), BEFORE, AFTER, 20134.5, 12345.0, 9, 1),), "wall").to_text()
    assert [word in text for word in (" 20134 ", " 12345 ", "1.63")] == [True] * 3


def test_an_empty_report_says_why() -> None:
    assert "nothing to tune" in str(TuningReport((), "gpu timestamps"))
