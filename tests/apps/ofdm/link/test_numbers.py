"""The subcarriers: as many of each kind as the paper's table 1 says, and each used one a pilot in turn."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.apps.ofdm.link import numbers


def test_counts_are_those_of_the_paper() -> None:
    used = numbers.used_subcarriers()
    assert len(set(used)) == numbers.USED
    centred = (used + 256) % 512 - 256
    assert np.array_equal(centred, np.sort(centred))
    assert np.array_equal(centred, -centred[::-1])
    empty = set(range(512)) - set(used)
    assert {0, 1, 511} <= empty, "three in the middle"
    assert len(empty) == 157 + 3
    assert numbers.DATA == 336
    assert numbers.PILOTS == 16
    assert numbers.BITS == 1344


def test_times_are_those_of_the_paper() -> None:
    assert pytest.approx(226.95e-9, rel=1e-4) == numbers.SECONDS_A_SYMBOL
    assert pytest.approx(25.22e-9, rel=1e-3) == numbers.GUARD / numbers.SAMPLES_A_SECOND


def test_each_used_subcarrier_is_a_pilot_once_in_a_turn() -> None:
    turn = range(numbers.PILOT_SPACING)
    assert sorted(np.concatenate([numbers.pilot_places(symbol) for symbol in turn])) == list(range(numbers.USED))
    for symbol in turn:
        assert len(numbers.data_places(symbol)) == numbers.DATA
        assert not set(numbers.data_places(symbol)) & set(numbers.pilot_places(symbol))
    assert np.array_equal(numbers.pilot_places(23), numbers.pilot_places(1))
    assert set(numbers.pilot_signs()) == {-1, 1}
