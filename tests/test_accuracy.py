"""Signal-to-noise ratios, their floors, and the random numbers they are measured on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft import accuracy
from glfft.accuracy import floor_db, random_complex, snr_db
from glfft.algorithms.storage import STORAGES


def test_snr_is_the_ratio_of_norms_in_db() -> None:
    exact = random_complex((8, 8)).astype(np.complex128)
    assert snr_db(exact * (1 + 1e-3), exact) == pytest.approx(60.0)
    assert snr_db(exact, exact) == math.inf
    assert snr_db(exact * np.nan, exact) == -math.inf


def test_floors_fall_as_rounding_errors_add_up() -> None:
    single, half = STORAGES["rg32f"], STORAGES["rg16f"]
    assert floor_db(1 << 20, single, 2) == floor_db(2, single, 2) == accuracy.EXPECTED_DB
    assert floor_db(1 << 24, single, 2) == pytest.approx(130 - 10 * math.log10(24 / 20))
    assert floor_db(1 << 20, half, 2) == pytest.approx(65.0, abs=0.1)
    assert floor_db(1 << 20, half, 4) == pytest.approx(floor_db(1 << 20, half, 2) - 10 * math.log10(2))


def test_random_numbers_are_complex_normal_and_repeat() -> None:
    numbers = random_complex((200, 300), seed=3)
    assert numbers.dtype == np.complex64
    assert np.array_equal(numbers, random_complex((200, 300), seed=3))
    assert not np.array_equal(numbers, random_complex((200, 300), seed=4))
    for part in (numbers.real, numbers.imag):
        assert np.mean(part) == pytest.approx(0.0, abs=0.03)
        assert np.std(part) == pytest.approx(1.0, abs=0.03)
    assert np.mean(numbers.real * numbers.imag) == pytest.approx(0.0, abs=0.03)
