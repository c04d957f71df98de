"""Passes fit the device they are made for, whatever its limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, PING_PONG, run
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, TABLE_DB, assert_close
from support.tuning import lines_of, specs_of

import glfft
from glfft.algorithms import registry
from glfft.algorithms.lengths import largest_prime_factor, next_smooth
from glfft.algorithms.stockham import candidates, choose
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE
from glfft.gl.context import state_of
from glfft.gl.device import Device
from glfft.wisdom import lookup


def test_a_cpu_takes_some_real_lines_as_they_are() -> None:
    cpu = replace(LEAST_DEVICE, renderer="llvmpipe")
    longest = choose.longest_at_once(axis_request((1, 2)))
    for length, storage, pays in (
        (32, "rg32f", False),
        (36, "rg32f", True),
        (256, "rg32f", False),
        (258, "rg32f", True),
        (2 * longest, "rg32f", True),
        (longest, "rgba32f", True),
        (2 * longest, "rgba32f", False),
    ):
        halved = axis_request((5, length), device=cpu, storage=STORAGES[storage], real=True, halved=True)
        assert choose.halves_pay(halved) is pays
        assert choose.halves_pay(replace(halved, direction=+1)) is (pays or length == 256)


@pytest.mark.parametrize(
    ("length", "options", "pairs"),
    [
        (1080, {}, True),
        (1000, {"storage": STORAGES["buffer"]}, True),
        (1920, {}, True),
        (800, {}, False),  # 32 x 25: larger radices take longer to compile
        (1080, {"real": True, "real_pairs": True}, False),
        (1080, {"inverse_scale": 1.0}, False),
        (1080, {"storage": STORAGES["rgba16f"]}, False),
        (13, {}, False),
    ],
)
def test_a_cpu_takes_two_lines_a_thread_where_they_compile_soon(
    length: int, options: dict[str, Any], pairs: bool
) -> None:
    cpu = replace(LEAST_DEVICE, renderer="llvmpipe", limits=replace(LEAST_DEVICE.limits, image_units=32))
    assert choose.default(axis_request((6, length), device=cpu, **options)).line_pairs is pairs


ROOMY_GPU = replace(LEAST_DEVICE, limits=replace(LEAST_DEVICE.limits, shared_memory=49152), renderer="a GPU")


@pytest.mark.parametrize(
    ("storage", "axis", "lines", "there", "back"),
    [
        # Lengths that pay, then lengths that do not.
        ("rg32f", 1, 65, ([512, 1000, 2048, 4096, 24576], [256, 448]), ([512, 1920, 4096, 12288], [256, 16384])),
        ("rg32f", 0, 65, ([512, 1200, 4096, 16384], [256, 448]), ([], [512, 1200, 4096, 8192, 12290])),
        ("rg32f", 1, 64, ([2048, 3000, 8192], [512, 2046, 8194]), ([2048, 4096, 8192], [512, 2046, 8194])),
        ("rg32f", 0, 64, ([2048, 3000, 8192], [512, 2046, 8194]), ([], [2048, 4096, 8192])),
        ("rg16f", 1, 65, ([512, 1000, 4096, 16384], [128, 256]), ([512, 4096, 12288], [128, 256, 16384])),
        ("rg16f", 0, 65, ([512, 1000, 4096, 16384], [128, 256]), ([], [512, 1200, 4096, 8192])),
        ("rgba32f", 1, 65, ([512, 1000, 4096], [256, 4098]), ([], [512, 1024, 2048, 8192])),
        ("rgba16f", 0, 65, ([512, 1000, 4096], [256, 4098]), ([], [512, 1024, 2048, 8192])),
        ("buffer", 1, 65, ([34, 96, 720, 3000, 24576], [16, 32]), ([34, 1000, 24576], [32])),
        ("buffer", 0, 65, ([600, 1024, 2500], [598, 3074, 4096]), ([600, 1024, 2500], [598, 3074, 4096])),
        ("buffer_double", 0, 65, ([1200, 1500], [598, 1198]), ([1200, 1500], [598, 1198])),
        ("buffer_double", 1, 65, ([1200, 4096], [512, 1198]), ([1200, 4096], [512, 1198])),
    ],
)
def test_a_gpu_takes_real_lines_as_half_as_many_points_where_that_was_faster(
    storage: str, axis: int, lines: int, there: tuple[list[int], list[int]], back: tuple[list[int], list[int]]
) -> None:
    for direction, (pay, do_not) in ((-1, there), (+1, back)):
        for length in (*pay, *do_not):
            shape = (lines, length) if axis == 1 else (length, lines)
            options: dict[str, Any] = {"storage": STORAGES[storage], "device": ROOMY_GPU, "direction": direction}
            halved = axis_request(shape, axis, real=True, halved=True, **options)
            assert choose.halves_pay(halved) is (length in pay), (direction, length)
    volume = replace(axis_request((2, 4096), device=ROOMY_GPU, real=True, halved=True), shape=(64, 2, 4096), axis=2)
    assert not choose.halves_pay(volume)


def test_small_work_groups_leave_no_thread_without_work() -> None:
    """125 threads have 25 of 5^5 points each. 79 threads with 40 were seen to go wrong at times on an H200."""
    limits = replace(LEAST_DEVICE.limits, invocations=128, shared_memory=16384)
    device = replace(LEAST_DEVICE, limits=limits)
    found = choose.default(axis_request((1, 3125), device=device, storage=STORAGES["buffer_pairs"]))
    assert (found.radices, found.threads) == ((5, 5, 5, 5, 5), 125)


@pytest.mark.parametrize("invocations", [12, 8])
@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name not in (*PING_PONG, "any-radix-stages")])
def test_few_threads_do_the_work_of_many(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, algorithm: str, invocations: int
) -> None:
    restrict_device(ctx, monkeypatch, invocations=invocations)
    array = random_complex((4, 64))
    with glfft.Plan(ctx, (4, 64), algorithm=algorithm) as plan:
        assert_close(run(plan, array), np.fft.fft2(array.astype(np.complex128)))


# Parts of one stage compile quickly: every storage has rows and columns, with layers and without in turn.
SHORT = [
    pytest.param(*shape_and_axis, layers, storage, 64, id=f"{shape_and_axis}-{layers}-{storage}")
    for row, shape_and_axis in enumerate([((6, 64), 1), ((64, 6), 0)])
    for column, storage in enumerate(["rg32f", "rgba32f", "buffer"])
    for layers in ([None, 3][(row + column) % 2],)
]
SHORT += [
    pytest.param((1, 64), 1, 3, "buffer", 64, id="a row-buffer"),
    pytest.param((64, 1), 0, None, "rg32f", 64, id="a column-rg32f"),
]
# Parts of two stages, which exchange their numbers, take seconds each. The last has too little memory to do it at once.
LONG = [
    pytest.param((6, 512), 1, 3, "rg32f", 512, id="two stages-rows-rg32f"),
    pytest.param((512, 6), 0, None, "buffer", 512, id="two stages-columns-buffer"),
    pytest.param((512, 1), 0, None, "rgba32f", 256, id="two stages-a column-rgba32f"),
]


@pytest.mark.parametrize(("shape", "axis", "layers", "storage", "shared_memory"), SHORT + LONG)
def test_lines_too_long_for_a_work_group_go_in_parts(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    axis: int,
    layers: int | None,
    storage: str,
    shared_memory: int,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=shared_memory)
    with glfft.Plan(ctx, shape, axes=(axis,), layers=layers, storage=storage, algorithm="stockham") as plan:
        assert plan.dispatches == 2
        values = random_values(STORAGES[storage], shape, layers)
        wide = values.astype(np.complex128)
        assert_close(images.run(plan, values), np.fft.fft(wide, axis=2 + axis))
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide, axis=2 + axis))


@pytest.mark.parametrize(
    ("length", "shared_memory", "families", "axis", "storage"),
    [
        (1080, 160, ["stockham", "stockham"], 0, "buffer_pairs"),
        (16 * 16 * 8, 160, ["stockham", "stockham", "stockham"], 0, "rg32f"),
        (61 * 16 * 16, 500, ["bluestein", "stockham", "stockham"], 1, "buffer"),
    ],
)
def test_parts_are_of_any_length_that_fits(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    length: int,
    shared_memory: int,
    families: list[str],
    axis: int,
    storage: str,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=shared_memory)
    shape = (1, length) if axis == 1 else (length, 2)
    with glfft.Plan(ctx, shape, axes=(axis,), layers=2, storage=storage) as plan:
        specs = specs_of(plan)
        assert [spec.choice.family for spec in specs if spec.choice is not None] == families * 2
        assert all(spec.shared_bytes <= shared_memory for spec in specs)
        values = random_values(STORAGES[storage], shape, 2)
        wide = values.astype(np.complex128)
        floor = BLUESTEIN_DB if "bluestein" in families else TABLE_DB
        assert_close(images.run(plan, values), np.fft.fft(wide, axis=2 + axis), floor)
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide, axis=2 + axis), floor)


@pytest.mark.parametrize("real", [False, True])
def test_columns_of_a_buffer_that_would_leave_sectors_empty_go_in_parts_on_a_gpu(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=2048)
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="A GPU"))
    storage = STORAGES["buffer"]
    values = random_values(storage.of_reals if real else storage, (256, 6), None)
    options: dict[str, Any] = {"axes": (0,), "storage": "buffer", "real": real}
    with glfft.Plan(ctx, (256, 6), **options) as plan, glfft.Plan(ctx, (128, 6), **options) as shorter:
        assert (plan.dispatches, shorter.dispatches) == (2, 1)
        wide = values.astype(np.float64 if real else np.complex128)
        assert_close(images.run(plan, values), (np.fft.rfft if real else np.fft.fft)(wide, axis=2))
    with glfft.Plan(ctx, (256, 6), axes=(0,)) as textures:
        assert textures.dispatches == 1


def test_long_columns_of_a_wide_buffer_go_in_parts_on_a_gpu() -> None:
    def in_two(length: int, lines: int, axis: int = 0, storage: str = "buffer", **changes: Any) -> bool:
        shape = (length, lines) if axis == 0 else (lines, length)
        request = axis_request(shape, axis, **{"storage": STORAGES[storage], "device": ROOMY_GPU, **changes})
        return len(choose.parts(request)) == 2

    assert in_two(2048, 8192)
    assert in_two(2160, 3840)
    assert not in_two(200, 32768)
    assert in_two(600, 8739)
    assert not in_two(600, 8738)  # a few more than five million points
    assert not in_two(1080, 1920, layers=8)
    assert not in_two(2048, 8192, axis=1)
    assert not in_two(2048, 8192, storage="rg32f")
    assert not in_two(2048, 8192, device=replace(ROOMY_GPU, renderer="llvmpipe"))
    assert not in_two(2048, 8192, inverse_scale=1.0)
    assert not in_two(2048, 8192, algorithm="bluestein")
    assert not in_two(1021, 8192)  # a prime
    wide, narrow = (
        axis_request((2048, lines), 0, storage=STORAGES["buffer"], device=ROOMY_GPU) for lines in (8192, 2048)
    )
    assert [each.length for each in choose.parts(wide)] == [32, 64]
    # As many lines as fill sectors are too few then. What was measured with more of them is taken all the same.
    usual, more = (KernelConfig((8, 16, 16), 64, lines, True, "in turn", pieces=2) for lines in (4, 8))
    stockham = registry.family_of("stockham")
    assert [stockham.fits(each, wide) for each in (usual, more)] == [False, True]
    assert all(stockham.fits(each, narrow) for each in (usual, more))


@pytest.mark.parametrize("real", [False, True])
def test_wide_buffers_are_transformed_and_convolved(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    monkeypatch.setattr(choose, "_LONG_IN_BUFFERS", 64)
    monkeypatch.setattr(choose, "_POINTS_OF_WIDE_BUFFERS", 1 << 11)
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="A GPU"))
    storage = STORAGES["buffer"]
    values = random_values(storage.of_reals if real else storage, (128, 36), 2)
    multiply = "value product(ivec3 at, value spectrum) { return float(at.y + at.z) * spectrum; }"
    with glfft.Plan(ctx, (128, 36), layers=2, storage="buffer", real=real, multiply=multiply) as plan:
        # Rows, and columns in two passes; convolved, columns go there and back in one.
        assert [len(plan._passes[each]) for each in (FORWARD, INVERSE, CONVOLVE)] == [3, 3, 3]
        wide = values.astype(np.float64 if real else np.complex128)
        spectrum = (np.fft.rfft2 if real else np.fft.fft2)(wide)
        back = np.fft.irfft2 if real else np.fft.ifft2
        assert_close(images.run(plan, values), spectrum)
        assert_close(images.run(plan, spectrum.astype(np.complex64), "inverse"), wide)
        factors = np.arange(128)[:, None] + np.arange(2)[:, None, None, None]
        assert_close(images.run(plan, values, "convolve"), back(factors * spectrum), COMPOSED_DB)


@pytest.mark.parametrize(("longest", "dispatches"), [(255, 6), (256, 3)])
def test_convolved_columns_of_a_buffer_go_in_parts_on_a_gpu_if_they_are_long(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, longest: int, dispatches: int
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=2048)
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="A GPU"))
    monkeypatch.setattr(choose, "_LONGEST_COLUMN_CONVOLVED", longest)
    values = random_values(STORAGES["buffer"], (256, 6), None)
    multiply = "value product(ivec3 at, value spectrum) { return float(at.y) * spectrum; }"
    with glfft.Plan(ctx, (256, 6), storage="buffer", multiply=multiply) as plan:
        product = np.arange(256)[:, None] * np.fft.fft2(values.astype(complex))
        assert_close(images.run(plan, values, "convolve"), np.fft.ifft2(product), COMPOSED_DB)
        assert len(plan._passes[CONVOLVE]) == dispatches


def test_few_long_lines_go_in_parts_on_a_gpu() -> None:
    cpu, gpu = replace(ROOMY_GPU, renderer="llvmpipe"), ROOMY_GPU

    def passes(lines: int, length: int = 10000, device: Device = gpu, **changes: Any) -> int:
        return len(choose.parts(axis_request((lines, length), device=device, **changes)))

    assert (passes(64), passes(65)) == (2, 1)
    assert passes(64, 5488) == passes(33, layers=2) == passes(1, device=cpu) == 1
    assert passes(64, 8064, storage=STORAGES["buffer"]) == 1
    assert passes(64, 5600) == passes(64, 8400, storage=STORAGES["buffer"]) == 2
    # Parts have no factors over 31.
    assert passes(4, 37 * 160) == 1
    whole = axis_request((4, 37 * 160), device=gpu)
    assert Stockham().fits(Stockham().default(whole), whole)
    assert passes(1, real_pairs=True) == passes(1, inverse_scale=1.0) == 1
    # The points of the first part lie the furthest apart: it is the shorter one on a GPU.
    assert [each.length for each in choose.parts(axis_request((1, 12288), device=gpu))] == [96, 128]
    # Real columns of a buffer that would leave sectors empty go in parts, however few.
    columns = axis_request((10000, 8), axis=0, storage=STORAGES["buffer"], device=gpu, real_pairs=True)
    assert len(choose.parts(columns)) == 2


def test_few_long_lines_go_in_parts_also_where_whole_ones_were_measured() -> None:
    h200 = replace(ROOMY_GPU, renderer="NVIDIA H200/PCIe/SSE2")
    few, many = (axis_request((lines, 8640), device=h200) for lines in (9, 900))
    assert lookup.known(many, [Stockham()])
    assert not lookup.known(few, [Stockham()])
    for request, parts in ((few, [90, 96]), (many, [8640])):
        assert [part.length for part, _ in lookup.choose(request)] == parts


def test_lines_of_a_work_group_lie_as_memory_does() -> None:
    for length in (96, 128, 640, 1000, 1024):
        for make in (choose.default, candidates.default):
            rows, columns = (make(lines_of(length, "buffer", "A device of 2030", axis)) for axis in (1, 0))
            assert not rows.side_by_side
            assert columns.side_by_side
            assert columns.lines * STORAGES["buffer"].texel_bytes >= 32


def test_a_line_is_divided_into_few_parts_alike_in_size() -> None:
    def size(length: int) -> int | None:
        return length if length <= 64 else None

    assert choose.division(4096, size) == (64, 64)
    assert choose.division(1080, size) == (36, 30)
    assert choose.division(4096 * 64, size) == (64, 64, 64)
    assert choose.division(61 * 53 * 59 * 2, size) == (61, 59, 53, 2)
    assert choose.division(67 * 64, size) is None
    assert choose.division(4099, size) is None
    # A part may take more room than it has points.
    assert choose.division(17 * 32, lambda length: 4 * length if length % 17 == 0 else length) == (32, 17)


def test_lists_of_radices_are_the_shortest_there_are() -> None:
    assert choose.radix_lists(1080)[0] == (9, 10, 12)
    assert choose.radix_lists(24) == ((24,),)
    assert (4, 6) in choose.radix_lists(24, 9)
    # Beside a prime over 16, others are about as large.
    assert choose.radix_lists(4896) == ((16, 17, 18),)
    assert choose.radix_lists(5472)[0] == (16, 18, 19)
    assert choose.radix_lists(31 * 31) == ((31, 31),)


@pytest.mark.parametrize(
    ("length", "stages"), [(24, 1), (600, 2), (672, 2), (720, 2), (1080, 3), (4000, 3), (6000, 3), (31 * 31, 2)]
)
def test_a_cpu_takes_as_few_stages_as_can_be(length: int, stages: int, ctx: moderngl.Context) -> None:
    request = lines_of(length)
    kernel = candidates.default(request)
    assert len(kernel.radices) == stages
    assert kernel.length == length
    assert kernel.fits(request.device.limits, request.storage)
    # A butterfly of the largest radix in each thread: Mesa unrolls no loops over more.
    assert kernel.butterflies(max(kernel.radices)) == 1
    with glfft.Plan(ctx, (1, length), axes=(1,)) as plan:
        values = random_complex((1, length))
        assert_close(run(plan, values), np.fft.fft(values.astype(np.complex128), axis=1), TABLE_DB)


@pytest.mark.parametrize(
    ("length", "radices", "threads"), [(1920, (16, 15, 8), 128), (1280, (20, 8, 8), 80), (1080, (12, 10, 9), 120)]
)
def test_a_cpu_takes_radices_that_leave_few_threads_without_work(
    length: int, radices: tuple[int, ...], threads: int
) -> None:
    kernel = candidates.default(lines_of(length))
    assert (kernel.radices, kernel.threads) == (radices, threads)


@pytest.mark.parametrize("length", [1, 2, 1000, 12345, 1 << 24])
@pytest.mark.parametrize("largest", [2, 3, 4, 5, 13])
def test_the_next_smooth_length_is_the_next(length: int, largest: int) -> None:
    found = next_smooth(length, largest)
    assert largest_prime_factor(found) <= max(largest, 1)
    between = range(length, found) if found - length < 5000 else ()
    assert not any(largest_prime_factor(each) <= largest for each in between)


def test_more_groups_than_fit_in_a_row(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, group_count=(2, 65535, 65535))
    array = random_complex((300, 16))
    with glfft.Plan(ctx, array.shape, axes=(1,), algorithm="stockham") as plan:
        assert_close(run(plan, array), np.fft.fft(array.astype(np.complex128)))


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer", "buffer_double"])
def test_a_kernel_that_compiles_quickly_fits_and_does_little_in_a_thread(storage: str) -> None:
    def text(kernel: KernelConfig) -> int:
        return sum(radix * kernel.butterflies(radix) for radix in kernel.radices)

    for length in (2, 31, 60, 256, 961, 1000, 1920, 2048, *([4096] if storage != "buffer_double" else [])):
        request = axis_request((8, length), storage=STORAGES[storage])
        quick, usual = choose.quick(request), choose.default(request)
        assert quick.length == length
        assert quick.fits(LEAST_DEVICE.limits, request.storage)
        assert text(quick) <= text(usual)
        assert length < 256 or text(quick) < text(usual) or length == 961


@pytest.mark.parametrize(
    ("length", "storage", "axis", "device", "algorithm"),
    [
        (212, "rgba16f", 1, ROOMY_GPU, "bluestein"),
        (74, "rgba32f", 0, ROOMY_GPU, "bluestein"),
        (53, "rgba32f", 0, ROOMY_GPU, "bluestein"),
        (43, "rgba32f", 0, ROOMY_GPU, "stockham"),
        (6016, "rgba16f", 1, ROOMY_GPU, "bluestein"),
        (3392, "rgba32f", 0, ROOMY_GPU, "bluestein"),
        (4736, "buffer_pairs", 0, ROOMY_GPU, "bluestein"),
        (4736, "buffer_pairs", 1, ROOMY_GPU, "stockham"),
        (6016, "rg32f", 1, ROOMY_GPU, "stockham"),
        (3936, "rgba32f", 1, ROOMY_GPU, "stockham"),
        (1184, "rgba32f", 1, ROOMY_GPU, "stockham"),
        (6016, "rgba16f", 1, replace(ROOMY_GPU, renderer="llvmpipe"), "bluestein"),
        (53, "rg32f", 1, replace(ROOMY_GPU, renderer="llvmpipe"), "bluestein"),
        (31, "rg32f", 1, replace(ROOMY_GPU, renderer="llvmpipe"), "stockham"),
    ],
)
def test_lines_with_large_primes_are_convolved_where_threads_cannot_hold_them(
    length: int, storage: str, axis: int, device: Device, algorithm: str
) -> None:
    shape = (5, length) if axis == 1 else (length, 5)
    families = registry.families_for(axis_request(shape, axis, storage=STORAGES[storage], device=device))
    assert families[0].name == algorithm


@pytest.mark.parametrize(
    ("length", "lines", "device", "algorithm"),
    [
        (848, 618, ROOMY_GPU, "bluestein"),
        (848, 619, ROOMY_GPU, "stockham"),
        (37, 5, ROOMY_GPU, "stockham"),
        (2173, 5, ROOMY_GPU, "stockham"),
    ],
)
def test_few_lines_with_large_primes_are_convolved(length: int, lines: int, device: Device, algorithm: str) -> None:
    request = axis_request((lines, length), 1, storage=STORAGES["rg32f"], device=device)
    assert registry.families_for(request)[0].name == algorithm
    assert registry.families_for(replace(request, inverse_scale=1.0))[0].name == "stockham"
