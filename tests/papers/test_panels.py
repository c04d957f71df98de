"""What plots show: the paper's ratios and those of runs, for claims that some run tested."""

from __future__ import annotations

from support.papers import spread

from glfft.papers.chapter import Conclusion
from glfft.papers.grid import Spread
from glfft.papers.panels import PAPER, merged, panels


def test_a_claim_is_drawn_if_some_run_tested_it() -> None:
    tested = Conclusion("a", "b / c", {16: 0.5}, {64: spread(0.7), 16: spread(0.6)}, points="side")
    not_here = Conclusion("a", "b / c", {16: 0.5}, points="side")
    (panel,) = merged({"H200": [tested, not_here], "llvmpipe": [not_here, not_here]})
    assert panel.curves == {PAPER: {16: Spread(0.5, 0.5, 0.5)}, "H200": tested.here}
    assert panel.points == [16, 64]
    assert panel.points_name == "side"
    assert panels([not_here], "here") == []


def test_points_with_names_stay_in_their_order() -> None:
    (panel,) = panels([Conclusion("", "", {}, {"one": spread(1.0), "a": spread(2.0)})], "here")
    assert panel.points == ["one", "a"]
    assert list(panel.curves) == ["here"]
