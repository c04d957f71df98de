"""The waves of a tile: their energy, directions and amplitudes, without a GPU."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from support.ocean import assert_near, integral, significant_height_of

from glfft.sea import spectra, waves
from glfft.sea.settings import SPECTRA, SPREADINGS, OceanSettings, Swell

SMALL = OceanSettings(size=64, tile=500.0)


def test_phillips_gets_the_height_of_jonswap_and_nothing_upwind():
    phillips = replace(SMALL, spectrum="phillips", wind_direction=2.0)
    assert waves.significant_height(phillips) == pytest.approx(
        waves.significant_height(replace(SMALL, wind_direction=2.0)), rel=1e-12
    )
    k = waves.wave_vectors(SMALL.size, SMALL.tile)
    cell = 2 * math.pi / SMALL.tile
    upwind = k.x * math.cos(2.0) + k.z * math.sin(2.0) < -cell  # the cells between have a downwind part
    assert not np.any(waves.energy_density(phillips)[upwind])


@pytest.mark.parametrize("spreading", SPREADINGS)
@pytest.mark.parametrize("relative_frequency", [0.3, 0.8, 1.0, 1.3, 2.0, 6.0, 30.0])
def test_every_spreading_holds_all_the_energy_and_points_downwind(spreading, relative_frequency):
    settings = replace(SMALL, spreading=spreading)
    theta = np.linspace(-math.pi, math.pi, 20_001)
    frequency = np.full_like(theta, relative_frequency * waves.peak_frequency(settings))
    density = waves.directional_spreading(settings, theta, frequency)
    assert integral(density, theta) == pytest.approx(1.0, abs=1e-3)
    assert np.all(density >= 0)
    assert_near(density, density[::-1], abs=1e-12)
    assert np.argmax(density) == pytest.approx(10_000, abs=1)


def test_swells_come_on_top_of_the_wind_sea_each_from_its_own_direction():
    sea = OceanSettings(size=256, tile=1500.0, wind=8.0)
    swells = (Swell(3.0, 12.0, math.radians(70.0)), Swell(1.5, 9.0, math.radians(-120.0), math.radians(25.0)))
    both = replace(sea, swells=swells)
    assert waves.significant_height(both) ** 2 == pytest.approx(
        waves.significant_height(sea) ** 2 + 3.0**2 + 1.5**2, rel=5e-3
    )
    k = waves.wave_vectors(sea.size, sea.tile)
    for swell in swells:
        added = waves.energy_density(replace(sea, swells=(swell,))) - waves.energy_density(sea)
        mean = np.sum(added * (k.x + 1j * k.z) / k.length) / added.sum()
        assert np.angle(mean) == pytest.approx(swell.direction, abs=math.radians(0.5))
        assert math.sqrt(2 * (1 - abs(mean))) == pytest.approx(swell.spread, rel=0.03)


@pytest.mark.parametrize("direction", [0.0, 0.05, 0.3])
@pytest.mark.parametrize(("tile", "period"), [(1200.0, 13.0), (250.0, 10.0), (700.0, 5.0)])
def test_a_narrow_swell_keeps_its_height(tile, period, direction):
    swell = Swell(2.0, period, direction, 0.02, 5.0)
    sea = OceanSettings(size=256, tile=tile, wind=0.01, swells=(swell,))
    assert waves.significant_height(sea) == pytest.approx(2.0, rel=1e-2)


def test_a_swell_that_is_long_for_the_tile_is_told():
    assert not waves.too_few_waves(OceanSettings(tile=250.0))
    assert "m long" in waves.too_few_waves(OceanSettings(tile=250.0, swells=(Swell(1.0, 14.0),)))


def test_frequencies_of_a_loop_are_the_nearest_that_fit_it():
    free, looped = (waves.frequencies(replace(SMALL, loop=loop)) for loop in (math.inf, 12.0))
    turns = looped * 12.0 / (2 * math.pi)
    assert_near(turns, np.rint(turns), abs=1e-9)
    assert turns.min() >= 1
    moving = free * 12.0 / (2 * math.pi) > 0.5
    assert np.abs(looped - free)[moving].max() <= math.pi / 12.0 + 1e-12


def test_swell_narrows_the_spread_and_keeps_the_energy():
    theta = np.linspace(-math.pi, math.pi, 20_001)
    widths = []
    for swell in (0.0, 0.5, 1.0):
        settings = replace(SMALL, swell=swell)
        frequency = np.full_like(theta, waves.peak_frequency(settings))
        density = waves.directional_spreading(settings, theta, frequency)
        assert integral(density, theta) == pytest.approx(1.0, abs=1e-3)
        widths.append(integral(theta**2 * density, theta))
    assert widths[0] > widths[1] > widths[2]


def test_the_tile_holds_the_height_of_the_continuous_spectrum_whatever_its_size():
    for size, tile in ((128, 250.0), (256, 250.0), (256, 500.0), (512, 1000.0)):
        height = waves.significant_height(OceanSettings(size=size, tile=tile))
        assert height == pytest.approx(2.139, rel=0.01), (size, tile)


def energy_between_squares(settings: OceanSettings) -> float:
    """The integral of the spectrum over all wave vectors that a grid holds, in polar coordinates, m².

    They fill a square, but for the small square around k = 0.
    """
    spacing = 2 * math.pi / settings.tile
    angles = (np.arange(240) + 0.5) * (2 * math.pi / 240)
    innermost = 0.5 * spacing / np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles)))
    outermost = innermost * (settings.size - 1)
    share = (np.arange(500)[:, None] + 0.5) / 500
    k = innermost * (outermost / innermost) ** share  # equal steps of log k: dk = k d(log k)
    frequency = spectra.angular_frequency(k)
    peak = waves.peak_frequency(settings)
    if settings.spectrum == "jonswap":
        energy = spectra.jonswap(frequency, settings.wind, settings.fetch, settings.gamma)
    else:
        energy = spectra.pierson_moskowitz(frequency, settings.wind)
    exponent = spectra.hasselmann_exponent(frequency, peak, settings.wind)
    exponent += spectra.swell_exponent(frequency, peak, settings.swell)
    spreading = spectra.longuet_higgins(spectra.wrapped(angles - settings.wind_direction), exponent)
    integrand = energy * spectra.group_speed(k) * spreading
    return float((integrand * k * np.log(outermost / innermost)).mean() * 2 * math.pi)


@pytest.mark.parametrize("tile", [100.0, 190.0, 250.0, 310.0, 430.0, 1000.0, 3000.0])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"size": 256, "wind_direction": 0.4},
        {"wind_direction": 2.0, "swell": 1.0},
        {"spectrum": "pierson-moskowitz", "wind": 17.0},
    ],
)
def test_the_cells_of_a_tile_hold_the_energy_of_the_spectrum_down_to_tiles_shorter_than_the_peak(tile, changes):
    # The waves of the peak are 243 m long.
    settings = replace(OceanSettings(size=64, tile=tile, wind=20.0, fetch=400e3), **changes)
    variance = waves.energy_density(settings).sum() * (2 * math.pi / tile) ** 2
    assert variance == pytest.approx(energy_between_squares(settings), rel=0.003)


def test_a_tile_as_long_as_the_peak_has_the_height_of_the_spectrum():
    # Sampled at the cells' centres it had 10.4 m.
    settings = OceanSettings(size=256, tile=250.0, wind=20.0, fetch=400e3)
    frequencies = np.linspace(0.1, 30, 200_001)
    expected = significant_height_of(spectra.jonswap(frequencies, 20, 400e3), frequencies)
    assert expected == pytest.approx(8.55, abs=0.01)
    assert waves.significant_height(settings) == pytest.approx(expected, rel=0.01)


def test_energy_is_computed_once_for_settings_that_share_it_and_cannot_be_changed():
    energy = waves.energy_density(SMALL)
    assert waves.energy_density(replace(SMALL, seed=9, choppiness=0.5)) is energy
    assert waves.energy_density(replace(SMALL, swell=0.1)) is not energy
    with pytest.raises(ValueError, match="read-only"):
        energy[1, 1] = 0.0


def test_a_tile_of_three_waves_is_long_enough():
    peak_wave = 2 * math.pi / float(spectra.wavenumber(waves.peak_frequency(SMALL)))
    assert waves.too_few_waves(replace(SMALL, tile=3.01 * peak_wave)) == ""
    said = waves.too_few_waves(replace(SMALL, tile=2.99 * peak_wave))
    assert f"{peak_wave:.3g} m long" in said
    assert said.endswith("choose a tile of 182 m or more.")
    assert waves.too_few_waves(replace(SMALL, tile=182.0)) == ""
    longer = waves.too_few_waves(replace(SMALL, tile=1234.0, swells=(Swell(1.0, 25.0),)))
    assert longer.startswith("The tile is 1230 m and the waves at the spectrum's peak are 976 m long: ")
    assert longer.endswith("choose a tile of 2930 m or more.")
    # Waves of the same period are shorter in shallow water.
    assert waves.too_few_waves(replace(SMALL, tile=150.0)) != ""
    assert waves.too_few_waves(replace(SMALL, tile=150.0, depth=5.0)) == ""


def test_the_same_seed_is_the_same_sea_at_another_size():
    coarse = waves.amplitudes(replace(SMALL, size=32))
    fine = waves.amplitudes(replace(SMALL, size=128))
    kept = np.fft.fftfreq(32, 1 / 32).astype(int)
    inside = kept != -16
    assert np.array_equal(coarse[np.ix_(inside, inside)], fine[np.ix_(kept[inside], kept[inside])])


def test_phillips_sea_has_another_scale_at_another_size_and_the_same_waves():
    # On the coarse grid JONSWAP, whose variance it takes, has hardly a wave.
    sea = OceanSettings(size=32, tile=400.0, wind=5.0, spectrum="phillips")
    few, most = (waves.amplitudes(replace(sea, size=size))[1:16, 1:16] for size in (32, 64))
    scale = few[1, 1] / most[1, 1]
    assert scale == pytest.approx(1.5766, rel=1e-3)
    np.testing.assert_allclose(few, scale * most, rtol=1e-9)


def test_amplitudes_for_a_seed_never_change():
    # Those of seed 1 at (m, n) = (0, 1), (1, 0) and (-1, -1), row first: every picture of that seed depends on them.
    drawn = waves.amplitudes(OceanSettings(size=16, tile=250.0, seed=1))
    published = [
        -0.0017408032990116494 + 0.00121346756684102j,
        -0.000579021744341764 - 0.00014148857595647096j,
        0.0031339670388369806 - 0.0010477713717423633j,
    ]
    assert drawn[[0, 1, -1], [1, 0, -1]] == pytest.approx(published, rel=1e-9)


def test_every_wave_has_a_normal_number_of_its_own_its_mirror_image_too():
    settings = replace(SMALL, size=256)
    energy = waves.energy_density(settings)
    used = energy > 0
    drawn = np.zeros((256, 256), dtype=np.complex128)
    scale = 0.5 * np.sqrt(energy[used]) * 2 * math.pi / settings.tile
    drawn[used] = waves.amplitudes(settings)[used] / scale
    count = used.sum()
    tolerance = 5 / math.sqrt(count)
    for part in (drawn.real[used], drawn.imag[used]):
        assert part.mean() == pytest.approx(0, abs=tolerance)
        assert part.var() == pytest.approx(1, abs=1.5 * tolerance)
        assert np.mean(part**4) == pytest.approx(3, abs=10 * tolerance)
    for other in (waves.mirrored(drawn), np.roll(drawn, 1, 0), np.roll(drawn, 1, 1), np.conj(drawn)):
        assert abs(np.mean(drawn[used] * np.conj(other[used]))) < 3 * tolerance
    assert not np.array_equal(waves.amplitudes(settings), waves.amplitudes(replace(settings, seed=2)))


def test_no_wave_at_zero_or_in_the_nyquist_row_and_column():
    h0 = waves.amplitudes(SMALL)
    assert h0[0, 0] == 0
    assert not np.any(h0[32])
    assert not np.any(h0[:, 32])
    assert np.count_nonzero(h0) == 63 * 63 - 1


_ENDS = list(itertools.product((0.01, 150.0), (1.0, 1e8)))  # of wind and fetch


@pytest.mark.parametrize(
    ("spectrum", "spreading", "ends"),
    # A Latin square: every two of the three meet.
    [(a, b, _ENDS[(i + j) % 4]) for i, a in enumerate(SPECTRA) for j, b in enumerate(SPREADINGS)],
)
def test_the_ends_of_the_ranges_give_finite_waves(spectrum, spreading, ends):
    wind, fetch = ends
    settings = OceanSettings(size=16, wind=wind, fetch=fetch, spectrum=spectrum, spreading=spreading)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert np.all(np.isfinite(waves.amplitudes(settings)))
