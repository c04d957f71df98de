"""Numpy arrays in and out in double precision."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.kernels import restrict_device
from support.sentences import refused
from support.tolerances import DOUBLE_DB, assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import LimitError, OptionError

NAMES = [f"{kind}{rank}" for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for rank in ("", "2", "n")]
TAKES_REAL = ("rfft", "rfft2", "rfftn", "ihfft", "ihfft2", "ihfftn")


@pytest.mark.parametrize("name", NAMES)
def test_every_function_has_double_precision(ctx: moderngl.Context, name: str) -> None:
    scipy_fft = pytest.importorskip("scipy.fft")
    array = random_complex((3, 6, 10), double=True)
    if name in TAKES_REAL:
        array = array.real.copy()
    function: Any = getattr(glfft, name)
    result = function(array, precision="double", ctx=ctx)
    exact = getattr(scipy_fft, name)(array)
    assert result.dtype == exact.dtype
    assert_close(result, exact, DOUBLE_DB)


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.longdouble, np.bool_])
def test_input_of_any_type_is_transformed_in_the_precision_asked_for(ctx: moderngl.Context, dtype: Any) -> None:
    array = np.arange(12).reshape(2, 6).astype(dtype)
    assert glfft.fft(array, ctx=ctx).dtype == np.complex64
    result = glfft.fft(array, 5, precision="double", ctx=ctx)
    assert result.dtype == np.complex128
    assert_close(result, np.fft.fft(array.astype(np.float64), 5), DOUBLE_DB)


def test_single_is_the_default_also_of_doubles(ctx: moderngl.Context) -> None:
    array = random_complex((4, 6), double=True)
    result = glfft.fft2(array, ctx=ctx)
    assert result.dtype == np.complex64
    assert np.array_equal(result, glfft.fft2(array, precision="single", ctx=ctx))
    assert glfft.irfft(array, ctx=ctx).dtype == np.float32


def test_nothing_to_transform_has_its_type(ctx: moderngl.Context) -> None:
    assert glfft.fft(np.ones((0, 4)), precision="double", ctx=ctx).dtype == np.complex128
    assert glfft.irfft(np.ones((0, 4)), precision="double", ctx=ctx).dtype == np.float64


@pytest.mark.parametrize("precision", ["half", "Double", None, 64])
def test_other_precisions_are_refused(ctx: moderngl.Context, precision: Any) -> None:
    with refused(OptionError, match=r"precision is .* must be one of single, double"):
        glfft.fft(np.ones(4), precision=precision, ctx=ctx)


def test_a_device_without_float64_says_so(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, float64=False)
    # There is no plan yet for this shape.
    with refused(LimitError, match="precision="):
        glfft.fft2(np.ones((3, 22)), precision="double", ctx=ctx)
