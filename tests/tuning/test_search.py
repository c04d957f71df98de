"""A search ends, finds the fastest kernel, and takes no lucky, failed or hardly faster one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.tuning import lines_of

from glfft.algorithms.stockham.candidates import MOST_QUICK, candidates, variants
from glfft.algorithms.stockham.kernel import KernelConfig
from glfft.tuning.search import Search, Trial


def run_search(search: Search, cost: Callable[[KernelConfig], float | None]) -> list[Trial]:
    """Search where a kernel takes what is said, in multiples of the one in use."""
    trials = []
    while (trial := search.ask()) is not None:
        trials.append(trial)
        search.tell(trial, cost(trial.kernel))
        assert 0 <= search.share_done <= 1
    return trials


@pytest.mark.parametrize("quick", [False, True])
def test_a_search_ends_and_finds_the_fastest_candidate(quick: bool) -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    for fastest in candidates(wanted, quick):
        search = Search(wanted, quick)
        trials = run_search(search, lambda kernel, best=fastest: 0.8 if kernel == best else 1.2)
        assert search.winner == ((fastest, 0.8) if fastest != search.reference else (search.reference, 1.0))
        assert len(trials) == search.measured <= (MOST_QUICK if quick else 60)
        kernels = [trial.kernel for trial in trials if not trial.thorough]
        assert len(set(kernels)) == len(kernels)


def test_a_search_climbs_to_what_no_candidate_is() -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    start = candidates(wanted)[3]
    (goal,) = [
        each
        for each in variants(replace(start, padding=32), wanted)
        if each == replace(start, padding=32, sampled_twiddles=not start.sampled_twiddles)
    ]
    assert goal not in candidates(wanted)

    def cost(kernel: KernelConfig) -> float:
        wrong = sum(getattr(kernel, name) != getattr(goal, name) for name in vars(goal))
        return 0.5 + 0.1 * wrong

    search = Search(wanted)
    run_search(search, cost)
    assert search.winner == (goal, 0.5)


def test_a_kernel_hardly_faster_does_not_take_over() -> None:
    for renderer, hardly, clearly in (("llvmpipe", 0.98, 0.96), ("A device of 2030", 0.995, 0.98)):
        for ratio, takes_over in ((hardly, False), (clearly, True)):
            search = Search(lines_of(256, renderer=renderer))
            run_search(search, lambda kernel, ratio=ratio: ratio)
            assert (search.winner != (search.reference, 1.0)) == takes_over


def test_a_lucky_sample_does_not_win() -> None:
    search = Search(lines_of(256))
    while (trial := search.ask()) is not None:
        search.tell(trial, 1.1 if trial.thorough else 0.5)
    assert search.winner == (search.reference, 1.0)


def test_what_fails_is_counted_and_never_wins() -> None:
    search = Search(lines_of(256))
    trials = run_search(search, lambda kernel: None)
    assert search.winner == (search.reference, 1.0)
    assert search.discarded == search.measured == len(trials)
