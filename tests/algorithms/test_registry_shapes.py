"""Every algorithm on lines of any shape: one axis or both, one point or many, long lines, all norms and twiddles."""

from __future__ import annotations

import math
import re

import moderngl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, DIRECTIONS, NUMPY, exact_of_noise, run
from support.tolerances import COMPOSED_DB, COMPUTED_DB, GROWTH_DRIFT, TABLE_DB, U, assert_close, relative_error

import glfft
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.errors import LimitError
from glfft.gl.context import state_of

each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)

powers_of_two = st.integers(0, 5).map(lambda exponent: 2**exponent)
seeds = st.integers(0, 2**32 - 1)


# Rows for one algorithm are columns for the next: which axis is of one point is all the same to algorithms.
OF_ONE_POINT = (((1, 1), (1, 2), (8, 1), (1, 4)), ((1, 1), (2, 1), (1, 8), (4, 1)))
BESIDE_ANY_LENGTH = ((((7, 16), 1), ((8, 333), 0), ((5, 2), 1)), (((8, 7), 0), ((333, 8), 1), ((1, 3), 0)))


@pytest.mark.parametrize(
    ("algorithm", "shape"),
    [(algorithm, shape) for index, algorithm in enumerate(ALGORITHMS) for shape in OF_ONE_POINT[index % 2]],
    ids=str,
)
def test_an_axis_of_one_point_is_left_alone(ctx: moderngl.Context, algorithm: str, shape: tuple[int, int]) -> None:
    with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
        for direction in DIRECTIONS:
            assert_close(run(plan, random_complex(shape), direction), exact_of_noise(shape, direction))


@pytest.mark.parametrize(
    ("algorithm", "shape", "axis"),
    [(algorithm, *lines) for index, algorithm in enumerate(ALGORITHMS) for lines in BESIDE_ANY_LENGTH[index % 2]],
)
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
    for exponent in (3, 6, 9):
        shape = (2 ** (10 - exponent), 2**exponent)
        lines = random_complex(shape, seed=exponent)
        with glfft.Plan(ctx, shape, axes=(1,), algorithm=algorithm) as plan:
            error = relative_error(run(plan, lines), np.fft.fft(lines.astype(np.complex128)))
        per_root.append(error / (U * math.sqrt(exponent)))
    assert max(per_root) / min(per_root) < GROWTH_DRIFT, per_root


@each_algorithm
def test_computed_twiddles_are_worse_yet_usable(ctx: moderngl.Context, algorithm: str) -> None:
    # Along one axis, but for those that take both at once.
    shape, axes = (8, 64), ((0, 1) if algorithm == "stockham-picture" else (1,))
    array = random_complex(shape)
    exact = np.fft.fftn(array.astype(np.complex128), axes=axes)
    snr = {}
    for twiddles in ("table", "computed"):
        with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, twiddles=twiddles) as plan:
            snr[twiddles] = snr_db(run(plan, array), exact)
    assert snr["table"] >= TABLE_DB
    assert COMPUTED_DB <= snr["computed"] < snr["table"]


# Each norm is a factor in a program: an algorithm has one here, any in `test_any_shape_axes_norm_and_direction`.
@pytest.mark.parametrize(
    ("algorithm", "norm"),
    [(algorithm, ("backward", "ortho", "forward")[index % 3]) for index, algorithm in enumerate(ALGORITHMS)],
)
def test_round_trip(ctx: moderngl.Context, algorithm: str, norm: str) -> None:
    array = random_complex((4, 8))
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, norm=norm) as plan:
        assert_close(run(plan, run(plan, array), "inverse"), array, COMPOSED_DB)
