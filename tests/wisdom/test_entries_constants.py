"""The constants of devices in wisdom: kept, read again, and what kernels are chosen by where nothing was measured."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.wisdom import DRIVER, LIMITS, RENDERER, chosen, entry, next_process, request, valid, why

from glfft.algorithms.axis_request import FourStepPart
from glfft.algorithms.device_constants import DeviceConstants
from glfft.gl.device import Device
from glfft.wisdom import lookup, store
from glfft.wisdom.entries import KnownConstants, read, to_json

SLOW = DeviceConstants().scaled({"gigabytes_per_second": 0.1})
HERE = KnownConstants(RENDERER, SLOW, DRIVER, "measured on this device")


def test_json_brings_them_back_beside_the_entries() -> None:
    found = read(to_json([entry()], constants=[HERE]))
    assert found.constants == (HERE,)
    assert found.entries == (entry(),)


@pytest.mark.parametrize(
    "content",
    [
        "text",
        [3],
        [{}],
        [{"renderer": "A", "constants": {"units": -1}}],
        [{"renderer": 3, "constants": {}}],
        [{"renderer": "A", "constants": {}, "colour": "red"}],
    ],
)
def test_those_that_make_no_sense_are_left_out(content: Any) -> None:
    found = read(json.dumps({**json.loads(valid()), "constants": content}))
    assert found.constants == ()
    assert found.entries == (entry(),)


def test_they_are_kept_for_the_next_process_and_later_entries_leave_them(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember([HERE])
    next_process(monkeypatch)
    assert list(store.constants()) == [HERE]
    store.remember([entry()])
    next_process(monkeypatch)
    assert list(store.constants()) == [HERE]
    assert list(store.entries()) == [entry()]


def test_a_kernel_is_chosen_by_them_where_nothing_was_measured(file: Path) -> None:
    assert why().startswith("reasoned")
    store.remember([HERE])
    predicted = why(request(rows=4096))
    assert predicted.startswith("predicted to take ")
    assert predicted.endswith("by constants measured on this device")
    store.remember([entry()])
    assert why().startswith("tuned on this device")
    assert chosen() == entry().config


def test_what_the_model_was_not_compared_with_is_reasoned(file: Path) -> None:
    store.remember([HERE])
    wanted = request("buffer", rows=4096)
    assert why(wanted).startswith("predicted")
    part = replace(wanted, shape=(4096, 4096), part=FourStepPart(64, (), 64), algorithm="stockham")
    assert why(part).startswith("predicted")
    prime = replace(wanted, shape=(64, 61), algorithm="bluestein")
    assert why(prime).startswith("predicted")
    assert why(replace(wanted, shape=(64, 64, 64), axis=2)).startswith("predicted")
    others = [
        request("buffer_double", rows=4096),
        replace(part, part=FourStepPart(16, (), 256)),
    ]
    assert all(why(each).startswith("reasoned") for each in others)


def test_those_of_this_device_come_before_those_that_are_shipped(file: Path) -> None:
    device = Device(LIMITS, "NVIDIA H200/PCIe/SSE2", "NVIDIA 580")
    shipped = lookup.constants_of(device)
    assert shipped is not None
    assert (shipped.renderer, shipped.origin) == ("NVIDIA H200", "measured on an NVIDIA H200")
    store.remember([KnownConstants(device.renderer, SLOW, device.driver)])
    here = lookup.constants_of(device)
    assert here is not None
    assert here.constants == SLOW
    # Another driver may compile otherwise.
    assert lookup.constants_of(Device(LIMITS, device.renderer, "NVIDIA 600")) == shipped


@pytest.mark.parametrize(
    ("renderer", "whose"),
    [
        ("NVIDIA GeForce RTX 4090/PCIe/SSE2", "GeForce RTX 4090"),
        ("NVIDIA H100 80GB HBM3/PCIe/SSE2", "NVIDIA H100"),
        ("NVIDIA T4/PCIe/SSE2", "NVIDIA"),
        ("AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 15.0.7, DRM 3.49)", "Radeon RX 7900 XTX"),
        ("AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.7, DRM 3.49)", "AMD"),
        ("Mesa Intel(R) UHD Graphics 630 (CFL GT2)", "Intel"),
        ("Mesa Intel(R) Arc(tm) A770 Graphics (DG2)", "Intel(R) Arc"),
    ],
)
def test_other_devices_take_their_makers_figures(renderer: str, whose: str) -> None:
    known = lookup.constants_of(Device(LIMITS, renderer))
    assert known is not None
    assert known.renderer == whose
    assert "untried" in known.origin
    assert lookup.choose(request(renderer=renderer))[0][1].why.endswith(known.origin) or "NVIDIA" in renderer


def test_cpus_and_unknown_devices_have_none() -> None:
    assert lookup.constants_of(Device(LIMITS, "llvmpipe (LLVM 15.0.6, 256 bits)")) is None
    assert lookup.constants_of(Device(LIMITS, "zink Vulkan 1.3(llvmpipe (LLVM 15.0.6, 256 bits))")) is None
    assert lookup.constants_of(Device(LIMITS, "A device of 2030")) is None


def test_exported_they_are_of_the_family_with_any_driver() -> None:
    exported = KnownConstants("Some Device 7/PCIe", SLOW, DRIVER, "measured on this device").for_others
    assert exported == KnownConstants("Some Device 7", SLOW, "", "measured on Some Device 7")
    assert exported.speaks_of(Device(LIMITS, "Some Device 7/PCIe/2", "Another Driver"))
