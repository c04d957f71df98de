"""Every algorithm computes numpy's transform: accuracy, and the theorems a Fourier transform obeys."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, DIRECTIONS, NUMPY, PING_PONG, run
from support.tolerances import (
    COMPOSED_DB,
    COMPUTED_DB,
    GROWTH_DRIFT,
    TABLE_DB,
    U,
    assert_close,
    relative_error,
)

import glfft
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.engine.request import FORWARD
from glfft.errors import LimitError
from glfft.gl.context import state_of

each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
# Sums and products with 1 are exact. A convolution with a chirp, as Bluestein's, has other products.
each_of_butterflies = pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "bluestein"])

powers_of_two = st.integers(0, 5).map(lambda exponent: 2**exponent)
seeds = st.integers(0, 2**32 - 1)


@cache
def exact_transform(shape: tuple[int, int], direction: str) -> npt.NDArray[np.complex128]:
    return NUMPY[direction](random_complex(shape).astype(np.complex128))


SHAPES = [(32, 64), (64, 32), (2, 2), (4, 4), (8, 2), (2, 4)]
BLUESTEINS_HIGH = ("bluestein", (64, 32))
LARGE_SHAPES = [(1024, 4), (8, 512)]
# Their kernels of long lines take a software renderer seconds to compile, or long lines are in tests of their own.
SLOW_TO_COMPILE = ("auto", "stockham", "bluestein", *PING_PONG)


@pytest.mark.parametrize(
    ("algorithm", "shape"),
    [
        *[
            # Bluestein's two convolutions of 64 points take seconds to compile, and (8, 2) is higher than wide too.
            pytest.param(algorithm, shape, marks=[pytest.mark.slow] if (algorithm, shape) == BLUESTEINS_HIGH else [])
            for algorithm in ALGORITHMS
            for shape in SHAPES
        ],
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
            assert_close(run(plan, random_complex(shape), direction), exact_transform(shape, direction))


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 16), (32, 1), (1, 4), (8, 1)], ids=str)
@each_algorithm
def test_an_axis_of_one_point_is_left_alone(ctx: moderngl.Context, algorithm: str, shape: tuple[int, int]) -> None:
    with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
        for direction in DIRECTIONS:
            assert_close(run(plan, random_complex(shape), direction), exact_transform(shape, direction))


@pytest.mark.parametrize(
    ("shape", "axis"), [((7, 32), 1), ((16, 7), 0), ((333, 8), 1), ((16, 333), 0), ((5, 2), 1), ((1, 3), 0)]
)
@each_algorithm
def test_one_axis_beside_one_of_any_length(
    ctx: moderngl.Context, algorithm: str, shape: tuple[int, int], axis: int
) -> None:
    lines = random_complex(shape)
    with glfft.Plan(ctx, shape, axes=(axis,), algorithm=algorithm) as plan:
        for direction in DIRECTIONS:
            exact = NUMPY[direction](lines.astype(np.complex128), axes=(axis,))
            assert_close(run(plan, lines, direction), exact)


def test_all_that_take_more_than_one_pass_do_lines_as_long_as_a_texture(ctx: moderngl.Context) -> None:
    longest = state_of(ctx).limits.texture_size
    for algorithm in ("auto", "stockham", "cooley-tukey-stages", "natural-order-stages", "cooley-tukey-dif-stages"):
        glfft.Plan(ctx, (1, longest), algorithm=algorithm).release()


def advised_by(error: LimitError) -> str:
    """The algorithm a refusal says to use instead."""
    named = re.search(r"algorithm='([^']+)' works", str(error))
    assert named, error
    return named[1]


@pytest.mark.parametrize(
    ("length", "axis", "shared_memory"),
    [
        *[pytest.param(4096 * times, axis, 32768, marks=pytest.mark.slow) for times in (1, 2, 4) for axis in (0, 1)],
        # On a device of less memory, shorter lines are long ones.
        (64, 0, 512),
        (128, 1, 512),
        (256, 0, 512),
    ],
)
@each_algorithm
def test_long_lines_are_right_or_refused_with_an_algorithm_that_works(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    algorithm: str,
    length: int,
    axis: int,
    shared_memory: int,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=shared_memory)
    shape = (3, length) if axis == 1 else (length, 3)
    lines = random_complex(shape)
    try:
        plan = glfft.Plan(ctx, shape, axes=(axis,), algorithm=algorithm)
    except LimitError as error:
        plan = glfft.Plan(ctx, shape, axes=(axis,), algorithm=advised_by(error))
    with plan:
        assert_close(run(plan, lines), np.fft.fft(lines.astype(np.complex128), axis=axis))


@settings(max_examples=40)
@given(data=st.data())
def test_any_shape_axes_norm_and_direction(ctx: moderngl.Context, data: st.DataObject) -> None:
    axes = data.draw(st.sampled_from([(0, 1), (0,), (1,), (1, 0), (-1,), (-2,)]))
    transformed = {axis % 2 for axis in axes}
    any_length = st.integers(1, 40)
    shape = (
        data.draw(powers_of_two if 0 in transformed else any_length),
        data.draw(powers_of_two if 1 in transformed else any_length),
    )
    algorithm, direction = data.draw(st.sampled_from(ALGORITHMS)), data.draw(st.sampled_from(DIRECTIONS))
    norm = data.draw(st.sampled_from(["backward", "ortho", "forward", None]))
    array = random_complex(shape, data.draw(seeds))
    with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, norm=norm) as plan:
        exact = NUMPY[direction](array.astype(np.complex128), axes=axes, norm=norm)
        assert_close(run(plan, array, direction), exact)


@each_algorithm
def test_the_error_grows_like_the_root_of_the_stages(ctx: moderngl.Context, algorithm: str) -> None:
    per_root = []
    for exponent in (4, 7, 10):
        shape = (2 ** (14 - exponent), 2**exponent)
        lines = random_complex(shape, seed=exponent)
        with glfft.Plan(ctx, shape, axes=(1,), algorithm=algorithm) as plan:
            error = relative_error(run(plan, lines), np.fft.fft(lines.astype(np.complex128)))
        per_root.append(error / (U * math.sqrt(exponent)))
    assert max(per_root) / min(per_root) < GROWTH_DRIFT, per_root


@each_algorithm
def test_computed_twiddles_are_worse_yet_usable(ctx: moderngl.Context, algorithm: str) -> None:
    shape = (8, 64)
    array, exact = random_complex(shape), exact_transform(shape, "forward")
    snr = {}
    for twiddles in ("table", "computed"):
        with glfft.Plan(ctx, shape, algorithm=algorithm, twiddles=twiddles) as plan:
            snr[twiddles] = snr_db(run(plan, array), exact)
    assert snr["table"] >= TABLE_DB
    assert COMPUTED_DB <= snr["computed"] < snr["table"]


@each_of_butterflies
def test_an_impulse_at_the_origin_gives_exactly_one_everywhere(ctx: moderngl.Context, algorithm: str) -> None:
    impulse = np.zeros((32, 64), np.complex64)
    impulse[0, 0] = 1
    with glfft.Plan(ctx, impulse.shape, algorithm=algorithm) as plan:
        assert np.array_equal(run(plan, impulse), np.ones(impulse.shape))
        assert np.array_equal(run(plan, impulse, "inverse"), np.full(impulse.shape, 2.0**-11))


@each_of_butterflies
def test_a_constant_gives_exactly_one_impulse(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, (64, 32), algorithm=algorithm) as plan:
        spectrum = run(plan, np.full((64, 32), 3 - 2j, np.complex64))
    expected = np.zeros((64, 32), np.complex64)
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


# Each norm is a factor in a program: an algorithm has one here, any in `test_any_shape_axes_norm_and_direction`.
@pytest.mark.parametrize(
    ("algorithm", "norm"),
    [(algorithm, ("backward", "ortho", "forward")[index % 3]) for index, algorithm in enumerate(ALGORITHMS)],
)
def test_round_trip(ctx: moderngl.Context, algorithm: str, norm: str) -> None:
    array = random_complex((8, 16))
    with glfft.Plan(ctx, (8, 16), algorithm=algorithm, norm=norm) as plan:
        assert_close(run(plan, run(plan, array), "inverse"), array, COMPOSED_DB)


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


@pytest.mark.parametrize("algorithm", [name for name in glfft.algorithm_names() if name not in ("auto", "bluestein")])
def test_what_an_algorithm_cannot_do_is_refused_with_what_can(ctx: moderngl.Context, algorithm: str) -> None:
    length: Any = 41 if algorithm in ("stockham", "stockham-picture", "stockham-tiles") else 12
    with pytest.raises(LimitError, match=r"it can do (8|32); algorithm='auto' works"):
        glfft.Plan(ctx, (length, 4), algorithm=algorithm)


def test_what_is_too_long_is_refused_with_the_longest_that_is_not(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=1024)
    for algorithm in ("cooley-tukey", "stockham-radix4", "word-group-4"):
        with pytest.raises(LimitError, match="has 1024; it can do 128; algorithm='auto' works"):
            glfft.Plan(ctx, (4, 512), axes=(1,), algorithm=algorithm)


def test_auto_takes_bluestein_only_where_it_must(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 62)) as smooth, glfft.Plan(ctx, (4, 82)) as rough:
        chosen = [plan._pipelines[FORWARD].passes[0].spec.choice for plan in (smooth, rough)]
    assert [each.family for each in chosen if each is not None] == ["stockham", "bluestein"]
