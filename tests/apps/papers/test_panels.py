"""What plots show: the paper's ratios and those of runs, for claims that some run tested."""

from __future__ import annotations

from support.papers import spread

from glfft.apps.papers.claims import Conclusion, Figure
from glfft.apps.papers.grid import Spread
from glfft.apps.papers.panels import PAPER, of_claims, of_figures


def test_a_claim_is_drawn_if_some_run_tested_it() -> None:
    tested = Conclusion("a", "b / c", {16: 0.5}, {64: spread(0.7), 16: spread(0.6)}, points="side")
    not_here = Conclusion("a", "b / c", {16: 0.5}, points="side")
    (panel,) = of_claims({"H200": [tested, not_here], "llvmpipe": [not_here, not_here]})
    assert panel.published == {PAPER: {16: Spread(0.5, 0.5, 0.5)}}
    assert panel.here == {"H200": tested.here, "llvmpipe": {}}
    assert list(panel.curves) == [PAPER, "H200"]
    assert panel.has_numbers
    assert panel.points == [16, 64]
    assert panel.points_name == "side"
    assert of_claims({"here": [not_here]}) == []


def test_points_with_names_stay_in_their_order() -> None:
    (panel,) = of_claims({"here": [Conclusion("", "", {}, {"one": spread(1.0), "a": spread(2.0)})]})
    assert panel.points == ["one", "a"]
    assert list(panel.curves) == ["here"]
    assert not panel.has_numbers


def test_curves_of_figures_say_where_they_come_from() -> None:
    figure = Figure("squares", "time / cuFFT's", {"CUDA": {256: 2.5}}, {"auto": {256: spread(1.0)}, "other": {}})
    nothing = Figure("squares", "time / cuFFT's", {"CUDA": {256: 2.5}}, {})
    (panel,) = of_figures([figure, nothing])
    assert panel.title == "squares"
    assert list(panel.curves) == ["CUDA, paper", "auto"]
    (panel,) = of_figures([figure], "H200")
    assert panel.title == "squares, H200"
