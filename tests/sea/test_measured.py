"""A measured spectrum: its height, its directions by their moments, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.ocean import integral, significant_height_of

from glfft.errors import DataError, OptionError
from glfft.sea import waves
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.settings import OceanSettings

THREE = MeasuredSpectrum((0.08, 0.1, 0.2), (0.5, 4.0, 0.2), (0.0, 1.0, -3.0), (0.9, 0.8, 0.5))
MOMENTS = replace(THREE, direction2=(0.1, 1.2, -2.8), r2=(0.7, 0.5, 0.15))
THETA = np.linspace(-math.pi, math.pi, 4001)


def test_any_sequences_of_numbers_are_taken():
    columns = [list(THREE.frequency), np.array(THREE.density), THREE.direction, np.array(THREE.r1)]
    assert MeasuredSpectrum(*columns) == THREE  # pyright: ignore[reportArgumentType]
    assert hash(MeasuredSpectrum(*columns)) == hash(THREE)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("spectrum", [THREE, MOMENTS, replace(THREE, r1=()), replace(THREE, r1=(1.0, 1.0, 0.0))])
@pytest.mark.parametrize("band", range(3))
def test_directions_have_the_moments_that_were_measured(spectrum, band):
    density = spectrum.spreading_at(THETA, np.full_like(THETA, 2 * math.pi * spectrum.frequency[band]))
    assert density.min() >= 0
    assert integral(density, THETA) == pytest.approx(1.0, abs=1e-3)
    first, second = (
        integral(np.cos(order * THETA) * density, THETA) + 1j * integral(np.sin(order * THETA) * density, THETA)
        for order in (1, 2)
    )
    r1 = min(spectrum.r1[band], 0.9995) if spectrum.r1 else 1 - math.radians(30) ** 2 / 2
    assert abs(first) == pytest.approx(r1, abs=2e-3)
    if r1 > 0:
        assert abs(np.angle(first * np.exp(-1j * spectrum.direction[band]))) < 1e-3
    if spectrum is MOMENTS:
        assert second == pytest.approx(spectrum.r2[band] * np.exp(2j * spectrum.direction2[band]), abs=2e-3)


@pytest.mark.parametrize("spread", [1.0, 2.0, 4.0, 6.0])
def test_narrow_swell_with_both_moments_has_the_measured_height(spread):
    width, direction = math.radians(spread), (0.3,) * 21
    r1, r2 = (math.exp(-(order**2) * width**2 / 2) for order in (1, 2))  # of a Gaussian distribution
    f = np.linspace(0.06, 0.12, 21)
    density = 5 * np.exp(-((f - 0.08) ** 2) / (2 * 0.004**2))
    columns = (f, density, direction, (r1,) * 21, direction, (r2,) * 21)
    measured = MeasuredSpectrum(*map(tuple, columns))  # pyright: ignore[reportArgumentType]
    settings = OceanSettings(size=64, tile=2500.0, measured=measured)
    assert waves.significant_height(settings) == pytest.approx(measured.significant_height, rel=0.01)


def test_the_density_is_the_measured_one_with_a_tail():
    frequencies = 2 * math.pi * np.linspace(0.01, 0.2, 20_001)
    assert significant_height_of(THREE.density_at(frequencies), frequencies) == pytest.approx(
        THREE.significant_height, rel=1e-3
    )
    assert THREE.density_at(2 * math.pi * 0.1) * 2 * math.pi == pytest.approx(4.0)
    assert THREE.density_at(2 * math.pi * 0.05) == 0
    assert THREE.peak_frequency == 0.1


def test_the_tail_falls_as_the_fifth_power_and_never_has_much_of_the_height():
    low = replace(THREE, density=(0.5, 4.0, 0.01))
    assert low.density_at(2 * math.pi * 0.4) * 2 * math.pi == pytest.approx(0.01 * 2**-5)
    for cut in (low, THREE, replace(THREE, density=(0.5, 4.0, 4.0))):
        above = 2 * math.pi * np.linspace(0.2, 5.0, 400_001)
        share = integral(cut.density_at(above), above) / (cut.significant_height**2 / 16)
        assert 0 < share < 0.0101


def test_a_tile_has_the_height_and_every_seed_the_same():
    settings = OceanSettings(size=128, tile=600.0, measured=THREE)
    height = waves.significant_height(settings)
    assert height == pytest.approx(THREE.significant_height, rel=0.03)
    for seed in range(3):
        energy = 2 * np.sum(np.abs(waves.amplitudes(replace(settings, seed=seed))) ** 2)
        assert 4 * math.sqrt(energy) == pytest.approx(height, rel=1e-9)


def test_without_directions_they_are_those_of_the_wind():
    settings = OceanSettings(size=64, tile=600.0, wind_direction=2.0, measured=MeasuredSpectrum((0.1, 0.2), (4.0, 1.0)))
    k = waves.wave_vectors(64, 600.0)
    energy = waves.energy_density(settings)
    assert np.angle((energy * (k.x + 1j * k.z) / k.length).sum()) == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize(
    "changes",
    [
        {"frequency": (0.1,)},
        {"frequency": (0.2, 0.1, 0.3)},
        {"frequency": (0.0, 0.1, 0.2)},
        {"density": (1.0, math.nan, 1.0)},
        {"density": (1.0, -1.0, 1.0)},
        {"density": (0.0, 0.0, 0.0)},
        {"density": ()},
        {"direction": (1.0, 2.0)},
        {"r1": (1.0, 1.5, 0.5)},
    ],
)
def test_nonsense_is_refused(changes):
    with pytest.raises(DataError):
        replace(THREE, **changes)


def test_numbers_of_no_sea_are_taken_for_another_unit():
    with pytest.raises(DataError, match=r"significant wave height is 2.. m, over 100 m; .* in m²/Hz"):
        replace(THREE, density=tuple(1e4 * each for each in THREE.density))
    with pytest.raises(DataError, match=r"peak is at .* Hz, a period of 0\.0.* s; it must be from 0\.1 to 1000 s"):
        replace(
            THREE, frequency=tuple(1e3 * each for each in THREE.frequency), density=tuple(1e-3 for _ in THREE.density)
        )
    with pytest.raises(DataError, match="over 100 m"):
        replace(THREE, density=(1e308, 1e308, 1e308))


def test_settings_take_nothing_else():
    with pytest.raises(OptionError, match="MeasuredSpectrum"):
        OceanSettings(measured="buoy.txt")  # pyright: ignore[reportArgumentType]
