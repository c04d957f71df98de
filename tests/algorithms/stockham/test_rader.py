"""Rader's convolution of one point less than a prime, beside the transform of what the prime is multiplied by."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from functools import partial
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import BLUESTEIN_DB, COMPUTED_DB, TABLE_DB, assert_close, floor_of
from support.tuning import noise_transformed, specs_of

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.kinds import Kind
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham import rader
from glfft.algorithms.stockham.bluestein import Bluestein
from glfft.algorithms.stockham.config import BY_STRIDE, RaderConfig
from glfft.algorithms.stockham.rader import Rader
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.context import state_of
from glfft.wisdom import lookup

FAMILY = Rader()
GPU = replace(LEAST_DEVICE, renderer="a GPU")

KERNELS = {
    37: RaderConfig((6, 6), 6, 4, True, columns=0),
    122: RaderConfig((2, 5, 4, 3), 12, 2, False, "in turn", BY_STRIDE, columns=1),
    # Stages that threads do not share evenly, and a cofactor of two stages
    12 * 61: RaderConfig((3, 4, 5, 12), 60, 3, True, "in turn", 5, twiddle_products=True, columns=2),
    5 * 97: RaderConfig((5, 16, 6), 30, 1, prefetch_twiddles=True, columns=1),
    # A cofactor and a convolution with equal stages, and one with a stage back that begins as it ends
    8 * 449: RaderConfig((8, 8, 7, 8), 128, 1, False, "in turn", columns=1),
}


@pytest.mark.parametrize("dealt", [False, True])
@pytest.mark.parametrize(("storage", "axis"), [("rg32f", 0), ("rgba32f", 1), ("buffer", 1), ("rgba16f", 0)])
@pytest.mark.parametrize("length", KERNELS)
def test_every_kernel_transforms_both_ways(
    ctx: moderngl.Context, length: int, storage: str, axis: int, dealt: bool
) -> None:
    kernel = replace(KERNELS[length], dealt=dealt)
    shape = (5, length) if axis == 1 else (length, 5)
    for direction, transform in ((-1, np.fft.fft), (+1, partial(np.fft.ifft, norm="forward"))):
        options = {"direction": direction, "storage": STORAGES[storage], "layers": 2, "scale": 1 / length}
        request = axis_request(shape, axis, device=state_of(ctx).device, **options)
        if not FAMILY.fits(kernel, request):
            pytest.skip("two numbers a texel leave no room for it")
        (spec,) = FAMILY.passes(request, kernel)
        values, result = noise_transformed(ctx, spec)
        exact = transform(values.astype(np.complex128), axis=axis - 2) / length
        assert_close(result, exact, floor_of(request.storage, stores=1))
        assert spec.shared_bytes == kernel.shared_bytes(request.storage)


@pytest.mark.parametrize("exchange", ["at once", "in turn"])
@pytest.mark.parametrize("dealt", [False, True])
def test_barriers_are_those_of_the_shader(ctx: moderngl.Context, dealt: bool, exchange: str) -> None:
    kernel = replace(KERNELS[122], dealt=dealt, exchange=exchange)
    (spec,) = FAMILY.passes(axis_request((2, 122), device=state_of(ctx).device), kernel)
    text = spec.source.text.replace("barrier();", "{ barrier(); ++synchronisations; }")
    text = text.replace("layout(local_size_x", "int synchronisations = 0;\nlayout(local_size_x", 1)
    text = re.sub(r"(STORE\(.*place\.layer, ).*\);", r"\1line_point(float(synchronisations)));", text)
    each = CompiledPass(ctx, spec, ctx.compute_shader(text))
    _, result = noise_transformed(ctx, spec, each)
    each.program.release()
    assert (result.real == spec.barriers).all()


def assert_takes_it(plan: glfft.Plan) -> None:
    choices = [each.choice for each in specs_of(plan)]
    assert choices
    assert all(each is not None and isinstance(each.config, RaderConfig) for each in choices)


@pytest.mark.parametrize("twiddles", ["table", "computed"])
def test_plans_take_it_for_complex_lines_and_real_ones_alone(ctx: moderngl.Context, twiddles: str) -> None:
    # CPUs and GPUs take it for both lengths.
    values = random_values(STORAGES["rg32f"], (685, 505), None)
    floor = TABLE_DB if twiddles == "table" else COMPUTED_DB
    with glfft.Plan(ctx, (685, 505), twiddles=twiddles) as plan:
        assert_takes_it(plan)
        assert_close(images.run(plan, values), np.fft.fft2(values.astype(np.complex128)), floor)
    reals = random_values(STORAGES["buffer"].of_reals, (6, 505), None)
    with glfft.Plan(ctx, (6, 505), axes=(1,), real=True, storage="buffer", twiddles=twiddles) as plan:
        assert_takes_it(plan)
        assert_close(images.run(plan, reals), np.fft.rfft(reals.astype(np.float64)), floor)


@pytest.mark.parametrize("exchange", ["at once", "in turn"])
@pytest.mark.parametrize(("storage", "shape"), [("rg32f", (5, 732)), ("buffer", (4, 485)), ("rgba32f", (3, 122))])
def test_two_real_lines_go_as_a_complex_one(
    ctx: moderngl.Context, storage: str, shape: tuple[int, int], exchange: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, choose = replace(KERNELS[shape[1]], exchange=exchange, dealt=True), lookup.choose

    def chosen(request: AxisRequest) -> list[tuple[AxisRequest, Choice]]:
        if not request.real_pairs or request.both_axes:
            return choose(request)
        assert Bluestein().fits(kernel, request)
        assert not Bluestein().fits(replace(kernel, dealt=False), request)
        return [(replace(request, algorithm="bluestein"), Choice("bluestein", kernel, "to be tested"))]

    monkeypatch.setattr(lookup, "choose", chosen)
    reals = random_values(STORAGES[storage].of_reals, shape, 2)
    with glfft.Plan(ctx, shape, real=True, storage=storage, layers=2) as plan:
        shaders = {each.shader for each in specs_of(plan) if each.request.real_pairs}
        assert shaders == {"fft/stockham_rader.comp"}
        spectra = np.fft.rfft2(reals.astype(np.float64))
        assert_close(images.run(plan, reals), spectra)
        assert_close(images.run(plan, spectra.astype(np.complex64), "inverse"), reals)


@pytest.mark.parametrize(
    ("storage", "shape"), [("rg32f", (6, 244)), ("rg32f", (7, 1094)), ("buffer", (5, 685)), ("rgba32f", (4, 628))]
)
def test_real_pictures_of_such_lengths_go_as_the_device_likes(
    ctx: moderngl.Context, storage: str, shape: tuple[int, int]
) -> None:
    reals = random_values(STORAGES[storage].of_reals, shape, None)
    with glfft.Plan(ctx, shape, real=True, storage=storage) as plan:
        spectra = np.fft.rfft2(reals.astype(np.float64))
        assert_close(images.run(plan, reals), spectra, BLUESTEIN_DB)
        assert_close(images.run(plan, spectra.astype(np.complex64), "inverse"), reals, BLUESTEIN_DB)


def test_a_line_is_transformed_in_place(ctx: moderngl.Context) -> None:
    values = random_values(STORAGES["rg32f"], (5, 505), None)
    with glfft.Plan(ctx, (5, 505), axes=(1,)) as plan:
        assert_takes_it(plan)
        image = images.upload(ctx, values, STORAGES["rg32f"], None)
        plan.forward(image, image)
        ctx.memory_barrier()
        result = images.download(image, STORAGES["rg32f"], (5, 505), None)
        images.release(image)
    assert_close(result, np.fft.fft(values.astype(np.complex128)))


@pytest.mark.parametrize(
    ("length", "changes"),
    [
        (1024, {}),  # no large prime
        (37 * 37, {}),  # two
        (83 * 2, {}),  # 82 = 2 x 41
        (65 * 37, {}),  # more points than threads should add up
        (74, {"kind": Kind(sine=False, type=2), "real_pairs": True}),
        (37, {"real": True, "halved": True}),
        (74, {"inverse_scale": 1.0}),
        (74, {"kind": Kind(sine=False, type=2)}),
        (61 * 61 * 2, {}),
        (9001, {"storage": STORAGES["rgba32f"]}),  # too long for a work group
    ],
)
def test_what_it_cannot_do_is_left_to_others(length: int, changes: dict[str, Any]) -> None:
    request = axis_request((4, length), **changes)
    assert FAMILY.supports(request) is not None
    assert not any(Bluestein().fits(kernel, request) for kernel in KERNELS.values())


def test_cpus_try_none_for_two_real_lines() -> None:
    pairs = axis_request((64, 685), device=GPU, real=True, real_pairs=True)
    assert all(each.dealt for each in FAMILY.candidates(pairs, 12) if isinstance(each, RaderConfig))
    assert FAMILY.candidates(pairs, 12)
    assert FAMILY.candidates(replace(pairs, device=replace(LEAST_DEVICE, renderer="llvmpipe")), 12) == []


def test_it_is_taken_where_it_is_faster() -> None:
    cpu = replace(LEAST_DEVICE, renderer="llvmpipe")
    on_cpus = (685, cpu, True), (74, cpu, True), (695, cpu, False), (83, cpu, False)
    # On GPUs not short lines where p - 1 has a large factor.
    taken = {685: True, 430: True, 4236: True, 1009: True, 4795: True, 139: False}
    for length, device, of_rader in (*on_cpus, *((length, GPU, of_rader) for length, of_rader in taken.items())):
        request = axis_request((64, length), device=device)
        assert isinstance(lookup.choose(request)[0][1].config, RaderConfig) is of_rader, length
    for length, storage, of_rader in (
        (430, "buffer", True),
        (4236, "buffer", False),
        (1228, "rgba32f", True),
        (1298, "rgba32f", False),
        (6168, "rgba32f", False),
    ):
        request = axis_request((64, length), device=GPU, storage=STORAGES[storage])
        assert isinstance(lookup.choose(request)[0][1].config, RaderConfig) is of_rader, (length, storage)


@pytest.mark.parametrize(
    ("storage", "axis", "times"),
    # Of what points one by one move, a group's two or four lines use a part: of squares of texels, or of neighbours.
    [("rg32f", 1, 2), ("rg32f", 0, 2), ("rgba32f", 1, 1), ("rg16f", 0, 2), ("buffer", 0, 1), ("buffer", 1, 4)],
)
def test_the_model_counts_what_dealing_takes_and_saves(storage: str, axis: int, times: float) -> None:
    shape = (64, 12 * 61) if axis == 1 else (12 * 61, 64)
    request = axis_request(shape, axis, device=GPU, storage=STORAGES[storage])
    kernel = replace(KERNELS[12 * 61], lines=2 if axis == 1 else 4)
    apart, dealt = (rader._work(request, replace(kernel, dealt=each)) for each in (False, True))
    assert apart.moved == times * dealt.moved
    assert apart.barriers < dealt.barriers
    assert apart.shared_accesses < dealt.shared_accesses
    assert apart.registers < dealt.registers


@pytest.mark.parametrize("length", [1185, 2981, 3037, 3352])
@pytest.mark.parametrize("storage", ["rg32f", "buffer", "rgba32f"])
def test_kernels_that_are_predicted_have_registers_for_their_warps(length: int, storage: str) -> None:
    request = axis_request((length, 4096), 0, device=GPU, storage=STORAGES[storage])
    device = DeviceConstants()
    found = FAMILY.predicted_fastest(request, device)
    assert found is not None
    work = rader._work(request, found[0])
    held = 4 * -(-work.warps // 4) * 32 * work.registers  # as each of four schedulers has as many warps as the others
    assert held <= device.unit_registers


@pytest.mark.parametrize(("length", "storage"), [(1234, "rg32f"), (485, "buffer"), (151, "rgba16f")])
def test_kernels_to_try_fit_and_are_kept(length: int, storage: str) -> None:
    request = axis_request((64, length), device=GPU, storage=STORAGES[storage])
    found = FAMILY.predicted_fastest(request, DeviceConstants())
    assert found is not None
    tried = [found[0], *FAMILY.candidates(request, 12), *FAMILY.neighbours(found[0], request)]
    assert len(set(tried)) > 15
    for kernel, where in itertools.product(tried, (request, replace(request, direction=1))):
        assert FAMILY.fits(kernel, where)
        assert Bluestein().from_fields(_as_json(FAMILY.to_fields(kernel)), length) == kernel
        assert Bluestein().fits(kernel, where)
    assert set(Bluestein().neighbours(found[0], request)) == set(FAMILY.neighbours(found[0], request))
    assert any(isinstance(each, RaderConfig) for each in Bluestein().candidates(request, 12))
    assert not FAMILY.fits(replace(found[0], threads=1), axis_request((64, 1234), device=GPU))


def _as_json(fields: dict[str, object]) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
