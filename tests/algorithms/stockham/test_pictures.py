"""Small pictures in one dispatch: right in every storage and direction, and refused where they do not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import HALVES, download, random_values, release, run, upload
from support.kernels import PRODUCT, assert_transforms_pictures, restrict_device
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import COMPOSED_DB, assert_close, floor_of

import glfft
from glfft.algorithms.stockham import pictures
from glfft.algorithms.stockham.config import BY_STRIDE, PictureConfig
from glfft.algorithms.stockham.pictures import StockhamPicture, kernel_for, pays
from glfft.algorithms.storage import STORAGES
from glfft.errors import LimitError
from glfft.gl.context import state_of

NAME = StockhamPicture.name


def request(*shape: int, **changes: Any) -> Any:
    return axis_request((shape[0], shape[-1]), both_axes=True, algorithm=NAME, **changes)


def is_in_one(plan: glfft.Plan) -> bool:
    """Whether each direction has one dispatch."""
    dispatches = [word for word in plan.explain().split() if word.endswith(".comp")]
    return "rows and columns" in plan.explain() and len(dispatches) == plan.explain().count("1 dispatch,")


# Squares and others, one stage an axis and two, equal radices and others, odd and even, primes, one layer and more, all
# ways to keep numbers.
CASES = [
    *(((2, 2), None, "rg32f"), ((5, 5), 2, "rg32f"), ((9, 9), None, "buffer"), ((12, 12), 3, "rgba32f")),
    *(((16, 16), None, "rg16f"), ((15, 15), 2, "buffer_pairs"), ((13, 13), None, "rg32f"), ((45, 45), None, "rgba16f")),
    *(((36, 36), None, "buffer_double"), ((14, 14), 2, "rg32f"), ((64, 64), None, "rg32f")),
    *(((32, 64), None, "rg32f"), ((36, 10), 5, "rg32f"), ((2, 11), 3, "rg32f"), ((35, 7), 2, "buffer")),
    *(((8, 12), 19, "rg16f"), ((40, 6), 2, "rgba32f"), ((4, 128), None, "rg32f"), ((18, 14), None, "rgba16f")),
]


def on_both(cases: Sequence[tuple[tuple[int, int], int | None, str]]) -> list[Any]:
    """Each case with the kernel of CPUs or of GPUs, in turn among those of a storage; its only one with both."""
    storages = [storage for _, _, storage in cases]
    turns = [storages[:index].count(storage) % 2 == 1 for index, storage in enumerate(storages)]
    lone = [(*case, True) for case in cases if storages.count(case[2]) == 1]
    return [*((*case, turn) for case, turn in zip(cases, turns, strict=True)), *lone]


@pytest.mark.parametrize(("shape", "layers", "storage", "on_gpus"), on_both(CASES))
def test_both_axes_in_one_dispatch(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    layers: int | None,
    storage: str,
    on_gpus: bool,
) -> None:
    """With the kernel of CPUs, and with that of GPUs, where several pictures share a work group."""
    if on_gpus:
        monkeypatch.setattr(pictures, "kernel_for", lambda given: kernel_for(replace(given, device=LEAST_DEVICE)))
    kept = STORAGES[storage]
    options: dict[str, Any] = {"layers": layers, "storage": storage, "algorithm": NAME}
    values = random_values(kept, shape, layers, seed=shape[0])
    y, x = np.indices(shape)
    z = np.arange(layers or 1)[:, None, None, None]
    exact = np.fft.fft2(values.astype(np.complex128))
    with glfft.Plan(ctx, shape, norm="ortho", **options) as plan:
        assert is_in_one(plan)
        assert_close(run(plan, values, "forward"), exact / np.sqrt(shape[0] * shape[1]), floor_of(kept, 2))
        assert_close(run(plan, values, "inverse"), np.fft.ifft2(values, norm="ortho"), floor_of(kept, 2))
    if HALVES[storage] == 2:
        return
    options["directions"] = "convolve"
    with glfft.Plan(ctx, shape, multiply=PRODUCT.replace("vec2", "complex"), **options) as plan:
        assert is_in_one(plan)
        expected = np.fft.ifft2(exact * (1 + x + 0.5j * (y + 2 * z)))
        assert_close(run(plan, values, "convolve"), expected, floor_of(kept, 2, COMPOSED_DB))


# Pictures side by side; padding; axes of unlike radices; several stages. test_pictures_kernels.py has pieces.
KERNELS = [
    PictureConfig((2, 4, 2, 4), 16, 2, side_by_side=True, columns=2),
    PictureConfig((4, 2, 2, 2), 8, exchange="in turn", columns=1),
    PictureConfig((4, 2, 2, 2, 3), 32, padding=BY_STRIDE, columns=2, twiddle_products=True),
    PictureConfig((3, 5, 2, 3), 18, padding=4, columns=2, prefetch_twiddles=True, sampled_twiddles=True),
    PictureConfig((2, 4), 2, 3, exchange="alternate", columns=1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=StockhamPicture().describe)
def test_every_kernel_is_right(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: PictureConfig) -> None:
    assert_transforms_pictures(ctx, monkeypatch, kernel)


def test_pieces_take_a_share_of_the_memory_and_are_exchanged_in_turn() -> None:
    limits, storage = LEAST_DEVICE.limits, STORAGES["rg32f"]
    wanted = PictureConfig((8, 16, 8, 16), 1024, exchange="in turn", columns=2, pieces=2)
    assert wanted.shared_bytes(storage) == 128 * 128 * 4 // 2
    assert wanted.fits(limits, storage)
    # Whole inputs of butterflies: of 8 in three pieces, three in each.
    assert replace(wanted, pieces=3).shared_bytes(storage) == 128 * 128 * 4 * 3 // 8
    for change in ({"exchange": "at once"}, {"exchange": "alternate"}):
        assert not replace(wanted, **change).fits(replace(limits, shared_memory=1 << 20), storage)


@pytest.mark.parametrize(
    ("size", "layers", "storage"),
    [
        ((8, 8), 2, "rg32f"),
        ((9, 9), None, "buffer"),
        ((6, 6), None, "rgba32f"),
        ((7, 12), 3, "rg32f"),
        ((12, 5), 1, "rg32f"),
    ],
)
def test_of_real_pictures_there_is_half_a_spectrum(
    ctx: moderngl.Context, size: tuple[int, int], layers: int | None, storage: str
) -> None:
    """As numpy.fft.irfft2, the inverse takes any half, without imaginary parts of what is its own conjugate."""
    kept, shape = STORAGES[storage], (size[0], size[1] // 2 + 1)
    values, half = random_values(kept.of_reals, size, layers), random_values(kept, shape, layers, seed=1)
    exact = np.fft.rfft2(values.astype(np.float64))
    y, x = np.indices(shape)
    z = np.arange(layers or 1)[:, None, None, None]
    with glfft.Plan(ctx, size, layers=layers, storage=storage, real=True, algorithm=NAME, multiply=PRODUCT) as plan:
        assert is_in_one(plan)
        assert_close(run(plan, values), exact)
        assert_close(run(plan, half, "inverse"), np.fft.irfft2(half.astype(np.complex128), size))
        expected = np.fft.irfft2(exact * (1 + x + 0.5j * (y + 2 * z)), size)
        assert_close(run(plan, values, "convolve"), expected, COMPOSED_DB)


def test_in_place_gives_the_same_bits(ctx: moderngl.Context) -> None:
    storage, shape = STORAGES["rg32f"], (24, 24)
    values = random_values(storage, shape, 3)
    image = upload(ctx, values, storage, 3)
    with glfft.Plan(ctx, shape, layers=3, algorithm=NAME, multiply=PRODUCT) as plan:
        for direction in ("forward", "inverse", "convolve"):
            image.write(np.ascontiguousarray(values).tobytes())
            getattr(plan, direction)(image, image, next_use="read")
            assert download(image, storage, shape, 3).tobytes() == run(plan, values, direction).tobytes()
    release(image)


def test_one_component_at_a_time_where_whole_values_do_not_fit(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = random_values(STORAGES["rg32f"], (33, 33), None)
    # Six bytes a point: GPUs' kernels have free slots beside the four that a component takes.
    restrict_device(ctx, monkeypatch, shared_memory=33 * 33 * 6)
    with glfft.Plan(ctx, (33, 33), algorithm=NAME) as plan:
        assert is_in_one(plan)
        assert_close(run(plan, values), np.fft.fft2(values.astype(np.complex128)))


def test_auto_takes_it_for_small_pictures_and_many_on_a_cpu() -> None:
    software = replace(LEAST_DEVICE, renderer="llvmpipe")
    for shape in ((32,), (8, 128), (25, 40)):
        assert pays(request(*shape, device=software))
        assert pays(request(*shape, device=software, real_pairs=True))
    assert not pays(request(64, device=software))
    assert pays(request(64, device=software, layers=8))
    assert not pays(request(66, device=software, layers=8))
    assert not pays(request(48, device=software, layers=8, real_pairs=True))
    assert not pays(request(32, 64, device=software, layers=8))
    # Lines go by a convolution there, as compilers take many seconds over such butterflies.
    assert pays(request(31, device=software))
    for shape in ((41, 24), (16, 53), (2, 74)):
        assert not pays(request(*shape, device=software))


def test_auto_takes_it_on_a_gpu_by_the_numbers_a_texel() -> None:
    for shape, storage, expected in (
        ((64,), "rg32f", True),
        ((32, 128), "rg16f", True),
        ((66,), "rg32f", False),
        ((32,), "rgba32f", True),
        ((16, 64), "buffer", True),
        ((64,), "buffer", False),
    ):
        for layers in (None, 256):
            for real in (False, True):
                assert pays(request(*shape, storage=STORAGES[storage], layers=layers, real_pairs=real)) == expected
    for length, storage, longer in ((44, "rgba16f", 49), (44, "rgba32f", 49), (40, "buffer", 42)):
        device = replace(LEAST_DEVICE, limits=replace(LEAST_DEVICE.limits, shared_memory=48 << 10))
        options = {"storage": STORAGES[storage], "device": device}
        assert pays(request(length, **options))
        assert not pays(request(length, layers=256, **options)), "there are many"
        assert not pays(request(longer, **options))


def test_pictures_of_128_fit_in_pieces_and_are_taken_by_name_only(ctx: moderngl.Context) -> None:
    for device in (replace(LEAST_DEVICE, renderer="llvmpipe"), LEAST_DEVICE):
        kernel = kernel_for(request(128, device=device))
        assert kernel is not None
        assert kernel.pieces > 1
        assert not pays(request(128, device=device, layers=256))
    kept = STORAGES["rg16f"]
    values = random_values(kept, (128, 128), None)
    with glfft.Plan(ctx, (128, 128), storage="rg16f", norm="ortho", algorithm=NAME) as plan:
        assert is_in_one(plan)
        assert_close(run(plan, values), np.fft.fft2(values.astype(np.complex128), norm="ortho"), floor_of(kept, 2))


@pytest.mark.parametrize("length", [4, 17, 32, 60, 64, 90])
@pytest.mark.parametrize("software", [False, True])
def test_kernels_fit_the_device(length: int, software: bool) -> None:
    device = replace(LEAST_DEVICE, renderer="llvmpipe" if software else "")
    kernel = kernel_for(request(length, device=device))
    assert isinstance(kernel, PictureConfig)
    assert [math.prod(axis) for axis in kernel.axes] == [length, length]
    assert kernel.fits(device.limits, STORAGES["rg32f"])
    # A stage along each axis is one exchange at least.
    slots = kernel.line_slots(STORAGES["rg32f"]) * kernel.slot_bytes(STORAGES["rg32f"])
    assert slots * kernel.pieces >= length * length * 4


def test_small_pictures_share_the_work_groups_of_gpus() -> None:
    kernel = kernel_for(request(8, layers=2048))
    assert kernel is not None
    assert kernel.invocations == 64
    few = kernel_for(request(8, layers=3))
    assert few is not None
    assert few.lines == 2


def test_few_pictures_meet_at_fewer_barriers() -> None:
    def spent(layers: int | None, **changes: Any) -> tuple[str, bool]:
        kernel = kernel_for(request(32, layers=layers, **changes))
        assert kernel is not None
        return kernel.exchange, kernel.prefetch_twiddles

    assert spent(None) == spent(128) == spent(None, inverse_scale=1.0) == ("at once", True)
    assert spent(129) == spent(2048) == ("in turn", False)
    assert not spent(None, device=replace(LEAST_DEVICE, renderer="llvmpipe"))[1]


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((8, 8), {"axes": (1,)}),
        ((8, 8), {"kind": "dct2"}),
        ((8, 8, 8), {"kind": "dct2"}),
        ((8, 8, 8), {"real": True}),
        ((8, 8, 8), {"axes": (0, 1)}),
        ((8, 8, 8), {"source_region": np.s_[0:4, 0:8, 0:8]}),
        ((3, 160, 160), {}),
        ((160, 160), {}),
    ],
)
def test_other_pictures_take_a_dispatch_an_axis(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    with glfft.Plan(ctx, shape, algorithm=NAME, **options) as plan, glfft.Plan(ctx, shape, **options) as auto:
        assert plan.explain() == auto.explain().replace("algorithm auto", f"algorithm {NAME}")
        assert "rows and columns" not in plan.explain()


def test_snippets_see_the_planes_of_volumes(ctx: moderngl.Context) -> None:
    shape, layers = (6, 16, 12), 2
    values = random_values(STORAGES["buffer"], shape, layers)
    load = "value load(ivec3 at) { return read_source(at) * float(1 + at.x + 2 * at.y + 3 * at.z); }"
    store = "void store(ivec3 at, value result) { write_target(at, result * float(1 + at.z % DEPTH)); }"
    layer, z, y, x = np.indices((layers, *shape))[:, :, None]  # a texel has one number
    options: dict[str, Any] = {"layers": layers, "storage": "buffer", "algorithm": NAME}
    with glfft.Plan(ctx, shape, load=load, store=store, **options) as plan:
        assert "forward: 2 dispatches" in plan.explain()
        loaded = values.astype(np.complex128) * (1 + x + 2 * y + 3 * (z + shape[0] * layer))
        assert_close(run(plan, values), np.fft.fftn(loaded, axes=(-3, -2, -1)) * (1 + z))


def test_auto_takes_planes_in_one_dispatch_on_gpus(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(shape: tuple[int, ...], **options: Any) -> bool:
        with glfft.Plan(ctx, shape, directions="forward", **options) as plan:
            return "rows and columns" in plan.explain()

    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="llvmpipe"))
    assert not taken((12, 16, 16))
    monkeypatch.setattr(state, "device", replace(state.device, renderer="a GPU"))
    assert taken((12, 16, 16))
    assert taken((12, 16, 16), storage="buffer")
    assert not any((taken((12, 16, 16), real=True), taken((12, 16, 16), axes=(1, 2)), taken((12, 16, 16), wait=False)))
    assert not any((taken((4, 66, 66)), taken((4, 64, 32), storage="buffer"), taken((59, 16, 16))))
    values = random_values(STORAGES["rg32f"], (12, 16, 20), None)
    with glfft.Plan(ctx, (12, 16, 20)) as plan:
        assert_close(run(plan, values), np.fft.fftn(values.astype(np.complex128), axes=(-3, -2, -1)))


def test_what_stockham_cannot_do_is_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(LimitError, match="algorithm='auto' works"):
        glfft.Plan(ctx, (59, 59), algorithm=NAME)
