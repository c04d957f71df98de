"""The subcarriers: as many of each kind as the paper's table 1 says, and each used one a pilot in turn."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.apps.ofdm.link import symbols


def test_counts_are_those_of_the_paper() -> None:
    used = symbols.used_subcarriers()
    assert len(set(used)) == symbols.USED
    centred = (used + 256) % 512 - 256
    assert np.array_equal(centred, np.sort(centred))
    assert np.array_equal(centred, -centred[::-1])
    empty = set(range(512)) - set(used)
    assert {0, 1, 511} <= empty, "three in the middle"
    assert len(empty) == 157 + 3
    assert symbols.DATA == 336
    assert symbols.PILOTS == 16
    assert symbols.BITS == 1344


def test_times_are_those_of_the_paper() -> None:
    assert pytest.approx(226.95e-9, rel=1e-4) == symbols.SECONDS_A_SYMBOL
    assert pytest.approx(25.22e-9, rel=1e-3) == symbols.GUARD / symbols.SAMPLES_A_SECOND


def test_each_used_subcarrier_is_a_pilot_once_in_a_turn() -> None:
    turn = range(symbols.PILOT_SPACING)
    assert sorted(np.concatenate([symbols.pilot_places(symbol) for symbol in turn])) == list(range(symbols.USED))
    for symbol in turn:
        assert len(symbols.data_places(symbol)) == symbols.DATA
        assert not set(symbols.data_places(symbol)) & set(symbols.pilot_places(symbol))
    assert np.array_equal(symbols.pilot_places(23), symbols.pilot_places(1))
    assert set(symbols.pilot_signs()) == {-1, 1}
