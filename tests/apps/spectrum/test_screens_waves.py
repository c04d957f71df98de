"""Waves over pictures: how they are fitted, what clipping hid, and what stays of a picture."""

from __future__ import annotations

import numpy as np
import pytest
from support.retouching import landscape

from glfft.apps.spectrum.fitting import apply_window
from glfft.apps.spectrum.screens import Peak, fit_wave, picture_shares, unclipped, wave_values

SHAPE = (96, 125)
Y, X = np.indices(SHAPE)


def cosine(down: float, across: float, height: float, phase: float) -> np.ndarray:
    return height * np.cos(2 * np.pi * (down * Y / SHAPE[0] + across * X / SHAPE[1]) + phase)


@pytest.mark.parametrize("down", [20.0, -20.3, 40.9, 5.2])
@pytest.mark.parametrize("across", [31.0, 30.6, -61.8])
def test_a_wave_alone_is_found_as_it_is(down: float, across: float) -> None:
    plane = cosine(down, across, 0.1, 0.7)
    spectrum = np.fft.fft2(apply_window("hann", plane[None].astype(np.float32))[0])
    wave = fit_wave(spectrum, Peak((round(down), round(across)), 9.0))
    assert wave.point == pytest.approx((down, across), abs=1e-3)
    assert np.abs(wave_values([wave], SHAPE) - plane).max() < 1e-3


def test_a_wave_that_meets_its_mirror_image_is_left_to_the_filter() -> None:
    plane = cosine(47.6, 61.8, 0.1, 0.7)
    magnitudes = np.abs(np.fft.fft2(plane)) + 0.01
    peak = Peak((-48.0, 62.0), 9.0)
    assert fit_wave(np.fft.fft2(plane), peak).amplitude == 0
    assert picture_shares(magnitudes, [peak])[-48, 62] < 0.01


def test_clipped_pixels_become_what_their_neighbours_say() -> None:
    clean = np.where(X < 60, 0.02, 0.97)
    waves = cosine(20.0, 31.0, 0.1, 0.7)
    before = clean + waves
    held = np.clip(before, 0, 1)
    assert np.count_nonzero(held != before) > SHAPE[0] * SHAPE[1] / 4
    found = unclipped(held, waves)
    assert np.array_equal(found[held == before], held[held == before])
    # Two pixels away the other half begins, and the opposite edge.
    inside = (np.abs(X - 59.5) > 2) & (np.abs(X - 62) < 61)
    assert np.abs(found - before)[inside].max() < 1e-6


def test_a_plane_without_waves_keeps_all_but_what_is_around_the_peak() -> None:
    magnitudes = np.abs(np.fft.fft2(landscape((192, 250))))
    magnitudes[0, 0] = 0
    peak = Peak((50.0, 60.0), 9.0)
    assert np.mean(picture_shares(magnitudes, [peak]) > 0.95) > 0.99
    rows, columns = np.indices(magnitudes.shape)
    noisy = magnitudes + 30 * magnitudes[50, 60] * np.exp(-np.hypot(rows - 50, columns - 60) / 2)
    shares = picture_shares(noisy, [peak])
    assert shares[50, 60] < 0.05
    assert shares[-50, -60] == shares[50, 60]
    assert shares[100, 60] > 0.95
