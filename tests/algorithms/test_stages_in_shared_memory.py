"""Cooley-Tukey in one dispatch: what a pass says of itself is what its shader does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.requests import axis_request

from glfft.algorithms.stages import CooleyTukey
from glfft.algorithms.storage import STORAGES


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("length", [2, 64, 2048])
def test_one_dispatch_does_all_lines_in_place(length: int, axis: int, storage: str) -> None:
    shape = (3, length) if axis == 1 else (length, 3)
    request = axis_request(shape, axis, storage=STORAGES[storage], layers=2)
    (spec,) = CooleyTukey().passes(request, None)
    assert spec.groups == (3, 2, 1), "a work group for each line of each layer"
    assert spec.stores_where_it_loads
    assert 2 ** len(spec.radices) == length
    # One barrier in the loop over stages and one after it, and one value for each point.
    text = spec.source.text
    before, loop = text.split("for (int stage = 0; stage < STAGES; ++stage) {")
    assert "barrier();" not in before.split("void main")[1]
    assert loop.count("barrier();") == 2
    assert spec.barriers == len(spec.radices) + 1
    assert f"#define STAGES {len(spec.radices)}\n" in text
    assert "shared value points[LENGTH];" in text
    assert spec.shared_bytes == length * (8 if storage == "rg32f" else 16)


def test_it_supports_the_powers_of_two_that_fit_shared_memory() -> None:
    family = CooleyTukey()
    longest = axis_request((1, 4096))
    assert family.supports(longest) is None
    assert "shared memory" in str(family.supports(replace(longest, shape=(1, 8192))))
    assert "power of two" in str(family.supports(replace(longest, shape=(1, 12))))
