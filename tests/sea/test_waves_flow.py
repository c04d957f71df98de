"""The velocity of the water as amplitudes, against linear theory."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.errors import OptionError
from glfft.sea import fields, waves
from glfft.sea.settings import OceanSettings
from glfft.sea.waves import flows, on_finer_grid

DEEP = OceanSettings(size=16, tile=60.0)


@pytest.mark.parametrize(("ground", "depth"), [(math.inf, 2.0), (5.0, 1.5), (5.0, 5.0)])
def test_velocities_are_those_of_linear_theory(ground, depth):
    settings = OceanSettings(size=16, tile=60.0, depth=ground)
    found = flows((settings,), depth)
    horizontal, vertical = found[0][0], found[-1][0]
    k = waves.wave_vectors(16, 60.0).length
    moving = -1j * waves.frequencies(settings) * waves.amplitudes(settings)
    below = 50.0 if math.isinf(ground) else ground
    # As horizontal fields they get a factor coth(k h), which in shallow water lengthens the ellipses of the water.
    assert horizontal == pytest.approx(moving * np.cosh(k * (below - depth)) / np.cosh(k * below), rel=1e-3, abs=1e-12)
    assert vertical == pytest.approx(moving * np.sinh(k * (below - depth)) / np.sinh(k * below), rel=1e-3, abs=1e-12)


@pytest.mark.parametrize("ground", [math.inf, 20.0, 2.0, 0.3])
def test_at_the_surface_the_water_moves_as_its_displacement_changes(ground):
    settings = OceanSettings(size=16, tile=60.0, depth=ground)
    h0, k = waves.amplitudes(settings), waves.wave_vectors(16, 60.0)
    before, after = (fields.reference_fields(settings, time) for time in (1 - 1e-4, 1 + 1e-4))
    moving = fields.reference_fields(settings, 1.0, flows((settings,), 0.0)[0][0])
    for each in ("dx", "dz"):
        assert moving[each] == pytest.approx((after[each] - before[each]) / 2e-4, rel=1e-4, abs=1e-6)
    # An ellipse is as much wider than high as linear theory has it.
    h = fields.surface_spectrum(settings, 1.0, h0)
    width = np.hypot(*(np.abs(fields.field_spectra(settings, h)[each]) for each in ("dx", "dz")))
    wet = np.abs(h) > 0
    assert width[wet] == pytest.approx((np.abs(h) / np.tanh(k.length * min(ground, 1e9)))[wet])


@pytest.mark.parametrize("depth", [-1.0, math.nan, math.inf])
def test_a_depth_out_of_the_water_is_refused(depth):
    with pytest.raises(OptionError, match="depth of the velocities"):
        flows((DEEP,), depth)
    assert flows((DEEP,), None) == []


def test_a_finer_grid_has_the_same_waves_between_the_samples():
    h0 = waves.amplitudes(DEEP)
    coarse, fine = (np.fft.ifft2(each, norm="forward") for each in (h0, on_finer_grid(h0)))
    assert fine[::2, ::2] == pytest.approx(coarse)
