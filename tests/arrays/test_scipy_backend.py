"""The backend for scipy.fft: its Fourier transforms run here, and what is not taken goes back to scipy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
import scipy.signal
from scipy.fft import _basic_backend, _realtransforms_backend
from support.kernels import restrict_device
from support.scipys_own import basic
from support.tolerances import BLUESTEIN_DB, DOUBLE_DB, assert_close

from glfft import scipy_backend
from glfft.apps.signal_to_noise import random_complex

NAMES = [f"{kind}{rank}" for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for rank in ("", "2", "n")]
TRIGONOMETRIC = [f"{i}{kind}{rank}" for i in ("", "i") for kind in ("dct", "dst") for rank in ("", "n")]
TAKES_REAL = ("rfft", "rfft2", "rfftn", "ihfft", "ihfft2", "ihfftn")

# Its type is that of the protocol, and not what a call gives.
front: Any = scipy.fft

each_function = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _backend(ctx: moderngl.Context) -> Iterator[None]:
    with front.set_backend(scipy_backend):
        yield


def numbers(name: str, shape: tuple[int, ...] = (3, 6, 10)) -> npt.NDArray[Any]:
    made = random_complex(shape)
    return made.real.copy() if name in TAKES_REAL else made


def calls_of(monkeypatch: pytest.MonkeyPatch, module: Any = _basic_backend) -> list[str]:
    """Names of scipy's own transforms, those of a module, that were called from now on."""
    called: list[str] = []
    for name in NAMES if module is _basic_backend else TRIGONOMETRIC:
        theirs = getattr(module, name)

        def noted(*args: Any, name: str = name, theirs: Any = theirs, **kwargs: Any) -> Any:
            called.append(name)
            return theirs(*args, **kwargs)

        monkeypatch.setattr(module, name, noted)
    return called


def pocketfft(name: str, x: Any, *args: Any, **options: Any) -> Any:
    """What scipy's own implementation gives."""
    with front.set_backend("scipy", only=True):
        return getattr(front, name)(x, *args, **options)


@each_function
def test_every_fourier_transform_in_single_precision_runs_here(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = calls_of(monkeypatch)
    array = numbers(name)
    result = getattr(front, name)(array)
    assert called == []
    exact = pocketfft(name, array)
    assert called[:1] == [name]
    assert result.dtype == exact.dtype
    assert_close(result, exact, BLUESTEIN_DB)


@each_function
def test_every_argument_is_scipys(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = calls_of(monkeypatch)
    array = numbers(name)
    several = name[-1] in "2n"
    for args in [(7, 1, "ortho") if not several else ((7, 5), (2, 0), "ortho"), (None, 0, "forward"), (6, 1)]:
        for more in ({}, {"workers": -1, "overwrite_x": True}):
            kept = array.copy()
            result = getattr(front, name)(kept, *args, **more)
            assert called == []
            exact = pocketfft(name, array, *args)
            called.clear()
            assert result.dtype == exact.dtype
            assert_close(result, exact, BLUESTEIN_DB)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64, ">f4", ">c8"])
def test_types_of_single_precision(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called = calls_of(monkeypatch)
    array = np.arange(12).reshape(3, 4).astype(dtype)
    assert front.fft(array).dtype == np.complex64
    assert front.irfft(array).dtype == np.float32
    assert called == []


@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int32, np.uint8, np.bool_, ">f8", ">i4"])
def test_types_of_double_precision(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called = calls_of(monkeypatch)
    array = np.arange(12).reshape(3, 4).astype(dtype)
    result = front.fft(array)
    assert front.irfft(array).dtype == np.float64
    assert called == []
    assert result.dtype == np.complex128
    assert_close(result, basic.c2c(True, array), DOUBLE_DB)


@each_function
def test_every_fourier_transform_in_double_precision_runs_here(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = calls_of(monkeypatch)
    array = numbers(name).astype(np.float64 if name in TAKES_REAL else np.complex128) / 3
    result = getattr(front, name)(array)
    assert called == []
    exact = pocketfft(name, array)
    assert result.dtype == exact.dtype
    assert_close(result, exact, DOUBLE_DB)


@pytest.mark.parametrize("dtype", [np.float64, np.int32])
def test_where_there_is_no_double_precision_it_is_scipys_own(
    ctx: moderngl.Context, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, float64=False)
    monkeypatch.setattr("glfft.arrays.kept_plans.default_context", lambda: ctx)
    # There is no plan yet for this shape.
    array = np.arange(28).reshape(2, 14).astype(dtype)
    called = calls_of(monkeypatch)
    result = front.fft2(array)
    assert called[:1] == ["fft2"]
    assert np.array_equal(result, basic.fftn(array))
    called.clear()
    assert front.fft2(array.astype(np.float32)).dtype == np.complex64
    assert called == []


@pytest.mark.parametrize("dtype", [np.longdouble, np.clongdouble])
def test_long_doubles_are_scipys_own(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.arange(12).reshape(3, 4).astype(dtype)
    called = calls_of(monkeypatch)
    result = front.fft2(array)
    assert called[:1] == ["fft2"]
    exact = basic.fftn(array)
    assert result.dtype == exact.dtype
    assert np.array_equal(result, exact)


@pytest.mark.parametrize("name", TRIGONOMETRIC)
def test_cosines_and_sines_run_here(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    array = random_complex((4, 6)).real.astype(np.float32)
    exact = pocketfft(name, array.astype(np.float64), 3, norm="ortho")
    called = calls_of(monkeypatch, _realtransforms_backend)
    result = getattr(front, name)(array, 3, norm="ortho")
    assert called == []
    assert result.dtype == np.float32
    assert_close(result, exact, BLUESTEIN_DB)


def test_cosines_with_scipys_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    array = random_complex((4, 6)).real.astype(np.float64)
    called = calls_of(monkeypatch, _realtransforms_backend)
    double = front.dctn(array, 2, (5, 6), (0, 1), orthogonalize=True, overwrite_x=True, workers=2)
    assert called == []
    assert_close(double, pocketfft("dctn", array, 2, (5, 6), (0, 1), orthogonalize=True), DOUBLE_DB)
    called.clear()
    assert front.dct([1.0, 2.0]).dtype == np.float64
    assert front.dctn(array, axes=()) is array
    with pytest.raises(ValueError, match="invalid DCT type"):
        front.dct(array, 5)
    with pytest.raises(RuntimeError, match=r"zero-(length|sized)"):
        front.dct(array[:, :1], 1)
    # scipy passes over orthogonalize= of complex numbers.
    pair = array + 1j
    assert np.array_equal(front.dct(pair, 2, orthogonalize=True), front.dct(pair, 2, orthogonalize=False))
    assert called == ["dct", "dctn", "dct", "dct", "dct", "dct"]


def test_what_is_not_taken_goes_back_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    single = np.ones((4, 6), np.float32)
    assert front.fht(single, 0.1, 0.0).shape == (4, 6)
    called = calls_of(monkeypatch)
    assert front.fftn(single, axes=()) is single
    assert front.fftn(single, s=()) is single
    assert front.fft([1.0, 2.0]).dtype == np.complex128
    assert front.fft(np.ma.masked_array(single)).shape == (4, 6)
    assert called == ["fftn", "fftn", "fft", "fft"]


def test_errors_are_scipys() -> None:
    single = np.ones((4, 6), np.float32)
    with pytest.raises(NotImplementedError, match="precomputed plan"):
        front.fft(single, plan=object())
    with pytest.raises(ValueError, match="workers"):
        front.fft(single, workers=0)
    with pytest.raises(ValueError, match="workers value out of range"):
        front.fftn(single, workers=-1000)
    with pytest.raises(ValueError, match="invalid number of data points"):
        front.fft(single, 0)
    with pytest.raises(ValueError, match="Invalid norm value"):
        front.rfft(single, norm="Ortho")
    with pytest.raises(ValueError, match="unique"):
        front.fftn(single, axes=(0, 0))
    with pytest.raises(TypeError, match="real sequence"):
        front.rfft(single + 1j)


def test_other_parts_of_scipy_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, kernel = np.ones((40, 50), np.float32), np.ones((8, 8), np.float32)
    called = calls_of(monkeypatch)
    result = scipy.signal.fftconvolve(picture, kernel, "same")
    assert called == []
    assert result.dtype == np.float32
    assert np.allclose(result[10:30, 10:40], 64)


def test_only_this_backend_refuses_what_it_does_not_take() -> None:
    from scipy._lib.uarray import BackendNotImplementedError

    with front.set_backend(scipy_backend, only=True):
        assert front.fft(np.ones(4, np.float32))[0] == 4
        with pytest.raises(BackendNotImplementedError):
            front.fft(np.ones(4, np.longdouble))
