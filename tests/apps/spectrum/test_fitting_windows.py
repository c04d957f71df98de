"""Windows are those of the books."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import windows as scipy_windows

from glfft.apps.spectrum.fitting import apply_window, choose_fit, window
from glfft.apps.spectrum.options import WINDOWS
from glfft.errors import OptionError

LIMIT = 256


@given(name=st.sampled_from(WINDOWS), length=st.integers(1, 200))
def test_windows_are_scipys_periodic_ones(name: str, length: int) -> None:
    theirs = {"none": "boxcar", "tukey": ("tukey", 0.5)}.get(name, name)
    np.testing.assert_allclose(window(name, length), scipy_windows.get_window(theirs, length), atol=1e-12)


@given(name=st.sampled_from(WINDOWS), rows=st.integers(1, 80), columns=st.integers(1, 9), planes=st.integers(1, 3))
def test_strips_have_the_bits_of_the_whole_picture(name: str, rows: int, columns: int, planes: int) -> None:
    picture = np.random.default_rng(rows).random((planes, rows, columns), np.float32)
    whole = (picture * np.outer(window(name, rows), window(name, columns))).astype(np.float32)
    assert np.array_equal(apply_window(name, picture), whole)


def test_an_unknown_window_is_refused() -> None:
    with pytest.raises(OptionError, match="hann"):
        window("hanning", 8)


def test_a_window_covers_the_picture_and_not_the_padding() -> None:
    planes = np.ones((1, 5, 6), np.float32)
    fitted = choose_fit("pad", (5, 6), LIMIT).apply(planes, "hann")
    expected = np.outer(scipy_windows.get_window("hann", 5), scipy_windows.get_window("hann", 6))
    np.testing.assert_allclose(fitted[0, :5, :6], expected, atol=1e-7)
    assert not fitted[0, 5:].any()
    assert not fitted[0, :, 6:].any()
    np.testing.assert_allclose(apply_window("hann", planes)[0], expected, atol=1e-7)
