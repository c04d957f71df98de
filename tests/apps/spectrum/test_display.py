"""Pictures of spectra, drawn on the GPU, are what numpy computes for the same display mathematics."""

from __future__ import annotations

import itertools

import moderngl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum import display
from glfft.apps.spectrum.colours import CYCLIC, colour_table
from glfft.apps.spectrum.display import Display, Range, choose_range
from glfft.apps.spectrum.options import COLORMAPS, SCALES, View

# Rows and columns: even, odd, and prime.
SHAPES = [(16, 32), (15, 21), (12, 35), (13, 10), (1, 7), (41, 1)]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")

# One level for rounding to 8 bits, and one for float32 tones that fall beside a table's texel.
TOLERANCE = 2
MAGENTA = (255, 0, 255)


def _spectrum(rows: int = 16, columns: int = 32, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    values = generator.standard_normal((rows, columns)) + 1j * generator.standard_normal((rows, columns))
    values *= 10 ** generator.uniform(-3, 4, (rows, columns))
    values[0, 0] = 1e5
    values[-1, -1] = 0
    return values.astype(np.complex64)


def _draw(ctx: moderngl.Context, spectra: np.ndarray, view: View, limits: Range) -> np.ndarray:
    rows, columns = spectra.shape[1:]
    textures = [ctx.texture((columns, rows), 2, plane.tobytes(), dtype="f4") for plane in spectra]
    picture = ctx.texture((columns, rows), 4, dtype="f1")
    display = Display(ctx)
    display.draw(textures, view, limits, picture)
    pixels = np.frombuffer(picture.read(), np.uint8).reshape(rows, columns, 4).astype(int)
    for resource in (*textures, picture, display):
        resource.release()
    assert np.all(pixels[..., 3] == 255)
    return pixels[..., :3]


def _tone(spectrum: np.ndarray, view: View, limits: Range) -> np.ndarray:
    magnitude = np.clip(np.abs(spectrum.astype(np.complex128)), max(limits.black, 1e-30), limits.white)
    if view.scale == "log":
        return np.log(magnitude / limits.black) / np.log(limits.white / limits.black)
    quantity = {"magnitude": magnitude, "complex": magnitude, "power": magnitude**2}[view.view]
    white = limits.white**2 if view.view == "power" else limits.white
    return np.sqrt(quantity / white) if view.scale == "sqrt" else quantity / white


def _looked_up(name: str, across: np.ndarray, down: np.ndarray | float = 0.0) -> np.ndarray:
    """Bilinear, in 0..255, row and column positions being parts of the table."""
    table = colour_table(name)
    rows, columns = table.shape[:2]
    x = across * (columns if name in CYCLIC else columns - 1)
    y = np.broadcast_to(np.asarray(down) * (rows - 1), x.shape)
    left, upper = np.floor(x).astype(int), np.floor(y).astype(int)
    right = (left + 1) % columns if name in CYCLIC else np.minimum(left + 1, columns - 1)
    under = np.minimum(upper + 1, rows - 1)
    left = left % columns
    u, v = (x - np.floor(x))[..., None], (y - np.floor(y))[..., None]
    colours = table.astype(np.float64)
    above = colours[upper, left] * (1 - u) + colours[upper, right] * u
    below = colours[under, left] * (1 - u) + colours[under, right] * u
    return (above * (1 - v) + below * v) * 255


def _turn(spectrum: np.ndarray) -> np.ndarray:
    return np.angle(spectrum) / (2 * np.pi) % 1


@pytest.mark.parametrize(
    ("view", "scale", "shift"), list(itertools.product(["magnitude", "power"], SCALES, [True, False]))
)
def test_tones_are_those_of_numpy(ctx: moderngl.Context, view: str, scale: str, shift: bool) -> None:
    spectrum = _spectrum()
    chosen = View(view, scale, shift=shift)
    limits = choose_range(spectrum[None], scale)
    expected = _looked_up("ember", _tone(spectrum, chosen, limits))
    expected = np.fft.fftshift(expected, axes=(0, 1)) if shift else expected
    np.testing.assert_allclose(_draw(ctx, spectrum[None], chosen, limits), expected, atol=TOLERANCE)


@pytest.mark.parametrize("colormap", COLORMAPS)
def test_colour_maps_are_those_of_the_tables(ctx: moderngl.Context, colormap: str) -> None:
    spectrum = _spectrum()
    view = View(colormap=colormap, shift=False)
    limits = choose_range(spectrum[None], "log")
    tone = _tone(spectrum, view, limits)
    expected = _looked_up(colormap, tone)
    np.testing.assert_allclose(_draw(ctx, spectrum[None], view, limits), expected, atol=TOLERANCE)


@each_shape
def test_the_zero_frequency_is_where_fftshift_puts_it(ctx: moderngl.Context, shape: tuple[int, int]) -> None:
    spectrum = _spectrum(*shape)
    limits = choose_range(spectrum[None], "log")
    expected = np.fft.fftshift(_looked_up("ember", _tone(spectrum, View(), limits)), axes=(0, 1))
    np.testing.assert_allclose(_draw(ctx, spectrum[None], View(), limits), expected, atol=TOLERANCE)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("wrong", [(), (np.nan,), (np.inf, np.nan)], ids=str)
def test_the_range_is_that_of_whole_arrays(
    scale: str, wrong: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display, "_STRIP_ROWS", 3)
    for planes in (1, 3):
        spectra = np.stack([_spectrum(40, 23)] * planes) * np.arange(1, planes + 1, dtype=np.float32)[:, None, None]
        spectra.reshape(-1)[5 : 5 + len(wrong)] = wrong
        given = spectra.copy()
        magnitudes = np.abs(spectra).reshape(planes, -1)
        finite = magnitudes[np.isfinite(magnitudes)]
        rest = magnitudes[:, 1:][np.isfinite(magnitudes[:, 1:])]
        found = choose_range(spectra, scale)
        np.testing.assert_array_equal(spectra, given)
        white = max(float(np.percentile(rest, 99.99 if scale == "log" else 99.9)), 1e-3 * float(rest.max()))
        white = max(white, 1e-6 * float(finite.max()))
        black = max(float(np.percentile(rest, 2.0)), 1e-7 * float(finite.max()))
        assert found == Range(min(black, white / 10) if scale == "log" else 0.0, white)


def test_phases_start_at_the_positive_real_axis(ctx: moderngl.Context) -> None:
    spectrum = _spectrum()
    drawn = _draw(ctx, spectrum[None], View("phase", shift=False), Range(0, 1))
    np.testing.assert_allclose(drawn, _looked_up("hue", _turn(spectrum)), atol=TOLERANCE)


def test_phases_in_grey_go_from_minus_pi_to_pi(ctx: moderngl.Context) -> None:
    spectrum = _spectrum()
    drawn = _draw(ctx, spectrum[None], View("phase", colormap="grey", shift=False), Range(0, 1))
    np.testing.assert_allclose(drawn[..., 0], (np.angle(spectrum) / (2 * np.pi) + 0.5) * 255, atol=TOLERANCE)


@pytest.mark.parametrize("scale", SCALES)
def test_complex_is_phase_as_hue_and_magnitude_as_lightness(ctx: moderngl.Context, scale: str) -> None:
    spectrum = _spectrum()
    view = View("complex", scale, shift=False)
    limits = choose_range(spectrum[None], scale)
    expected = _looked_up("complex", _turn(spectrum), _tone(spectrum, view, limits))
    np.testing.assert_allclose(_draw(ctx, spectrum[None], view, limits), expected, atol=TOLERANCE)


def test_three_spectra_make_the_red_green_and_blue_of_one_picture(ctx: moderngl.Context) -> None:
    spectra = np.stack([_spectrum(seed=seed) for seed in range(3)])
    view = View(shift=False)
    limits = choose_range(spectra, "log")
    expected = np.stack([_tone(spectrum, view, limits) * 255 for spectrum in spectra], axis=-1)
    np.testing.assert_allclose(_draw(ctx, spectra, view, limits), expected, atol=TOLERANCE)


@pytest.mark.parametrize("view", ["magnitude", "phase", "power", "complex"])
def test_bins_that_are_not_finite_are_magenta_and_no_others(ctx: moderngl.Context, view: str) -> None:
    spectrum = _spectrum()
    bad = [(2, 3), (4, 5), (6, 7)]
    for place, value in zip(bad, (np.nan, np.inf, complex(1, -np.inf)), strict=True):
        spectrum[place] = value
    limits = choose_range(spectrum[None], "log")
    drawn = _draw(ctx, spectrum[None], View(view, shift=False), limits)
    magenta = np.all(drawn == MAGENTA, axis=-1)
    assert sorted(zip(*np.nonzero(magenta), strict=True)) == bad


@given(exponent=st.integers(-30, 30), rows=st.sampled_from([1, 2, 8]), columns=st.sampled_from([1, 4, 16]))
def test_magnitudes_near_the_ends_of_float32_draw_the_same_picture(
    ctx: moderngl.Context, exponent: int, rows: int, columns: int
) -> None:
    spectrum = np.exp(1j * np.arange(rows * columns)).reshape(1, rows, columns)
    spectrum = spectrum * np.linspace(0.1, 1, rows * columns).reshape(1, rows, columns)
    pictures = []
    for factor in (1.0, 10.0**exponent):
        scaled = (spectrum * factor).astype(np.complex64)
        pictures.append(_draw(ctx, scaled, View(scale="linear"), choose_range(scaled, "linear")))
    np.testing.assert_allclose(pictures[0], pictures[1], atol=TOLERANCE)


def test_ranges_ignore_extremes_and_never_break() -> None:
    spectrum = np.ones((1, 100, 100), np.complex64)
    spectrum[0, 0, 0] = 1e6
    spectrum[0, 5, 5] = 100
    linear = choose_range(spectrum, "linear")
    assert (linear.black, linear.white) == (0.0, pytest.approx(1.0))
    logarithmic = choose_range(spectrum, "log")
    assert 0 < logarithmic.black <= logarithmic.white / 10
    for odd in (np.zeros((1, 4, 4)), np.full((1, 4, 4), np.nan), np.ones((1, 1, 1))):
        for scale in SCALES:
            limits = choose_range(odd.astype(np.complex64), scale)
            assert limits.white > 0
            assert np.isfinite([limits.black, limits.white]).all()
