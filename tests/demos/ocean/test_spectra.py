"""The physics of the ocean in float64, without a GPU: heights, speeds, directions, statistics are those of the sea."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from glfft.demos.ocean import spectra, waves
from glfft.demos.ocean.fields import field_spectra, reference_fields, surface_spectrum
from glfft.demos.ocean.settings import SPECTRA, SPREADINGS, OceanSettings
from glfft.errors import OptionError, ShapeError

SMALL = OceanSettings(size=64, tile=500.0)


def integral(values: np.ndarray, over: np.ndarray) -> float:
    return float(np.sum((values[1:] + values[:-1]) * np.diff(over)) / 2)


def significant_height_of(spectrum, frequencies: np.ndarray) -> float:
    return 4 * math.sqrt(integral(spectrum, frequencies))


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


def test_phillips_gets_the_height_of_jonswap_and_nothing_upwind():
    phillips = replace(SMALL, spectrum="phillips", wind_direction=2.0)
    assert waves.significant_height(phillips) == pytest.approx(
        waves.significant_height(replace(SMALL, wind_direction=2.0)), rel=1e-12
    )
    k = waves.wave_vectors(SMALL.size, SMALL.tile)
    cell = 2 * math.pi / SMALL.tile
    upwind = k.x * math.cos(2.0) + k.z * math.sin(2.0) < -cell  # the cells between have a downwind part
    assert not np.any(waves.energy_density(phillips)[upwind])


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


@pytest.mark.parametrize("spreading", SPREADINGS)
@pytest.mark.parametrize("relative_frequency", [0.3, 0.8, 1.0, 1.3, 2.0, 6.0, 30.0])
def test_every_spreading_holds_all_the_energy_and_points_downwind(spreading, relative_frequency):
    settings = replace(SMALL, spreading=spreading)
    theta = np.linspace(-math.pi, math.pi, 20_001)
    frequency = np.full_like(theta, relative_frequency * waves.peak_frequency(settings))
    density = waves.directional_spreading(settings, theta, frequency)
    assert integral(density, theta) == pytest.approx(1.0, abs=1e-3)
    assert np.all(density >= 0)
    assert density == pytest.approx(density[::-1], abs=1e-12)
    assert np.argmax(density) == pytest.approx(10_000, abs=1)


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


def test_log_gamma_is_that_of_the_standard_library():
    x = np.concatenate([np.linspace(0.5, 5, 100), np.geomspace(5, 1e6, 100)])
    expected = [math.lgamma(value) for value in x]
    assert spectra.log_gamma(x) == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("wind_direction", [0.0, 0.7, math.pi / 2, -2.5])
def test_waves_run_with_the_wind(wind_direction):
    settings = replace(SMALL, wind_direction=wind_direction)
    before, now, after = (reference_fields(settings, time) for time in (4.99, 5.0, 5.01))
    rising = (after["height"] - before["height"]) / 0.02
    along_wind = now["slope_x"] * math.cos(wind_direction) + now["slope_z"] * math.sin(wind_direction)
    correlation = np.mean(rising * along_wind) / (np.std(rising) * np.std(along_wind))
    assert correlation < -0.5


# --- Amplitudes and statistics ----------------------------------------------------------------------------


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_height_over_seeds_is_the_height_of_the_spectrum(spectrum):
    settings = replace(SMALL, spectrum=spectrum)
    seeds = range(60)
    variance = [np.var(reference_fields(replace(settings, seed=seed), 3.0)["height"]) for seed in seeds]
    # The variance of one seed scatters by some 8 % here, the mean of sixty by 1 %.
    assert 4 * math.sqrt(np.mean(variance)) == pytest.approx(waves.significant_height(settings), rel=0.02)


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
    share = (np.arange(2000)[:, None] + 0.5) / 2000
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


def test_seeds_scatter_around_the_height_of_the_spectrum_where_few_waves_fit():
    settings = OceanSettings(size=32, tile=250.0, wind=20.0, fetch=400e3)
    variance = [np.sum(np.abs(surface_spectrum(replace(settings, seed=seed), 0.0)) ** 2) for seed in range(400)]
    # One seed is off by half of the variance, the mean of four hundred by a fortieth.
    assert 4 * math.sqrt(np.mean(variance)) == pytest.approx(waves.significant_height(settings), rel=0.05)
    assert 0.3 < np.std(variance) / np.mean(variance) < 0.7


def test_energy_is_computed_once_for_settings_that_share_it_and_cannot_be_changed():
    energy = waves.energy_density(SMALL)
    assert waves.energy_density(replace(SMALL, seed=9, choppiness=0.5)) is energy
    assert waves.energy_density(replace(SMALL, swell=0.1)) is not energy
    with pytest.raises(ValueError, match="read-only"):
        energy[1, 1] = 0.0


@pytest.mark.parametrize("depth", [0.01, 1.0, 30.0, math.inf])
def test_wavenumber_is_the_inverse_of_dispersion(depth):
    k = np.geomspace(1e-6, 1e4, 500)
    assert spectra.wavenumber(spectra.angular_frequency(k, depth), depth) == pytest.approx(k, rel=1e-12)


def test_a_tile_of_three_waves_is_long_enough():
    peak_wave = 2 * math.pi / float(spectra.wavenumber(waves.peak_frequency(SMALL)))
    assert waves.too_few_waves(replace(SMALL, tile=3.01 * peak_wave)) == ""
    said = waves.too_few_waves(replace(SMALL, tile=2.99 * peak_wave))
    assert f"{peak_wave:.3g} m long" in said
    assert said.endswith("choose a tile of 182 m or more.")
    assert waves.too_few_waves(replace(SMALL, tile=182.0)) == ""
    # Waves of the same period are shorter in shallow water.
    assert waves.too_few_waves(replace(SMALL, tile=150.0)) != ""
    assert waves.too_few_waves(replace(SMALL, tile=150.0, depth=5.0)) == ""


def test_the_same_seed_is_the_same_sea_at_another_size():
    coarse = waves.amplitudes(replace(SMALL, size=32))
    fine = waves.amplitudes(replace(SMALL, size=128))
    kept = np.fft.fftfreq(32, 1 / 32).astype(int)
    inside = kept != -16
    assert np.array_equal(coarse[np.ix_(inside, inside)], fine[np.ix_(kept[inside], kept[inside])])


def test_amplitudes_for_a_seed_never_change():
    # Of seed 1 at (m, n) = (0, 1), (1, 0) and (-1, -1), row first: every picture of that seed depends on them.
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


# --- The fields -------------------------------------------------------------------------------------------


def test_every_field_is_real():
    h = surface_spectrum(SMALL, 7.0)
    for name, spectrum in field_spectra(SMALL, h).items():
        field = np.fft.ifft2(spectrum, norm="forward")
        assert np.abs(field.imag).max() < 1e-12 * field.real.std(), name
        assert np.abs(spectrum - np.conj(waves.mirrored(spectrum))).max() < 1e-12 * np.abs(spectrum).max(), name


def test_energy_is_the_same_counted_over_points_or_waves():
    k = waves.wave_vectors(SMALL.size, SMALL.tile)
    h = surface_spectrum(SMALL, 7.0)
    fields = reference_fields(SMALL, 7.0)
    assert np.mean(fields["height"] ** 2) == pytest.approx(np.sum(np.abs(h) ** 2), rel=1e-10)
    slopes = np.mean(fields["slope_x"] ** 2 + fields["slope_z"] ** 2)
    assert slopes == pytest.approx(np.sum(k.length**2 * np.abs(h) ** 2), rel=1e-10)


def test_derivatives_are_those_of_the_fields_between_the_samples():
    # Central differences on a wave that the grid resolves finely: no Fourier transform on this side.
    settings = OceanSettings(size=64, tile=64.0)
    h0 = np.zeros((64, 64), dtype=np.complex128)
    h0[2, 1], h0[62, 3] = 0.2 + 0.1j, 0.15j
    fields = reference_fields(settings, 3.0, h0)

    def along(name: str, axis: int) -> np.ndarray:
        return (np.roll(fields[name], -1, axis) - np.roll(fields[name], 1, axis)) / (2 * settings.spacing)

    for derivative, name, axis in (
        ("slope_x", "height", 1),
        ("slope_z", "height", 0),
        ("dxx", "dx", 1),
        ("dzz", "dz", 0),
        ("dxz", "dx", 0),
        ("dxz", "dz", 1),
    ):
        difference = fields[derivative] - along(name, axis)
        assert difference.std() < 0.02 * fields[derivative].std(), (derivative, name)


def test_choppiness_sharpens_crests():
    fields = reference_fields(SMALL, 7.0)
    divergence = fields["dxx"] + fields["dzz"]
    assert np.corrcoef(fields["height"].ravel(), divergence.ravel())[0, 1] < -0.5


def test_the_surface_lives_through_time_without_losing_energy_on_average():
    # h0(k) and h0(-k) make partly standing waves: energy sloshes, and its mean over time is that of the amplitudes.
    times = np.linspace(0, 400, 200)
    variance = np.mean([np.sum(np.abs(surface_spectrum(SMALL, time)) ** 2) for time in times])
    assert variance == pytest.approx(2 * np.sum(np.abs(waves.amplitudes(SMALL)) ** 2), rel=0.02)


# --- Settings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, -64, 8, 100, 255, 64.5, "64", None, math.nan])
def test_a_size_that_is_no_power_of_two_is_refused(size):
    with pytest.raises(ShapeError, match="power of two"):
        OceanSettings(size=size)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tile", 0.0),
        ("tile", -5.0),
        ("tile", math.inf),
        ("wind", 0.0),
        ("wind", math.nan),
        ("wind", "strong"),
        ("wind_direction", math.nan),
        ("fetch", 0.0),
        ("fetch", -1.0),
        ("fetch", math.inf),
        ("seed", -1),
        ("seed", 1.5),
        ("choppiness", -0.1),
        ("choppiness", math.nan),
        ("gamma", 0.5),
        ("swell", 1.5),
        ("depth", 0.0),
        ("depth", math.nan),
        ("spectrum", "jonswop"),
        ("spreading", "cos2"),
        ("spreading", None),
        ("foam_lifetime", 0.0),
    ],
)
def test_a_value_out_of_range_is_refused_in_one_sentence(name, value):
    with pytest.raises(OptionError) as raised:
        OceanSettings(**{name: value})
    message = str(raised.value)
    assert message.endswith(".")
    assert repr(value) in message
    assert "\n" not in message


def test_swell_is_refused_where_it_would_do_nothing():
    with pytest.raises(OptionError, match="Swell"):
        OceanSettings(swell=0.5, spreading="donelan-banner")


def test_numpy_numbers_are_numbers():
    settings = OceanSettings(size=np.int64(64), wind=np.float32(8), seed=np.uint8(3))  # pyright: ignore
    assert settings == OceanSettings(size=64, wind=8.0, seed=3)


@pytest.mark.parametrize(("wind", "fetch"), [(0.01, 1.0), (0.01, 1e8), (150.0, 1.0), (150.0, 1e8)])
@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("spreading", SPREADINGS)
def test_the_ends_of_the_ranges_give_finite_waves(wind, fetch, spectrum, spreading):
    settings = OceanSettings(size=16, wind=wind, fetch=fetch, spectrum=spectrum, spreading=spreading)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert np.all(np.isfinite(waves.amplitudes(settings)))
