"""Validation of a sea: right seas pass, wrong ones fail, and the numbers are those of plain sums."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from glfft.sea import cascades, foam, spectra, waves
from glfft.sea.fields import reference_fields, surface_spectrum
from glfft.sea.measure import Check, Snapshot, dispersion, polar_spectrum, spectrum, validate
from glfft.sea.settings import OceanSettings, Swell

SEA = OceanSettings(size=64, tile=400.0, wind=9.0, wind_direction=0.5)


def snapshot_of(settings: OceanSettings, time: float = 20.0, step: float = 0.2, h0=None) -> Snapshot:
    tiles = cascades.tiles_of(settings)
    moments = [[reference_fields(tile, at, h0) for tile in tiles] for at in (time, time + step)]
    return Snapshot(
        tiles,
        (time, time + step),
        np.array([[fields["height"] for fields in moment] for moment in moments]),
        np.array([np.stack([fields["slope_x"], fields["slope_z"]], -1) for fields in moments[1]]),
        foam.whitecap_cover(settings.wind),
    )


def by_name(checks: list[Check]) -> dict[str, Check]:
    return {each.name: each for each in checks}


def test_nearly_all_seeds_pass_every_check():
    failed = [
        (seed, check.name)
        for seed in range(12)
        for check in validate(snapshot_of(replace(SEA, seed=seed)))
        if not check.passed
    ]
    assert len(failed) <= 2, failed


def test_bands_are_as_wide_as_seeds_scatter():
    names = ("wave height", "mean square slope", "direction")
    found = {name: [] for name in names}
    checks: dict[str, Check] = {}
    for seed in range(40):
        checks = by_name(validate(snapshot_of(replace(SEA, size=32, seed=seed))))
        for name in names:
            found[name].append(checks[name].found - checks[name].expected)
    for name in names:
        check = checks[name]
        deviation = (check.high - check.expected) / 3
        assert np.std(found[name]) == pytest.approx(deviation, rel=0.4), name
        assert abs(np.mean(found[name])) < deviation, name


def test_a_sea_that_is_too_high_or_runs_the_other_way_fails():
    higher = by_name(validate(snapshot_of(SEA, h0=1.6 * waves.amplitudes(SEA))))
    assert not higher["wave height"].passed
    assert not higher["mean square slope"].passed
    assert not higher["Parseval"].passed
    assert higher["direction"].passed
    assert higher["packed pairs"].passed
    against = by_name(validate(snapshot_of(SEA, h0=waves.mirrored(waves.amplitudes(SEA)))))
    assert not against["direction"].passed
    assert abs(against["direction"].found - against["direction"].expected) > 120
    good = snapshot_of(SEA)
    leaking = replace(good, slopes=good.slopes + 0.02 * good.heights[1][..., None])
    assert not by_name(validate(leaking))["packed pairs"].passed
    assert not by_name(validate(replace(good, cover=0.2)))["whitecaps"].passed
    longer = snapshot_of(replace(SEA, wind=15.0))
    assert not by_name(validate(replace(longer, tiles=good.tiles)))["peak period"].passed


def test_waves_of_another_speed_fail():
    good = snapshot_of(SEA)
    assert by_name(validate(good))["wave speed"].passed
    # The same heights, with three quarters of the time between them and with a little more of it.
    for share, said in ((0.75, 4 / 3), (1.05, 1 / 1.05)):
        wrong = by_name(validate(replace(good, times=(20.2 - 0.2 * share, 20.2))))["wave speed"]
        assert not wrong.passed
        assert wrong.found == pytest.approx(said, abs=0.01)


@pytest.mark.parametrize("across", [math.pi, 0.5 * math.pi])
def test_the_band_of_the_speed_holds_for_crossing_seas(across: float):
    crossing = replace(SEA, size=32, swells=(Swell(2.0, 8.0, SEA.wind_direction + across),))
    checks = [by_name(validate(snapshot_of(replace(crossing, seed=seed))))["wave speed"] for seed in range(20)]
    deviations = [3 * (check.found - 1) / (check.high - 1) for check in checks]
    assert np.abs(deviations).max() < 3.5
    if across == math.pi:
        assert np.std(deviations) > 0.5  # and is not far too wide


def test_the_energy_of_spectra_is_that_of_the_sea():
    settings = replace(SEA, size=48, cascades=2)
    sea = snapshot_of(settings)
    found = spectrum(sea)
    width = found.wavenumber * (2**0.125 - 2**-0.125)
    exact = sum(float((np.abs(surface_spectrum(tile, 20.2)) ** 2).sum()) for tile in sea.tiles)
    assert np.nansum(found.measured * width) == pytest.approx(exact, rel=1e-6)
    assert 4 * math.sqrt(np.nansum(found.theory * width)) == pytest.approx(cascades.significant_height(settings))
    assert set(found.tile) == {0, 1}
    polar = polar_spectrum(sea)
    theory = polar.theory.sum()
    assert polar.theory.shape == (16, 36)
    assert 0.6 * 16 * theory < cascades.significant_height(settings) ** 2 < 16 * theory * 1.6
    middle = (polar.direction[1:] + polar.direction[:-1]) / 2
    towards = np.angle((polar.measured * np.exp(1j * middle)).sum())
    assert towards == pytest.approx(settings.wind_direction, abs=0.4)


def test_the_ridge_lies_on_the_dispersion_relation():
    settings = replace(SEA, depth=8.0)
    times = np.cumsum(np.random.default_rng(1).uniform(0.1, 0.3, 120))
    lines = np.array([reference_fields(settings, time)["height"].mean(axis=0) for time in times])
    frequencies = np.linspace(0.1, 3.0, 117)
    wavenumber, power = dispersion(settings, lines, times.tolist(), frequencies)
    exact = spectra.angular_frequency(wavenumber, 8.0)
    assert power.shape == (117, 31)
    found = frequencies[power.argmax(axis=0)]
    # Longer ones than the peak's have hardly any energy.
    inside = (exact > 0.8 * waves.peak_frequency(settings)) & (exact < 2.9)
    assert inside.sum() > 20
    assert np.abs(found - exact)[inside].max() < 0.08  # a band of 24 s is 0.26 wide


def test_no_waves_are_no_trouble():
    still = replace(SEA, size=16, band=(1e3, math.inf))
    assert len(validate(snapshot_of(still))) == 8
    assert len(spectrum(snapshot_of(still)).wavenumber) == 0


def test_a_check_says_its_number_and_band():
    assert str(Check("wave height", "m", 2.0, 2.1, 1.9, 2.3)) == "pass  wave height 2 m  (1.9 to 2.3)"
    assert str(Check("longest wave", "m", 1234.4, 1e3, 999.6, 2e4)) == "pass  longest wave 1234 m  (1000 to 20000)"
    assert str(Check("direction", "°", 90.0, 0.0, -9.0, 9.0)).startswith("FAIL")
