"""Slices of work: as many as fit a budget."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from glfft.errors import TimingError
from glfft.tuning import precompile
from glfft.tuning.precompile import CONTINUE, PAUSE, TimeSlices


def test_slices_that_would_not_fit_are_left_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 100.0
    monkeypatch.setattr(precompile.time, "perf_counter", lambda: clock)

    def work() -> Generator[bool, None, None]:
        nonlocal clock
        for seconds in (2.0, 2.0, 2.0, 7.0, 1.0, 1.0, 0.0, 0.0):
            clock += seconds
            yield CONTINUE if seconds else PAUSE

    slices, took = TimeSlices(work()), []
    while not slices.done:
        began = clock
        slices.work(5.0)
        took.append(clock - began)
    # Two of 2; one of 2, with 7 that nobody could foresee; then what is known to take so long comes alone.
    assert took == [4.0, 9.0, 1.0, 1.0, 0.0, 0.0, 0.0]


def test_slices_that_end_with_a_pause_count_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 100.0
    monkeypatch.setattr(precompile.time, "perf_counter", lambda: clock)

    def work() -> Generator[bool, None, None]:
        nonlocal clock
        for _ in range(4):
            clock += 1.0
            yield CONTINUE
            clock += 4.0
            yield PAUSE

    slices, took = TimeSlices(work()), []
    while not slices.done:
        began = clock
        slices.work(4.5)
        took.append(clock - began)
    assert took == [5.0, 1.0, 4.0, 1.0, 4.0, 1.0, 4.0, 0.0]


def test_work_given_up_or_failed_is_done() -> None:
    def work() -> Generator[bool, None, None]:
        yield PAUSE
        raise TimingError("It cannot be.")

    slices = TimeSlices(work())
    slices.work(1.0)
    assert not slices.done
    with pytest.raises(TimingError):
        slices.work(1.0)
    assert slices.done
    slices = TimeSlices(work())
    slices.work(1.0)
    slices.close()
    assert slices.done
