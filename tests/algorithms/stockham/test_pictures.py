"""Square pictures in one dispatch: right in every storage and direction, and refused where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import HALVES, download, random_values, release, run, upload
from support.kernels import restrict_device
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import COMPOSED_DB, assert_close, floor_of

import glfft
from glfft.algorithms import registry
from glfft.algorithms.stockham import pictures
from glfft.algorithms.stockham.config import BY_STRIDE, PictureConfig
from glfft.algorithms.stockham.pictures import StockhamPicture, kernel_for, pays
from glfft.algorithms.storage import STORAGES
from glfft.errors import LimitError

NAME = StockhamPicture.name
# A number for every place: (1 + column) + i (row + 2 layer) / 2.
PRODUCT = "value product(ivec3 at, value s) { return multiply(s, vec2(1 + at.x, 0.5 * float(at.y + 2 * at.z))); }"


def request(length: int, **changes: Any) -> Any:
    return axis_request((length, length), both_axes=True, algorithm=NAME, **changes)


def shaders(plan: glfft.Plan) -> set[str]:
    return {word for word in plan.explain().split() if word.endswith(".comp")}


# One stage and two, equal radices and others, odd and even, primes, one layer and more, all ways to keep numbers.
CASES = [
    *((2, None, "rg32f"), (5, 2, "rg32f"), (9, None, "buffer"), (12, 3, "rgba32f"), (16, None, "rg16f")),
    *((21, 2, "buffer_pairs"), (31, None, "rg32f"), (33, None, "rg32f"), (45, None, "rgba16f")),
    *((48, None, "buffer_double"), (62, 2, "rg32f"), (64, None, "rg32f")),
]


@pytest.mark.parametrize(("length", "layers", "storage"), CASES)
def test_both_axes_in_one_dispatch(ctx: moderngl.Context, length: int, layers: int | None, storage: str) -> None:
    shape, kept = (length, length), STORAGES[storage]
    options: dict[str, Any] = {"layers": layers, "storage": storage, "algorithm": NAME}
    values = random_values(kept, shape, layers, seed=length)
    y, x = np.indices(shape)
    z = np.arange(layers or 1)[:, None, None, None]
    exact = np.fft.fft2(values.astype(np.complex128))
    with glfft.Plan(ctx, shape, norm="ortho", **options) as plan:
        assert shaders(plan) == {"fft/stockham_picture.comp"}
        assert plan.explain().count("1 dispatch,") == 2
        assert_close(run(plan, values, "forward"), exact / length, floor_of(kept, 2))
        assert_close(run(plan, values, "inverse"), np.fft.ifft2(values, norm="ortho"), floor_of(kept, 2))
    if HALVES[storage] == 2:
        return
    with glfft.Plan(ctx, shape, multiply=PRODUCT.replace("vec2", "complex"), **options) as plan:
        assert "fft/stockham_picture_convolve.comp" in shaders(plan)
        expected = np.fft.ifft2(exact * (1 + x + 0.5j * (y + 2 * z)))
        assert_close(run(plan, values, "convolve"), expected, floor_of(kept, 2, COMPOSED_DB))


# Columns first, with and without free slots; padding; in two and four pieces, in which other stages begin and end.
KERNELS = [
    PictureConfig((2, 4), 2, 8, side_by_side=True, free_slots=1),
    PictureConfig((4, 2), 2, 8, side_by_side=True, exchange="in turn"),
    PictureConfig((4, 4), 4, 16, padding=BY_STRIDE, free_slots=3),
    PictureConfig((4, 2), 2, 8, exchange="in turn", free_slots=1, pieces=2),
    PictureConfig((2, 4), 1, 8, side_by_side=True, exchange="in turn", free_slots=1, pieces=4),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=StockhamPicture().describe)
def test_every_kernel_is_right(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: PictureConfig) -> None:
    for module in (pictures, registry):
        monkeypatch.setattr(module, "kernel_for", lambda _request: kernel)
    storage, n = STORAGES["rg32f"], kernel.length
    assert kernel.fits(LEAST_DEVICE.limits, storage)
    values = random_values(storage, (n, n), 2)
    exact = np.fft.fft2(values.astype(np.complex128))
    y, x = np.indices((n, n))
    z = np.arange(2)[:, None, None, None]
    with glfft.Plan(ctx, (n, n), layers=2, algorithm=NAME, multiply=PRODUCT) as plan:
        assert_close(run(plan, values), exact)
        expected = np.fft.ifft2(exact * (1 + x + 0.5j * (y + 2 * z)))
        assert_close(run(plan, values, "convolve"), expected, COMPOSED_DB)


def test_pieces_need_registers_of_their_own_in_every_thread() -> None:
    limits, storage = LEAST_DEVICE.limits, STORAGES["rg32f"]
    wanted = PictureConfig((8, 16), 8, 128, exchange="in turn", pieces=2)
    assert wanted.shared_bytes(storage) == 128 * 128 * 4 // 2
    assert wanted.fits(limits, storage)
    for change in ({"exchange": "at once"}, {"exchange": "alternate", "pieces": 1}, {"threads": 7}, {"pieces": 3}):
        assert not replace(wanted, **change).fits(replace(limits, shared_memory=1 << 20), storage)


@pytest.mark.parametrize("columns_first", [False, True])
@pytest.mark.parametrize(("n", "layers", "storage"), [(8, 2, "rg32f"), (9, None, "buffer"), (6, None, "rgba32f")])
def test_of_real_pictures_there_is_half_a_spectrum(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    n: int,
    layers: int | None,
    storage: str,
    columns_first: bool,
) -> None:
    """As numpy.fft.irfft2, the inverse takes any half, without imaginary parts of what is its own conjugate."""
    kernel = PictureConfig((n,), 1, n, side_by_side=columns_first, free_slots=1)
    monkeypatch.setattr(pictures, "kernel_for", lambda _request: kernel)
    kept, shape = STORAGES[storage], (n, n // 2 + 1)
    values, half = random_values(kept.of_reals, (n, n), layers), random_values(kept, shape, layers, seed=1)
    exact = np.fft.rfft2(values.astype(np.float64))
    y, x = np.indices(shape)
    z = np.arange(layers or 1)[:, None, None, None]
    with glfft.Plan(ctx, (n, n), layers=layers, storage=storage, real=True, algorithm=NAME, multiply=PRODUCT) as plan:
        assert shaders(plan) == {"fft/stockham_picture.comp", "fft/stockham_picture_convolve.comp"}
        assert_close(run(plan, values), exact)
        assert_close(run(plan, half, "inverse"), np.fft.irfft2(half.astype(np.complex128), (n, n)))
        expected = np.fft.irfft2(exact * (1 + x + 0.5j * (y + 2 * z)), (n, n))
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
    restrict_device(ctx, monkeypatch, shared_memory=33 * 33 * 4)
    with glfft.Plan(ctx, (33, 33), algorithm=NAME) as plan:
        assert "4.3 KiB" in plan.explain()
        assert_close(run(plan, values), np.fft.fft2(values.astype(np.complex128)))


def test_auto_takes_it_for_small_pictures_and_many_on_a_cpu() -> None:
    software, gpu = replace(LEAST_DEVICE, renderer="llvmpipe"), LEAST_DEVICE
    assert pays(request(32, device=software))
    assert not pays(request(64, device=software))
    assert pays(request(64, device=software, layers=8))
    assert not pays(request(66, device=software, layers=8))
    assert not pays(request(48, device=software, layers=8, real_pairs=True))
    assert pays(request(32, device=software, real_pairs=True))
    many = {"device": gpu, "layers": 256}
    assert [pays(request(length, **many)) for length in (32, 64, 66)] == [True, True, False]
    for change in ({"layers": 255}, {"real_pairs": True}, {"storage": STORAGES["buffer"]}):
        assert not pays(request(32, **{**many, **change}))


def test_pictures_of_128_fit_in_pieces_and_are_taken_by_name_only(ctx: moderngl.Context) -> None:
    for device in (replace(LEAST_DEVICE, renderer="llvmpipe"), LEAST_DEVICE):
        kernel = kernel_for(request(128, device=device))
        assert kernel is not None
        assert kernel.pieces == 2
        assert not pays(request(128, device=device, layers=256))
    kept = STORAGES["rg16f"]
    values = random_values(kept, (128, 128), None)
    with glfft.Plan(ctx, (128, 128), storage="rg16f", norm="ortho", algorithm=NAME) as plan:
        assert shaders(plan) == {"fft/stockham_picture.comp"}
        assert_close(run(plan, values), np.fft.fft2(values.astype(np.complex128), norm="ortho"), floor_of(kept, 2))


@pytest.mark.parametrize("length", [4, 17, 32, 60, 64, 90])
@pytest.mark.parametrize("software", [False, True])
def test_kernels_fit_the_device(length: int, software: bool) -> None:
    device = replace(LEAST_DEVICE, renderer="llvmpipe" if software else "")
    kernel = kernel_for(request(length, device=device))
    assert isinstance(kernel, PictureConfig)
    assert kernel.length == kernel.lines == length
    assert kernel.fits(device.limits, STORAGES["rg32f"])
    # Without exchanges between stages there is the turn.
    assert kernel.shared_bytes(STORAGES["rg32f"]) >= length * length * 4
    if not software:
        # Neighbours in a column are in different banks.
        assert (length + kernel.free_slots) % 2 == 1 or kernel.shared_bytes(STORAGES["rg32f"]) == 1 << 15


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((8, 16), {}),
        ((8, 8), {"axes": (1,)}),
        ((8, 8), {"kind": "dct2"}),
        ((8, 8, 8), {}),
        ((160, 160), {}),
    ],
)
def test_other_pictures_take_a_dispatch_an_axis(
    ctx: moderngl.Context, shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    with glfft.Plan(ctx, shape, algorithm=NAME, **options) as plan, glfft.Plan(ctx, shape, **options) as auto:
        assert plan.explain() == auto.explain().replace("algorithm auto", f"algorithm {NAME}")
        assert "stockham_picture" not in plan.explain()


def test_what_stockham_cannot_do_is_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(LimitError, match="algorithm='auto' works"):
        glfft.Plan(ctx, (37, 37), algorithm=NAME)
