"""Convolutions of arrays are scipy.signal's, in every mode, along any axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import signal
from support.sentences import refused
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.convolution import Convolution
from glfft.convolution import signal as of_arrays
from glfft.errors import DataError, OptionError, ShapeError

MODES = ("full", "same", "valid")


def random(shape: tuple[int, ...], seed: int = 0, numbers: str = "f") -> npt.NDArray[Any]:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    return values + 1j * rng.standard_normal(shape) if numbers == "c" else values


@pytest.mark.parametrize(
    ("first", "second", "axes"),
    [
        ((9, 14), (4, 5), None),
        ((4, 5), (9, 14), None),
        ((20,), (7,), None),
        ((3, 9, 14), (3, 4, 5), (1, 2)),
        ((3, 9, 14), (1, 4, 5), (-1, -2)),
        ((1, 9), (6, 1), None),
    ],
    ids=str,
)
def test_every_mode_is_scipys(ctx: Any, first: tuple[int, ...], second: tuple[int, ...], axes: Any) -> None:
    one, two = random(first), random(second, 1)
    for mode in MODES:
        wanted = signal.fftconvolve(one, two, mode, axes)
        for function in (glfft.fftconvolve, glfft.oaconvolve):
            found = function(one, two, mode, axes)
            assert found.shape == wanted.shape
            assert found.dtype == np.float32
            assert_close(found, wanted, COMPOSED_DB)


@pytest.mark.parametrize(("numbers", "orders"), [("ff", (False, True)), ("cf", (True,)), ("ib", (False,))])
def test_pictures_go_through_textures_once_each_way(
    ctx: Any, monkeypatch: pytest.MonkeyPatch, numbers: str, orders: tuple[bool, ...]
) -> None:
    monkeypatch.setattr(of_arrays, "_MANY", 100)
    monkeypatch.setattr(of_arrays, "rfftn", None)
    one, two = (
        random(shape, seed, each)
        if each in "fc"
        else np.rint(9 * random(shape, seed)).astype({"i": int, "b": bool}[each])
        for seed, (shape, each) in enumerate(zip(((9, 14), (4, 5)), numbers, strict=True))
    )
    for mode in MODES if numbers != "ib" else MODES[:1]:
        for turned in orders:
            given = (two, one) if turned else (one, two)
            a, b = (each.astype(np.result_type(each, 1.0)) for each in given)
            wanted = signal.fftconvolve(a, b, mode)
            found = glfft.fftconvolve(*given, mode)
            assert found.dtype == (np.complex64 if "c" in numbers else np.float32)
            assert_close(found, wanted, COMPOSED_DB)


def test_a_kernel_is_transformed_once_while_its_numbers_stay(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_arrays, "_MANY", 100)
    picture, kernel, transformed = random((11, 13)), random((4, 5), 1), []
    set_kernel = Convolution.set_kernel
    monkeypatch.setattr(Convolution, "set_kernel", lambda *given: (transformed.append(given), set_kernel(*given)))
    for count in (1, 1, 2):
        if count > 1:
            kernel[2, 3] += 1.0
        assert_close(glfft.fftconvolve(picture, kernel), signal.fftconvolve(picture, kernel), COMPOSED_DB)
        assert len(transformed) == count


def test_an_axis_of_one_point_is_multiplied_in_every_mode(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for one, two in ((random((8, 4, 1)), random((1, 1, 2), 1)), (random((1, 9)), random((6, 1), 1))):
        for few in (1, 1000):
            monkeypatch.setattr(of_arrays, "_MANY", few)
            for mode in MODES:
                wanted = signal.fftconvolve(one, two, mode)
                for function in (glfft.fftconvolve, glfft.oaconvolve):
                    assert_close(function(one, two, mode), wanted, COMPOSED_DB)


def test_mode_same_has_the_shape_of_the_first_array_also_off_the_axes(ctx: Any) -> None:
    one, two = random((1, 2, 11)), random((2, 5, 2), 1)
    for function in (glfft.fftconvolve, glfft.oaconvolve):
        assert_close(function(one, two, "same", (1, 2)), signal.fftconvolve(one, two, "same", (1, 2)), COMPOSED_DB)


def test_blocks_overlap_and_add_to_the_whole(ctx: Any) -> None:
    for first, second, axes in (((200,), (5,), None), ((60, 40), (3, 6), None), ((2, 90), (2, 4), 1)):
        one, two = random(first), random(second, 1, "c")
        for given in ((one, two), (two, one)):
            # Blocks are cut alike in every mode, so that one is enough where the kernel comes first.
            for mode in MODES if given[0] is one else MODES[:1]:
                wanted = signal.oaconvolve(*given, mode, axes)
                assert_close(glfft.oaconvolve(*given, mode, axes), wanted, COMPOSED_DB)


def test_correlations_have_scipys_lags(ctx: Any) -> None:
    for numbers in "fc":
        one, two = random((9, 14), 0, numbers), random((4, 5), 1, numbers)
        for given in ((one, two), (two, one)):
            for mode in MODES:
                assert_close(glfft.correlate(*given, mode), signal.correlate(*given, mode), COMPOSED_DB)


def test_numbers_without_axes_are_multiplied_and_nothing_stays_nothing(ctx: Any) -> None:
    for function in (glfft.fftconvolve, glfft.oaconvolve, glfft.correlate):
        assert function(3.0, 4.0) == 12.0
        assert function(3.0, np.int64(4)).dtype == np.float32
        assert function(3j, 4.0).dtype == np.complex64
        assert function(3.0, np.float32(4), precision="double").dtype == np.float64
    assert glfft.fftconvolve([], [1.0]).size == glfft.oaconvolve([1.0], []).size == 0
    # Whatever the other lengths are, as by scipy.
    nothing, other = np.ones((0, 5)), np.ones((8, 2))
    assert glfft.fftconvolve(nothing, other, "valid").shape == (0,)
    assert glfft.oaconvolve(other, nothing, axes=0).shape == (0,)


def test_errors_say_what_to_do(ctx: Any) -> None:
    one = np.ones((3, 4))
    no_array: Any = None
    for call, error in (
        (lambda: glfft.fftconvolve(one, one[0]), ShapeError),
        (lambda: glfft.fftconvolve(one, one, "some"), OptionError),
        (lambda: glfft.fftconvolve(one, one, axes=2), OptionError),
        (lambda: glfft.fftconvolve(one, one[:2], axes=1), ShapeError),
        (lambda: glfft.fftconvolve(one, one, axes=(0, -2)), OptionError),
        (lambda: glfft.oaconvolve(one, one, axes=()), OptionError),
        (lambda: glfft.fftconvolve(3.0, 4.0, precision="half"), OptionError),
        (lambda: glfft.fftconvolve("one", no_array), ShapeError),
        (lambda: glfft.correlate(["one"], ["two"]), ShapeError),
        (lambda: glfft.correlate(no_array, no_array), ShapeError),
        (lambda: glfft.correlate(one, one.T, "valid"), ShapeError),
        (lambda: glfft.correlate(one[:, :1], one[:2], "valid"), ShapeError),
    ):
        with refused(error):
            call()


# --- Normalised -----------------------------------------------------------------------------------------------------


def normalised(first: np.ndarray, second: np.ndarray, mode: str) -> np.ndarray:
    """Lewis's formula at every place, in float64, with zeros outside."""
    full = np.pad(first, [(n - 1, n - 1) for n in second.shape])
    windows = np.lib.stride_tricks.sliding_window_view(full, second.shape)
    axes = tuple(range(-second.ndim, 0))
    windows = windows - windows.mean(axes, keepdims=True)
    centred = second - second.mean()
    spread = np.sqrt((windows**2).sum(axes) * (centred**2).sum())
    scores = np.divide((windows * centred).sum(axes), spread, out=np.zeros_like(spread), where=spread > 1e-9)
    kept = []
    for have, one, other in zip(scores.shape, first.shape, second.shape, strict=True):
        length = {"full": have, "same": one, "valid": one - other + 1}[mode]
        kept.append(slice((have - length) // 2, (have - length) // 2 + length))
    return scores[tuple(kept)]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(("one", "other"), [((40,), (7,)), ((20, 31), (6, 5)), ((9, 8, 10), (3, 4, 2))], ids=str)
def test_normalised_correlations_are_those_of_the_formula(one: tuple, other: tuple, mode: str) -> None:
    random = np.random.default_rng(8)
    for offset in (0.0, 10.0):
        first, second = random.standard_normal(one) + offset, random.standard_normal(other) - offset
        found = glfft.correlate(first, second, mode, normalised=True)
        assert found.dtype == np.float32
        template = second > second.mean()
        assert np.abs(
            glfft.correlate(first, template, mode, normalised=True) - normalised(first, template * 1.0, mode)
        ).max() < 1e-5 * (1 + offset)
        assert np.abs(found - normalised(first, second, mode)).max() < 1e-5 * (1 + offset)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_bright_ground_takes_nothing_from_scores_within(precision: str, mode: str) -> None:
    picture = np.random.default_rng(9).standard_normal((40, 50)) + 1e6
    found = glfft.correlate(picture, picture[10:21, 7:20], mode, normalised=True, precision=precision)
    # Windows that reach out of the picture see its edge alone.
    begin = [(have - valid) // 2 for have, valid in zip(found.shape, (30, 38), strict=True)]
    within = found[begin[0] : begin[0] + 30, begin[1] : begin[1] + 38]
    assert np.abs(within - normalised(picture - 1e6, picture[10:21, 7:20] - 1e6, "valid")).max() < 1e-6
    assert not glfft.correlate(np.full((9, 9), 1e5 / 3), picture[:3, :3], "valid", normalised=True).any()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("one", "other"), [((40, 50), (5, 6)), ((40, 50), (1, 7)), ((300,), (7,))], ids=str)
def test_a_number_far_off_takes_nothing_from_scores_of_windows_without_it(one: tuple, other: tuple, mode: str) -> None:
    first, second = np.random.default_rng(10).standard_normal(one), random(other, 1)
    for far in (1e7, -1e12):
        first[tuple(length // 2 for length in one)] = far
        found = glfft.correlate(first, second, mode, normalised=True)
        assert np.abs(found - normalised(first, second, mode)).max() < 1e-4


@pytest.mark.parametrize("scales", [(1e-30, 1e-30), (1e300, 1e300), (1e-300, 1e-300), (1e-30, 1e30)])
def test_scores_are_the_same_at_any_scale(scales: tuple[float, float]) -> None:
    picture, template = random((12, 15)), random((4, 5), 1)
    for mode in MODES:
        found = glfft.correlate(picture * scales[0], template * scales[1], mode, normalised=True)
        assert np.abs(found - normalised(picture, template, mode)).max() < 1e-5


def test_what_has_no_normalised_correlation_is_refused() -> None:
    picture = np.random.default_rng(8).random((6, 7))
    with_nan, with_infinity = picture.copy(), picture.copy()
    with_nan[1, 2], with_infinity[3, 3] = np.nan, np.inf
    for first, second, mode, error in (
        (picture, np.ones((2, 2)), "full", DataError),
        (with_nan, picture[:2, :2], "full", DataError),
        (picture, with_infinity, "full", DataError),
        (picture * 1j, picture, "full", DataError),
        (picture[:2, :2], picture, "valid", ShapeError),
        (picture, picture[0], "valid", ShapeError),
    ):
        with refused(error):
            glfft.correlate(first, second, mode, normalised=True)
    flat = picture.copy()
    flat[:, :4] = 0.3
    assert not glfft.correlate(flat, picture[:3, :3], "valid", normalised=True)[:, :2].any()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("function", [glfft.fftconvolve, glfft.oaconvolve, glfft.correlate])
def test_numbers_that_overflow_give_infinity_or_nan_and_no_warning(ctx: Any, function: Any) -> None:
    large = np.full(40, 1e30)
    for one, two in ((large, large[:3]), (1e10 * large, large[:3]), (1j * large, large[:3]), (large[0], large[0])):
        assert not np.isfinite(function(one, two)).any()
    with_infinity = np.where(np.arange(300) == 150, np.inf, 1.0)
    assert not np.isfinite(function(with_infinity, np.ones(3))).all()
