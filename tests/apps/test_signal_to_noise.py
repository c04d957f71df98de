"""Signal-to-noise ratios, their floors, and the self-check."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS
from support.tolerances import half_db

from glfft.algorithms.storage import STORAGES
from glfft.apps import signal_to_noise
from glfft.apps.signal_to_noise import EXPECTED_DB, U, floor_db, random_complex, self_check, snr_db


def test_a_ratio_is_told_in_decibels() -> None:
    exact = np.array([3.0, 4.0j])
    assert snr_db(exact * 1.1, exact) == pytest.approx(20.0)
    assert snr_db(exact * 0.999, exact) == pytest.approx(60.0)
    # Norms over all elements: one off by the signal's norm over 100.
    assert snr_db([3.05, 4.0j], exact) == pytest.approx(40.0)


def test_the_ends_of_the_scale() -> None:
    ones = np.ones(4)
    assert snr_db(ones, ones) == math.inf
    assert snr_db(np.zeros(4), np.zeros(4)) == math.inf
    assert snr_db(ones, np.zeros(4)) == -math.inf
    for bad in (np.nan, np.inf, complex(0, np.nan)):
        assert snr_db([1, 1, 1, bad], ones) == -math.inf


def test_noise_is_computed_in_float64() -> None:
    exact = np.full(4, 1.0)
    assert snr_db(exact * (1 + 1e-12), exact) == pytest.approx(240.0, abs=0.1)


def test_random_numbers_are_normal_and_the_same_for_the_same_seed() -> None:
    numbers = random_complex((200, 300), 7)
    assert numbers.dtype == np.complex64
    assert np.array_equal(numbers, random_complex((200, 300), 7))
    assert not np.array_equal(numbers, random_complex((200, 300), 8))
    for part in (numbers.real, numbers.imag):
        assert abs(part.mean()) < 0.02
        assert part.std() == pytest.approx(1.0, abs=0.02)


def test_rounding_to_float32_once_is_above_every_floor() -> None:
    exact = np.random.default_rng(0).standard_normal(10_000)
    assert -20 * math.log10(U) > snr_db(exact.astype(np.float32), exact) - 10 > EXPECTED_DB


@pytest.mark.parametrize("stores", [1, 2, 8])
def test_stores_in_half_precision_come_out_above_their_floor_and_not_far(stores: int) -> None:
    exact = np.random.default_rng(stores).standard_normal(100_000)
    noise = sum(
        np.random.default_rng(each).permutation((exact.astype(np.float16) - exact) / exact) for each in range(stores)
    )
    assert 0.0 < snr_db(exact * (1 + noise), exact) - half_db(stores) < 8.0


def test_a_floor_falls_with_the_stages_beyond_a_million_points() -> None:
    single, half = STORAGES["rg32f"], STORAGES["rg16f"]
    assert [floor_db(points, single, 2) for points in (1, 2, 1 << 20)] == [EXPECTED_DB] * 3
    assert floor_db(1 << 24, single, 2) == pytest.approx(EXPECTED_DB - 10 * math.log10(24 / 20))
    assert floor_db(1 << 24, half, 3) == half_db(3) < 70


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_self_check_passes(ctx: moderngl.Context, algorithm: str) -> None:
    assert EXPECTED_DB < self_check(ctx, algorithm) < 150


@pytest.mark.parametrize("function", ["fft2", "ifft2"])
def test_the_self_check_finds_a_wrong_direction(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    right: Callable[..., Any] = getattr(signal_to_noise, function)

    def wrong(data: Any, **options: Any) -> Any:
        result = right(data, **options)
        result[3, 5] *= -1
        return result

    monkeypatch.setattr(signal_to_noise, function, wrong)
    assert self_check(ctx, "auto") < 60
