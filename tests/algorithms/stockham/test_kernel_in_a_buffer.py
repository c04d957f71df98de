"""Points exchanged through a buffer in place of shared memory: llvmpipe's way."""

from __future__ import annotations

import re
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.kernels import KINDS, pass_of_kind, request
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close, floor_of

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import choose, kernel, line_numbers
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import ShaderError
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits

from .test_kernel import dispatched, exact_of_kind, held

KERNELS = [
    KernelConfig((2, 4, 2), 4, 3, True, "in a buffer"),
    KernelConfig((4, 3, 5), 4, 4, False, "in a buffer", BY_STRIDE, twiddle_products=True),
    KernelConfig((8, 6), 5, 4, True, "in a buffer", 6, sampled_twiddles=True),
]
IN_PAIRS = [replace(each, lines=4, line_pairs=True) for each in KERNELS]
LLVMPIPE = replace(LEAST_DEVICE, renderer="llvmpipe", limits=replace(LEAST_DEVICE.limits, image_units=32))


@pytest.fixture(params=[False, True], ids=["stores-doubles", "with-avx512"])
def device(ctx: moderngl.Context, request: pytest.FixtureRequest) -> Device:
    found = state_of(ctx).device
    if not found.goes_lane_by_lane:
        pytest.skip("for llvmpipe alone: other devices have fewer image units")
    return replace(found, renderer="llvmpipe (LLVM 15.0.6, 256 bits)", avx512=request.param)


def wanted_of(device: Device, kernel: KernelConfig, storage: Storage, axis: int) -> AxisRequest:
    return replace(request(device.limits, kernel, storage, axis=axis, lines=11, layers=2), device=device)


def spec_of(limits: Limits, storage: str = "rg32f", renderer: str = "llvmpipe") -> PassSpec:
    wanted = axis_request((64, 48), device=Device(limits, renderer), storage=STORAGES[storage])
    return kernel_pass(wanted, KERNELS[2])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer", "rg16f"])
@pytest.mark.parametrize("kernel", [*KERNELS, *IN_PAIRS], ids=str)
def test_agrees_with_float64_numpy(
    ctx: moderngl.Context, device: Device, kernel: KernelConfig, storage: str, axis: int
) -> None:
    kept = STORAGES[storage]
    if not kernel.fits(device.limits, kept):
        pytest.skip("two lines of two numbers")
    wanted = wanted_of(device, kernel, kept, axis)
    values = random_values(kept, wanted.shape, 2)
    spec = kernel_pass(wanted, kernel)
    assert spec.slots is not None
    assert "\nshared " not in spec.source.text
    assert ("as_doubles" in spec.source.text) != device.avx512
    result = dispatched(ctx, CompiledPass(ctx, spec), wanted, values)
    exact = np.fft.fft(values.astype(np.complex128), axis=axis - 2)
    assert_close(result, exact, floor_of(kept, stores=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_what_plans_make_of_a_kernel(ctx: moderngl.Context, device: Device, kernel: KernelConfig, kind: str) -> None:
    wanted = wanted_of(device, kernel, STORAGES["rg32f"], axis=1)
    spec = pass_of_kind(kind, wanted, kernel)
    assert spec.slots is not None
    values = random_values(held(spec.reads, wanted), spec.source_lines.shape, 2)
    each = CompiledPass(ctx, spec)
    exact = exact_of_kind(kind, wanted, values)
    assert_close(dispatched(ctx, each, wanted, values), exact, COMPOSED_DB if kind == "convolving" else TABLE_DB)
    if spec.snippets:
        each.program.release()


@pytest.mark.parametrize("backwards", [False, True])
def test_groups_take_turns(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, device: Device, backwards: bool
) -> None:
    """Slots of two of four groups, in both layers: 2 * 2 * 3 lines of 16 points."""
    monkeypatch.setattr(kernel, "_SLOTS_BYTES", 2 * 2 * 3 * 16 * 8)
    wanted = wanted_of(device, KERNELS[0], STORAGES["rg32f"], axis=0)
    spec = kernel_pass(wanted, KERNELS[0])
    assert spec.slots is not None
    assert (spec.groups, spec.slots.groups) == ((4, 2, 1), 2)
    values = random_values(wanted.storage, wanted.shape, 2)
    each = CompiledPass(ctx, spec.backwards if backwards else spec)
    assert_close(dispatched(ctx, each, wanted, values), np.fft.fft(values.astype(np.complex128), axis=-2))


@pytest.mark.usefixtures("device")
def test_the_buffer_grows_for_larger_passes(ctx: moderngl.Context) -> None:
    for lines in (5, 300, 40):
        shape = lines, 16
        values = random_values(STORAGES["rg32f"], shape, None, seed=lines)
        with glfft.Plan(ctx, shape, axes=(1,), algorithm="stockham") as plan:
            assert_close(run(plan, values), np.fft.fft(values.astype(np.complex128), axis=-1))


def test_lines_are_not_turned() -> None:
    """The last pass over parts of a buffer's rows reads along them on GPUs, with one slot more a line."""
    *_, last = choose.in_passes(axis_request((5, 16384), device=LLVMPIPE, storage=STORAGES["buffer"]), (128, 128))
    each = KernelConfig((2, 4, 4, 4), 64, 4, True, "in a buffer")
    through_buffer, through_memory = (
        dict(kernel_pass(last, replace(each, exchange=exchange)).defines) for exchange in ("in a buffer", "at once")
    )
    assert (through_buffer["TURNS_LINES"], through_buffer["LINE_SLOTS"]) == (False, 128)
    assert (through_memory["TURNS_LINES"], through_memory["LINE_SLOTS"]) == (True, 129)


def test_lines_are_numbered_for_the_groups_that_there_are() -> None:
    """Where shared memory has room for fewer lines than a kernel asks for, these are numbered anew."""
    gpu = replace(LEAST_DEVICE, renderer="a GPU", limits=replace(LEAST_DEVICE.limits, shared_memory=600))
    first, _ = choose.in_passes(axis_request((5, 4096), device=gpu), (64, 64))
    asked = KernelConfig((8, 8), 8, 64, True, "in a buffer")
    shared = asked.in_shared_memory(gpu.limits, first.storage)
    assert shared is not None
    assert shared.lines < asked.lines
    assert line_numbers.numbered(first, shared) != line_numbers.numbered(first, asked)
    assert kernel_pass(first, asked) == kernel_pass(first, shared)


@pytest.mark.usefixtures("device")
def test_a_block_of_a_snippet_at_the_same_binding_is_refused(ctx: moderngl.Context) -> None:
    block = "layout(std430, binding = 15) buffer Mine { float mine[]; };\n"
    load = block + "value load(ivec3 at) { return mine[0] * read_source(at); }"
    with pytest.raises(ShaderError, match=r"'Mine'.* binding 15, .* from 16 on"):
        glfft.Plan(ctx, (8, 48), axes=(1,), load=load)


def test_a_pass_waits_for_all_that_used_the_buffer() -> None:
    bound = spec_of(LLVMPIPE.limits).bindings
    both = SHADER_STORAGE_BARRIER | SHADER_IMAGE_ACCESS_BARRIER
    assert bound.barrier & both == bound.first_barrier & both == both
    assert [(each.index, each.reads, each.writes) for each in bound.slots] == [(15, False, True), (15, True, False)]
    assert not spec_of(LLVMPIPE.limits, renderer="a GPU").bindings.slots


@pytest.mark.parametrize(
    ("limits", "options"),
    [
        pytest.param({}, {"renderer": "a GPU"}, id="another device"),
        pytest.param({"buffer_texels": 0}, {}, id="no images of buffers"),
        pytest.param({"float64": False}, {}, id="no doubles to store"),
        pytest.param({"image_units": 8}, {}, id="few image units"),
        pytest.param({"buffer_bytes": 1500}, {}, id="no room for a group"),
        pytest.param({"buffer_texels": 180}, {}, id="images too short for a group"),
        pytest.param({}, {"storage": "buffer_double"}, id="float64"),
    ],
)
def test_shared_memory_serves_where_no_buffer_can(limits: dict[str, int], options: dict[str, str]) -> None:
    spec = spec_of(replace(LLVMPIPE.limits, **limits), **options)
    assert spec.slots is None
    assert spec.shared_bytes > 0


def test_more_lines_share_a_group_than_shared_memory_has_room_for() -> None:
    limits, storage = replace(LLVMPIPE.limits, shared_memory=400), STORAGES["rg32f"]
    several = replace(KERNELS[2], padding=0, lines=16)
    assert several.fits(limits, storage)
    assert several.shared_bytes(storage) == 0
    shared = several.in_shared_memory(limits, storage)
    assert shared == replace(several, lines=2, exchange="in turn")
    assert not several.fits(replace(limits, shared_memory=100), storage)
    wanted = axis_request((64, 48), device=LLVMPIPE)
    assert choose.default(wanted).exchange == "in a buffer"
    assert choose.default(replace(wanted, device=LEAST_DEVICE)).exchange != "in a buffer"


@pytest.mark.usefixtures("device")
def test_plans_tell_of_the_buffer(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (8, 48), axes=(1,), algorithm="stockham") as plan:
        assert re.search(r"8 rows +\S+ +\d+ +\d+ +3 KiB buffer ", plan.explain())
