"""Fits can be undone, all but one give powers of two, and windows are those of the books."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import windows as scipy_windows

from glfft.apps.spectrum.fitting import choose_fit, resample
from glfft.apps.spectrum.options import FITS
from glfft.errors import LimitError, OptionError

LIMIT = 256
lengths = st.integers(1, 80)


def _picture(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(rows * 100 + columns).random((1, rows, columns), np.float32)


@given(kind=st.sampled_from(FITS), rows=lengths, columns=lengths)
def test_fitted_sides_are_as_the_kind_says_and_undo_restores_what_was_kept(kind: str, rows: int, columns: int) -> None:
    planes = _picture(rows, columns)
    fit = choose_fit(kind, (rows, columns), LIMIT)
    fitted = fit.apply(planes)
    assert fitted.shape[1:] == fit.fitted
    assert fitted.dtype == np.float32
    if kind == "exact":
        assert fit.fitted == (rows, columns)
        np.testing.assert_array_equal(fitted, planes)
    else:
        assert all(length & (length - 1) == 0 for length in fit.fitted)
    restored = fit.undo(fitted)
    assert restored.shape == planes.shape
    if fit.reversible:
        np.testing.assert_allclose(restored, planes, atol=1e-5)
    else:
        assert kind == "crop"
        kept = restored != 0
        np.testing.assert_array_equal(restored[kept], planes[kept])
        assert np.count_nonzero(kept) >= 0.99 * np.prod(fit.fitted)


def test_an_exact_fit_says_so_and_changes_nothing() -> None:
    fit = choose_fit("exact", (5, 6), LIMIT)
    assert (str(fit), fit.padding, fit.offset, fit.reversible) == ("exact size", (0, 0), (0, 0), True)
    expected = np.outer(scipy_windows.get_window("hann", 5), scipy_windows.get_window("hann", 6))
    np.testing.assert_allclose(fit.apply(np.ones((1, 5, 6), np.float32), "hann")[0], expected, atol=1e-7)


def test_an_exact_fit_goes_up_to_the_limit_and_no_further() -> None:
    # A limit need not be a power of two.
    assert choose_fit("exact", (250, 8), 250).fitted == (250, 8)
    for shape in ((251, 8), (8, 251)):
        with pytest.raises(LimitError, match=r"limit of 250 a side; use --fit crop or --fit resize\."):
            choose_fit("exact", shape, 250)


def test_padding_is_zero_and_lies_below_and_to_the_right() -> None:
    planes = _picture(5, 6)
    fit = choose_fit("pad", (5, 6), LIMIT)
    fitted = fit.apply(planes)
    np.testing.assert_array_equal(fitted[:, :5, :6], planes)
    assert np.count_nonzero(fitted) == np.count_nonzero(planes)
    assert fit.padding == (3, 2)
    assert str(fit) == "padded to 8x8"


def test_a_crop_keeps_the_middle() -> None:
    planes = _picture(6, 11)
    np.testing.assert_array_equal(choose_fit("crop", (6, 11), LIMIT).apply(planes), planes[:, 1:5, 1:9])


def test_over_the_limit_padding_is_refused_and_the_others_go_down() -> None:
    with pytest.raises(LimitError, match="--fit resize"):
        choose_fit("pad", (LIMIT + 1, 8), LIMIT)
    assert choose_fit("crop", (LIMIT * 5, 8), LIMIT).fitted == (LIMIT, 8)
    assert choose_fit("resize", (LIMIT + 1, 8), LIMIT).fitted == (LIMIT, 8)
    with pytest.raises(OptionError, match="exact, pad, crop, resize"):
        choose_fit("stretch", (8, 8), LIMIT)


@given(old=lengths, new=lengths)
def test_resampling_keeps_a_cosine_where_it_is(old: int, new: int) -> None:
    def sampled(length: int) -> np.ndarray:
        centres = (np.arange(length) + 0.5) / length
        return np.repeat((0.3 + np.cos(np.pi * min(old - 1, new - 1, 3) * centres))[None, None], 2, axis=1)

    np.testing.assert_allclose(resample(sampled(old), (2, new)), sampled(new), atol=1e-5)
