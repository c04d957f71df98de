"""Plots: curves are named in the order of their ends, and the same data gives the same file."""

from __future__ import annotations

import pytest
from support.papers import spread

from glfft.apps.papers import plots
from glfft.apps.papers.claims import PAPER, Panel

pytest.importorskip("matplotlib")

PANELS = [
    Panel(
        "A claim.",
        "a / b",
        "length",
        {PAPER: {16: spread(0.8, 0.0), 2**20: spread(0.7, 0.0)}},
        {"here": {16: spread(0.5), 2**20: spread(0.75)}},
        (0.0, 1.0),
    ),
    Panel("Another.", "c / d", "card", {}, {"here": {"one": spread(10.0), "two": spread(3.0)}}, (2.0, 3.0)),
]


def test_curves_are_named_in_order_and_ratios_lie_within_the_axes() -> None:
    first, second = plots.draw(PANELS).axes[:2]
    legend = first.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["here", PAPER]
    assert [text.get_text() for text in first.get_xticklabels()] == ["16", "$2^{20}$"]
    low, high = second.get_xlim()
    assert low < 1.0 < 10.1 < high
    assert second.get_xscale() == "log"
    assert [text.get_text() for text in second.get_yticklabels()] == ["one", "two"]


def test_a_single_point_is_a_row_of_dots_and_rows_take_no_more_room_than_they_need() -> None:
    panel = Panel("A claim.", "a / b", "batch", {}, {"one": {8192: spread(0.5)}, "two": {16: spread(0.6)}}, (0.0, 1.0))
    figure = plots.draw([panel])
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["one, $2^{13}$", "two, 16"]
    assert figure.get_size_inches()[1] < plots.draw(PANELS[:1]).get_size_inches()[1]


def test_long_names_of_rows_make_wider_panels() -> None:
    panel = Panel("A claim.", "a / b", "kernel", {}, {"here": {"a name that is very long": spread(0.5)}})
    widths = [plots.draw(each).get_size_inches()[0] for each in (PANELS[1:], [panel])]
    assert widths[0] < widths[1]


def test_the_same_plot_gives_the_same_file() -> None:
    text = plots.svg(PANELS)
    assert text.startswith("<svg")
    assert text.endswith("</svg>")
    assert text == plots.svg(PANELS)


def test_the_mark_at_one_stays_when_marks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "_MOST_MARKS", 3)
    assert 1 in plots._thinned([0.1, 0.2, 0.5, 1, 2, 5, 10], keep=1)
    assert plots._thinned([16, 32, 64, 128, 256]) == [16, 64, 256]
