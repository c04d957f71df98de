"""Numbers with a spread: ratios keep what both sides leave open."""

from __future__ import annotations

from support.papers import spread

from glfft.apps.papers.claims import Grid, Spread


def test_a_ratio_allows_for_the_spread_of_both_sides() -> None:
    assert Spread(6.0, 5.0, 8.0).over(Spread(2.0, 1.0, 4.0)) == Spread(3.0, 1.25, 8.0)
    assert Spread.of_samples([0.5, 1.0, 2.0, 4.0, 5.0]) == Spread(2.0, 1.0, 4.0)


def test_a_ratio_of_samples_is_that_of_a_round() -> None:
    # Other work made the second round three times as slow, for both.
    slow, fast = Spread.of_samples([4.0, 12.0, 4.0, 4.0]), Spread.of_samples([2.0, 6.0, 2.0, 2.0, 2.0])
    assert slow.over(fast) == Spread(2.0, 2.0, 2.0)
    assert fast.over(slow) == Spread(0.5, 0.5, 0.5)


def test_a_sum_is_that_of_a_round() -> None:
    assert Spread.of_samples([1.0, 3.0, 1.0]).plus(Spread.of_samples([3.0, 9.0, 3.0])) == Spread(4.0, 4.0, 8.0)
    assert spread(1.0).plus(spread(3.0)) == spread(4.0, 0.2)


def test_ratios_are_of_the_best_rows_where_both_sides_have_one() -> None:
    grid = Grid({("a", 16): spread(1.0), ("b", 16): spread(2.0), ("c", 16): spread(4.0), ("a", 32): spread(1.0)})
    assert grid.ratios(["c"], ["b", "a"]) == {16: spread(4.0).over(spread(1.0))}
    assert grid.best(["c"], 32) is None


def test_rows_are_compared_with_the_first_library_there_is() -> None:
    grid = Grid({("scipy", 16): spread(2.0), ("ours", 16): spread(1.0), ("cufft", 16): spread(4.0)})
    assert grid.reference == "cufft"
    assert Grid().reference is None
