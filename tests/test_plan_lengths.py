"""Plans of any length: factors up to 31 in one kernel, others by Bluestein's convolution, long ones in two parts."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, TABLE_DB
from support.tolerances import floor_of as floor_in

import glfft
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.gl.context import state_of

SMOOTH = [
    3,
    5,
    6,
    7,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    17,
    18,
    19,
    21,
    27,
    34,
    45,
    53,
    77,
    105,
    143,
    240,
    289,
    1080,
]
ROUGH = [59, 122, 183]


def floor_of(*lengths: int) -> float:
    return TABLE_DB if all(length in SMOOTH or length in (4, 6, 8) for length in lengths) else BLUESTEIN_DB


BOTH = ("forward", "inverse")
# Sides of photographs, a line that 32 KiB hold only in parts, and three that GPUs exchange in pieces.
LONG = [3264, 5472, 17 * 512, 8192, 7200, 6561]


# Along either axis in turn, and smooth lengths in either direction: tests of kernels have every radix in both.
@pytest.mark.parametrize(
    ("length", "axis", "directions"),
    [
        *((length, index % 2, BOTH[index // 2 % 2 :][:1]) for index, length in enumerate(SMOOTH)),
        *((length, index % 2, BOTH) for index, length in enumerate(ROUGH)),
    ],
    ids=str,
)
def test_every_length_is_right(ctx: moderngl.Context, length: int, axis: int, directions: tuple[str, ...]) -> None:
    shape = (3, length) if axis == 1 else (length, 3)
    with glfft.Plan(ctx, shape, axes=(axis,)) as plan:
        assert plan.dispatches == 1
        for direction in directions:
            values = random_values(plan.request.storage, shape, None, seed=length)
            exact = (np.fft.fft if direction == "forward" else np.fft.ifft)(values.astype(complex), axis=axis - 2)
            assert snr_db(images.run(plan, values, direction), exact) >= floor_of(length)


@pytest.mark.parametrize(
    ("name", "shape"), [(name, ((6, 15), (2, 61))[index % 2]) for index, name in enumerate(STORAGES)]
)
def test_every_storage_and_layers_have_every_length(ctx: moderngl.Context, name: str, shape: tuple[int, int]) -> None:
    with glfft.Plan(ctx, shape, layers=3, storage=name) as plan:
        values = random_values(plan.request.storage, shape, 3)
        floor = floor_in(STORAGES[name], plan.dispatches, BLUESTEIN_DB)
        assert snr_db(images.run(plan, values), np.fft.fft2(values.astype(complex))) >= floor


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        *((shape, axes) for shape in [(6, 9), (9, 6)] for axes in [(0, 1), (0,), (1,)]),
        # A long or lone line along one of the axes.
        *((shape, axes) for shape in [(5, 61), (3, 45)] for axes in [(0, 1), (1,)]),
        ((61, 5), (0,)),
        ((7, 1), (0, 1)),
    ],
)
def test_real_pictures_of_even_and_odd_lengths(
    ctx: moderngl.Context, shape: tuple[int, int], axes: tuple[int, ...]
) -> None:
    with glfft.Plan(ctx, shape, axes=axes, real=True) as plan:
        picture = random_values(plan.request.storage.of_reals, shape, None)
        exact = np.fft.rfftn(picture.astype(float), axes=[axis - 2 for axis in sorted(axes)])
        assert snr_db(images.run(plan, picture), exact) >= BLUESTEIN_DB
        spectrum = exact.astype(np.complex64)
        assert snr_db(images.run(plan, spectrum, "inverse"), picture) >= BLUESTEIN_DB


@pytest.mark.parametrize(
    ("shape", "real"), [((6, 10), True), ((9, 14), False), ((2, 61), False), ((2, 61), True), ((122, 3), True)]
)
def test_convolutions_of_any_size(ctx: moderngl.Context, shape: tuple[int, int], real: bool) -> None:
    factor = random_complex((1, 1, *shape), seed=3)[0, 0].real
    kernel = np.fft.fft2(factor)
    transform = (
        "value product(ivec3 at, value spectrum) { return multiply(spectrum, texelFetch(factor, at.xy, 0).xy); }"
    )
    half = kernel[:, : shape[1] // 2 + 1] if real else kernel
    texture = ctx.texture(half.shape[::-1], 2, np.ascontiguousarray(half.astype("c8")).tobytes(), dtype="f4")
    product = f"uniform sampler2D factor;\n{transform}"
    with glfft.Plan(ctx, shape, real=real, multiply=product, directions="convolve") as plan:
        plan.set_uniforms(factor=texture)
        storage = plan.request.storage.of_reals if real else plan.request.storage
        values = random_values(storage, shape, None)
        exact = np.fft.ifft2(np.fft.fft2(values.astype(complex)) * kernel)
        result = images.run(plan, values, "convolve")
        assert snr_db(result, exact.real if real else exact) >= min(COMPOSED_DB, BLUESTEIN_DB)
    texture.release()


def test_snippets_and_work_in_place_at_any_length(ctx: moderngl.Context) -> None:
    shape = (15, 22)
    load = "value load(ivec3 at) { return 2.0 * read_source(at); }"
    values = random_complex(shape)
    texture = ctx.texture((shape[1], shape[0]), 2, values.tobytes(), dtype="f4")
    with glfft.Plan(ctx, shape, load=load, norm="ortho") as plan:
        plan.forward(texture, texture, next_use="read")
    result = np.frombuffer(texture.read(), np.complex64).reshape(shape)
    assert snr_db(result, 2 * np.fft.fft2(values.astype(complex), norm="ortho")) >= TABLE_DB
    texture.release()


@pytest.mark.parametrize(("index", "length"), [*enumerate(LONG)])
def test_long_lines(ctx: moderngl.Context, index: int, length: int) -> None:
    axis, direction = index % 2, BOTH[index // 2 % 2]
    shape = (2, length) if axis == 1 else (length, 2)
    with glfft.Plan(ctx, shape, axes=(axis,)) as plan:
        values = random_values(plan.request.storage, shape, None, seed=length)
        exact = (np.fft.fft if direction == "forward" else np.fft.ifft)(values.astype(complex), axis=axis - 2)
        assert snr_db(images.run(plan, values, direction), exact) >= TABLE_DB


# Real lines are packed in pairs, and texels of two numbers take more registers. Real and complex ones in turn, so that
# textures and buffers, of one number and of two, have both. The two factors differ in their constants alone.
@pytest.mark.parametrize(
    ("name", "real", "shape"),
    [
        *((name, index % 2 == 1, ((19, 2), (2, 34))[index // 2 % 2]) for index, name in enumerate(STORAGES)),
        ("rg32f", True, (2, 34)),
    ],
)
def test_every_storage_has_factors_17_or_19(
    ctx: moderngl.Context, name: str, real: bool, shape: tuple[int, int]
) -> None:
    with glfft.Plan(ctx, shape, storage=name, real=real, directions="forward") as plan:
        storage = plan.request.storage.of_reals if real else plan.request.storage
        values = random_values(storage, shape, None)
        exact = (np.fft.rfft2 if real else np.fft.fft2)(values.astype(float if real else complex))
        assert snr_db(images.run(plan, values), exact) >= floor_in(STORAGES[name], plan.dispatches, TABLE_DB)


@pytest.mark.parametrize("length", [10000, 3 * 5 * 7 * 11 * 13])
def test_long_lines_go_in_two_parts(ctx: moderngl.Context, length: int) -> None:
    with glfft.Plan(ctx, (1, length), storage="buffer") as plan:
        # A CPU with more shared memory than is promised has room for the shorter one, of which a GPU would be idle.
        device = state_of(ctx).device
        assert plan.dispatches == (1 if device.software and length <= device.limits.shared_memory // 4 else 2)
        values = random_values(plan.request.storage, (1, length), None)
        assert snr_db(images.run(plan, values), np.fft.fft2(values.astype(complex))) >= TABLE_DB
