"""Cosine and sine transforms of arrays, as scipy.fft has them."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from support.sentences import refused
from support.tolerances import BLUESTEIN_DB, DOUBLE_DB, assert_close

import glfft
from glfft.errors import GlfftError, OptionError, ShapeError

NAMES = ("dct", "dst", "idct", "idst")
TYPES = (1, 2, 3, 4)
LENGTHS = (1, 2, 3, 5, 7, 8, 11, 16, 17, 30)
LONGER = (64, 97, 100)
CASES = list(itertools.product(NAMES, TYPES))


def random(*shape: int) -> npt.NDArray[np.float32]:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def assert_scipys(ctx: moderngl.Context, name: str, number: int, array: npt.NDArray[Any], **options: Any) -> None:
    """Fail unless a function of glfft has scipy's result of the same numbers in float64."""
    exact = getattr(scipy.fft, name)(array.astype(np.float64), number, **options)
    result = getattr(glfft, name)(array, number, ctx=ctx, **options)
    assert result.dtype == np.float32
    assert result.flags.c_contiguous
    assert_close(result, exact, BLUESTEIN_DB)


def is_defined(name: str, number: int, length: int) -> bool:
    return length > 1 or number > 1 or name.endswith("dst")


@pytest.mark.parametrize("length", LENGTHS)
def test_every_length_is_scipys(ctx: moderngl.Context, length: int) -> None:
    # All names and types over the lengths, two for each.
    index = LENGTHS.index(length)
    for name, number in CASES[3 * index % 8 :: 8]:
        if is_defined(name, number, length):
            assert_scipys(ctx, name, number, random(3, length))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), CASES)
def test_every_length_of_every_type_is_scipys(ctx: moderngl.Context, name: str, number: int) -> None:
    for length in LENGTHS + LONGER:
        if is_defined(name, number, length):
            assert_scipys(ctx, name, number, random(3, length))


@pytest.mark.parametrize(("name", "number"), CASES)
def test_every_norm_and_either_orthogonalize(ctx: moderngl.Context, name: str, number: int) -> None:
    array = random(2, 6)
    for norm, orthogonalize in ((None, True), ("ortho", None), ("ortho", False), ("forward", None), ("backward", True)):
        assert_scipys(ctx, name, number, array, norm=norm, orthogonalize=orthogonalize)


@pytest.mark.parametrize("name", ["dctn", "dstn", "idctn", "idstn"])
def test_any_axes_and_lengths(ctx: moderngl.Context, name: str) -> None:
    array = random(2, 3, 4, 5)
    assert_scipys(ctx, name, 2, array, axes=(1, -1))
    assert_scipys(ctx, name, 3, array, axes=(0, 2, 3), norm="ortho")
    assert_scipys(ctx, name, 4, array, s=(6, 3))
    assert_scipys(ctx, name[:-1], 1, array, n=6, axis=1)
    assert_scipys(ctx, name[:-1], 2, array, n=3, axis=0)


def test_inverses_undo(ctx: moderngl.Context) -> None:
    array = random(4, 3)
    for name, number in itertools.product(("dct", "dst"), TYPES):
        there = getattr(glfft, f"{name}n")(array, number, ctx=ctx)
        assert_close(getattr(glfft, f"i{name}n")(there, number, ctx=ctx), array, BLUESTEIN_DB)


def test_complex_numbers_go_part_by_part(ctx: moderngl.Context) -> None:
    array = (random(3, 6) + 1j * random(3, 7)[:, :6]).astype(np.complex64)
    result = glfft.dct(array, 2, norm="ortho", ctx=ctx)
    assert result.dtype == np.complex64
    assert_close(result, np.asarray(scipy.fft.dct(array.astype(np.complex128), 2, norm="ortho")), BLUESTEIN_DB)
    halves = glfft.dct(array, 2, norm="forward", orthogonalize=True, ctx=ctx)
    assert np.array_equal(halves.imag, glfft.dct(array.imag, 2, norm="forward", orthogonalize=True, ctx=ctx))


@pytest.mark.parametrize(("name", "number"), [("dct", 1), ("dct", 2), ("dst", 3), ("idst", 4)])
def test_double_precision(ctx: moderngl.Context, name: str, number: int) -> None:
    array = random(3, 10).astype(np.float64) / 3
    result = getattr(glfft, name)(array, number, ctx=ctx, precision="double")
    assert result.dtype == np.float64
    assert_close(result, getattr(scipy.fft, name)(array, number), DOUBLE_DB)


def test_what_is_small_or_empty(ctx: moderngl.Context) -> None:
    assert glfft.dct(np.zeros((0, 3)), ctx=ctx).shape == (0, 3)
    assert glfft.dctn(3.0, ctx=ctx) == 3.0
    assert glfft.dct([1, 2, 3], 2, ctx=ctx).dtype == np.float32
    assert glfft.dstn(random(2, 3), axes=(), ctx=ctx).shape == (2, 3)


def test_a_nan_stays_in_its_line(ctx: moderngl.Context) -> None:
    array = random(4, 8)
    array[2, 5] = np.nan
    assert np.isnan(glfft.dct(array, ctx=ctx)).all(axis=1).tolist() == [False, False, True, False]


def test_the_arguments_are_scipys() -> None:
    for name in (*NAMES, *(f"{name}n" for name in NAMES)):
        ours, theirs = (inspect.signature(getattr(each, name)).parameters for each in (glfft, scipy.fft))
        # Beside what scipy does in place and in how many threads.
        assert [each for each in theirs if each not in ("x", "overwrite_x", "workers")] == list(ours)[1:-4]
        assert all(ours[each].default == theirs[each].default for each in list(ours)[1:-4])


BAD: list[tuple[type[GlfftError], dict[str, Any], tuple[str, ...]]] = [
    (OptionError, {"type": 5}, ("type is 5", "1, 2, 3 or 4")),
    (OptionError, {"type": 0}, ("type is 0",)),
    (OptionError, {"type": 2.0}, ("type is 2.0",)),
    (OptionError, {"type": "2"}, ("type is '2'",)),
    (OptionError, {"orthogonalize": "no"}, ("orthogonalize is 'no'",)),
    (OptionError, {"norm": "Ortho"}, ("norm is 'Ortho'",)),
    (ShapeError, {"type": 1, "n": 1}, ("type 1", "length 1", "2 points")),
    (ShapeError, {"n": 0}, ("length 0", "at least 1")),
    (ShapeError, {"n": 2.5}, ("2.5", "whole number")),
    (ShapeError, {"axis": 2}, ("Axis 2",)),
]


@pytest.mark.parametrize(("error", "options", "words"), BAD, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_a_sentence(
    ctx: moderngl.Context, error: type[GlfftError], options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with refused(error) as caught:
        glfft.dct(random(2, 6), ctx=ctx, **options)
    for word in words:
        assert word in str(caught.value)
