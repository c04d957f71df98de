"""The fields of the sea in float64: they are real, move with the wind, and are written whole to a file."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.ocean import SEA, TRANSFORM_DECIBELS, decibels

from glfft.errors import OptionError, OutputError
from glfft.sea import spectra, waves
from glfft.sea.fields import export_fields, field_spectra, reference_fields, surface_spectrum
from glfft.sea.settings import SPECTRA, OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import FIELDS
from glfft.sea.waves import mirrored

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SMALL = OceanSettings(size=64, tile=500.0)


@pytest.mark.parametrize("wind_direction", [0.0, 0.7, math.pi / 2, -2.5])
def test_waves_run_with_the_wind(wind_direction):
    settings = replace(SMALL, wind_direction=wind_direction)
    before, now, after = (reference_fields(settings, time) for time in (4.99, 5.0, 5.01))
    rising = (after["height"] - before["height"]) / 0.02
    along_wind = now["slope_x"] * math.cos(wind_direction) + now["slope_z"] * math.sin(wind_direction)
    correlation = np.mean(rising * along_wind) / (np.std(rising) * np.std(along_wind))
    assert correlation < -0.5


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_height_over_seeds_is_the_height_of_the_spectrum(spectrum):
    settings = replace(SMALL, spectrum=spectrum)
    seeds = range(60)
    variance = [np.var(reference_fields(replace(settings, seed=seed), 3.0)["height"]) for seed in seeds]
    # The variance of one seed scatters by some 8 % here, the mean of sixty by 1 %.
    assert 4 * math.sqrt(np.mean(variance)) == pytest.approx(waves.significant_height(settings), rel=0.02)


def test_seeds_scatter_around_the_height_of_the_spectrum_where_few_waves_fit():
    settings = OceanSettings(size=32, tile=250.0, wind=20.0, fetch=400e3)
    variance = [np.sum(np.abs(surface_spectrum(replace(settings, seed=seed), 0.0)) ** 2) for seed in range(400)]
    # One seed is off by half of the variance, the mean of four hundred by a fortieth.
    assert 4 * math.sqrt(np.mean(variance)) == pytest.approx(waves.significant_height(settings), rel=0.05)
    assert 0.3 < np.std(variance) / np.mean(variance) < 0.7


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


def test_the_export_holds_the_fields_and_all_that_made_them(simulation, tmp_path):
    path = tmp_path / "fields.npz"
    export_fields(simulation, 12.34, path)
    expected = reference_fields(SEA, 12.34)
    with np.load(path, allow_pickle=False) as file:
        for name in FIELDS:
            assert file[name].dtype == np.float32
            assert file[name].shape == (64, 64)
            assert decibels(file[name], expected[name]) > TRANSFORM_DECIBELS
        assert file["h0"].dtype == np.complex64
        # The file is enough to make the height again.
        k = waves.wave_vectors(64, float(file["tile"]))
        phasor = np.exp(-1j * spectra.angular_frequency(k.length) * float(file["time"]))
        h = file["h0"] * phasor + np.conj(mirrored(file["h0"]) * phasor)
        assert decibels(file["height"], np.fft.ifft2(h, norm="forward").real) > 120
        assert file["hs_theory"] == waves.significant_height(SEA)
        for name in ("tile", "wind", "wind_direction", "fetch", "depth", "loop", "seed", "choppiness"):
            assert file[name].shape == ()
            assert file[name] == getattr(SEA, name)


@pytest.mark.parametrize("tiles", [1, 2])
def test_the_export_has_the_waves_that_made_its_fields(ctx, tmp_path, tiles):
    own = np.zeros((48, 48), dtype=np.complex128)
    own[3, 5], own[45, 40], own[0, 47], own[7, 0] = 0.1, 0.2j, 0.05, -0.1
    first = OceanSettings(size=48, tile=60.0, cascades=tiles)

    def check() -> None:
        export_fields(simulation, 0.0, tmp_path / "fields.npz")
        with np.load(tmp_path / "fields.npz") as file:
            h = file["h0"] + np.conj(np.roll(np.flip(file["h0"], (-2, -1)), 1, (-2, -1)))
            assert decibels(file["height"], np.fft.ifft2(h, norm="forward").real) > 120

    with OceanSimulation(ctx, first) as simulation:
        simulation.update(-1.0)
        simulation.set_amplitudes(own)
        check()
        simulation.configure(first)
        simulation.morph(replace(first, wind=20.0, depth=2.0), 2.0)
        check()


def test_an_export_that_cannot_be_written_leaves_nothing(simulation, tmp_path):
    with pytest.raises(OutputError):
        export_fields(simulation, 1.0, tmp_path / "nowhere" / "fields.npz")
    with pytest.raises(OptionError):
        export_fields(simulation, math.nan, tmp_path / "fields.npz")
    assert list(tmp_path.iterdir()) == []
