"""Numpy arrays in and out: what numpy.fft does, in complex64."""

from __future__ import annotations

import inspect
import os
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pictures import ALGORITHMS
from support.programs import lines_of
from support.sentences import refused
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.errors import AlgorithmError, ContextError, GlfftError, LimitError, OptionError, ShapeError

DTYPES = (np.complex64, np.complex128, np.float16, np.float32, np.float64, np.int8, np.uint16, np.int64, np.bool_)
PAIRS: dict[str, tuple[Any, Any]] = {
    "fft": (glfft.fft, np.fft.fft),
    "ifft": (glfft.ifft, np.fft.ifft),
    "fft2": (glfft.fft2, np.fft.fft2),
    "ifft2": (glfft.ifft2, np.fft.ifft2),
}

each_function = pytest.mark.parametrize("name", PAIRS)
lengths = st.sampled_from([1, 2, 3, 4, 5, 8, 12, 16, 59])
norms = st.sampled_from([None, "backward", "ortho", "forward"])


def numbers(shape: tuple[int, ...], dtype: Any, seed: int) -> npt.NDArray[Any]:
    """Random numbers of a type, not all zero."""
    if np.issubdtype(dtype, np.complexfloating):
        return random_complex(shape, seed).astype(dtype)
    if np.issubdtype(dtype, np.floating):
        return np.random.default_rng(seed).standard_normal(shape).astype(dtype)
    made = np.random.default_rng(seed).integers(0, 2 if dtype is np.bool_ else 100, shape).astype(dtype)
    made.flat[0] = 1
    return made


def as_float64(array: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """What the transform is given, rounded to float32 and widened again: the rounding of the input is not our error."""
    return array.astype(np.complex64).astype(np.complex128)


@settings(max_examples=40)
@given(data=st.data())
def test_one_axis_of_any_array(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["fft", "ifft"]))
    shape = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n = data.draw(lengths)
    array = numbers(shape, data.draw(st.sampled_from(DTYPES)), data.draw(st.integers(0, 99)))
    norm = data.draw(norms)
    ours, theirs = PAIRS[name]
    result = ours(array, n, axis, norm, ctx=ctx)
    assert result.dtype == np.complex64
    assert_close(result, theirs(as_float64(array), n, axis, norm))


@settings(max_examples=20)
@given(data=st.data())
def test_two_axes_of_any_array(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["fft2", "ifft2"]))
    shape = data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4).map(tuple))
    axes = data.draw(st.permutations(range(len(shape))))[:2]
    axes = [axis - data.draw(st.sampled_from([0, len(shape)])) for axis in axes]
    s = (data.draw(lengths), data.draw(lengths))
    array = numbers(shape, data.draw(st.sampled_from(DTYPES)), data.draw(st.integers(0, 99)))
    norm = data.draw(norms)
    ours, theirs = PAIRS[name]
    result = ours(array, s, axes, norm, ctx=ctx)
    assert result.dtype == np.complex64
    assert_close(result, theirs(as_float64(array), s, axes, norm))


@pytest.mark.parametrize(
    ("name", "algorithm"), [(("fft2", "ifft")[index % 2], algorithm) for index, algorithm in enumerate(ALGORITHMS)]
)
def test_the_plan_options_are_keywords(ctx: moderngl.Context, name: str, algorithm: str) -> None:
    ours, theirs = PAIRS[name]
    # Rows long enough for two stages, and so for twiddle factors.
    array = random_complex((8, 64))
    assert_close(ours(array, ctx=ctx, algorithm=algorithm), theirs(as_float64(array)))
    computed = ours(array, ctx=ctx, algorithm=algorithm, twiddles="computed")
    assert snr_db(computed, theirs(as_float64(array))) < snr_db(
        ours(array, ctx=ctx, algorithm=algorithm), theirs(as_float64(array))
    )


@each_function
def test_views_with_any_strides(ctx: moderngl.Context, name: str) -> None:
    ours, theirs = PAIRS[name]
    whole = random_complex((3, 8, 16))
    for view in (whole[:, ::2, ::4], whole[:, ::-1], whole.T[:, :, :2], np.asfortranarray(whole), whole[0].T):
        assert_close(ours(view, ctx=ctx), theirs(as_float64(view)))


@each_function
def test_the_input_is_left_as_it_is_and_the_output_is_the_callers(ctx: moderngl.Context, name: str) -> None:
    ours, _ = PAIRS[name]
    array = random_complex((8, 16))
    kept = array.copy()
    first = ours(array, ctx=ctx)
    kept_first = first.copy()
    first_again = ours(array * 2, ctx=ctx)
    assert np.array_equal(array, kept)
    assert np.array_equal(first, kept_first), "a later call changed an earlier result"
    first_again[:] = 0  # read-only memory would raise
    assert np.array_equal(ours(array, ctx=ctx), kept_first)


@each_function
def test_lists_are_arrays(ctx: moderngl.Context, name: str) -> None:
    ours, theirs = PAIRS[name]
    assert_close(ours([[1, 2], [3, 4j]], ctx=ctx), theirs([[1, 2], [3, 4j]]))


def test_more_lines_than_a_texture_has_rows(ctx: moderngl.Context) -> None:
    lines = random_complex((ctx.info["GL_MAX_TEXTURE_SIZE"] + 3, 2))
    assert_close(glfft.fft(lines, ctx=ctx), np.fft.fft(as_float64(lines)))


def test_round_trip(ctx: moderngl.Context) -> None:
    array = random_complex((3, 8, 16))
    assert_close(glfft.ifft2(glfft.fft2(array, ctx=ctx), ctx=ctx), array, COMPOSED_DB)
    assert_close(glfft.ifft(glfft.fft(array, ctx=ctx), ctx=ctx), array, COMPOSED_DB)


def test_many_shapes_in_turn(ctx: moderngl.Context) -> None:
    # More shapes than are kept ready, twice round, so that every one is dropped and made again.
    for _ in range(2):
        for length in range(1, 13):
            array = random_complex((2, length))
            assert_close(glfft.fft2(array, ctx=ctx), np.fft.fft2(as_float64(array)))


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_nan_and_infinity_pass_through(ctx: moderngl.Context, bad: float) -> None:
    # 1e300 is infinite in float32; the conversion says nothing, the result does.
    array = np.ones((4, 8))
    array[2, 3] = bad
    with np.errstate(all="raise"):
        spectrum = glfft.fft(array, ctx=ctx)
    assert np.isfinite(spectrum[[0, 1, 3]]).all()
    assert not np.isfinite(spectrum[2]).any()
    assert not np.isfinite(glfft.fft2(array, ctx=ctx)).any()


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *((name, length) for name in ("fft", "rfft") for length in (8, 12, 59, 64)),
        *((name, length) for name in ("ifft", "fft2") for length in (12, 59)),
        *((name, length) for name in ("ifft2", "rfft2") for length in (59, 64)),
    ],
)
def test_what_is_not_finite_spreads_as_in_numpy(ctx: moderngl.Context, name: str, length: int) -> None:
    generator = np.random.default_rng(0)
    for bad in (np.nan, np.inf, -np.inf, complex(1, np.nan), complex(1, np.inf)):
        array = generator.standard_normal((3, 6, length))
        if not name.startswith("r"):
            array = array + 1j * generator.standard_normal(array.shape)
        elif isinstance(bad, complex):
            continue
        array[1, generator.integers(6), generator.integers(length)] = bad
        with np.errstate(invalid="ignore"):
            exact = getattr(np.fft, name)(array)
        result = getattr(glfft, name)(array, ctx=ctx)
        assert np.array_equal(np.isfinite(result), np.isfinite(exact))


BAD_CALLS: list[tuple[type[GlfftError], str, Any, dict[str, Any], str]] = [
    (ShapeError, "fft", np.ones(8), {"n": 0}, "0"),
    (ShapeError, "fft", np.ones(8), {"n": -4}, "-4"),
    (ShapeError, "fft", np.ones(8), {"n": 4.0}, "4.0"),
    (ShapeError, "fft", np.ones(8), {"n": "4"}, "'4'"),
    (ShapeError, "fft", np.ones(8), {"axis": 1}, "Axis 1"),
    (ShapeError, "fft", np.ones(8), {"axis": 0.0}, "0.0"),
    (ShapeError, "fft", np.array(3.0), {}, "0 dimensions"),
    (ShapeError, "fft", [], {}, "length 0 along axis 0"),
    (ShapeError, "fft", np.ones((8, 0)), {}, "length 0 along axis 1"),
    (ShapeError, "fft", np.ones((0, 8)), {"axis": 0}, "length 0 along axis 0"),
    (AlgorithmError, "fft", np.ones((0, 8)), {"algorithm": "stokham-radix4"}, "stockham-radix4"),
    (OptionError, "fft", np.ones((0, 8)), {"twiddles": "none"}, "twiddles"),
    (ShapeError, "fft", [[1, 2], [3]], {}, "not an array of numbers"),
    (ShapeError, "fft", ["one", "two"], {}, "not an array of numbers"),
    (ShapeError, "fft", None, {}, ""),
    (ShapeError, "fft", object(), {}, "not an array of numbers"),
    (ShapeError, "fft", ["1", "2"], {}, "not an array of numbers"),
    (ShapeError, "fft", np.zeros(2, "M8[s]"), {}, "not an array of numbers"),
    (ShapeError, "fft", np.zeros(2, [("field", np.float32)]), {}, "not an array of numbers"),
    (ShapeError, "fft", [10**400, 1], {}, "not an array of numbers"),
    (OptionError, "fft", np.ones(8), {"norm": "Ortho"}, "did you mean 'ortho'"),
    (AlgorithmError, "fft", np.ones(8), {"algorithm": "stokham-radix4"}, "stockham-radix4"),
    (OptionError, "fft", np.ones(8), {"twiddles": "none"}, "twiddles"),
    (LimitError, "fft", np.ones(8), {"n": 1 << 40}, "1099511627776"),
    (ShapeError, "fft2", np.ones(8), {}, "1 dimensions"),
    (ShapeError, "fft", np.array([1, None], object), {}, "numbers"),
    (ShapeError, "fft2", np.ones((8, 8)), {"axes": (0, 0)}, "once"),
    (ShapeError, "fft2", np.ones((8, 8)), {"axes": (1, -1)}, "once"),
    (ShapeError, "fft2", np.ones((8, 8)), {"axes": (0, 2)}, "Axis 2"),
    (ShapeError, "fft2", np.ones((8, 8)), {"s": (8,)}, "two lengths"),
    (ShapeError, "fft2", np.ones((8, 8)), {"s": 8}, "8"),
    (ShapeError, "fft2", np.ones((8, 0)), {}, "length 0 along axis 1"),
    (LimitError, "fft2", np.ones((8, 8)), {"s": (1 << 20, 1 << 20)}, "(1048576, 1048576)"),
    (OptionError, "fft", np.ones(12), {"norm": "Ortho"}, "norm is 'Ortho'"),
    (OptionError, "fft2", np.ones((8, 12)), {"norm": "Ortho"}, "norm is 'Ortho'"),
    (OptionError, "fft", np.ones(8), {"norm": np.array(["ortho", "ortho"])}, "norm is array("),
    (OptionError, "fft2", np.ones((8, 8)), {"norm": np.eye(9)}, "norm is array([["),
    (OptionError, "fft", np.ones(8), {"norm": ["ortho"]}, "norm is ['ortho']"),
]


@pytest.mark.parametrize(("kind", "name", "array", "options", "word"), BAD_CALLS)
def test_bad_calls(
    ctx: moderngl.Context, kind: type[GlfftError], name: str, array: Any, options: dict[str, Any], word: str
) -> None:
    inverse = {"fft": glfft.ifft, "fft2": glfft.ifft2}[name]
    for function in (PAIRS[name][0], inverse):
        with refused(kind) as caught:
            function(array, ctx=ctx, **options)
        assert word in str(caught.value)


EMPTY: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    ("fft", (0, 8), {}),
    ("fft", (3, 0, 4), {}),
    ("ifft", (8, 0), {"axis": 0}),
    ("fft", (0, 3), {"n": 16}),
    ("fft", (3, 0), {"n": 8}),
    ("fft2", (0, 4, 8), {}),
    ("ifft2", (4, 0, 8), {"axes": (0, 2)}),
    ("fft2", (4, 0), {"s": (4, 8)}),
    ("fft2", (0, 3, 5), {"s": (4, 8)}),
]


@pytest.mark.parametrize(("name", "shape", "options"), EMPTY)
def test_empty_batches_are_empty_as_in_numpy(name: str, shape: tuple[int, ...], options: dict[str, Any]) -> None:
    ours, theirs = PAIRS[name]
    array = np.ones(shape)
    result, exact = ours(array, **options), theirs(array, **options)
    assert result.dtype == np.complex64
    assert result.shape == exact.shape
    assert np.array_equal(result, exact), "an axis of no points is padded with zeros"


def test_what_is_no_context_is_refused() -> None:
    wrong: Any = "context"
    with pytest.raises(ContextError, match=r"A moderngl\.Context is needed, not str"):
        glfft.fft(np.ones(8), ctx=wrong)


def python(program: str, **environment: str) -> str:
    """What a program prints in a process of its own."""
    return "".join(f"{line}\n" for line in lines_of(program, {**os.environ, **environment}))


def test_without_a_context_one_is_opened_once() -> None:
    printed = python(
        "import glfft, moderngl\n"
        "opened = []\n"
        "create = moderngl.create_context\n"
        "moderngl.create_context = lambda *args, **settings: opened.append(create(*args, **settings)) or opened[-1]\n"
        "first = glfft.fft([1, 2, 3, 4])\n"
        "second = glfft.fft2([[1, 2], [3, 4]])\n"
        "print(first.tolist(), second.tolist(), len(opened))\n"
    )
    assert printed == "[(10+0j), (-2+2j), (-2+0j), (-2-2j)] [[(10+0j), (-2+0j)], [(-4+0j), 0j]] 1\n"


def test_the_current_context_is_taken() -> None:
    printed = python(
        "import glfft, moderngl\n"
        "own = moderngl.create_context(standalone=True, backend='egl', require=430)\n"
        "moderngl.create_context = None\n"
        "print(glfft.fft([1, 2]).tolist(), moderngl.get_context() is own)\n"
    )
    assert printed == "[(3+0j), (-1+0j)] True\n"


def test_the_floor_can_fail() -> None:
    # One element in a thousand off by its own size is 30 dB: the floor is far above what a wrong result could reach.
    exact = random_complex((1000,))
    wrong = exact.copy()
    wrong[500] = -wrong[500]
    assert snr_db(wrong, exact) < 50 < TABLE_DB
    with pytest.raises(AssertionError):
        assert_close(wrong, exact)
    wrong[500] = complex(np.nan, 0)
    with pytest.raises(AssertionError):
        assert_close(wrong, exact)


def test_signatures_name_every_keyword() -> None:
    names = [name for name in glfft.__all__ if name.endswith(("fft", "fft2", "fftn", "ct", "ctn", "st", "stn"))]
    assert len(names) == 26
    for name in names:
        ours = inspect.signature(getattr(glfft, name)).parameters
        theirs = inspect.signature(getattr(scipy.fft, name)).parameters
        assert not [each for each in ours.values() if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL)], name
        shared = {each: theirs[each].default for each in theirs if each in ours}
        assert {each: ours[each].default for each in shared} == shared, name
        assert set(ours) - set(theirs) == {"array", "ctx", "algorithm", "twiddles", "precision"}, name
        with pytest.raises(TypeError, match="unexpected keyword argument 'layers'"):
            getattr(glfft, name)(np.ones((4, 4)), layers=2)
