"""Peaks of spectra: found where waves were added, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from support.retouching import landscape

from glfft.apps.spectrum.fitting import apply_window
from glfft.apps.spectrum.screens import colour_peaks, find_peaks


def magnitudes(plane: np.ndarray) -> np.ndarray:
    return np.abs(np.fft.fft2(apply_window("hann", (plane - plane.mean())[None])[0]))


@pytest.mark.parametrize("shape", [(128, 192), (150, 101)])
def test_noise_has_no_peaks(shape: tuple[int, int]) -> None:
    for seed in range(5):
        assert find_peaks(magnitudes(np.random.default_rng(seed).normal(size=shape))) == []


@pytest.mark.parametrize("shape", [(200, 300), (256, 256)])
def test_a_picture_with_edges_has_none(shape: tuple[int, int]) -> None:
    for seed in range(5):
        assert find_peaks(magnitudes(landscape(shape, seed))) == []


@pytest.mark.parametrize("shape", [(200, 300), (180, 131)])
def test_waves_are_found_where_they_are_highest_first(shape: tuple[int, int]) -> None:
    y, x = np.indices(shape)
    waves = [(30.0, 41.0, 0.1), (-25.0, 50.0, 0.05), (0.0, 60.0, 0.03)]
    plane = landscape(shape, 1)
    for down, across, height in waves:
        plane = plane + height * np.cos(2 * np.pi * (down * y / shape[0] + across * x / shape[1]))
    peaks = find_peaks(magnitudes(plane))
    assert len(peaks) == len(waves)
    for down, across, _ in waves:
        assert any(peak.point in ((down, across), (-down, -across)) for peak in peaks)
    assert [peak.height for peak in peaks] == sorted((peak.height for peak in peaks), reverse=True)
    assert len({peak.point for peak in peaks}) == 3


def test_two_colours_peak_is_one() -> None:
    y, x = np.indices((100, 100))
    plane = landscape((100, 100), 1) + 0.1 * np.cos(2 * np.pi * (20 * y + 30 * x) / 100)
    both = np.stack([magnitudes(plane), 2 * magnitudes(plane[::-1, ::-1])])
    assert len(colour_peaks(both)) == 1


def test_a_picture_of_one_colour_has_none() -> None:
    assert find_peaks(np.zeros((16, 16))) == []
    assert find_peaks(np.zeros((1, 1))) == []
