"""Timing: the first call is left out, an empty queue is noticed, and what is compared is sampled in turn."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import pytest

from glfft.errors import TimingError
from glfft.profiling import timing
from glfft.profiling.timing import FEWEST_SAMPLES, ContextTimer, QueuedCall, Timing, WallCall, time_in_turn


def test_a_timing_has_the_median_and_both_quartiles_of_its_samples() -> None:
    told = Timing.of([7.0, 1.0, 5.0, 3.0, 9.0], "wall")
    assert (told.microseconds, told.quartiles, told.samples, told.timer) == (5.0, (3.0, 7.0), 5, "wall")


def test_the_first_call_is_left_out() -> None:
    calls = []
    (measured,) = time_in_turn([WallCall(lambda: calls.append(0), "wall")], samples=7)
    assert len(calls) == 1 + 2 * 7  # once more before each sample
    assert measured.samples == 7
    assert measured.timer == "wall"


def test_what_is_compared_is_sampled_in_turn() -> None:
    order: list[str] = []
    subjects = [WallCall(lambda name=name: order.append(name), "wall") for name in "abc"]
    time_in_turn(subjects, samples=FEWEST_SAMPLES)
    assert "".join(order) == "abc" + "aabbcc" * FEWEST_SAMPLES


def test_a_long_call_is_not_made_twice_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "LONGEST_LEAD_IN_SECONDS", 0.0)
    calls: list[int] = []
    time_in_turn([WallCall(lambda: calls.append(0), "wall")], samples=7)
    assert len(calls) == 1 + 7


def test_a_slow_call_is_sampled_less_often_and_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "_BUDGET_SECONDS", 0.0)
    calls: list[int] = []
    (measured,) = time_in_turn([WallCall(lambda: calls.append(0), "wall")], samples=100)
    assert measured.samples == FEWEST_SAMPLES


class PretendQueue:
    """A GPU whose clock moves only as its work says, and which starts work the moment it is queued."""

    def __init__(self, microseconds_a_call: float, gap: float, busy_needed: float) -> None:
        self.microseconds_a_call = microseconds_a_call
        self.gap = gap  # what a call takes when the GPU has to wait for the program
        self.busy_needed = busy_needed
        self.clock = 0.0
        self.full = False
        self.longest_busy = 0.0

    def call(self) -> None:
        self.clock += self.microseconds_a_call if self.full else self.gap

    def keep_busy(self, seconds: float) -> None:
        self.longest_busy = max(self.longest_busy, seconds)
        self.full = seconds >= self.busy_needed

    def stamp(self) -> Any:
        return self.clock

    def passed(self, stamp: Any) -> bool:
        return not self.full

    def microseconds_between(self, first: Any, second: Any) -> float:
        return second - first

    def finish(self) -> None:
        self.full = False


def test_only_samples_of_a_full_queue_count() -> None:
    queue = PretendQueue(microseconds_a_call=5.0, gap=40.0, busy_needed=0.05)
    (measured,) = time_in_turn([QueuedCall(queue.call, queue, "pretend")], samples=9)
    assert measured.microseconds == pytest.approx(5.0)
    assert measured.quartiles == pytest.approx((5.0, 5.0))
    assert queue.longest_busy >= 0.05


def test_a_queue_that_cannot_be_filled_is_an_error_and_no_figure() -> None:
    queue = PretendQueue(microseconds_a_call=5.0, gap=40.0, busy_needed=math.inf)
    with pytest.raises(TimingError, match="could not be kept busy"):
        time_in_turn([QueuedCall(queue.call, queue, "pretend")], samples=5)


def test_data_is_renewed_before_the_calls_of_a_sample_and_outside_the_time() -> None:
    queue = PretendQueue(microseconds_a_call=5.0, gap=5.0, busy_needed=0.0)
    since_renewed: list[int] = []

    def renew() -> None:
        queue.clock += 1000.0
        since_renewed.append(0)

    def call() -> None:
        queue.call()
        since_renewed[-1] += 1

    (measured,) = time_in_turn([QueuedCall(call, queue, "pretend", renew, most_calls=4)], samples=5)
    assert measured.microseconds == pytest.approx(5.0)
    assert max(since_renewed) == 4


def test_a_call_after_other_work_is_left_out() -> None:
    class Cold(PretendQueue):
        def keep_busy(self, seconds: float) -> None:
            super().keep_busy(seconds)
            self.microseconds_a_call = 500.0

        def call(self) -> None:
            super().call()
            self.microseconds_a_call = 5.0

    queue = Cold(microseconds_a_call=5.0, gap=500.0, busy_needed=0.0)
    (measured,) = time_in_turn([QueuedCall(queue.call, queue, "pretend")], samples=5)
    assert measured.microseconds == pytest.approx(5.0)


def test_the_busy_work_of_a_real_context_grows_with_the_time_asked_for(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = timing.GlQueue(ctx)
    first = queue.stamp()
    queue.keep_busy(1e-3)
    assert queue.microseconds_between(first, queue.stamp()) > 0
    rounds: list[int] = []
    monkeypatch.setattr(queue, "_spin", rounds.append)
    queue.keep_busy(1e-3)
    queue.keep_busy(1e-2)
    queue.release()
    assert rounds[1] == pytest.approx(10 * rounds[0], rel=0.01)


@pytest.mark.parametrize("software", [True, False])
def test_a_context_is_timed_by_what_its_renderer_allows(
    ctx: moderngl.Context, software: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "is_software", lambda _ctx: software)
    calls: list[int] = []
    with ContextTimer(ctx) as timer:
        subject = timer.subject(lambda: calls.append(0))
        assert subject.timer == ("wall (software renderer)" if software else "gpu timestamps")
        if software:
            assert subject.sample() > 0
            assert calls
