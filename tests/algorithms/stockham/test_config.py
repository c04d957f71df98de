"""Kernels as options: what a thread and a line take. That shaders do the same: test_kernel.py."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.requests import LEAST_DEVICE

from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig
from glfft.algorithms.storage import STORAGES

SOME_RADICES = st.lists(st.sampled_from(sorted(RADICES)), min_size=1, max_size=3).map(tuple)


@given(SOME_RADICES, st.integers(1, 64))
def test_threads_have_registers_for_all_butterflies_of_every_stage(radices: tuple[int, ...], threads: int) -> None:
    kernel = KernelConfig(radices, threads)
    for radix in radices:
        here = kernel.butterflies(radix)
        assert (here - 1) * threads < kernel.length // radix <= here * threads
        assert kernel.shares_evenly(radix) == (kernel.length // radix == here * threads)
        assert kernel.points >= radix * here


@pytest.mark.parametrize(
    ("exchange", "padding", "expected"),
    [("at once", 0, 64 * 8), ("in turn", 0, 64 * 4), ("alternate", 0, 2 * 64 * 8), ("at once", 16, (64 + 4) * 8)],
)
def test_shared_memory_is_what_the_exchange_and_the_padding_take(exchange: str, padding: int, expected: int) -> None:
    kernel = KernelConfig((8, 8), 8, exchange=exchange, padding=padding)
    assert kernel.shared_bytes(STORAGES["rg32f"]) == expected
    assert KernelConfig((8,), 1, exchange=exchange, padding=padding).shared_bytes(STORAGES["rg32f"]) == 0


@pytest.mark.parametrize(
    ("fits", "kernel"),
    [
        (True, KernelConfig((8, 8), 8, 4, True, padding=SWAPPED)),
        (True, KernelConfig((8, 8), 8, 4, False, "alternate", SWAPPED)),
        (True, KernelConfig((8, 8), 8, 2, True, "in turn", SWAPPED, pieces=2)),
        (True, KernelConfig((8, 8), 8, 1, False, "in turn", SWAPPED, pieces=2)),
        (False, KernelConfig((8, 8), 8, 2, False, "in turn", SWAPPED, pieces=2)),
        (False, KernelConfig((8, 8), 5, padding=SWAPPED)),
        (False, KernelConfig((8, 8), 8, 3, True, padding=SWAPPED)),
        (False, KernelConfig((8, 6), 8, padding=SWAPPED)),
        (False, KernelConfig((8, 8), 8, 2, padding=SWAPPED, staged=True)),
    ],
    ids=str,
)
def test_points_change_places_where_all_are_powers_of_two(fits: bool, kernel: KernelConfig) -> None:
    storage = STORAGES["buffer"]
    assert kernel.fits(LEAST_DEVICE.limits, storage) == fits
    assert replace(kernel, padding=BY_STRIDE).fits(LEAST_DEVICE.limits, storage)


def test_pairs_of_lines_are_half_as_many_lines_of_values() -> None:
    pairs = KernelConfig((4, 4), 4, lines=8, line_pairs=True)
    assert pairs.invocations == pairs.line_by_line.invocations == 16
    assert pairs.line_by_line == KernelConfig((4, 4), 4, lines=4)
