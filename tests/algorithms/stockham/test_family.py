"""The Stockham algorithms by name: their kernels in words and as wisdom keeps them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import random_values
from support.images import run as run_plan
from support.kernels import kernels
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import assert_close

import glfft
from glfft.algorithms.stockham.config import SWAPPED, KernelConfig
from glfft.algorithms.stockham.family import FIXED, RADIX_8, Stockham
from glfft.algorithms.storage import STORAGES
from glfft.errors import LimitError
from glfft.gl.device import Device

SAMPLE = [kernel for kernel, _ in kernels(LEAST_DEVICE.limits, [8, 60, 64, 169, 512, 1024] * 8, seed=5)]


def test_wisdom_brings_back_every_kernel() -> None:
    family = Stockham()
    assert len(set(SAMPLE)) > 40
    for kernel in SAMPLE:
        fields = json.loads(json.dumps(family.to_fields(kernel)))
        assert family.from_fields(fields, kernel.length) == kernel
        with pytest.raises(ValueError, match="no kernel"):
            family.from_fields(fields, 2 * kernel.length)


def test_kernels_in_pieces_do_not_mirror_and_have_one_number_a_texel() -> None:
    kernel, request = KernelConfig((4, 8), 8, 2, exchange="in turn", pieces=2), axis_request((8, 32))
    paired = replace(request, storage=STORAGES["rgba32f"], device=Device(LEAST_DEVICE.limits, "A GPU"))
    fits = [Stockham().fits(kernel, each) for each in (request, paired, replace(request, real_pairs=True))]
    assert fits == [True, False, False]


def test_kernels_in_pieces_fit_with_fewer_lines_in_one_piece() -> None:
    """Real lines go so, and parts of a plan that cannot exchange in pieces; a single line fits whole."""
    kernel, shape = KernelConfig((16, 16, 16), 256, exchange="in turn", pieces=2), (8, 4096)
    kinds = {"storage": STORAGES["buffer"], "device": Device(LEAST_DEVICE.limits, "A GPU")}
    request = replace(axis_request(shape), **kinds)
    assert Stockham().fits(kernel, request)
    assert not Stockham().fits(kernel, replace(request, inverse_scale=1.0))
    for shared, fits in ((4 * 4096, True), (4 * 4096 - 4, False)):
        limits = replace(LEAST_DEVICE.limits, shared_memory=shared)
        assert Stockham().fits(kernel, replace(request, device=Device(limits, "A GPU"))) == fits


def test_no_kernel_on_a_gpu_has_large_products_as_radices_for_two_numbers_a_texel() -> None:
    request = axis_request((8, 480), storage=STORAGES["rgba16f"], device=Device(LEAST_DEVICE.limits, "A GPU"))
    assert not Stockham().fits(KernelConfig((16, 30), 16), request)
    assert Stockham().fits(KernelConfig((15, 32), 16), request)
    assert Stockham().fits(KernelConfig((16, 30), 16), replace(request, storage=STORAGES["rg16f"]))


SOUND: dict[str, Any] = {"radices": [8, 8], "threads": 8}


@pytest.mark.parametrize(
    "changes",
    [
        {"radices": []},
        {"radices": [8, 8.0]},
        {"radices": [1, 64]},
        {"radices": "88"},
        {"threads": 0},
        {"threads": 65},
        {"threads": True},
        {"lines": 0},
        {"lines": 1 << 31},
        {"exchange": "never"},
        {"pieces": 0},
        {"pieces": 2.0},
        {"pieces": 3, "exchange": "in turn"},
        {"pieces": 2, "lines": 3, "exchange": "in turn"},
        {"padding": -3},
        {"padding": -4},
        {"side_by_side": 1},
        {"points": 5},
        {"of_a_later_version": 1},
    ],
    ids=str,
)
def test_values_that_no_kernel_has_are_refused(changes: dict[str, Any]) -> None:
    family = Stockham()
    assert family.from_fields(SOUND, 64) == KernelConfig((8, 8), 8)
    with pytest.raises(ValueError, match=r"no kernel|unknown"):
        family.from_fields({**SOUND, **changes}, 64)


def test_a_description_names_radices_points_and_lines() -> None:
    described = Stockham().describe(KernelConfig((16, 4), 4, lines=8, side_by_side=False, padding=32))
    assert described == "16x4, 16 points, 8 lines, one after the other, at once, padding 32"
    described = Stockham().describe(KernelConfig((16, 4), 4, 2, True, "in turn", pieces=2))
    assert described == "16x4, 16 points, 2 lines, in turn, 2 pieces"
    assert Stockham().describe(KernelConfig((4, 4), 4, padding=SWAPPED)).endswith("at once, swapped")
    # What has no exchange has no words for it.
    assert Stockham().describe(KernelConfig((8,), 1, padding=32)) == "8, 8 points, 1 lines"


@pytest.mark.parametrize(
    ("length", "by_two", "by_four"), [(2, (2,), (2,)), (4, (2, 2), (4,)), (32, (2,) * 5, (4, 4, 2))]
)
def test_motas_radices(length: int, by_two: tuple[int, ...], by_four: tuple[int, ...]) -> None:
    for family, radices in zip(FIXED, (by_two, by_four), strict=True):
        (spec,) = family.passes(axis_request((3, length)), None)
        assert spec.radices == radices


def test_a_kernel_of_another_length_does_not_fit() -> None:
    family = Stockham()
    assert family.fits(KernelConfig((8, 8), 8), axis_request((3, 64)))
    assert not family.fits(KernelConfig((8, 8), 8), axis_request((3, 128)))
    assert family.default(axis_request((3, 128))).length == 128


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer"])
@pytest.mark.parametrize(("axis", "shape"), [(0, (512, 3)), (1, (5, 64)), (1, (3, 8))])
def test_radix_8_transforms_lines_of_powers_of_eight(
    ctx: moderngl.Context, axis: int, shape: tuple[int, int], storage: str
) -> None:
    values = random_values(STORAGES[storage], shape, None)
    for name in ("radix-8", "radix-8-padded"):
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=name, storage=storage) as plan:
            assert_close(run_plan(plan, values), np.fft.fft(values.astype(np.complex128), axis=axis - 2))


def test_the_kernel_of_512_points_has_eight_points_a_thread_and_two_exchanges() -> None:
    (spec,), (padded,) = (family.passes(axis_request((6, 512)), None) for family in RADIX_8)
    assert (spec.radices, spec.threads, spec.groups) == ((8, 8, 8), 64, (6, 1, 1))
    assert dict(spec.defines)["POINTS"] == 8
    # Each exchange has a barrier behind its stores, and between two there is one behind the loads.
    assert spec.barriers == 3
    assert padded.shared_bytes == spec.shared_bytes * 9 // 8


def test_radix_8_refuses_other_lengths_with_the_nearest_that_works(ctx: moderngl.Context) -> None:
    with pytest.raises(LimitError, match=r"a power of eight, such as 512; algorithm='auto' works"):
        glfft.Plan(ctx, (2, 256), axes=(1,), algorithm="radix-8")
    with pytest.raises(LimitError, match=r"a power of eight, such as 8;"):
        glfft.Plan(ctx, (2, 2), axes=(1,), algorithm="radix-8")
