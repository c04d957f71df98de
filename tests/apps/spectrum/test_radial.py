"""The radial profile is the mean power of its rings, and its plot shows it."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glfft.apps.spectrum.options import SCALES
from glfft.apps.spectrum.radial import plot_radial_profile, radial_profile
from glfft.errors import MissingExtraError

sides = st.integers(1, 36)


def _bins(length: int) -> list[int]:
    return [bin if bin < (length + 1) // 2 else bin - length for bin in range(length)]


@example(rows=12, columns=15)  # with bins half way between two rings
@given(rows=sides, columns=sides)
def test_rings_hold_the_mean_of_the_bins_within_half_a_step(rows: int, columns: int) -> None:
    generator = np.random.default_rng(rows * 64 + columns)
    spectrum = generator.standard_normal((rows, columns)) + 1j * generator.standard_normal((rows, columns))
    frequencies, powers = radial_profile(spectrum)
    longer = max(rows, columns)
    # In whole numbers, so that no bin goes by rounding: distances in rings, times the number of bins.
    down, across = (
        np.array(_bins(length), np.int64) * longer * other for length, other in ((rows, columns), (columns, rows))
    )
    squares = down[:, None] ** 2 + across**2
    total = 0.0
    for frequency, power in zip(frequencies, powers, strict=True):
        number = round(frequency * longer)
        assert frequency == pytest.approx(number / longer)
        inner, outer = ((max(2 * number + side, 0) * rows * columns) ** 2 for side in (-1, 1))
        ring = (inner <= 4 * squares) & (4 * squares < outer)
        np.testing.assert_allclose(power, np.mean(np.abs(spectrum[ring]) ** 2))
        total += power * np.count_nonzero(ring)
    np.testing.assert_allclose(total, np.sum(np.abs(spectrum) ** 2))


def test_a_wave_peaks_at_its_frequency_in_any_direction() -> None:
    y, x = np.mgrid[:64, :128]
    for row_cycles, column_cycles in ((6, 0), (0, 12), (6, 16)):
        wave = np.cos(2 * np.pi * (row_cycles * y / 64 + column_cycles * x / 128))
        frequencies, powers = radial_profile(np.fft.fft2(wave))
        expected = np.hypot(row_cycles / 64, column_cycles / 128)
        assert abs(frequencies[powers.argmax()] - expected) <= 0.5 / 128


def test_a_bin_that_is_not_a_number_changes_its_own_ring_only() -> None:
    spectrum = np.ones((16, 16), np.complex64)
    spectrum[0, 3] = np.nan
    frequencies, powers = radial_profile(spectrum)
    assert frequencies[np.isnan(powers)] == pytest.approx([3 / 16])


def _spectra(planes: int = 1, rows: int = 64, columns: int = 128) -> np.ndarray:
    pixels = np.random.default_rng(0).random((planes, rows, columns))
    return np.fft.fft2(pixels).astype(np.complex64)


def _coloured(plot: np.ndarray) -> np.ndarray:
    """Where a plot is neither white nor grey nor black."""
    return np.ptp(plot.astype(int), axis=-1) > 60


@pytest.mark.parametrize("scale", SCALES)
def test_a_plot_has_a_curve_for_each_plane(scale: str) -> None:
    if scale == "log":  # the colours do not depend on it
        one = np.asarray(plot_radial_profile(_spectra(), scale, "one plane"))
        assert one.shape == (680, 1000, 3)
        assert _coloured(one).sum() > 500
    three = np.asarray(plot_radial_profile(_spectra(3), scale, "three planes", (540, 400))).astype(int)
    assert three.shape == (400, 540, 3)
    for band in range(3):
        others = three[..., [other for other in range(3) if other != band]]
        assert np.count_nonzero(three[..., band] - others.max(axis=-1) > 40) > 100


def test_a_curve_is_where_its_power_says() -> None:
    # White noise with one strong wave along x: a peak at its frequency.
    spectra = _spectra()
    spectra[0, 0, 32] = spectra[0, 0, -32] = 1e5
    coloured = _coloured(np.asarray(plot_radial_profile(spectra, "linear", "")))
    columns = np.flatnonzero(coloured.any(axis=0))
    peak = int(np.argmin(np.where(coloured.any(axis=0), coloured.argmax(axis=0), coloured.shape[0])))
    # The curve goes from bin 1 of 128 to the corner, at 0.707.
    frequency = 1 / 128 + (peak - columns[0]) / (columns[-1] - columns[0]) * (np.sqrt(0.5) - 1 / 128)
    assert frequency == pytest.approx(32 / 128, abs=0.01)


def test_a_ring_by_itself_is_a_point() -> None:
    assert len(radial_profile(np.ones((2, 2), np.complex64))[1]) == 2
    for scale in SCALES:
        assert _coloured(plot_radial_profile(np.ones((1, 2, 2), np.complex64), scale, "", (540, 400))).sum() > 9


def _alike(value: float, side: int = 4) -> np.ndarray:
    return np.full((1, side, side), value)


_NOTHING = np.concatenate([_alike(0.0), _alike(np.nan), _alike(np.inf)])  # three planes without a number to draw


# A linear scale has the limits of a root's: one of them is enough for each.
@pytest.mark.parametrize(
    ("scale", "spectra"),
    [
        *(("linear", each) for each in (_NOTHING, _alike(1e19))),
        *(("sqrt", each) for each in (_alike(1.0, side=1), _alike(1e-30, side=2))),
        *(("log", each) for each in (_NOTHING, _alike(1.0, side=1), _alike(1e-30, side=2), _alike(1e19))),
        ("log", _alike(np.nan)),
    ],
)
def test_a_plot_of_nothing_is_still_a_plot(scale: str, spectra: np.ndarray) -> None:
    with warnings.catch_warnings(action="error"):
        plot = plot_radial_profile(spectra.astype(np.complex64), scale, "nothing", (300, 200))
    assert np.asarray(plot).min() < 100


@pytest.mark.parametrize("title", ["a$b$_c^d\\alpha.png", "\udcff\n\x1b漢字.png", "long " * 60, ""])
def test_a_title_is_text_and_any_text(title: str, capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(action="error"):
        plot = plot_radial_profile(_spectra(), "linear", title, (540, 400))
    assert _coloured(np.asarray(plot)).sum() > 500
    assert capfd.readouterr() == ("", "")


def test_the_users_settings_of_matplotlib_change_nothing() -> None:
    import matplotlib as mpl

    expected = plot_radial_profile(_spectra(), "linear", "plain", (540, 400))
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30.0, "lines.linestyle": ":"}):
        changed = plot_radial_profile(_spectra(), "linear", "plain", (540, 400))
    np.testing.assert_array_equal(np.asarray(changed), np.asarray(expected))


def test_without_matplotlib_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[plot\]'"):
        plot_radial_profile(_spectra(), "log", "")
