"""A buoy in the simulated sea tells the spectrum that the sea was made of."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft

from glfft.errors import ShapeError
from glfft.sea import spectra, waves
from glfft.sea.measured import BuoySpectrum, MeasuredSpectrum, analyse
from glfft.sea.settings import OceanSettings

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

F = np.arange(0.04, 0.2201, 0.01)
HOUR, RATE, POINTS = 3600, 1.0, 300


def sea_of(parts: list[tuple[float, float, float, float]], moments: bool = False) -> MeasuredSpectrum:
    """A sea of waves with height (m), period (s), direction (degrees, to) and spread (degrees) each."""
    density, first, second = np.zeros_like(F), np.zeros_like(F, complex), np.zeros_like(F, complex)
    for height, period, direction, spread in parts:
        part = spectra.swell(2 * math.pi * F, height, 2 * math.pi / period, 3.3) * 2 * math.pi
        r1 = 1 - math.radians(spread) ** 2 / 2
        s = r1 / (1 - r1)
        angle = np.exp(1j * math.radians(direction))
        density += part
        first += part * r1 * angle
        second += part * r1 * (s - 1) / (s + 2) * angle**2
    first, second = first / density, second / density
    both = (tuple(np.angle(second) / 2), tuple(np.abs(second))) if moments else ((), ())
    return MeasuredSpectrum(tuple(F), tuple(density), tuple(np.angle(first)), tuple(np.abs(first)), *both)


def _inverse(spectrum: np.ndarray) -> npt.NDArray[np.complex128]:
    return np.asarray(scipy.fft.ifft2(spectrum, norm="forward"), np.complex128)


def an_hour(settings: OceanSettings) -> tuple[np.ndarray, ...]:
    """Height, dx and dz at random points of the grid for each second."""
    k = waves.wave_vectors(settings.size, settings.tile)
    along = (k.x + 1j * k.z) / k.length
    turn = np.exp(-1j * spectra.angular_frequency(k.length) / RATE)
    h0 = waves.amplitudes(settings)
    place = np.random.default_rng(4).choice(settings.size**2, POINTS, replace=False)
    made = np.empty((3, HOUR, POINTS))
    for second in range(HOUR):
        h = h0 + np.conj(waves.mirrored(h0))
        made[0, second] = _inverse(h).real.ravel()[place]
        # Two real fields ride in one complex transform: dx + i dz.
        both = _inverse(1j * along * h).ravel()[place]
        made[1, second], made[2, second] = both.real, both.imag
        h0 = h0 * turn
    return tuple(made)


SEAS = {
    "one direction": sea_of([(2.5, 11.0, 35.0, 25.0)]),
    "narrow swell": sea_of([(1.2, 14.0, -150.0, 12.0)]),
    "wind sea across swell": sea_of([(2.0, 14.0, 80.0, 15.0), (1.5, 8.0, 10.0, 30.0)], moments=True),
}


@pytest.mark.parametrize("name", SEAS)
def test_an_hour_of_the_surface_gives_the_measured_sea_back(name):
    sea = SEAS[name]
    height, dx, dz = an_hour(OceanSettings(size=64, tile=1024.0, measured=sea))
    found = analyse(height, dx, dz, RATE, segment=100.0)
    assert found.significant_height == pytest.approx(sea.significant_height, rel=0.02)
    assert abs(1 / found.peak_period - sea.peak_frequency) < 0.0101
    first = np.array(sea.r1) * np.exp(1j * np.array(sea.direction))
    density = np.array(sea.density)
    whole = (first * density).sum() / density.sum()
    assert abs(np.angle(np.exp(1j * (found.mean_direction - np.angle(whole))))) < math.radians(2)
    assert found.mean_spread == pytest.approx(math.sqrt(2 * (1 - abs(whole))), abs=math.radians(3))
    # In the bands that hold the energy, too.
    for f, s, direction, r1 in zip(F, density, sea.direction, sea.r1, strict=True):
        if s < 0.3 * density.max():
            continue
        band = int(np.argmin(np.abs(found.frequency - f)))
        assert abs(np.angle(np.exp(1j * (found.direction[band] - direction)))) < math.radians(5), f
        assert found.spread[band] == pytest.approx(math.sqrt(2 * (1 - r1)), abs=math.radians(5)), f


def test_a_single_wave_is_told_by_one_buoy():
    time = np.arange(0, 1800, 0.5)
    towards = math.radians(-70.0)
    phase = 2 * math.pi * 0.1 * time
    # The height of exp(-i w t), and i k/|k| times it.
    height, along = 0.7 * np.cos(phase), 0.7 * np.sin(phase)
    found = analyse(height, along * math.cos(towards), along * math.sin(towards), 2.0)
    assert found.significant_height == pytest.approx(4 * 0.7 / math.sqrt(2), rel=1e-3)
    assert found.peak_period == pytest.approx(10.0)
    assert found.mean_direction == pytest.approx(towards, abs=1e-3)
    assert found.mean_spread < 0.05
    again = found.measured()
    assert again.significant_height == pytest.approx(found.significant_height, rel=1e-2)


def test_a_slow_drift_at_0_hz_is_no_peak():
    moments = np.zeros(3, complex)
    found = BuoySpectrum(np.array([0.0, 0.1, 0.2]), np.array([3.0, 2.0, 1.0]), moments, moments)
    assert found.peak_period == pytest.approx(10.0)


@pytest.mark.parametrize("shapes", [((100,), (100,), (99,)), ((100,),) * 3, ((500, 2, 2),) * 3])
def test_series_that_cannot_be_analysed_are_refused(shapes):
    with pytest.raises(ShapeError, match="one shape"):
        analyse(*(np.zeros(shape) for shape in shapes), rate=1.0)
