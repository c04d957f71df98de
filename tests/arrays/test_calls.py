"""Arrays of any rank, and Hermitian ones: what scipy.fft does, in single precision."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernels import restrict_device
from support.sentences import refused
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.arrays import kept_plans
from glfft.errors import DataError, GlfftError, LimitError, OptionError, ShapeError
from glfft.gl.context import state_of

OVER_AXES = ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")
OVER_TWO = ("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2")
ALONG_ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TAKES_REAL = ("rfft", "rfft2", "rfftn", "ihfft", "ihfft2", "ihfftn")
MAKES_REAL = ("irfft", "irfft2", "irfftn", "hfft", "hfft2", "hfftn")

# Each length compiles shaders of its own: few of each kind are drawn.
lengths = st.sampled_from([1, 2, 3, 8, 41])
norms = st.sampled_from([None, "backward", "ortho", "forward"])


def numbers(name: str, shape: tuple[int, ...], seed: int = 0) -> npt.NDArray[Any]:
    """What a function takes: real or complex numbers in single precision."""
    made = random_complex(shape, seed)
    return made.real.copy() if name in TAKES_REAL else made


def assert_as_scipy(name: str, array: npt.NDArray[Any], *args: Any, **options: Any) -> None:
    """Our result is scipy's of the same numbers in double precision."""
    ctx = options.pop("ctx")
    wide = array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)
    exact = getattr(scipy.fft, name)(wide, *args, **options)
    result = getattr(glfft, name)(array, *args, ctx=ctx, **options)
    assert result.dtype == (np.float32 if name in MAKES_REAL else np.complex64)
    assert result.flags.c_contiguous
    assert_close(result, exact, BLUESTEIN_DB)


@pytest.mark.parametrize("name", OVER_AXES + OVER_TWO + ALONG_ONE)
def test_the_arguments_are_scipys(name: str) -> None:
    ours, theirs = (
        [(each.name, each.default) for each in inspect.signature(getattr(module, name)).parameters.values()]
        for module in (glfft, scipy.fft)
    )
    assert ours[1:4] == theirs[1:4]


@settings(max_examples=15)
@given(data=st.data())
def test_any_axes_of_any_array(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(OVER_AXES))
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=5).map(tuple))
    count = data.draw(st.integers(1, len(shape)))
    axes = [
        axis - data.draw(st.sampled_from([0, len(shape)])) for axis in data.draw(st.permutations(range(len(shape))))
    ]
    s = [data.draw(lengths) for _ in range(count)]
    array = numbers(name, shape, data.draw(st.integers(0, 99)))
    assert_as_scipy(name, array, s, data.draw(st.sampled_from([None, axes[:count]])), data.draw(norms), ctx=ctx)


@settings(max_examples=15)
@given(data=st.data())
def test_hermitian_lines_and_pictures(ctx: moderngl.Context, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["hfft", "ihfft", "hfft2", "ihfft2"]))
    shape = data.draw(st.lists(st.integers(2, 6), min_size=2, max_size=3).map(tuple))
    n = (data.draw(lengths), data.draw(lengths)) if name.endswith("2") else data.draw(lengths)
    array = numbers(name, shape, data.draw(st.integers(0, 99)))
    assert_as_scipy(name, array, data.draw(st.sampled_from([None, n])), norm=data.draw(norms), ctx=ctx)


@pytest.mark.parametrize("name", OVER_AXES)
def test_lengths_and_axes_left_out_are_those_of_the_array(ctx: moderngl.Context, name: str) -> None:
    array = numbers(name, (3, 4, 5))
    assert_as_scipy(name, array, ctx=ctx)
    assert_as_scipy(name, array, (-1, 8), (2, 0), ctx=ctx)
    assert_as_scipy(name, array, 6, 1, ctx=ctx)
    assert_as_scipy(name, np.asfortranarray(array)[::-1], axes=(1,), ctx=ctx)


@pytest.mark.parametrize("name", OVER_AXES)
def test_what_fits_no_buffer_goes_in_several(ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    array = numbers(name, (4, 3, 5, 4))
    # Room for some lines of each axis, but for no picture of two; then for two pictures.
    for most in (11, 45):
        monkeypatch.setattr(kept_plans, "most_in_a_buffer", lambda ctx, kind, most=most: most)
        assert_as_scipy(name, array, ctx=ctx)
    monkeypatch.setattr(kept_plans, "most_in_a_buffer", lambda ctx, kind: 4)
    with refused(LimitError, match="at most 4 complex numbers"):
        getattr(glfft, name)(array, ctx=ctx)


def test_small_arrays_of_several_counts_share_a_plan(ctx: moderngl.Context) -> None:
    kept = state_of(ctx).cache("plans of arrays", OrderedDict)
    for shape in ((5, 48), (7, 48), (8, 48), (5, 6, 8), (8, 6, 8)):
        for name in ("fftn", "irfftn"):
            before = set(kept)
            array = numbers(name, shape)
            assert_as_scipy(name, array, axes=range(1, len(shape)), ctx=ctx)
            if shape[0] == 7:
                assert set(kept) == before, "a plan for 5 lines takes 7"
    large = random_complex((5, 1 << 14))
    assert_close(glfft.fft(large, ctx=ctx), np.fft.fft(large.astype(complex)))
    assert next(reversed(kept.values())).bytes == 8 * large.size, "no room is wasted"


@pytest.mark.parametrize("texture_size", [64, pytest.param(None, marks=pytest.mark.slow)])
def test_lines_longer_than_any_texture(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, texture_size: int | None
) -> None:
    # Lines of 32768 points take seconds to compile; a device of smaller textures has shorter ones.
    if texture_size is not None:
        restrict_device(ctx, monkeypatch, texture_size=texture_size)
    array = random_complex((2, 2 * state_of(ctx).limits.texture_size))
    assert_close(glfft.fft(array, ctx=ctx), np.fft.fft(array.astype(complex)))
    assert_close(glfft.irfft(glfft.rfft(array.real, ctx=ctx), ctx=ctx), array.real, COMPOSED_DB)


@pytest.mark.parametrize("axes", [(0,), 1, (2, 0, 1)], ids=str)
def test_names_with_2_take_as_many_axes_as_scipys(ctx: moderngl.Context, axes: Any) -> None:
    array = np.random.default_rng(4).standard_normal((4, 6, 5))
    for name in ("fft2", "irfft2", "hfft2"):
        found = getattr(glfft, name)(array, axes=axes, ctx=ctx)
        assert_close(found, getattr(scipy.fft, name)(array, axes=axes))


def test_no_axes_are_a_copy_and_no_real_transform(ctx: moderngl.Context) -> None:
    for array in (np.array(3.0), np.ones((2, 3), np.complex64)):
        result = glfft.fftn(array, axes=(), ctx=ctx)
        assert result.dtype == np.complex64
        assert np.array_equal(result, array)
        assert not np.shares_memory(result, array)
    assert glfft.ifftn(np.array(2.0), ctx=ctx) == 2
    for name in ("rfftn", "irfftn", "hfftn", "ihfftn"):
        with refused(ShapeError, match="No axis"):
            getattr(glfft, name)(np.ones((2, 3)), axes=(), ctx=ctx)
        with pytest.raises(ValueError, match="at least 1 axis"):
            getattr(scipy.fft, name)(np.ones((2, 3)), axes=())


def test_empty_batches_are_empty(ctx: moderngl.Context) -> None:
    assert glfft.fftn(np.ones((0, 4, 3)), axes=(1, 2), ctx=ctx).shape == (0, 4, 3)
    assert glfft.rfftn(np.ones((4, 0, 6)), axes=(0, 2), ctx=ctx).shape == (4, 0, 4)
    assert glfft.hfftn(np.ones((2, 0)), (2, 6), ctx=ctx).shape == (2, 6)


BAD_CALLS: list[tuple[type[GlfftError], str, Any, dict[str, Any], str]] = [
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, 0)}, "length 0 along axis 1"),
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, -2)}, "length -2 along axis 1"),
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, 2.5)}, "2.5"),
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, None)}, "None"),
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, 4, 4)}, "only 2 dimensions"),
    (ShapeError, "fftn", np.ones((4, 4)), {"s": (4, 4), "axes": (0,)}, "one length"),
    (ShapeError, "rfftn", np.ones((4, 4)), {"s": (4,), "axes": (0, 1)}, "two lengths"),
    (ShapeError, "fftn", np.ones((4, 4, 4, 4)), {"s": (4,), "axes": (0, 1, 2, 3)}, "4 lengths"),
    (ShapeError, "fftn", np.ones((4, 4)), {"axes": (0, 2)}, "Axis 2"),
    (ShapeError, "fftn", np.ones((4, 4)), {"axes": (0, -2)}, "once"),
    (ShapeError, "fftn", np.ones((4, 4)), {"axes": (0.5,)}, "0.5"),
    (ShapeError, "fftn", np.ones((4, 0)), {}, "length 0 along axis 1"),
    (ShapeError, "irfftn", np.ones((4, 1)), {}, "length 0 along axis 1"),
    (ShapeError, "hfft", np.ones(1), {}, "length 0"),
    (ShapeError, "ihfft2", np.ones(4), {}, "1 dimensions"),
    (DataError, "ihfft", np.ones(4, complex), {}, "complex"),
    (DataError, "rfftn", np.ones((4, 4), complex), {}, "complex"),
    (DataError, "ihfftn", np.ones((4, 4), complex), {}, "complex"),
    (OptionError, "hfft", np.ones(4), {"norm": "Ortho"}, "did you mean 'ortho'"),
    (LimitError, "fftn", np.ones((2, 2, 2)), {"s": (1 << 20, 1 << 20, 2)}, "memory"),
    (LimitError, "hfft", np.ones(4), {"n": 1 << 40}, "1099511627776"),
]


@pytest.mark.parametrize(("kind", "name", "array", "options", "word"), BAD_CALLS)
def test_bad_calls(
    ctx: moderngl.Context, kind: type[GlfftError], name: str, array: Any, options: dict[str, Any], word: str
) -> None:
    with refused(kind) as caught:
        getattr(glfft, name)(array, ctx=ctx, **options)
    assert word in str(caught.value)
