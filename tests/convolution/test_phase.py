"""Shifts between pictures: known to 1/100 of a pixel, made by a Fourier shift in float64, found to a tenth."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from support.gl_objects import live_objects
from support.sentences import refused

from glfft import PhaseCorrelation, phase_correlation
from glfft.errors import DataError, OptionError, ReleasedError, ShapeError, TextureError

Shift = tuple[float, float]
Shape = tuple[int, int]
SHIFTS = ((0.0, 0.0), (3.27, -5.61), (-0.49, 0.5), (10.13, 7.77))
TENTH = 0.1


def noise(shape: tuple[int, int], blur: float, seed: int = 0) -> NDArray[np.float64]:
    """Periodic noise, blurred by a Gaussian of so many pixels."""
    spectrum = np.fft.fft2(np.random.default_rng(seed).standard_normal(shape))
    down, right = np.fft.fftfreq(shape[0])[:, None], np.fft.fftfreq(shape[1])
    return np.fft.ifft2(spectrum * np.exp(-2 * (np.pi * blur) ** 2 * (down**2 + right**2))).real


def shifted(picture: NDArray[np.float64], shift: Shift) -> NDArray[np.float64]:
    down, right = np.fft.fftfreq(picture.shape[0])[:, None], np.fft.fftfreq(picture.shape[1])
    return np.fft.ifft2(np.fft.fft2(picture) * np.exp(-2j * np.pi * (down * shift[0] + right * shift[1]))).real


@pytest.mark.parametrize(("shift", "blur"), [*zip(SHIFTS, (0.0, 1.5, 0.0, 1.5), strict=True)], ids=str)
def test_shifts_are_found_to_a_tenth_of_a_pixel(ctx: moderngl.Context, shift: Shift, blur: float) -> None:
    # Parts of a larger picture: what leaves one does not come back at the other side.
    whole = 100.0 + 1000.0 * noise((120, 180), blur)
    part = np.s_[20:84, 30:126]
    found = phase_correlation(whole[part], shifted(whole, shift)[part], ctx=ctx)
    assert found[:2] == pytest.approx(shift, abs=TENTH)
    assert found.score > 0.9


@pytest.mark.parametrize(("shape", "rows"), [((40, 77), -14), ((64, 64), -22)])
def test_large_shifts_of_small_smooth_pictures_are_found(ctx: moderngl.Context, shape: Shape, rows: int) -> None:
    for seed in range(3):
        whole = noise((120, 160), 2.0, seed)
        part, moved = whole[30 : 30 + shape[0], 40 : 40 + shape[1]], whole[30 - rows : 30 - rows + shape[0]]
        found = phase_correlation(part, moved[:, 40 : 40 + shape[1]], ctx=ctx)
        assert found[:2] == pytest.approx((rows, 0.0), abs=0.03)


@pytest.mark.parametrize("window", [True, False])
def test_a_picture_is_not_shifted_against_itself(ctx: moderngl.Context, window: bool) -> None:
    picture = noise((60, 81), 1.0)
    found = phase_correlation(picture, picture, window=window, ctx=ctx)
    assert found[:2] == (0.0, 0.0)
    assert found.score == pytest.approx(1.0, abs=1e-3)


def test_the_mean_of_small_pictures_has_no_say(ctx: moderngl.Context) -> None:
    # Under the window, it has nine frequencies.
    whole = 100.0 + noise((40, 40), 0.0)
    found = phase_correlation(whole[10:22, 10:22], whole[8:20, 13:25], ctx=ctx)
    assert found[:2] == pytest.approx((2.0, -3.0), abs=TENTH)
    assert found.score == pytest.approx(1.0, abs=0.01)


def test_a_mean_of_many_times_the_contrast_has_no_say_either(ctx: moderngl.Context) -> None:
    # Under the window of what both show, it has many frequencies.
    whole, other = (noise((1, 300), 2.0, seed) for seed in (3, 12))
    whole /= whole.std()
    first, second, third = (each[:, 100:220] for each in (whole, shifted(whole, (0.0, 36.4)), other / other.std()))
    for mean in (0.0, 100.0, 1000.0):
        found = phase_correlation(first + mean, 0.5 * (second + mean), ctx=ctx)
        assert found[:2] == pytest.approx((0.0, 36.4), abs=TENTH)
        assert phase_correlation(first + mean, third + mean, ctx=ctx).score < 0.6


def test_periodic_pictures_of_any_size_and_scale_are_found_without_a_window(ctx: moderngl.Context) -> None:
    for scale, shift in zip((1e-6, 1e6, 1e-6, 1e6), SHIFTS, strict=True):
        picture = scale * (noise((27, 33), 1.0, 3) + 5.0)
        found = phase_correlation(picture, shifted(picture, shift), window=False, ctx=ctx)
        assert found[:2] == pytest.approx(shift, abs=TENTH)
        assert found.score == pytest.approx(1.0, abs=0.05)


def test_a_window_fades_lines_along_themselves_only(ctx: moderngl.Context) -> None:
    line = np.random.default_rng(5).standard_normal((1, 120))
    later = np.roll(line, 7, 1)
    for first, second, wanted in ((line, later, (0, 7)), (line.T, later.T, (7, 0)), (line[:, :1], line[:, :1], (0, 0))):
        shift = phase_correlation(first, second)
        assert shift[:2] == pytest.approx(wanted, abs=0.05)
        assert (shift.score > 0.99) == (first.size > 1)


def test_no_score_is_above_one(ctx: moderngl.Context) -> None:
    # Between the texels the interpolated correlation is.
    assert phase_correlation([[4, 3, 2]], [[1, 1, 0]], window=False, ctx=ctx).score == 1.0


def test_pictures_without_a_shift_in_common_score_low(ctx: moderngl.Context) -> None:
    assert phase_correlation(noise((64, 96), 0.0, 1), noise((64, 96), 0.0, 2), ctx=ctx).score < 0.3


def test_textures_of_bytes_and_one_that_is_both_leave_the_shift_in_a_buffer(ctx: moderngl.Context) -> None:
    whole = np.clip(128 + 60 * noise((80, 90), 0.7), 0, 255)
    part = np.s_[8:72, 8:80]
    first, second = (
        ctx.texture((72, 64), 1, np.rint(each[part]).astype(np.uint8).tobytes(), dtype="f1", alignment=1)
        for each in (whole, shifted(whole, (2.5, -3.25)))
    )
    with PhaseCorrelation(ctx, (64, 72)) as correlation:
        for one, other, shift in ((first, second, (2.5, -3.25)), (second, first, (-2.5, 3.25)), (first, first, (0, 0))):
            correlation.run(one, other, next_use="read")
            assert np.frombuffer(correlation.buffer.read(), np.float32)[:2] == pytest.approx(shift, abs=TENTH)
            assert correlation.read()[:2] == pytest.approx(shift, abs=TENTH)
    first.release()
    second.release()


def test_errors_say_what_to_do(ctx: moderngl.Context) -> None:
    picture = noise((8, 12), 1.0)
    with_nan, with_infinity = picture.copy(), picture.copy()
    with_nan[3, 4], with_infinity[3, 4] = np.nan, np.inf
    correlation = PhaseCorrelation(ctx, (8, 12))
    texture, other = ctx.texture((12, 8), 1, dtype="f4"), ctx.texture((8, 12), 1, dtype="f4")
    bad = ctx.texture((12, 8), 1, with_nan.astype(np.float32).tobytes(), dtype="f4")
    for call, error in (
        (lambda: phase_correlation(picture, picture[1:], ctx=ctx), ShapeError),
        (lambda: phase_correlation(picture[0], picture[0], ctx=ctx), ShapeError),
        (lambda: phase_correlation(picture[:0], picture[:0], ctx=ctx), ShapeError),
        (lambda: phase_correlation(picture * 1j, picture, ctx=ctx), OptionError),
        (lambda: phase_correlation(picture, "picture", ctx=ctx), OptionError),
        (lambda: phase_correlation(with_nan, picture, ctx=ctx), DataError),
        (lambda: phase_correlation(picture, with_infinity, ctx=ctx), DataError),
        (lambda: phase_correlation(picture, picture, window="no"), OptionError),  # type: ignore[arg-type]
        (correlation.read, OptionError),
        (lambda: correlation.run(texture, other), TextureError),
        (lambda: correlation.run(texture, texture, "draw it"), OptionError),
        (lambda: correlation.run(texture, bad) or correlation.read(), DataError),
        (lambda: correlation.release() or correlation.run(texture, texture), ReleasedError),
    ):
        with refused(error):
            call()
    with refused(ShapeError, "give rows and columns of one channel"):
        phase_correlation(np.ones((8, 12, 3)), np.ones((8, 12, 3)), ctx=ctx)
    for each in (texture, other, bad):
        each.release()


def test_nothing_is_left_of_a_phase_correlation(ctx: moderngl.Context) -> None:
    picture = noise((8, 12), 1.0)
    phase_correlation(picture, picture, ctx=ctx)  # programs and tables stay
    before = live_objects(ctx)
    phase_correlation(picture, picture, ctx=ctx)
    assert live_objects(ctx) == before
