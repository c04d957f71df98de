"""Every algorithm computes numpy's transform: accuracy, and the theorems a Fourier transform obeys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, DIRECTIONS, PING_PONG, exact_of_noise, run
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close

import glfft
from glfft.algorithms import registry
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.request import FORWARD
from glfft.errors import LimitError

each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
# They take any length. The others' sums and products with 1 are exact; Bluestein's are with a chirp, and a sum in order
# rounds what butterflies cancel.
OF_ANY_LENGTH = ("bluestein", "any-radix-stages")
each_of_butterflies = pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name not in OF_ANY_LENGTH])


# test_registry_shapes.py has more.
SHAPES = [(32, 64), (2, 2), (8, 2), (2, 4)]
LARGE_SHAPES = [(1024, 4), (8, 512)]
# Their kernels of long lines take a software renderer seconds to compile, or long lines are in tests of their own.
SLOW_TO_COMPILE = ("auto", "stockham", "stockham-picture", "bluestein", *PING_PONG)


@pytest.mark.parametrize(
    ("algorithm", "shape"),
    [
        *[pytest.param(algorithm, shape) for algorithm in ALGORITHMS for shape in SHAPES],
        *[
            pytest.param(algorithm, shape, marks=[pytest.mark.slow] if algorithm in SLOW_TO_COMPILE else [])
            for algorithm in ALGORITHMS
            for shape in LARGE_SHAPES
        ],
        *[
            pytest.param(algorithm, shape, marks=pytest.mark.slow)
            for algorithm in ALGORITHMS
            for shape in [(1024, 1024), (64, 1024), (256, 256), (512, 32)]
        ],
    ],
    ids=str,
)
def test_agrees_with_float64_numpy(ctx: moderngl.Context, algorithm: str, shape: tuple[int, int]) -> None:
    with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
        for direction in DIRECTIONS:
            assert_close(run(plan, random_complex(shape), direction), exact_of_noise(shape, direction))


@each_of_butterflies
def test_an_impulse_at_the_origin_gives_exactly_one_everywhere(ctx: moderngl.Context, algorithm: str) -> None:
    impulse = np.zeros((32, 64), np.complex64)
    impulse[0, 0] = 1
    with glfft.Plan(ctx, impulse.shape, algorithm=algorithm) as plan:
        assert np.array_equal(run(plan, impulse), np.ones(impulse.shape))
        assert np.array_equal(run(plan, impulse, "inverse"), np.full(impulse.shape, 2.0**-11))


@each_of_butterflies
def test_a_constant_gives_exactly_one_impulse(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm) as plan:
        spectrum = run(plan, np.full((32, 64), 3 - 2j, np.complex64))
    expected = np.zeros((32, 64), np.complex64)
    expected[0, 0] = (3 - 2j) * 2**11
    assert np.array_equal(spectrum, expected)


@given(row=st.integers(0, 31), column=st.integers(0, 63), algorithm=st.sampled_from(ALGORITHMS))
@settings(max_examples=30)
def test_an_impulse_anywhere_gives_its_wave(ctx: moderngl.Context, row: int, column: int, algorithm: str) -> None:
    # One basis function of the definition, which fixes sign, axes and row order without a reference transform.
    impulse = np.zeros((32, 64), np.complex64)
    impulse[row, column] = 1
    j, k = np.ogrid[:32, :64]
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm) as plan:
        assert_close(run(plan, impulse), np.exp(-2j * np.pi * (j * row / 32 + k * column / 64)))


@each_algorithm
def test_linearity(ctx: moderngl.Context, algorithm: str) -> None:
    a, b = random_complex((32, 64), seed=1), random_complex((32, 64), seed=2)
    factor = np.complex64(0.3 - 1.7j)
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm) as plan:
        assert_close(run(plan, a + factor * b), run(plan, a) + factor * run(plan, b), COMPOSED_DB)


@given(down=st.integers(0, 31), right=st.integers(0, 63), algorithm=st.sampled_from(ALGORITHMS))
@settings(max_examples=30)
def test_shift_theorem(ctx: moderngl.Context, down: int, right: int, algorithm: str) -> None:
    array = random_complex((32, 64))
    j, k = np.ogrid[:32, :64]
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm) as plan:
        shifted = run(plan, np.roll(array, (down, right), axis=(0, 1)))
        turned = run(plan, array) * np.exp(-2j * np.pi * (j * down / 32 + k * right / 64))
    assert_close(shifted, turned, COMPOSED_DB)


@each_algorithm
def test_parseval(ctx: moderngl.Context, algorithm: str) -> None:
    array = random_complex((32, 64))
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm, norm="ortho") as plan:
        spectrum = run(plan, array)
    assert np.linalg.norm(spectrum.astype(np.complex128)) == pytest.approx(
        np.linalg.norm(array.astype(np.complex128)), rel=10 ** (-TABLE_DB / 20)
    )


@each_algorithm
def test_real_input_has_a_hermitian_spectrum(ctx: moderngl.Context, algorithm: str) -> None:
    array = random_complex((32, 64)).real.astype(np.complex64)
    with glfft.Plan(ctx, (32, 64), algorithm=algorithm) as plan:
        spectrum = run(plan, array)
    mirrored = np.roll(spectrum[::-1, ::-1], 1, axis=(0, 1))
    assert_close(spectrum, mirrored.conj(), COMPOSED_DB)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, complex(1, np.nan)])
@each_algorithm
def test_nan_and_infinity_spread_as_in_numpy(ctx: moderngl.Context, algorithm: str, bad: complex) -> None:
    array = random_complex((8, 16))
    array[3, 5] = bad
    for axes in ((1,), (0,), (0, 1)):
        with glfft.Plan(ctx, (8, 16), axes=axes, algorithm=algorithm) as plan:
            spectrum = run(plan, array)
        with np.errstate(invalid="ignore"):
            exact = np.fft.fftn(array.astype(np.complex128), axes=axes)
        finite = np.isfinite(exact)
        assert finite.any() == (len(axes) == 1)
        assert np.array_equal(np.isfinite(spectrum), finite)
        assert_close(spectrum[finite], exact[finite])


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name not in ("auto", *OF_ANY_LENGTH)])
def test_what_an_algorithm_cannot_do_is_refused_with_what_can(ctx: moderngl.Context, algorithm: str) -> None:
    length: Any = 61 if algorithm in ("stockham", "stockham-picture") else 12
    with pytest.raises(LimitError, match=r"it can do (8|64); algorithm='auto' works"):
        glfft.Plan(ctx, (length, 4), algorithm=algorithm)


def test_what_is_too_long_is_refused_with_the_longest_that_is_not(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=1024)
    for algorithm in ("cooley-tukey", "stockham-radix4", "word-group-4"):
        with pytest.raises(LimitError, match="has 1024; it can do 128; algorithm='auto' works"):
            glfft.Plan(ctx, (4, 512), axes=(1,), algorithm=algorithm)


GPU = replace(LEAST_DEVICE, renderer="a GPU")


def test_real_lines_one_by_one_are_complex_ones_of_half_as_many_points() -> None:
    real = axis_request((7, 4096), device=GPU, real=True, algorithm="auto")
    halved = registry.in_halves(real)
    assert (halved.length, halved.points) == (2048, 7 * 2048)
    assert halved.plain == axis_request((7, 2048), device=GPU, algorithm="auto")
    assert registry.in_halves(replace(real, shape=(100, 16384))).length == 8192, "a line fits a work group so"
    for length, algorithm in ((4096, "bluestein"), (4096, "stockham"), (2 * 1009, "auto")):
        assert registry.in_halves(replace(real, shape=(7, length), algorithm=algorithm)).length == length // 2


@pytest.mark.parametrize(
    ("shape", "storage", "options", "halved"),
    [
        ((65, 4096), "buffer", {}, True),
        ((65, 3000), "buffer", {}, True),
        ((65, 2998), "buffer", {}, False),
        ((65, 4096), "buffer_pairs", {}, False),
        ((65, 4096), "rg32f", {}, True),
        ((65, 450), "rg16f", {"direction": +1}, True),
        ((65, 448), "rg32f", {}, False),
        ((64, 4096), "rg32f", {}, False),
        ((65, 4096), "rgba32f", {}, False),
        ((65, 4096), "rg32f", {"convolution": "real"}, False),
        ((65, 4096), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, False),
        ((65, 4096), "buffer", {"device": replace(GPU, renderer="llvmpipe")}, False),
        ((65, 722), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, True),
        ((65, 1344), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, True),
        ((65, 512), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, False),
        ((8, 65, 1344), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, False),
        ((66, 2050), "rg32f", {}, False),
        ((65, 960), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, False),
        ((65, 16384), "rg32f", {"device": replace(GPU, renderer="llvmpipe")}, False),
    ],
    ids=str,
)
def test_pairs_go_alone_where_that_was_faster(
    shape: tuple[int, int], storage: str, options: dict[str, Any], halved: bool
) -> None:
    asked: dict[str, Any] = {"storage": STORAGES[storage], "device": GPU, "real": True, "real_pairs": True} | options
    pairs = axis_request(shape, **asked)
    assert registry.in_halves(replace(pairs, algorithm="auto")).halved is halved


@pytest.mark.parametrize(
    "others",
    [
        {"real": False},
        {"real_pairs": True},
        {"shape": (7, 4095)},
        {"shape": (7, 2)},
        {"shape": (7, 3 * 16384)},  # in parts even so
        {"algorithm": "stockham-radix4"},
    ],
    ids=str,
)
def test_other_lines_go_as_they_are(others: dict[str, Any]) -> None:
    request = replace(axis_request((7, 4096), device=GPU, real=True, algorithm="auto"), **others)
    assert registry.in_halves(request) == request


def test_auto_takes_bluestein_only_where_it_must(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 62), axes=(1,)) as smooth, glfft.Plan(ctx, (4, 122), axes=(1,)) as rough:
        chosen = [plan._pipelines[FORWARD].passes[0].spec.choice for plan in (smooth, rough)]
    assert [each.family for each in chosen if each is not None] == ["stockham", "bluestein"]
