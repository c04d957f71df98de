"""What a pass takes, predicted: its work is counted rightly, and the times are near those that were measured."""

import math
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest
from support.tuning import lines_of

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import MEASURED, DeviceConstants
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig
from glfft.algorithms.stockham.cost import Work, groups_fitting, instructions_of, predicted_us, work_of
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device, Limits
from glfft.wisdom import lookup

GPU = "NVIDIA H200/PCIe/SSE2"
DEVICE = DeviceConstants()


def work(kernel: KernelConfig, length: int = 256, **asked: Any) -> Work:
    return work_of(lines_of(length, renderer=GPU, **asked), kernel)


def test_the_work_of_a_small_kernel_is_what_is_counted_by_hand() -> None:
    counted = work(KernelConfig((4, 4), 4, 8, side_by_side=True), length=16)
    assert (counted.groups, counted.warps, counted.stages) == (8, 1, 2)
    assert counted.shared_bytes == 8 * 16 * 8
    assert counted.moved == 2 * 64 * 16 * 8
    assert counted.texels == 4 + 4
    assert (counted.twiddles, counted.sampled_twiddles) == (3, 0)
    # Two butterflies and four products with twiddles.
    assert counted.instructions == 2 * instructions_of(4) + 4 * 4
    # A warp's values of 8 bytes fill two rows of banks. Threads store 32 values apart, in half of the banks.
    assert counted.shared_accesses == 4 * 4 + 4 * 2


@pytest.mark.parametrize("padding", [BY_STRIDE, SWAPPED])
def test_padding_keeps_a_warps_threads_out_of_each_others_banks(padding: int) -> None:
    bare = KernelConfig((32, 32), 32, exchange="in turn")
    padded = replace(bare, padding=padding)
    # 32 stores and loads of each of two parts, one row of banks each.
    assert work(padded, 1024).shared_accesses == 2 * (32 + 32)
    # Without, neighbours store 32 slots apart, all in one bank.
    assert work(bare, 1024).shared_accesses == 2 * (32 * 32 + 32)


def test_sectors_that_are_half_used_are_counted() -> None:
    def moved(group: int, storage: str = "rg32f", axis: int = 1, lines: int = 64) -> float:
        kernel = KernelConfig((16, 16), 16, group, side_by_side=group > 1)
        return work(kernel, storage=storage, axis=axis, lines=lines).moved / (2 * lines * 256 * 8)

    assert moved(2) == 1.0 < moved(1)
    assert moved(4, "buffer", axis=0) == 1.0 < moved(2, "buffer", axis=0) < moved(1, "buffer", axis=0)
    # Rows of 65 points do not begin with a sector.
    assert moved(4, "buffer", axis=0, lines=65) > 1.0
    # Side by side, lines of a buffer's rows are loaded in runs as short as there are many of them.
    assert 1.0 < moved(1, "buffer") == moved(2, "buffer") < moved(4, "buffer") < moved(8, "buffer")


def test_lanes_of_a_butterfly_cost_more_where_its_radix_has_a_larger_prime() -> None:
    assert instructions_of(16) < instructions_of(17)
    assert instructions_of(6) == 2 * instructions_of(3) + 3 * instructions_of(2)
    assert all(instructions_of(radix) > 0 for radix in RADICES)


def test_nothing_takes_less_time_where_a_constant_is_worse() -> None:
    some = work(KernelConfig((16, 16), 16, 4, True, "at once", 16, sampled_twiddles=True), lines=5000)
    plain = replace(some, twiddles=some.sampled_twiddles)
    for name in MEASURED:
        slower = DEVICE.scaled({name: 0.5 if name == "gigabytes_per_second" else 2.0})
        assert predicted_us(plain, slower) > predicted_us(plain, DEVICE) > DEVICE.launch_us
    assert predicted_us(replace(some, groups=10 * some.groups), DEVICE) > 2 * predicted_us(some, DEVICE)
    # What does not fit registers goes to memory.
    assert predicted_us(replace(some, registers=400.0), DEVICE) > predicted_us(replace(some, registers=255.0), DEVICE)


def test_a_unit_holds_as_many_groups_as_its_shared_memory_has_room_for() -> None:
    some = replace(work(KernelConfig((16, 16), 16, 4, True), lines=5000), warps=2, registers=32.0)
    for groups, shared in ((1, 24577), (2, 24576), (2, 16385), (3, 16384)):
        assert groups_fitting(replace(some, shared_bytes=shared), DEVICE) == groups
    assert groups_fitting(replace(some, shared_bytes=0), DEVICE) > 3
    three, two = (predicted_us(replace(some, shared_bytes=each), DEVICE) for each in (16384, 16385))
    assert three < two == predicted_us(replace(some, shared_bytes=24576), DEVICE)


def test_what_was_measured_is_predicted() -> None:
    """Shipped times of an H200, most of which are of other kernels than those that the constants were found by."""
    limits = Limits(32768, 49152, 1024, (1024, 1024, 64), (2**31 - 1, 65535, 65535), 8, 32)
    errors: list[float] = []
    for entry in chain.from_iterable(map(lookup.shipped, range(8193))):
        # The model does not speak of parts of lines and of lines along z; convolutions do more, real lines less.
        if entry.axis == 2 or entry.convolution or entry.reals:
            continue
        if entry.renderer != "NVIDIA" or not isinstance(entry.config, KernelConfig) or entry.family != "stockham":
            continue
        lines = entry.points // entry.length
        layers = -(-lines // 4096)
        shape = (lines // layers, entry.length) if entry.axis == 1 else (entry.length, lines // layers)
        storage = STORAGES[entry.storage or ("rg32f" if entry.components == 2 else "rgba32f")]
        request = AxisRequest(shape, entry.axis, -1, 1.0, False, layers, storage, Device(limits, GPU))
        errors.append(math.log(predicted_us(work_of(request, entry.config), DEVICE) / entry.microseconds))
    assert len(errors) > 100
    assert np.median(np.abs(errors)) < 0.15
    assert np.quantile(np.abs(errors), 0.9) < 0.4


def test_two_transforms_of_a_line_compute_twice_and_load_once() -> None:
    kernel, request = KernelConfig((16, 16), 16, 4, True), lines_of(256, renderer=GPU)
    once, twice = (work_of(each, kernel) for each in (request, replace(request, inverse_scale=1.0)))
    assert twice.instructions == 2 * once.instructions
    assert twice.shared_accesses == 2 * once.shared_accesses
    assert (twice.texels, twice.moved) == (once.texels, once.moved)


def test_a_thread_with_two_lines_works_twice_and_reads_factors_once() -> None:
    alone = KernelConfig((16, 16), 16, 2, True, "in turn", BY_STRIDE)
    both = replace(alone, lines=4, line_pairs=True)
    one, two = work(alone), work(both)
    assert (two.groups, two.warps) == (one.groups / 2, one.warps)
    assert (two.instructions, two.texels) == (2 * one.instructions, 2 * one.texels)
    assert two.shared_accesses == 2 * one.shared_accesses
    assert two.barriers == 2 * one.barriers + 1
    assert (two.twiddles, two.moved) == (one.twiddles, one.moved)
    assert two.registers - one.registers == 2 * 16
