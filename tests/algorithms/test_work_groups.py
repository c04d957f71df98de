"""A line in one work group: refused where it does not fit, and with threads that share it evenly."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.requests import LEAST_DEVICE, axis_request

from glfft.algorithms import work_groups
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device


@pytest.mark.parametrize(("storage", "longest"), [("rg32f", 4096), ("rgba32f", 2048), ("rg16f", 4096)])
def test_a_line_fits_up_to_the_shared_memory_and_no_further(storage: str, longest: int) -> None:
    request = axis_request((1, longest), storage=STORAGES[storage])
    fitting = longest * request.storage.value_bytes
    assert work_groups.why_not(request, shared_bytes=fitting) is None
    told = work_groups.why_not(request, shared_bytes=2 * fitting)
    assert told == "65536 bytes of shared memory, and the device has 32768"


def test_radix_2_needs_a_power_of_two() -> None:
    assert work_groups.why_not(axis_request((3, 64))) is None
    assert work_groups.why_not(axis_request((64, 3))) == "a length that is a power of two"


def test_a_work_group_has_as_many_invocations_as_the_device_allows() -> None:
    for limits in (
        replace(LEAST_DEVICE.limits, invocations=96),
        replace(LEAST_DEVICE.limits, group_size=(96, 1024, 64)),
    ):
        request = axis_request((1, 512), device=Device(limits))
        assert work_groups.why_not(request, 96) is None
        told = work_groups.why_not(request, 97)
        assert told == "97 invocations in a work group, and the device allows 96"


@pytest.mark.parametrize("most", [1, 64, 96, 896, 1024, 1536])
@pytest.mark.parametrize("points", [2, 4])
def test_threads_share_a_line_evenly(points: int, most: int) -> None:
    for limits in (
        replace(LEAST_DEVICE.limits, invocations=most),
        replace(LEAST_DEVICE.limits, group_size=(most, 1024, 64)),
    ):
        for length in (4, 64, 4096):
            threads = work_groups.threads(axis_request((1, length), device=Device(limits)), points)
            assert 0 < threads <= limits.invocations
            assert threads <= limits.group_size[0]
            assert length // points % threads == 0
            assert 2 * threads > min(length // points, limits.invocations, limits.group_size[0])
