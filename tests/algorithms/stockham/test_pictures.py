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
from glfft.algorithms.stockham.pictures import PictureConfig, StockhamPicture, kernel_for, pays
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
    # Not measured yet.
    assert not pays(request(32, device=gpu, layers=8))


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
        assert kernel.line_slots(STORAGES["rg32f"]) % 2 == 1 or kernel.shared_bytes(STORAGES["rg32f"]) == 1 << 15


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((8, 16), {}),
        ((8, 8), {"axes": (1,)}),
        ((8, 8), {"real": True}),
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
