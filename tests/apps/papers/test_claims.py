"""Verdicts follow from ratios and their spread, and sentences and plots say what was found."""

from __future__ import annotations

from support.papers import spread

from glfft.apps.papers.claims import (
    CLOSE,
    FAILS,
    FASTER,
    HOLDS,
    MIXED,
    PAPER,
    SLOWER,
    UNTESTED,
    Conclusion,
    Measured,
    Spread,
    Table,
    of_claims,
)


def test_a_conclusion_holds_where_the_whole_spread_does() -> None:
    found = Conclusion("it is faster", "a / b", {16: 0.5, 64: 0.7}, {16: spread(0.5), 32: spread(2.0), 64: spread(1.0)})
    assert found.verdicts == {16: HOLDS, 32: FAILS, 64: CLOSE}
    assert found.verdict == MIXED
    assert found.ratios_here == "holds at 16: 0.5; too close at 64: 1; fails at 32: 2"
    assert found.ratios_published == "0.5–0.7"


def test_the_verdict_in_all_leaves_out_what_is_too_close() -> None:
    def verdict(*ratios: float, range: tuple[float, float] = FASTER) -> str:
        return Conclusion("", "", {}, {n: spread(ratio) for n, ratio in enumerate(ratios)}, range).verdict

    assert verdict(0.5, 1.0) == HOLDS
    assert verdict(2.0, 1.0) == FAILS
    assert verdict(1.0) == CLOSE
    assert verdict(2.0, 1.0, range=SLOWER) == HOLDS
    assert verdict(3.5, range=(3.0, 4.0)) == HOLDS
    assert verdict(5.0, range=(3.0, 4.0)) == FAILS


def test_what_was_not_measured_cannot_be_tested() -> None:
    found = Conclusion("", "a / b", {16: 0.5}, {}, reason="There is no b here.", remark="There is an a.")
    assert found.verdict == UNTESTED
    assert found.notes == ["There is no b here."]


def test_a_proxy_says_that_it_is_one() -> None:
    found = Conclusion("", "a / b", {}, {16: spread(0.5)}, remark="A remark.", proxy="Ours is in GLSL.")
    assert found.notes == ["A remark.", "Proxy: Ours is in GLSL."]


def test_what_an_older_run_did_not_measure_is_empty() -> None:
    assert Measured({})["new"].points == []


def test_columns_are_in_order() -> None:
    rows = {"a": {64: 1.0, "name": 1.0}, "b": {16: 1.0}}
    assert Table("", "", "", rows).columns == [16, 64, "name"]


def test_a_claim_is_drawn_if_some_run_tested_it() -> None:
    tested = Conclusion("a", "b / c", {16: 0.5}, {64: spread(0.7), 16: spread(0.6)}, points_name="side")
    not_here = Conclusion("a", "b / c", {16: 0.5}, points_name="side")
    (panel,) = of_claims({"H200": [tested, not_here], "llvmpipe": [not_here, not_here]})
    assert panel.published == {PAPER: {16: Spread(0.5, 0.5, 0.5)}}
    assert panel.here == {"H200": tested.here, "llvmpipe": {}}
    assert list(panel.curves) == [PAPER, "H200"]
    assert panel.has_curves
    assert panel.points == [16, 64]
    assert panel.points_name == "side"
    assert of_claims({"here": [not_here]}) == []


def test_points_with_names_stay_in_their_order() -> None:
    (panel,) = of_claims({"here": [Conclusion("", "", {}, {"one": spread(1.0), "a": spread(2.0)})]})
    assert panel.points == ["one", "a"]
    assert list(panel.curves) == ["here"]
    assert not panel.has_curves
