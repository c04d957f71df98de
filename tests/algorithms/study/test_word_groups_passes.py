"""Passes of word groups say what their shaders do: barriers, shared memory, dispatches, and what they cannot do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.requests import axis_request

from glfft.algorithms.study.word_groups import FAMILIES, WordGroupConfig, WordGroupKernel, in_bit_reversed_order

FAMILY = {family.name: family for family in FAMILIES}
THREADS = {"word-group-2": (1, 2, 4), "word-group-4": (1, 2, 4, 8), "word-group-8": (1, 2, 4, 8, 16)}
THREADS |= {"constant-geometry": (1, 2, 4), "radix-22": (4, 8)}


def test_one_barrier_an_epoch_and_as_many_a_stage_as_shares_need() -> None:
    wanted = axis_request((1, 64))
    barriers = {
        (name, each): FAMILY[name].passes(wanted, WordGroupConfig(each, "shared", "arrays"))[0].barriers
        for name, threads in THREADS.items()
        for each in threads
    }
    assert [barriers["word-group-2", threads] for threads in (1, 2, 4)] == [7, 13, 19]
    assert [barriers["word-group-4", threads] for threads in (1, 2, 4, 8)] == [4, 7, 13, 19]
    assert [barriers["word-group-8", threads] for threads in (1, 2, 4, 8, 16)] == [3, 7, 7, 13, 19]
    # One thread a butterfly needs one more: it writes where others read.
    assert [barriers["constant-geometry", threads] for threads in (1, 2, 4)] == [13, 13, 19]
    # None after the stages that multiply by 1 and -i only.
    assert [barriers["radix-22", threads] for threads in (4, 8)] == [4, 7]
    in_registers = [FAMILY[name].passes(wanted, WordGroupConfig())[0].barriers for name in THREADS]
    assert in_registers == [7, 4, 3, 7, 4]


def test_shared_memory_holds_the_arrays_of_the_thesis_and_its_factors() -> None:
    # 5 N words of 4 bytes, as the thesis counts (5.2.1), and an array more where four threads share a butterfly. Radix
    # 2^2 has N factors there, of which half are the others with another sign.
    wanted = axis_request((1, 64))
    words = {
        (name, threads): FAMILY[name].passes(wanted, WordGroupConfig(threads, "shared", "arrays"))[0].shared_bytes / 256
        for name, threads in (("word-group-2", 1), ("word-group-2", 2), ("constant-geometry", 4), ("radix-22", 8))
    }
    assert [*words.values()] == [5, 5, 7, 5]


@pytest.mark.parametrize(
    ("words", "radix_22", "config", "why"),
    [
        (4, False, WordGroupConfig(1, points="arrays"), "a number of stages that is a multiple of 2"),
        (2, False, WordGroupConfig(8, points="arrays"), "groups of more than 2 words"),
        (2, False, WordGroupConfig(1, points="arrays", balanced=False), "two threads a butterfly, radix 2"),
        (4, True, WordGroupConfig(2, points="arrays"), "4 or 8 threads a word group"),
        (2, False, WordGroupConfig(4, points="arrays"), "64 threads a work group, and the device allows 32"),
        (2, False, WordGroupConfig(2), "points in arrays"),
        (2, False, WordGroupConfig(balanced=False), "points in arrays"),
    ],
)
def test_kernels_that_cannot_be_say_why(words: int, radix_22: bool, config: WordGroupConfig, why: str) -> None:
    wanted = axis_request((1, 32))
    few = replace(wanted.device, limits=replace(wanted.device.limits, invocations=32))
    assert WordGroupKernel(replace(wanted, device=few), config, words, radix_22).why_not() == why


def test_only_the_order_of_results_differs() -> None:
    (spec,) = FAMILY["word-group-4"].passes(axis_request((1, 16)), WordGroupConfig())
    defines = dict(in_bit_reversed_order(spec).defines)
    assert {name for name, each in spec.defines if defines[name] != each} == {"BIT_REVERSED_OUTPUT"}


def test_constants_are_computed_in_python_and_not_on_the_gpu() -> None:
    wanted = axis_request((3, 64))
    family, config = FAMILY["word-group-4"], WordGroupConfig(1, "constant")
    assert family.fits(config, wanted)
    assert not family.fits(config, replace(wanted, computed_twiddles=True))


def test_a_line_in_several_work_groups_takes_two_dispatches() -> None:
    for name, groups in (("multi-group-2", 2), ("multi-group-4", 4), ("multi-group-8", 8)):
        family = FAMILY[name]
        wanted = axis_request((3, 512))
        first, second = [each for part in family.parts(wanted) for each in family.passes(part, WordGroupConfig())]
        assert first.groups == second.groups == (3, 1, groups)
        assert first.stores_where_it_loads
        assert not second.stores_where_it_loads
        assert second.shared_bytes == 2 * 8 * 512 // groups


def test_several_work_groups_may_take_radix_2_alone() -> None:
    for length in (64, 128):
        wanted = axis_request((1, length))
        radices = {
            name: [each.radices for part in FAMILY[name].parts(wanted) for each in FAMILY[name].passes(part, one)]
            for one in (WordGroupConfig(),)
            for name in ("multi-group-2", "multi-group-2-radix-2", "multi-group-4-radix-2")
        }
        stages = length.bit_length() - 1
        assert radices["multi-group-2-radix-2"] == [(2,), (2,) * (stages - 1)]
        assert radices["multi-group-4-radix-2"] == [(4,), (2,) * (stages - 2)]
        assert (radices["multi-group-2"][1] == (2,) * (stages - 1)) == (length == 128)
