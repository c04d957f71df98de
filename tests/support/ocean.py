"""What tests of the ocean share: a sea, sums over spectra, and how close fields come."""

from __future__ import annotations

import math

import numpy as np

from glfft.sea.settings import OceanSettings


def integral(values: np.ndarray, over: np.ndarray) -> float:
    return float(np.sum((values[1:] + values[:-1]) * np.diff(over)) / 2)


def significant_height_of(spectrum, frequencies: np.ndarray) -> float:
    return 4 * math.sqrt(integral(spectrum, frequencies))


# Off every axis, so that no field is zero by symmetry. Foam of a short life is soon built up before a first update.
SEA = OceanSettings(size=64, tile=200.0, wind_direction=0.6, foam_lifetime=0.5)

# The transform itself reaches 130 dB on any input; evolution adds rounding of about the same size.
TRANSFORM_DECIBELS = 128.0


def assert_near(found: np.ndarray, expected: np.ndarray, rel: float = 0.0, abs: float = 0.0) -> None:
    """What `found == pytest.approx(expected, rel, abs)` asserts, without a Python number for each of an array's."""
    assert found.shape == expected.shape
    apart = np.abs(found.astype(np.float64) - expected)
    assert np.all(apart <= np.maximum(rel * np.abs(expected.astype(np.float64)), abs)), apart.max()


def decibels(found: np.ndarray, expected: np.ndarray) -> float:
    """Signal over error; more is better."""
    error = found.astype(np.float64) - expected
    return -10 * math.log10(np.mean(error**2) / np.mean(expected**2) + 1e-30)
