"""What Hinitt and Kocak say of streams, judged by times that are made up."""

from __future__ import annotations

from support.papers import spread

from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.hinitt_batch_claims import conclusions
from glfft.papers.hinitt_batches import APART, FOUR, ONE, RADIX_2, TWO, Row


def test_verdicts_on_streams_follow_the_times() -> None:
    times = {
        (Row(RADIX_2, ONE), "32-bit"): 3.0,
        (Row(RADIX_2, TWO), "32-bit"): 2.0,
        (Row(RADIX_2, FOUR), "32-bit"): 1.0,
        (Row(RADIX_2, FOUR, APART), "32-bit"): 0.5,
        (Row(RADIX_2, TWO), "16-bit"): 2.0,
        (Row(RADIX_2, FOUR), "16-bit"): 1.0,
    }
    grid = Grid({(row.name, point): spread(time, 0.01) for (row, point), time in times.items()})
    found = conclusions(Measured({"divided": grid}))
    assert [each.verdict for each in found] == [HOLDS, FAILS, HOLDS, UNTESTED, HOLDS]
    assert [[*each.published.values()] for each in found] == [[2.54 / 2.83], [], [], [0.534 / 0.86], []]
    software = conclusions(Measured({"divided": grid}, software=True))
    assert [each.verdict for each in software] == [UNTESTED] * 5
