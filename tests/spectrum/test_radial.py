"""The radial profile is the mean power of its rings, and its plot puts it where the axes say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.spectrum.radial import radial_profile

sides = st.sampled_from([1, 2, 4, 16, 32])


@given(rows=sides, columns=sides)
def test_rings_hold_the_mean_of_the_bins_within_half_a_step(rows: int, columns: int) -> None:
    generator = np.random.default_rng(rows * 64 + columns)
    spectrum = generator.standard_normal((rows, columns)) + 1j * generator.standard_normal((rows, columns))
    frequencies, powers = radial_profile(spectrum)
    step = 1 / max(rows, columns)
    distance = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.fftfreq(columns)[None, :])
    total = 0.0
    for frequency, power in zip(frequencies, powers, strict=True):
        ring = np.abs(distance - frequency) < step / 2
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


def test_bins_that_are_no_numbers_spoil_their_own_ring_only() -> None:
    spectrum = np.ones((16, 16), np.complex64)
    spectrum[0, 3] = np.nan
    frequencies, powers = radial_profile(spectrum)
    assert frequencies[np.isnan(powers)] == pytest.approx([3 / 16])
