"""Blurs undone: both formulas in float64 on periodic pictures, and less error than before at any border."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage, signal
from support.gl_objects import live_objects
from support.sentences import refused
from support.tolerances import COMPOSED_DB, assert_close

from glfft import Deconvolution, deconvolve
from glfft.algorithms.lengths import next_smooth
from glfft.errors import DataError, OptionError, ReleasedError, ShapeError, TextureError

# Each iteration is two convolutions and a division, whose errors add up: ten of them are off by ten times one, 20 dB.
TEN_ITERATIONS_DB = COMPOSED_DB - 20.0

Numbers = NDArray[np.float64]


def spectrum_of(kernel: Numbers, shape: tuple[int, ...]) -> NDArray[np.complex128]:
    """The spectrum of a kernel with its middle at the first point."""
    padded = np.zeros(shape)
    padded[: kernel.shape[0], : kernel.shape[1]] = kernel
    return np.fft.fft2(np.roll(padded, [-((length - 1) // 2) for length in kernel.shape], (0, 1)))


def filtered(picture: Numbers, spectrum: NDArray[np.complex128]) -> Numbers:
    return np.fft.ifft2(np.fft.fft2(picture) * spectrum).real


def expected(method: str, picture: Numbers, kernel: Numbers) -> Numbers:
    spectrum = spectrum_of(kernel, picture.shape)
    if method == "wiener":
        return filtered(picture, spectrum.conj() / (np.abs(spectrum) ** 2 + 0.02))
    estimate = np.ones(picture.shape)
    for _ in range(10):
        ratio = picture / filtered(estimate, spectrum)
        estimate = estimate * filtered(ratio, spectrum.conj()) / kernel.sum()
    return estimate


OPTIONS: dict[str, dict[str, Any]] = {
    "wiener": {"method": "wiener", "noise": 0.02},
    "richardson-lucy": {"method": "richardson-lucy", "iterations": 10},
}


@pytest.mark.parametrize(
    ("method", "shape", "size"),
    [
        ("wiener", (20, 27), (5, 3)),
        ("wiener", (1, 21), (1, 4)),
        ("richardson-lucy", (15, 12), (5, 3)),
        ("richardson-lucy", (16, 16), (4, 6)),
    ],
    ids=str,
)
def test_results_are_those_of_the_formulas(method: str, shape: tuple[int, int], size: tuple[int, int]) -> None:
    random = np.random.default_rng(4)
    kernel = random.random(size)
    picture = filtered(3.0 * random.random(shape) + 0.2, spectrum_of(kernel, shape))
    found = deconvolve(picture, kernel, boundary="wrap", **OPTIONS[method])
    assert_close(found, expected(method, picture, kernel), TEN_ITERATIONS_DB)


def test_richardson_and_lucys_estimates_are_as_large_as_the_picture() -> None:
    picture, kernel = np.random.default_rng(3).random((12, 14)) + 0.2, np.full((3, 3), 1 / 9)
    small, large = (
        deconvolve(picture * scale, kernel, boundary="wrap", **OPTIONS["richardson-lucy"]) for scale in (1, 1e8)
    )
    assert_close(large / 1e8, small, TEN_ITERATIONS_DB)


@pytest.mark.parametrize(
    ("method", "boundary"), [("wiener", "edge"), ("wiener", "mirror"), ("richardson-lucy", "mirror")]
)
def test_a_part_of_a_blurred_scene_gets_nearer_to_the_sharp_one_up_to_its_edges(method: str, boundary: str) -> None:
    scene = ndimage.gaussian_filter(np.random.default_rng(5).random((42, 48)), 2.0)
    scene = (scene - scene.min()) / np.ptp(scene)
    kernel = np.full((1, 7), 1 / 7)
    part = np.s_[9:33, 9:39]
    sharp, blurred = scene[part], signal.convolve2d(scene, kernel, "same")[part]
    found = deconvolve(blurred, kernel, method=method, noise=0.01, iterations=25, boundary=boundary)
    assert np.abs(found - sharp).mean() < 0.85 * np.abs(blurred - sharp).mean()


def extended(picture: Numbers, whole: tuple[int, int], boundary: str) -> Numbers:
    """A picture that fades, past its end, from what comes after it to what lies before it, along rows and columns."""
    mode: Any = {"zero": "constant", "mirror": "symmetric", "edge": "edge"}[boundary]
    more = [(to - length, to - length) for length, to in zip(picture.shape, whole, strict=True)]
    found = np.pad(picture, more, mode)
    for axis, (length, to) in enumerate(zip(picture.shape, whole, strict=True)):
        before, within, after = np.split(np.moveaxis(found, axis, -1), [to - length, to], axis=-1)
        gone = (np.arange(to - length) + 0.5) / (to - length)
        found = np.moveaxis(np.concatenate((within, (1 - gone) * after + gone * before), axis=-1), -1, axis)
    return found


@pytest.mark.parametrize(
    ("method", "boundary"), [("wiener", "zero"), ("wiener", "mirror"), ("richardson-lucy", "edge")]
)
def test_past_a_picture_its_ends_fade_into_each_other(ctx: moderngl.Context, method: str, boundary: str) -> None:
    random = np.random.default_rng(8)
    picture, kernel = random.random((6, 9)) + 0.2, random.random((4, 3))
    whole = next_smooth(6 + 2 * 3, 7), next_smooth(9 + 2 * 2, 7)
    found = deconvolve(picture, kernel, boundary=boundary, ctx=ctx, **OPTIONS[method])
    assert_close(found, expected(method, extended(picture, whole, boundary), kernel)[:6, :9], TEN_ITERATIONS_DB)


def test_small_numbers_are_deconvolved_as_others_are() -> None:
    random = np.random.default_rng(4)
    picture, kernel = random.random((9, 11)), random.random((3, 2))
    kernel[0, 0] += 4.0
    for options, of_picture, of_kernel in (
        ({"method": "wiener", "noise": 0.0}, 1.0, 1e-16),
        ({"method": "richardson-lucy", "iterations": 3}, 1e-32, 1e-32),
    ):
        wanted = deconvolve(picture, kernel, **options)
        found = deconvolve(of_picture * picture, of_kernel * kernel, **options)
        assert np.abs(found * (of_kernel / of_picture) - wanted).max() <= 1e-4 * wanted.max()


@pytest.mark.parametrize("method", OPTIONS)
def test_zeros_around_a_picture_leave_numbers(method: str) -> None:
    blurred = np.random.default_rng(5).random((6, 11))
    zeros = deconvolve(np.pad(blurred, 5), np.full((1, 7), 1 / 7), method=method, noise=0.01, boundary="zero")
    assert np.isfinite(zeros).all()


def test_colours_are_apart_and_a_picture_may_be_its_own_target(ctx: moderngl.Context) -> None:
    random = np.random.default_rng(6)
    kernel = random.random((3, 4))
    pictures = [filtered(random.random((14, 18)) + 0.2, spectrum_of(kernel, (14, 18))) for _ in range(4)]
    for method, options in OPTIONS.items():
        image = ctx.texture((18, 14), 4, np.stack(pictures, -1).astype(np.float32).tobytes(), dtype="f4")
        weights = ctx.texture((4, 3), 1, kernel.astype(np.float32).tobytes(), dtype="f4")
        with Deconvolution(ctx, (14, 18), (3, 4), boundary="wrap", storage="rgba32f", **options) as deconvolution:
            deconvolution.set_kernel(weights)
            deconvolution.run(image, image)
        found = np.frombuffer(image.read(), np.float32).reshape(14, 18, 4)
        for channel, picture in enumerate(pictures):
            assert_close(found[..., channel], expected(method, picture, kernel), TEN_ITERATIONS_DB)
        image.release()
        weights.release()


def test_errors_say_what_to_do(ctx: moderngl.Context) -> None:
    picture, kernel = np.random.default_rng(7).random((8, 9)), np.ones((3, 3))
    with_nan = picture.copy()
    with_nan[2, 2] = np.nan
    lucy: dict[str, Any] = {"method": "richardson-lucy"}
    deconvolution = Deconvolution(ctx, (8, 9), (3, 3), storage="rg32f")
    source, narrow = ctx.texture((9, 8), 2, dtype="f4"), ctx.texture((9, 8), 1, dtype="f4")
    for call, error in (
        (lambda: deconvolve(picture, kernel, method="inverse"), OptionError),
        (lambda: deconvolve(picture, kernel, noise=-1.0), OptionError),
        (lambda: deconvolve(picture, kernel, noise=np.nan), OptionError),
        (lambda: deconvolve(picture, kernel, noise=10**400), OptionError),
        (lambda: deconvolve(picture, kernel, iterations=0, **lucy), OptionError),
        (lambda: deconvolve(picture, kernel, iterations=1.5, **lucy), OptionError),  # type: ignore[arg-type]
        (lambda: deconvolve(picture, kernel, boundary="none"), OptionError),
        (lambda: deconvolve(kernel, picture, boundary="wrap"), ShapeError),
        (lambda: deconvolve(picture, kernel[0]), ShapeError),
        (lambda: deconvolve(with_nan, kernel), DataError),
        (lambda: deconvolve(picture, with_nan), DataError),
        (lambda: deconvolve(picture, -kernel, **lucy), DataError),
        (lambda: deconvolve(picture, 0 * kernel, **lucy), DataError),
        (lambda: deconvolve(picture, kernel * 1j), OptionError),
        (lambda: Deconvolution(ctx, (8, 9), (3, 3), storage="r16f"), OptionError),
        (lambda: deconvolution.run(source, source), OptionError),
        (lambda: deconvolution.set_kernel(kernel[1:]), ShapeError),
        (lambda: deconvolution.set_kernel(kernel) or deconvolution.run(source, narrow), TextureError),
        (lambda: deconvolution.release() or deconvolution.run(source, source), ReleasedError),
    ):
        with refused(error):
            call()
    source.release()
    narrow.release()


@pytest.mark.parametrize("method", OPTIONS)
def test_nothing_is_left_of_a_deconvolution(ctx: moderngl.Context, method: str) -> None:
    picture, kernel = np.random.default_rng(7).random((8, 9)), np.ones((3, 3))
    deconvolve(picture, kernel, ctx=ctx, **OPTIONS[method])  # programs and tables stay
    before = live_objects(ctx)
    deconvolve(picture, kernel, ctx=ctx, **OPTIONS[method])
    assert live_objects(ctx) == before
