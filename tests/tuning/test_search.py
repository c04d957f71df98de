"""A search ends, finds the fastest kernel, and takes no lucky, failed or hardly faster one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.tuning import DEVICES, config_of, lines_of

from glfft.algorithms import registry
from glfft.algorithms.passes import Choice
from glfft.tuning.search import Search, Trial, candidates
from glfft.wisdom import lookup


def run_search(search: Search, cost: Callable[[Choice], float | None]) -> list[Trial]:
    """Search where a kernel takes what is said, in multiples of the one in use."""
    trials = []
    while (trial := search.ask()) is not None:
        trials.append(trial)
        search.tell(trial, cost(trial.choice))
        assert 0 <= search.share_done <= 1
    return trials


@pytest.mark.parametrize("quick", [False, True])
def test_a_search_ends_and_finds_the_fastest_candidate(quick: bool) -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    for fastest in candidates(wanted, quick):
        search = Search(wanted, quick)
        trials = run_search(search, lambda choice, best=fastest: 0.8 if choice == best else 1.2)
        assert search.winner == ((fastest, 0.8) if fastest != search.reference else (search.reference, 1.0))
        assert len(trials) == search.measured <= (8 if quick else 67)
        choices = [trial.choice for trial in trials if not trial.thorough]
        assert len(set(choices)) == len(choices)


def test_a_search_climbs_to_what_no_candidate_is() -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    found = candidates(wanted)
    near = registry.family_of("stockham").neighbours(config_of(found[0]), wanted)
    (start,) = {each for each in near if each.padding == 0}
    goal = replace(start, sampled_twiddles=not start.sampled_twiddles)
    assert Choice("stockham", goal) not in found

    def cost(choice: Choice) -> float:
        wrong = sum(getattr(choice.config, name) != getattr(goal, name) for name in vars(goal))
        return 0.5 + 0.1 * wrong

    search = Search(wanted)
    run_search(search, cost)
    assert search.winner == (Choice("stockham", goal), 0.5)


def test_what_is_predicted_to_be_the_fastest_is_measured() -> None:
    wanted = lines_of(256, renderer="NVIDIA H200/PCIe/SSE2")
    predicted = lookup.predicted(wanted, registry.family_of("stockham"))
    assert predicted is not None
    assert predicted.config != lookup.choose(wanted)[0][1].config
    for quick in (False, True):
        assert Choice("stockham", predicted.config) in candidates(wanted, quick)


def test_a_kernel_hardly_faster_does_not_take_over() -> None:
    for renderer, hardly, clearly in (("llvmpipe", 0.98, 0.96), ("A device of 2030", 0.995, 0.98)):
        for ratio, takes_over in ((hardly, False), (clearly, True)):
            search = Search(lines_of(256, renderer=renderer))
            run_search(search, lambda choice, ratio=ratio: ratio)
            assert (search.winner != (search.reference, 1.0)) == takes_over


def test_a_lucky_sample_does_not_win() -> None:
    search = Search(lines_of(256))
    while (trial := search.ask()) is not None:
        search.tell(trial, 1.1 if trial.thorough else 0.5)
    assert search.winner == (search.reference, 1.0)


def test_what_fails_is_counted_and_never_wins() -> None:
    search = Search(lines_of(256))
    trials = run_search(search, lambda choice: None)
    assert search.winner == (search.reference, 1.0)
    assert search.discarded == search.measured == len(trials)


def test_a_quick_search_measures_the_first_candidates_of_all() -> None:
    for renderer in DEVICES:
        wanted = lines_of(256, renderer=renderer)
        assert candidates(wanted, quick=True) == candidates(wanted)[:8]
        assert Search(wanted).reference in candidates(wanted)
