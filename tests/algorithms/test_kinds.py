"""Cosine and sine transforms as data."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft

from glfft.algorithms.kinds import KINDS

each_kind = pytest.mark.parametrize("name", KINDS)


def test_the_names_are_scipys_with_a_type() -> None:
    assert set(KINDS) == {f"{name}{number}" for name in ("dct", "dst") for number in (1, 2, 3, 4)}
    assert all(hasattr(scipy.fft, name[:3]) for name in KINDS)


@each_kind
def test_the_inverse_undoes_it_but_for_the_period(name: str) -> None:
    kind = KINDS[name]
    assert kind.inverse.inverse == kind
    values = np.random.default_rng(0).standard_normal(5)
    there = getattr(scipy.fft, name[:3])(values, kind.type)
    back = getattr(scipy.fft, name[:3])(there, kind.inverse.type)
    assert np.allclose(back, kind.period(5) * values)


@each_kind
def test_a_line_of_one_point_is_multiplied_by_a_number(name: str) -> None:
    kind = KINDS[name]
    if kind.fewest_points > 1:
        assert name == "dct1"
        return
    for orthogonal in (False, True):
        (exact,) = getattr(scipy.fft, name[:3])(np.ones(1), kind.type, orthogonalize=orthogonal)
        assert kind.factor_of_one(orthogonal) == pytest.approx(exact)
