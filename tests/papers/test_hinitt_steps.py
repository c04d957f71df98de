"""Hinitt and Kocak's steps and published times agree with each other."""

from __future__ import annotations

import itertools

import pytest

from glfft.papers.hinitt_steps import GFLOPS, STEPS


def test_operations_a_second_follow_from_the_times() -> None:
    # Equation 4; table 6 has three digits of the first time.
    for name, (time, published) in GFLOPS.items():
        assert 5 * 512 * 9 / time / 1000 == pytest.approx(published, rel=1e-3), name


def test_the_steps_differ_in_one_thing_each() -> None:
    for before, after in itertools.pairwise(STEPS):
        fields = ("width", "algorithm", "mapped", "in_flight")
        assert sum(getattr(before, field) != getattr(after, field) for field in fields) == 1
