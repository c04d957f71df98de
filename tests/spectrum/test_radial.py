"""The radial profile is the mean power of its rings, and its plot puts it where the axes say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.spectrum.plot import Axis, Curve, axis_around, draw_plot
from glfft.spectrum.radial import radial_profile

sides = st.sampled_from([1, 2, 4, 16, 32])


@given(rows=sides, columns=sides)
def test_rings_hold_the_mean_of_the_bins_within_half_a_step(rows: int, columns: int) -> None:
    generator = np.random.default_rng(rows * 64 + columns)
    spectrum = generator.standard_normal((rows, columns)) + 1j * generator.standard_normal((rows, columns))
    frequencies, powers = radial_profile(spectrum)
    step = 1 / max(rows, columns)
    distance = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.fftfreq(columns)[None, :])
    total = 0.0
    for frequency, power in zip(frequencies, powers, strict=True):
        ring = np.abs(distance - frequency) < step / 2
        np.testing.assert_allclose(power, np.mean(np.abs(spectrum[ring]) ** 2))
        total += power * np.count_nonzero(ring)
    np.testing.assert_allclose(total, np.sum(np.abs(spectrum) ** 2))


def test_a_wave_peaks_at_its_frequency_in_any_direction() -> None:
    y, x = np.mgrid[:64, :128]
    for row_cycles, column_cycles in ((6, 0), (0, 12), (6, 16)):
        wave = np.cos(2 * np.pi * (row_cycles * y / 64 + column_cycles * x / 128))
        frequencies, powers = radial_profile(np.fft.fft2(wave))
        expected = np.hypot(row_cycles / 64, column_cycles / 128)
        assert abs(frequencies[powers.argmax()] - expected) <= 0.5 / 128


def test_bins_that_are_no_numbers_spoil_their_own_ring_only() -> None:
    spectrum = np.ones((16, 16), np.complex64)
    spectrum[0, 3] = np.nan
    frequencies, powers = radial_profile(spectrum)
    assert frequencies[np.isnan(powers)] == pytest.approx([3 / 16])


@given(
    scale=st.sampled_from(["log", "sqrt", "linear"]),
    values=st.lists(st.floats(1e-12, 1e15), min_size=1, max_size=20),
)
def test_axes_hold_their_values_and_label_them_sparsely(scale: str, values: list[float]) -> None:
    axis = axis_around("", scale, np.array([*values, 0.0, np.nan, np.inf]), decades=40)
    places = axis.place(np.array(values))
    assert np.all((places >= -1e-9) & (places <= 1 + 1e-9))
    ticks = np.array(axis.ticks())
    assert 1 < len(ticks) <= 12
    assert np.all(np.diff(ticks) > 0)
    assert np.all((axis.place(ticks) >= -1e-9) & (axis.place(ticks) <= 1 + 1e-9))


@pytest.mark.parametrize("values", [[], [0.0], [np.nan], [np.inf, -np.inf], [1e-320]])
@pytest.mark.parametrize("scale", ["log", "sqrt", "linear"])
def test_a_plot_of_nothing_is_still_a_plot(scale: str, values: list[float]) -> None:
    y = np.array(values)
    x_axis = Axis("x", "linear", 0.0, 1.0)
    plot = draw_plot("nothing", x_axis, axis_around("y", scale, y), [Curve(np.linspace(0, 1, len(y)), y, "#ff0000")])
    assert np.asarray(plot).min() < 100


def test_a_curve_is_drawn_where_its_axes_say() -> None:
    x = np.linspace(0, 1, 50)
    curve = Curve(x, 10 ** (4 * x), "#ff0000")
    plot = draw_plot("", Axis("", "linear", 0, 1), Axis("", "log", 1, 1e4), [curve])
    red = np.asarray(plot).astype(int)
    rows, columns = np.nonzero((red[..., 0] > 200) & (red[..., 1] < 100))
    # Exponential growth is a straight line on a logarithmic axis, from corner to corner.
    assert rows.max() - rows.min() > 400
    assert columns.max() - columns.min() > 700
    slope, start = np.polyfit(columns, rows, 1)
    assert slope < 0
    np.testing.assert_allclose(slope * columns + start, rows, atol=3)
