"""The kernel of the glare: the power spectrum at each wavelength in float64, its streaks, sums and symmetries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special
from support.gl_objects import live_objects, strange_samplers
from support.sentences import refused
from support.tolerances import AIRY_DB, GLARE_DB, assert_close

from glfft.apps.glare.glare import LONGEST, MIDDLE, SHORTEST, GlareKernel, default_kernel, scales, weights
from glfft.apps.glare.lens import Lens
from glfft.errors import OptionError

CLEAN = Lens(dust=0, scratches=0, rotation=0.0, f_number=32.0)
DUSTY = replace(CLEAN, blades=5, dust=60, scratches=2, lashes=3)
SIDE, DETAIL, WIDTH = 63, 256, 640.0
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


@pytest.fixture(scope="module")
def maker(ctx):
    with GlareKernel(ctx, SIDE, DETAIL) as kernel:
        yield kernel


def made(maker, lens):
    """The whole kernel, [side, side, 3], in float64."""
    maker.make(lens, WIDTH)
    return read(maker)


def read(maker):
    """The kernel that was made last, with its middle, [side, side, 3], in float64."""
    layers = np.frombuffer(maker.texture.read(), np.float32).reshape(3, maker.side, maker.side)
    kernel = np.moveaxis(layers, 0, -1).astype(float)
    kernel[maker.side // 2, maker.side // 2] = np.frombuffer(maker.core.read(), np.float32)[:3]
    return kernel


def spectrum(aperture):
    """|F|^2 of a picture, zero frequency in the middle, and a function that looks up places between its bins."""
    side = len(aperture)
    power = np.abs(np.fft.fftshift(np.fft.fft2(aperture.astype(float)))) ** 2

    def at(x, y):
        column, row = x + side / 2, y + side / 2
        left, top = np.floor(column).astype(int), np.floor(row).astype(int)
        right, below = column - left, row - top
        inside = (abs(x) < side / 2 - 1) & (abs(y) < side / 2 - 1)
        left, top = np.clip(left, 0, side - 2), np.clip(top, 0, side - 2)
        upper = power[top, left] * (1 - right) + power[top, left + 1] * right
        lower = power[top + 1, left] * (1 - right) + power[top + 1, left + 1] * right
        return np.where(inside, upper * (1 - below) + lower * below, 0.0)

    return at


def places(index):
    """Places of the R2 sequence within a pixel, across and down."""
    return (0.5 + np.multiply.outer([0.7548776662466927, 0.5698402909980532], index)) % 1 - 0.5


def exact(maker, lens):
    """The kernel from its definition, in float64."""
    side = maker.side
    aperture = np.frombuffer(maker.aperture.texture.read(), np.float32).reshape(maker.aperture.texture.size)
    at, (_, bins, reach) = spectrum(aperture), scales(lens.f_number, WIDTH, side, len(aperture))
    count = max(48, int(np.ceil(side / 2 * np.log(LONGEST / SHORTEST))))
    y, x = np.meshgrid(*[np.arange(side) - side // 2] * 2, indexing="ij")
    turn_x, turn_y = np.sign(x), np.sign(y)
    turn_x, turn_y = np.where(turn_x == 0, turn_y, turn_x), np.where(turn_y == 0, turn_x, turn_y)
    light = np.zeros((side, side, 3))
    for wave, (wavelength, colour) in enumerate(zip(*weights(count), strict=True)):
        scale = MIDDLE / wavelength
        across, down = places(wave)
        found = at((x + turn_x * across) * bins * scale, (y + turn_y * down) * bins * scale)
        # The middle is the mean of 64 places for each wavelength.
        found[side // 2, side // 2] = at(*(bins * scale * places(64 * wave + np.arange(64)))).mean()
        light += scale**2 * found[..., None] * colour
    grey = np.maximum(light @ LUMINANCE, 0)[..., None]
    least = light.min(axis=-1, keepdims=True)
    light = np.where(least < 0, grey + (light - grey) * grey / np.maximum(grey - least, 1e-30), light)
    t = np.clip((np.hypot(x, y) - 0.3 * reach) / (0.7 * reach), 0, 1)
    light = np.maximum(light, 0) * ((1 - t * t * (3 - 2 * t)) ** 2)[..., None]
    return light / light.sum(axis=(0, 1))


@pytest.mark.parametrize("lens", [CLEAN, DUSTY, replace(DUSTY, f_number=90.0)], ids=["clean", "dusty", "small"])
def test_it_is_the_power_spectrum_over_wavelengths(maker, lens):
    found, expected = made(maker, lens), exact(maker, lens)
    assert_close(found, expected, GLARE_DB)
    # Nearly all light is in the middle: by the square of the distance, the rest of it counts too.
    away = np.sum(np.square(np.mgrid[:SIDE, :SIDE] - SIDE // 2), axis=0)[..., None]
    assert_close(away * found, away * expected, GLARE_DB)


def test_each_colour_keeps_all_its_light(maker):
    kernel = made(maker, DUSTY)
    assert (kernel >= 0).all()
    np.testing.assert_allclose(kernel.sum(axis=(0, 1)), 1.0, atol=1e-5)


def test_samplers_that_are_left_on_the_units_change_nothing(ctx, maker):
    usual = made(maker, DUSTY)
    with strange_samplers(ctx):
        found = made(maker, DUSTY)
    assert np.array_equal(found, usual)


def test_light_is_spread_by_half_a_turn_alike(maker):
    kernel = made(maker, DUSTY)
    # Texture units may round the weights of a lookup to 8 bits, by 2^-9 along each axis, here and at the mirrored place
    np.testing.assert_allclose(kernel, kernel[::-1, ::-1], rtol=4 * 2.0**-9, atol=1e-9)
    assert abs(kernel - kernel[:, ::-1]).max() > 1e-5, "dust is not symmetric"


@pytest.mark.parametrize("blades", [0, 4, 6, 8])
def test_a_symmetric_aperture_has_a_symmetric_kernel(maker, blades):
    kernel = made(maker, replace(CLEAN, blades=blades))
    for mirrored in (kernel[::-1], kernel[:, ::-1]):
        np.testing.assert_allclose(kernel, mirrored, rtol=1e-2, atol=1e-7)


def streaks(kernel):
    """How many directions shine: runs of angles that are brighter than the ring's mean."""
    side = len(kernel)
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ring = np.zeros(720)
    for radius in np.linspace(0.35, 0.6, 12) * side / 2:
        x, y = (side // 2 + radius * each(angles) for each in (np.cos, np.sin))
        left, top = x.astype(int), y.astype(int)
        right, below = x - left, y - top
        upper = kernel[top, left] * (1 - right) + kernel[top, left + 1] * right
        lower = kernel[top + 1, left] * (1 - right) + kernel[top + 1, left + 1] * right
        ring += (upper * (1 - below) + lower * below) * radius**2
    shines = ring > 1.5 * ring.mean()
    return int((shines & ~np.roll(shines, 1)).sum())


@pytest.fixture(scope="module")
def fine(ctx):
    with GlareKernel(ctx, 255, 1024) as kernel:
        yield kernel


@pytest.mark.parametrize(("blades", "expected"), [(3, 6), (4, 4), (5, 10), (6, 6), (7, 14), (8, 8), (9, 18)])
def test_odd_blades_make_twice_as_many_streaks(fine, blades, expected):
    assert streaks(made(fine, replace(CLEAN, blades=blades, rotation=0.2))[..., 1]) == expected


def test_a_round_aperture_makes_rings_and_no_streaks(fine):
    kernel = made(fine, replace(CLEAN, blades=0))[..., 1]
    assert streaks(kernel) == 0


def airy(side, cycles):
    """The rings of a round aperture over wavelengths, by Bessel's function: what Airy found in 1835.

    `cycles` are those a diameter from pixel to pixel at MIDDLE; each pixel is the mean of 9 x 9 places in it.
    """
    within = (np.arange(9) - 4) / 9
    middles = np.arange(side) - side // 2
    x, y = np.meshgrid(*[(middles[:, None] + within).ravel()] * 2)
    away = np.hypot(x, y)
    light = np.zeros((*away.shape, 3))
    for wavelength, colour in zip(*weights(200), strict=True):
        scale = MIDDLE / wavelength
        v = np.pi * np.maximum(away * cycles * scale, 1e-9)
        light += (scale * 2 * special.j1(v) / v)[..., None] ** 2 * colour
    light = light.reshape(side, 9, side, 9, 3).mean(axis=(1, 3))
    return light / light.sum(axis=(0, 1))


def test_a_round_aperture_makes_airy_s_rings(fine):
    # 0.19 cycles from pixel to pixel: the first dark ring of green light is some six pixels from the middle.
    lens, width = replace(CLEAN, blades=0, f_number=128.0), 2700.0
    fine.make(lens, width)
    found, side = read(fine), 31
    half = slice(127 - side // 2, 128 + side // 2)
    near = found[half, half] / found[half, half].sum(axis=(0, 1))
    exact = airy(side, 36e-3 / width / (550e-9 * 128))
    # The kernel has a sample a pixel for each wavelength, the picture of the aperture edges a texel wide.
    assert_close(near, exact, AIRY_DB)


@pytest.mark.parametrize("width", [640.0, 1280.0, 1920.0])
def test_as_much_light_spreads_as_airy_says(ctx, width):
    # 2.3 to 0.8 cycles from pixel to pixel: most of the bright disc is in the middle pixel.
    with GlareKernel(ctx, SIDE, 1024) as kernel:
        kernel.make(replace(CLEAN, blades=0, f_number=45.0), width)
        leaves = 1 - read(kernel)[SIDE // 2, SIDE // 2]
    exact = 1 - airy(SIDE, 36e-3 / width / (550e-9 * 45))[SIDE // 2, SIDE // 2]
    # Other pixels have one place for each wavelength, which colours their light a little.
    assert leaves @ LUMINANCE == pytest.approx(exact @ LUMINANCE, rel=0.15)


def test_red_light_spreads_further_than_blue(maker):
    kernel = made(maker, CLEAN)
    away = np.hypot(*np.meshgrid(*[np.arange(SIDE) - SIDE // 2] * 2))
    red, green, blue = (np.sqrt((kernel[..., channel] * away**2).sum()) for channel in range(3))
    assert red > green > blue


def test_it_fades_out_before_its_edges(maker):
    kernel = made(maker, DUSTY)
    away = np.hypot(*np.meshgrid(*[np.arange(SIDE) - SIDE // 2] * 2))
    assert kernel[away > SIDE / 2].max() == 0
    assert kernel[away > 0.9 * SIDE / 2].max() < 0.1 * kernel[away < 0.5 * SIDE / 2].mean()


@pytest.mark.parametrize("f_number", [1.0, 4.0, 16.0, 64.0])
@pytest.mark.parametrize("texels", [256, 2048])
def test_the_spectrum_reaches_as_far_as_the_kernel(f_number, texels):
    diameter, bins, reach = scales(f_number, 1920, 511, texels)
    assert diameter <= 0.8 * texels
    assert reach <= 511 / 2
    assert (reach == 511 / 2) == (diameter < 0.8 * texels), "all of the kernel, where the picture has texels for it"
    assert reach * bins * MIDDLE / SHORTEST <= texels / 2
    # The f-number alone says how large the pattern is: a cycle a diameter is a wavelength times it.
    pixel = 36e-3 / 1920
    assert bins * diameter / texels == pytest.approx(pixel / (550e-9 * f_number))


@pytest.mark.parametrize("size", [(16, 16), (1280, 720), (8192, 8192)])
def test_kernels_have_a_middle(size):
    assert default_kernel(size) % 2 == 1


def test_a_kernel_without_a_middle_is_refused(ctx):
    for side in (0, 1, 64):
        with refused(OptionError):
            GlareKernel(ctx, side)


def test_it_leaves_nothing_behind(ctx):
    def once():
        with GlareKernel(ctx, SIDE, DETAIL) as kernel:
            kernel.make(DUSTY, WIDTH)

    once()
    before = live_objects(ctx)
    once()
    assert live_objects(ctx) == before
