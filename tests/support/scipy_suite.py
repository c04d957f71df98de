"""A pytest plugin that runs the test files of scipy and numpy on glfft; the environment's GLFFT_SUITE says how.

- "backend", and "real" for sine and cosine transforms: scipy.fft has glfft's backend, and nothing else is changed.
- "single": the functions of scipy.fft, of its implementation and of numpy.fft are glfft's, in single precision for
  every input. Results are widened to the type expected, and comparisons have single precision's tolerances.

GLFFT_SLOW=1 runs only the tests left out otherwise: those of SLOW, which take a minute or more on a software renderer,
and in single precision scipy's, whose many lengths take minutes to compile once, and those of long doubles, which are
then the same as those of doubles.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.testing
import pytest
import scipy.fft
from scipy._lib import _array_api
from scipy.fft import _basic_backend

import glfft
from glfft import scipy_backend
from support import scipys_own

SUITE = os.environ.get("GLFFT_SUITE", "")
NAMES = [f"{kind}{rank}" for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for rank in ("", "2", "n")]

# Tests by the ends of their names, without parameters, for each suite.
SLOW = {
    "backend": (
        "test_mixed_threads_processes",
        # Many lengths and shapes in double precision, each with programs of its own.
        "TestFFT::test_identity",
        "test_gh_21661",
        "test_threaded_same",
        *(f"TestFFT::test_axes_{kind}" for kind in ("standard", "non_standard")),
        *(f"TestFFT::test_axes_subset_with_shape_{kind}" for kind in ("standard", "non_standard")),
        *(f"TestFFT::test_{name}" for name in ("rfft", "rfftn", "irfftn", "irfft2", "rfft2", "fft2", "fftn")),
        # tests/test_arrays_real.py and tests/arrays/test_calls.py have them along one axis and many.
        *(f"TestFFT::test_{name}" for name in ("hfft2", "hfftn", "ifft2", "irfft")),
        # tests/test_arrays.py has views with any strides.
        "test_fft_with_order",
        "TestFFT::test_all_1d_norm_preserving",
        # 16 threads that transform 800 lines each; tests/arrays/test_kept_plans_contexts.py has eight threads.
        *(f"TestFFTThreadSafe::test_{name}" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")),
    ),
    "real": (),
    "single": (
        *(f"TestFFTThreadSafe::test_{name}" for name in ("fft", "ifft", "rfft", "irfft")),
        "TestOverwrite::test_fftn_ifftn",
        # Many lengths, or axes of large arrays, each with programs of its own.
        "TestFFT1D::test_axes",
        "TestFFT1D::test_identity_long_short",
        "TestFFT1D::test_identity_long_short_reversed",
    ),
}
_LENGTHS = "compiles some 2000 programs for lengths 1 to 511, an hour on a software renderer"
_OUT = "glfft's functions have no out="
_DOUBLE = "asks for double precision"
_FORKS = "OpenGL does not outlive a fork; glfft says so"
_AXES = "s= without axes= is not deprecated, as in scipy"
SKIPPED: dict[str, dict[str, str]] = {
    "backend": {
        "TestFFT::test_identity_extensive": _LENGTHS,
        "test_multiprocess": "forked processes go back to scipy, and have other last digits than this one",
    },
    "real": {},
    "single": {
        "TestFFT::test_identity_extensive": _LENGTHS,
        "test_invalid_workers": "glfft's functions have no workers=; its backend leaves bad ones to scipy",
        "test_multiprocess": _FORKS,
        "test_mixed_threads_processes": _FORKS,
        "TestDoubleIFFT::test_size_accuracy": _DOUBLE,
        "TestLongDoubleIFFT::test_size_accuracy": _DOUBLE,
        "TestIRFFTDouble::test_size_accuracy": _DOUBLE,
        "TestIRFFTLongDouble::test_size_accuracy": _DOUBLE,
        "TestFFT1D::test_identity": _LENGTHS,
        "TestFFT1D::test_fft_out_argument": _OUT,
        "TestFFT1D::test_fft_inplace_out": _OUT,
        "TestFFT1D::test_fft_bad_out": _OUT,
        "TestFFT1D::test_fftn_out_argument": _OUT,
        "TestFFT1D::test_ifft2_out": _OUT,
        "TestFFT1D::test_irfft2_out": _OUT,
        "TestFFT1D::test_hfft_out": _OUT,
        "TestFFT1D::test_fftn_out_and_s_interaction": _OUT,
        "TestFFT1D::test_irfftn_out_and_s_interaction": _OUT,
        "TestFFT1D::test_rfftn": "its last lines transform an axis twice, which is refused, as in scipy",
        "TestFFT1D::test_s_axes_none": _AXES,
        "TestFFT1D::test_s_axes_none_2D": _AXES,
        "TestFFT1D::test_s_contains_none": "None in s= is refused, as in scipy",
    },
}

# numpy has these from 2.5 on.
NEW = {f"TestFFT1D::test_{name}_out" for name in ("ifft2", "irfft2", "hfft")}

# Single precision's rounding, of the largest number compared and of each.
_OF_LARGEST = 4e-6
_OF_EACH = 2e-5

_runs = 0

# By module and name, the functions that glfft's have the place of.
_originals: dict[tuple[Any, str], Callable[..., Any]] = {}


def _narrowed(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ours with the arguments and types of another's."""
    # The functions with a 2 take any axes there.
    two = name.endswith("2")
    ours = getattr(glfft, f"{name[:-1]}n" if two else name)
    parameters = inspect.signature(original)

    def run(*args: Any, **options: Any) -> Any:
        global _runs
        bound = parameters.bind(*args, **options)
        if two:
            bound.arguments.setdefault("axes", (-2, -1))
        given = {each: value for each, value in bound.arguments.items() if each not in ("overwrite_x", "workers")}
        x, *_ = (given.pop(each) for each in ("x", "a") if each in given)
        result = ours(x, **given)
        _runs += 1
        kind = np.result_type(np.asarray(x).dtype, np.float16)
        single = kind in (np.float16, np.float32, np.complex64)
        wide = np.longdouble if kind in (np.longdouble, np.clongdouble) else np.float32 if single else np.float64
        return result.astype(np.result_type(wide, np.complex64) if np.iscomplexobj(result) else wide)

    run.__name__ = name
    return run


class _Narrowed:
    """The backend, but for every type."""

    __ua_domain__ = scipy_backend.__ua_domain__

    @staticmethod
    def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if method.__name__ not in NAMES:
            return NotImplemented
        original = getattr(_basic_backend, method.__name__)
        return _narrowed(method.__name__, original)(*args, **kwargs)


class _Counted:
    """The backend, and how often it does the work."""

    __ua_domain__ = scipy_backend.__ua_domain__

    @staticmethod
    def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        global _runs
        result = scipy_backend.__ua_function__(method, args, kwargs)
        _runs += result is not NotImplemented
        return result


def _loosely(actual: Any, desired: Any, *args: Any, **options: Any) -> None:
    """Compare as single precision allows."""
    actual, desired = np.asarray(actual), np.asarray(desired)
    assert actual.shape == desired.shape or not desired.shape
    largest = np.max(np.abs(desired), initial=0.0)
    _assert_allclose(actual, desired, rtol=_OF_EACH, atol=max(_OF_LARGEST * largest, options.get("atol") or 0.0))


def _loosely_in_steps(x: Any, y: Any, nulp: float = 1) -> None:
    """Compare with a bound in steps of single precision, which may be wide: half precision has wide ones."""
    _assert_allclose(x, y, rtol=max(_OF_EACH, nulp * 2.0**-23), atol=_OF_LARGEST * np.max(np.abs(y)))


def _with_any_message(kind: Any, *args: Any, match: Any = None, **options: Any) -> Any:
    """pytest.raises, but for the message: ours are other sentences."""
    return _raises(kind, *args, **options)


def _loosely_with_type(actual: Any, desired: Any, **options: Any) -> None:
    if options.get("check_dtype", True):
        assert np.asarray(actual).dtype == np.asarray(desired).dtype
    _loosely(actual, desired, **options)


_assert_allclose = numpy.testing.assert_allclose
_raises = pytest.raises


def pytest_configure(config: pytest.Config) -> None:
    """Put glfft's functions and the tolerances in place, before any test file is imported."""
    if SUITE != "single":
        scipy.fft.set_global_backend(_Counted)
        # A global backend takes the place of scipy's own.
        scipy.fft.register_backend("scipy")
        return
    for name in ("assert_allclose", "assert_array_almost_equal", "assert_almost_equal"):
        setattr(numpy.testing, name, _loosely)
    numpy.testing.assert_array_almost_equal_nulp = _loosely_in_steps
    pytest.raises = _with_any_message
    _array_api.xp_assert_close = _loosely_with_type
    scipy.fft.set_global_backend(_Narrowed)
    scipy.fft.register_backend("scipy")
    for module in (scipys_own.package, np.fft):
        for name in NAMES:
            if hasattr(module, name):
                original = getattr(module, name)
                _originals[module, name] = original
                setattr(module, name, _narrowed(name, original))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give scipy's tests numpy's own functions, which some of them compare with."""
    for (module, name), original in _originals.items():
        if module is np.fft:
            setattr(module, name, _narrowed(name, original) if _is_numpys(item) else original)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out the slow tests, or all others; mark those that cannot pass."""
    slow = tuple(SLOW.get(SUITE, ()))
    skipped = SKIPPED[SUITE]
    names = {item: item.nodeid.split("[")[0].split(".py::")[1] for item in items}
    missing = {*slow, *skipped} - set(names.values()) - NEW
    assert not missing, f"no longer there: {missing}"
    wanted = [
        item
        for item in items
        if (names[item] in slow or (SUITE == "single" and _is_slow_in_single(item)))
        == bool(os.environ.get("GLFFT_SLOW"))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = wanted
    for item in items:
        if names[item] in skipped:
            item.add_marker(pytest.mark.skip(reason=skipped[names[item]]))


def _is_slow_in_single(item: pytest.Item) -> bool:
    return not _is_numpys(item) or "longdouble" in item.nodeid.lower()


def _is_numpys(item: pytest.Item) -> bool:
    return "numpy/fft/tests" in item.path.as_posix()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how much of it all was glfft's work."""
    terminalreporter.write_line(f"glfft ran {_runs} transforms")
