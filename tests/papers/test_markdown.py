"""The report as Markdown: ratios with their spread, verdicts, and what was left out."""

from __future__ import annotations

from support.papers import report, spread

from glfft.papers.grid import Grid
from glfft.papers.markdown import left_out, markdown

LINES = Grid(
    {("constant-geometry, 1 thread", 16): spread(1.0), ("scipy", 16): spread(2.0, 0.0)},
    {("word-group-2, 1 thread", 16): "it is too long", ("word-group-2, 1 thread", 32): "it is too long"},
)


def test_the_report_gives_ratios_and_says_what_cannot_be_tested() -> None:
    text = markdown(report(ambuluri={"lines": LINES}))
    assert text.startswith("# What papers conclude")
    assert "| word-group-2, 1 thread | 6.58 |" in text
    assert "| constant-geometry, 1 thread | 0.50 (0.45 to 0.55) |" in text, "half of scipy's 2 us"
    assert "| cannot be tested here | It takes cuFFT, and there is none here. |" in text
    assert "software renderer" not in text


def test_reasons_are_given_once_for_all_points() -> None:
    assert left_out({"lines": LINES}) == ["word-group-2, 1 thread at 16, 32: it is too long."]
