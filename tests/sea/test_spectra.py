"""The spectra of the sea in float64, without a GPU: heights, speeds and slopes are those that were published."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.ocean import integral, significant_height_of

from glfft.sea import spectra, waves
from glfft.sea.settings import OceanSettings

SMALL = OceanSettings(size=64, tile=500.0)


# --- The spectra ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wind", "fetch", "height", "period"),
    [(10, 100e3, 2.139, 6.23), (15, 300e3, 5.65, 10.29), (20, 300e3, 7.29, 11.32)],
)
def test_jonswap_has_the_published_height_and_period(wind, fetch, height, period):
    peak = spectra.jonswap_peak(wind, fetch)
    frequencies = np.linspace(peak / 5, peak * 60, 200_001)
    assert significant_height_of(spectra.jonswap(frequencies, wind, fetch), frequencies) == pytest.approx(
        height, abs=6e-3
    )
    assert 2 * math.pi / peak == pytest.approx(period, abs=6e-3)
    energy = spectra.jonswap(frequencies, wind, fetch)
    assert frequencies[np.argmax(energy)] == pytest.approx(peak, rel=1e-3)


def test_pierson_moskowitz_has_its_height():
    frequencies = np.linspace(0.05, 60, 400_001)
    height = significant_height_of(spectra.pierson_moskowitz(frequencies, 10), frequencies)
    expected = 0.2092 * (spectra.WIND_AT_19_5_METRES * 10) ** 2 / spectra.GRAVITY
    assert height == pytest.approx(expected, rel=2e-3)


def test_a_sea_stops_growing_with_fetch():
    frequencies = np.linspace(0.05, 60, 200_001)
    grown, grown_longer = (spectra.jonswap(frequencies, 10, fetch) for fetch in (1e6, 1e7))
    assert np.array_equal(grown, grown_longer)
    # Where the law meets the fully grown sea: at a dimensionless fetch of 1e4.
    meeting = spectra.jonswap(frequencies, 10, 1e4 * 10**2 / spectra.GRAVITY)
    fully_grown = significant_height_of(spectra.pierson_moskowitz(frequencies, 10), frequencies)
    assert significant_height_of(meeting, frequencies) == pytest.approx(fully_grown, rel=0.04)


def test_shallow_water_takes_height_away_and_deep_water_none():
    k = np.geomspace(1e-3, 10, 500)
    assert spectra.finite_depth_factor(k, 1e5) == pytest.approx(1.0, abs=1e-12)
    shallow = spectra.finite_depth_factor(k, 5.0)
    assert np.all(np.diff(shallow) >= 0)
    # Kitaigorodskii's factor is (w² h / g) / 2 in the shallow limit, where w² is g k² h.
    assert shallow[0] == pytest.approx((k[0] * 5.0) ** 2 / 2, rel=1e-3)
    assert waves.significant_height(replace(SMALL, depth=5.0)) < 0.8 * waves.significant_height(SMALL)


def test_slopes_resolved_to_a_centimetre_are_of_the_size_cox_and_munk_saw():
    # A tail of w^-5 grows more slowly with the wind than their 0.003 + 5.12e-3 U, which it crosses near 8 m/s.
    k = np.geomspace(1e-3, 2 * math.pi / 0.01, 50_001)
    frequency = spectra.angular_frequency(k)
    slope_variance = []
    for wind in (5.0, 8.0, 14.0):
        energy = spectra.jonswap(frequency, wind, 100e3) * spectra.group_speed(k)
        slope_variance.append(integral(k**2 * energy, k))
        assert 0.6 < slope_variance[-1] / (0.003 + 5.12e-3 * wind) < 1.4
    assert slope_variance == sorted(slope_variance)


# Table and figures of the paper: height about that of Pierson and Moskowitz, slopes those of Cox and Munk.
@pytest.mark.parametrize("wind", [5.0, 10.0, 15.0])
def test_elfouhaily_has_the_height_and_the_slopes_that_were_measured(wind):
    k = np.geomspace(1e-4, 5e3, 200_001)
    energy = spectra.elfouhaily(k, wind, 1e7)
    grown = 0.2092 * (spectra.WIND_AT_19_5_METRES * wind) ** 2 / spectra.GRAVITY
    assert significant_height_of(energy, k) == pytest.approx(grown, rel=0.2)
    assert integral(k**2 * energy, k) == pytest.approx(0.003 + 5.12e-3 * wind, rel=0.2)
    peak = spectra.elfouhaily_peak(wind, 1e7)
    by_frequency = energy / spectra.group_speed(k)
    assert spectra.angular_frequency(k[np.argmax(by_frequency)]) == pytest.approx(peak, rel=0.05)


def test_elfouhailys_waves_grow_with_fetch():
    k = np.geomspace(1e-3, 5e3, 20_001)
    heights = [significant_height_of(spectra.elfouhaily(k, 10.0, fetch), k) for fetch in (1e4, 1e5, 1e6)]
    assert heights == sorted(heights)
    assert heights[0] < 0.6 * heights[2]


@pytest.mark.parametrize("gamma", [1.0, 5.0, 20.0])
def test_a_swell_has_the_height_and_the_peak_that_were_asked_for(gamma):
    frequencies = np.linspace(0.05, 60, 400_001)
    energy = spectra.swell(frequencies, 2.5, 2 * math.pi / 13, gamma)
    assert significant_height_of(energy, frequencies) == pytest.approx(2.5, rel=1e-3)
    assert 2 * math.pi / frequencies[np.argmax(energy)] == pytest.approx(13, rel=1e-3)


def test_the_exponent_gives_the_spread_that_was_asked_for():
    theta = np.linspace(-math.pi, math.pi, 20_001)
    for spread in (0.1, 0.5, 1.2):
        density = spectra.longuet_higgins(theta, spectra.exponent_of_spread(spread))
        r1 = integral(np.cos(theta) * density, theta)
        assert math.sqrt(2 * (1 - r1)) == pytest.approx(spread, rel=1e-4)


# --- Dispersion -------------------------------------------------------------------------------------------


def test_the_slowest_wave_is_the_one_at_1_7_centimetres():
    k = np.linspace(50, 3000, 300_001)
    speed = spectra.angular_frequency(k) / k
    assert speed.min() == pytest.approx(0.232, abs=5e-4)
    assert 2 * math.pi / k[np.argmin(speed)] == pytest.approx(0.017, abs=5e-4)


def test_long_waves_follow_g_k_tanh_kh():
    k = np.geomspace(1e-3, 1, 50)
    assert spectra.angular_frequency(k) == pytest.approx(np.sqrt(9.81 * k), rel=1e-5)
    assert spectra.angular_frequency(k, 10.0) == pytest.approx(np.sqrt(9.81 * k * np.tanh(10 * k)), rel=1e-5)


@pytest.mark.parametrize("depth", [math.inf, 1.0, 30.0])
def test_group_speed_is_the_derivative_of_dispersion(depth):
    k = np.geomspace(1e-2, 500, 200)
    step = 1e-5 * k
    numeric = (spectra.angular_frequency(k + step, depth) - spectra.angular_frequency(k - step, depth)) / (2 * step)
    # Past k h = 20 the depth is clamped, where its part is below 1e-15.
    assert spectra.group_speed(k, depth) == pytest.approx(numeric, rel=1e-6)


def test_extreme_wave_numbers_stay_finite():
    k = np.array([1e-9, 1e-3, 1.0, 1e6, 1e9])
    for depth in (0.01, 1.0, math.inf):
        for values in (spectra.angular_frequency(k, depth), spectra.group_speed(k, depth)):
            assert np.all(np.isfinite(values))
            assert np.all(values > 0)


# --- Directions -------------------------------------------------------------------------------------------


def test_log_gamma_is_that_of_the_standard_library():
    x = np.concatenate([np.linspace(0.5, 5, 100), np.geomspace(5, 1e6, 100)])
    expected = [math.lgamma(value) for value in x]
    assert spectra.log_gamma(x) == pytest.approx(expected, rel=1e-11, abs=1e-11)


# --- Amplitudes and statistics ----------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [0.01, 1.0, 30.0, math.inf])
def test_wavenumber_is_the_inverse_of_dispersion(depth):
    k = np.geomspace(1e-6, 1e4, 500)
    assert spectra.wavenumber(spectra.angular_frequency(k, depth), depth) == pytest.approx(k, rel=1e-12)
