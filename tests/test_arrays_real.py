"""Real numpy arrays in and out: what numpy.fft does with rfft, irfft, rfft2 and irfft2, in single precision."""

from __future__ import annotations

import inspect
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import lines_of
from support.sentences import assert_one_sentence, refused
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import DataError, GlfftError, LimitError, OptionError, ShapeError

PAIRS: dict[str, tuple[Any, Any]] = {
    "rfft": (glfft.rfft, np.fft.rfft),
    "irfft": (glfft.irfft, np.fft.irfft),
    "rfft2": (glfft.rfft2, np.fft.rfft2),
    "irfft2": (glfft.irfft2, np.fft.irfft2),
}
each_function = pytest.mark.parametrize("name", PAIRS)
lengths = st.sampled_from([1, 2, 3, 4, 5, 8, 12, 16, 59])
norms = st.sampled_from([None, "backward", "ortho", "forward"])
REAL_TYPES = (np.float16, np.float32, np.float64, np.int8, np.uint16, np.int64, np.bool_)


def numbers(name: str, shape: tuple[int, ...], seed: int = 0) -> npt.NDArray[Any]:
    """What a function takes: real numbers, or a spectrum."""
    made = random_complex(shape, seed)
    return made.real.copy() if name.startswith("r") else made


def wide(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same in float64: the rounding of the input is not our error."""
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def assert_as_numpy(name: str, result: npt.NDArray[Any], exact: npt.NDArray[Any]) -> None:
    assert result.dtype == (np.complex64 if name.startswith("r") else np.float32)
    assert_close(result, exact)


@each_function
def test_the_arguments_are_numpys(name: str) -> None:
    ours, theirs = (list(inspect.signature(function).parameters.values()) for function in PAIRS[name])
    wanted = [(each.name, each.default) for each in theirs if each.name != "out"][1:]
    assert [(each.name, each.default) for each in ours][1 : 1 + len(wanted)] == wanted


@settings(max_examples=20)
@given(data=st.data())
def test_one_axis_of_any_array(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["rfft", "irfft"]))
    shape = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n, norm = data.draw(lengths), data.draw(norms)
    array = numbers(name, shape, data.draw(st.integers(0, 99)))
    ours, theirs = PAIRS[name]
    assert_as_numpy(name, ours(array, n, axis, norm, ctx=ctx), theirs(wide(array), n, axis, norm))


@settings(max_examples=20)
@given(data=st.data())
def test_two_axes_of_any_array(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["rfft2", "irfft2"]))
    shape = data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4).map(tuple))
    axes = data.draw(st.permutations(range(len(shape))))[:2]
    axes = [axis - data.draw(st.sampled_from([0, len(shape)])) for axis in axes]
    s, norm = (data.draw(lengths), data.draw(lengths)), data.draw(norms)
    array = numbers(name, shape, data.draw(st.integers(0, 99)))
    ours, theirs = PAIRS[name]
    assert_as_numpy(name, ours(array, s, axes, norm, ctx=ctx), theirs(wide(array), s, axes, norm))


@each_function
def test_lengths_are_numpys_where_none_are_given(ctx: moderngl.Context, name: str) -> None:
    ours, theirs = PAIRS[name]
    for last in (2, 3, 9) if name.startswith("i") else (1, 2, 16):
        array = numbers(name, (2, 4, last))
        assert_as_numpy(name, ours(array, ctx=ctx), theirs(wide(array)))


@pytest.mark.parametrize("dtype", REAL_TYPES)
def test_real_numbers_of_any_type(ctx: moderngl.Context, dtype: Any) -> None:
    array = (100 * numbers("rfft", (4, 8))).astype(dtype)
    assert_as_numpy("rfft", glfft.rfft(array, ctx=ctx), np.fft.rfft(wide(array)))
    assert_as_numpy("irfft2", glfft.irfft2(array, (4, 8), ctx=ctx), np.fft.irfft2(wide(array), (4, 8)))


def test_a_round_trip_is_the_picture(ctx: moderngl.Context) -> None:
    picture = numbers("rfft", (3, 8, 16))
    assert_close(glfft.irfft2(glfft.rfft2(picture, ctx=ctx), ctx=ctx), picture, COMPOSED_DB)
    assert_close(glfft.irfft(glfft.rfft(picture, ctx=ctx), ctx=ctx), picture, COMPOSED_DB)


@each_function
def test_views_lists_and_options(ctx: moderngl.Context, name: str) -> None:
    ours, theirs = PAIRS[name]
    n = {"rfft": 8, "irfft": 8}.get(name, (8, 8))
    whole = numbers(name, (16, 10))
    before = whole.copy()
    for view in (whole[::2, ::-1], whole.T, whole[:, :5]):
        assert_as_numpy(name, ours(view, n, ctx=ctx), theirs(wide(view), n))
    assert np.array_equal(whole, before)
    for algorithm in ("stockham-radix2", "natural-order-stages"):
        result = ours(whole.tolist(), n, ctx=ctx, algorithm=algorithm, twiddles="computed")
        assert_close(result, theirs(wide(whole), n), 110.0)
    result = ours(whole, n, ctx=ctx)
    kept = result.copy()
    ours(2 * whole, n, ctx=ctx)
    assert np.array_equal(result, kept), "a later call changed an earlier result"


def test_more_lines_than_a_texture_has_rows(ctx: moderngl.Context) -> None:
    lines = numbers("rfft", (ctx.info["GL_MAX_TEXTURE_SIZE"] + 3, 2))
    assert_as_numpy("rfft", glfft.rfft(lines, ctx=ctx), np.fft.rfft(wide(lines)))


@pytest.mark.parametrize("bad", [np.nan, np.inf, complex(0, np.nan)])
def test_what_is_not_finite_stays_in_its_line_or_picture(ctx: moderngl.Context, bad: complex) -> None:
    spectra = numbers("irfft", (4, 6, 9))
    spectra[1, 2, 3] = bad
    lines = np.isfinite(glfft.irfft(spectra, ctx=ctx)).all(axis=-1)
    assert np.argwhere(~lines).tolist() == [[1, 2]]
    pictures = np.isfinite(glfft.irfft2(spectra, ctx=ctx)).all(axis=(-2, -1))
    assert np.argwhere(~pictures).tolist() == [[1]]


BAD_CALLS: list[tuple[type[GlfftError], str, Any, dict[str, Any], str]] = [
    (DataError, "rfft", np.ones(8, complex), {}, "complex"),
    (DataError, "rfft2", [[1j, 2], [3, 4]], {}, "complex"),
    (ShapeError, "rfft", np.ones((8, 0)), {}, "length 0 along axis 1"),
    (ShapeError, "irfft", np.ones((8, 0)), {}, "length -2 along axis 1"),
    (OptionError, "rfft", np.ones(8, complex), {"norm": "Ortho"}, "norm is 'Ortho'"),
    (OptionError, "irfft", np.ones(8), {"norm": "Ortho"}, "norm is 'Ortho'"),
    (ShapeError, "rfft", [[1, 2], [3]], {}, "not an array of numbers"),
    (ShapeError, "irfft", np.ones(1), {}, "length 0"),
    (ShapeError, "irfft", np.ones(5), {"n": 0}, "length 0"),
    (ShapeError, "irfft2", np.ones((4, 5)), {"s": (4, 8, 2)}, "two lengths"),
    (ShapeError, "rfft2", np.ones(8), {}, "1 dimensions"),
    (ShapeError, "rfft2", np.ones((8, 8)), {"axes": (0, 0)}, "once"),
    (OptionError, "irfft2", np.ones((8, 5)), {"norm": "Ortho"}, "did you mean 'ortho'"),
    (LimitError, "irfft", np.ones(8), {"n": 1 << 40}, "1099511627776"),
]


@pytest.mark.parametrize("name", ["rfft", "rfft2"])
def test_complex_numbers_are_a_type_error_too_as_in_numpy(name: str) -> None:
    ours, theirs = PAIRS[name]
    for function in (ours, theirs):
        with pytest.raises(TypeError):
            function(np.ones((4, 4), complex))
    with pytest.raises(DataError):
        ours(np.ones((4, 4), complex))


@pytest.mark.parametrize(
    ("name", "shape", "options"),
    [
        ("rfft", (0, 8), {}),
        ("irfft", (0, 5), {}),
        ("rfft", (3, 0), {"n": 8}),
        ("irfft", (5, 0), {"axis": 0}),
        ("rfft2", (0, 4, 8), {}),
        ("irfft2", (0, 4, 5), {}),
        ("irfft2", (4, 0), {"s": (4, 8)}),
    ],
)
def test_empty_batches_are_empty_as_in_numpy(name: str, shape: tuple[int, ...], options: dict[str, Any]) -> None:
    ours, theirs = PAIRS[name]
    result, exact = ours(np.ones(shape), **options), theirs(np.ones(shape), **options)
    assert result.dtype == (np.complex64 if name.startswith("r") else np.float32)
    assert result.shape == exact.shape
    assert not result.any(), "an axis of no points is padded with zeros"


@pytest.mark.parametrize(("kind", "name", "array", "options", "word"), BAD_CALLS)
def test_bad_calls(
    ctx: moderngl.Context, kind: type[GlfftError], name: str, array: Any, options: dict[str, Any], word: str
) -> None:
    with refused(kind) as caught:
        PAIRS[name][0](array, ctx=ctx, **options)
    assert word in str(caught.value)


# In a process of its own: the context of the other tests is to stay the current one.
TWO_CONTEXTS = """
import numpy as np, glfft
first, second = glfft.open_context(), glfft.open_context()
blocker = [second.texture((4, 4), 1) for _ in range(5)]
picture = np.random.default_rng(0).standard_normal((8, 16))
exact = np.fft.fft2(picture)
for ctx in (first, second, first, second):
    print(np.allclose(glfft.fft2(picture, ctx=ctx), exact, atol=1e-4), end=" ")
    print(np.allclose(glfft.irfft2(glfft.rfft2(picture, ctx=ctx), ctx=ctx), picture, atol=1e-4), ctx.error)
with first:
    pass
print(np.allclose(glfft.fft(picture, ctx=second), np.fft.fft(picture), atol=1e-4))
first.release()
try:
    glfft.fft(picture, ctx=first)
except glfft.GlfftError as error:
    print(error)
"""


def test_the_context_given_is_the_one_used_whichever_was_current() -> None:
    *lines, refusal = lines_of(TWO_CONTEXTS)
    assert lines == ["True True GL_NO_ERROR"] * 4 + ["True"]
    assert_one_sentence(refusal)
