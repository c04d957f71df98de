"""Hinitt and Kocak's kernels: each is numpy's transform, and passes say what their shaders do."""

from __future__ import annotations

import re
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import random_values
from support.images import run as run_plan
from support.kernels import restrict_device
from support.requests import axis_request
from support.tolerances import COMPUTED_DB, DOUBLE_DB, assert_close

import glfft
from glfft.algorithms import registry
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.butterfly_sets import FAMILIES
from glfft.errors import LimitError

FAMILY = {family.name: family for family in FAMILIES}
SETS = [name for name in FAMILY if name.startswith("butterfly-sets")]
PLANAR = "planar-radix-2"


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *((name, length) for name in SETS for length in (64, 512)),
        ("butterfly-sets", 8),
        ("butterfly-sets-reordered", 4096),
        *((PLANAR, length) for length in (2, 32, 512)),
    ],
)
def test_agrees_with_numpy_in_both_directions(ctx: moderngl.Context, name: str, length: int) -> None:
    with glfft.Plan(ctx, (3, length), axes=(1,), algorithm=name, storage="buffer") as plan:
        assert plan.dispatches == 1
        values = random_values(plan.request.storage, plan.shape, None)
        exact = values.astype(np.complex128)
        assert_close(run_plan(plan, values), np.fft.fft(exact))
        assert_close(run_plan(plan, values, "inverse"), np.fft.ifft(exact))


@pytest.mark.parametrize("name", ["butterfly-sets-reordered", PLANAR])
def test_columns_layers_and_images_in_place(ctx: moderngl.Context, name: str) -> None:
    storage = "rg32f" if name == PLANAR else "rgba32f"
    with glfft.Plan(ctx, (64, 8), algorithm=name, layers=2, storage=storage) as plan:
        values = random_values(plan.request.storage, plan.shape, 2)
        assert_close(run_plan(plan, values), np.fft.fft2(values.astype(np.complex128)))


@pytest.mark.parametrize("name", ["butterfly-sets-permuted", PLANAR])
def test_factors_may_be_computed_in_the_kernel(ctx: moderngl.Context, name: str) -> None:
    with glfft.Plan(ctx, (3, 512), axes=(1,), algorithm=name, storage="buffer", twiddles="computed") as plan:
        values = random_values(plan.request.storage, plan.shape, None)
        assert_close(run_plan(plan, values), np.fft.fft(values.astype(np.complex128)), COMPUTED_DB)


def test_sets_keep_double_precision(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (3, 64), axes=(1,), algorithm="butterfly-sets", storage="buffer_double") as plan:
        values = random_values(plan.request.storage, plan.shape, None)
        assert_close(run_plan(plan, values), np.fft.fft(values), DOUBLE_DB)


def slots_of(accesses: list[int], length: int, shift: int) -> list[set[int]]:
    """The banks, of 16 of points, that each sixteen threads in turn use."""
    slots = [at ^ (at >> shift) for at in accesses]
    assert all(0 <= each < length for each in slots)
    return [{each % 16 for each in slots[first : first + 16]} for first in range(0, len(slots), 16)]


def accesses_of(length: int, number: int, reversed_blocks: bool) -> list[int]:
    """Where each thread has its first point in a set, as the shader says it."""
    blocks, threads = 8**number, length // 8
    bits = threads.bit_length() - 1
    found = []
    for thread in range(threads):
        block = int(f"{thread:0{bits}b}"[::-1], 2) if reversed_blocks else thread % blocks
        found.append(block * (length // blocks) + (0 if reversed_blocks else thread // blocks))
    return found


def test_with_512_points_no_two_of_sixteen_threads_meet_in_a_bank() -> None:
    (spec,) = FAMILY["butterfly-sets-reordered"].passes(axis_request((1, 512)), None)
    shift = int(dict(spec.defines)["SLOT_SHIFT"])
    assert sorted(at ^ (at >> shift) for at in range(512)) == [*range(512)]
    for number, reversed_blocks in ((0, False), (1, False), (2, True)):
        first = accesses_of(512, number, reversed_blocks)
        for i in range(8):
            places = [each + i * (512 >> 3 * (number + 1)) for each in first]
            assert all(len(banks) == 16 for banks in slots_of(places, 512, shift))
    # As they were: sixteen threads have two banks.
    assert max(map(len, slots_of(accesses_of(512, 1, False), 512, 9))) == 2


def test_the_orders_of_accesses_differ_in_one_thing_each() -> None:
    plain, permuted, reordered = (dict(FAMILY[name].passes(axis_request((1, 512)), None)[0].defines) for name in SETS)
    assert {key for key in plain if plain[key] != permuted[key]} == {"SLOT_SHIFT"}
    assert {key for key in plain if permuted[key] != reordered[key]} == {"LAST_SET_REVERSED"}
    # Eight points stay in a thread, and 64 have too few bits to divide.
    (spec,) = FAMILY["butterfly-sets-permuted"].passes(axis_request((1, 8)), None)
    assert dict(spec.defines)["SLOT_SHIFT"] == 3


@pytest.mark.parametrize("length", [8, 512, 4096])
def test_shared_memory_is_touched_between_sets_only(length: int) -> None:
    (spec,) = FAMILY["butterfly-sets"].passes(axis_request((3, length)), None)
    sets = len(spec.radices)
    assert (8**sets, spec.threads, spec.barriers, spec.shared_bytes) == (length, length // 8, sets - 1, 8 * length)
    _, loop = spec.source.text.split("number < SETS; ++number")
    assert loop.count("barrier();") == 1
    assert spec.source.text.count("barrier();") == 1


@pytest.mark.parametrize("length", [2, 512])
def test_the_planar_kernel_has_two_barriers_a_stage(length: int) -> None:
    (spec,) = FAMILY[PLANAR].passes(axis_request((3, length)), None)
    stages = len(spec.radices)
    assert (2**stages, spec.threads, spec.barriers) == (length, length // 2, 1 + 2 * stages)
    text = spec.source.text.split("void main")[1]
    before, loop = text.split("for (int stage")
    assert (before.count("barrier();"), loop.count("barrier();")) == (1, 2)
    assert re.search(r"shared float parts\[2 \* LENGTH\]", spec.source.text)
    assert spec.shared_bytes == 4 * 2 * length


def test_what_they_cannot_do_is_said(ctx: moderngl.Context) -> None:
    options: dict[str, Any] = {"axes": (1,), "storage": "buffer"}
    with pytest.raises(LimitError, match=r"a length that is a power of eight, such as 64; algorithm='auto' works"):
        glfft.Plan(ctx, (2, 128), algorithm="butterfly-sets", **options)
    with pytest.raises(LimitError, match=r"a length that is a power of two; it can do 128; algorithm='auto' works"):
        glfft.Plan(ctx, (2, 100), algorithm=PLANAR, **options)
    for storage in ("rgba32f", "buffer_double"):
        wanted = axis_request((2, 64), storage=STORAGES[storage])
        assert FAMILY[PLANAR].supports(wanted) == "single precision and one complex number a texel"
        assert FAMILY["butterfly-sets"].supports(wanted) is None
    why = FAMILY[PLANAR].supports(axis_request((2, 4096)))
    assert why == "2048 invocations in a work group, and the device allows 1024"
    many = axis_request((70000, 512))
    assert {str(family.supports(many)) for family in FAMILIES} == {
        "a dispatch of 70000 x 1 work groups, and the device allows 65535 x 65535"
    }


def test_a_device_with_few_threads_is_refused(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, invocations=32)
    with pytest.raises(LimitError, match="64 invocations in a work group, and the device allows 32"):
        glfft.Plan(ctx, (2, 512), axes=(1,), algorithm="butterfly-sets")


def test_auto_never_takes_them() -> None:
    chosen = {family.name for family in registry.families_for(axis_request((1, 512), algorithm="auto"))}
    assert chosen.isdisjoint(FAMILY)
    assert set(registry.algorithm_names(study=True)) >= set(FAMILY)
