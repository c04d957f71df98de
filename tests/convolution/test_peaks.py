"""Places of maxima: where numpy finds them in the same series in float64, and what is refused."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from support.sentences import refused

from glfft import PeakFinder
from glfft.convolution.peaks import Peak
from glfft.errors import DataError, OptionError, ReleasedError, ShapeError, TextureError


def found(ctx: moderngl.Context, values: NDArray[np.floating], periodic: bool = False) -> Peak:
    rows, columns = values.shape
    texture = ctx.texture((columns, rows), 1, values.astype(np.float32).tobytes(), dtype="f4", alignment=4)
    with PeakFinder(ctx, values.shape, periodic=periodic) as finder:
        finder.run(texture)
        peak = finder.read()
        in_buffer = np.frombuffer(finder.buffer.read(), np.float32)
    texture.release()
    assert in_buffer.tolist() == [*peak, 1.0]
    return peak


def bump(shape: tuple[int, int], row: float, column: float, width: float) -> NDArray[np.float64]:
    down, right = np.indices(shape)
    return np.exp(-0.5 * ((down - row) ** 2 + (right - column) ** 2) / width**2)


@pytest.mark.parametrize("shape", [(30, 47), (130, 90)], ids=str)
def test_bumps_are_found_between_texels(ctx: moderngl.Context, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    for width in (1.0, 2.5):
        for _ in range(4):
            place = tuple(random.uniform(8, np.array(shape) - 9))
            peak = found(ctx, 3.0 * bump(shape, place[0], place[1], width) - 1.0)
            assert peak[:2] == pytest.approx(place, abs=0.03)
            assert peak.value == pytest.approx(2.0, abs=0.06)


def test_a_maximum_in_the_middle_of_a_texel_is_found_exactly_there(ctx: moderngl.Context) -> None:
    for periodic in (False, True):
        assert found(ctx, bump((20, 25), 8.0, 11.0, 1.5), periodic)[:2] == (8.0, 11.0)


def test_places_of_periodic_textures_are_shifts(ctx: moderngl.Context) -> None:
    shape = (20, 32)
    for place in ((0.0, 0.0), (-3.3, 7.8), (9.6, -15.4), (-0.4, 0.3)):
        around = [place[axis] + np.array([-1, 0, 1]) * shape[axis] for axis in (0, 1)]
        values = sum(bump(shape, row, column, 1.5) for row in around[0] for column in around[1])
        assert found(ctx, np.asarray(values), periodic=True)[:2] == pytest.approx(place, abs=0.03)


@pytest.mark.parametrize("periodic", [False, True])
def test_along_an_axis_of_one_texel_the_place_is_0(ctx: moderngl.Context, periodic: bool) -> None:
    for count in (9, 32):
        values = np.exp(-0.5 * (np.arange(count) - 3.4) ** 2 / 4.0)[None]
        for turned in (values, values.T):
            peak = found(ctx, turned, periodic)
            assert min(peak[:2]) == 0.0
            assert max(peak[:2]) == pytest.approx(3.4, abs=0.05)


def test_a_maximum_at_the_edge_stays_within(ctx: moderngl.Context) -> None:
    values = np.add.outer(np.arange(12.0), np.arange(9.0))
    row, column, _ = found(ctx, values)
    assert (row, column) == pytest.approx((11, 8), abs=1.0)
    assert row <= 11
    assert column <= 8
    assert found(ctx, np.full((1, 1), -7.0)) == pytest.approx((0, 0, -7), rel=1e-5)


def test_peaks_beside_an_edge_are_not_drawn_to_it(ctx: moderngl.Context) -> None:
    shape = np.array((21, 34))
    for width in (1.5, 3.0):
        for away in (0.0, 0.05, 0.15, 0.25, 0.4, 0.6, 0.9):
            for place in ((away, 12.3), (9.7, away), (away, 0.7), tuple(shape - 1 - away), (20 - away, 30.6)):
                row, column, value = found(ctx, bump((21, 34), place[0], place[1], width))
                assert (row, column) == pytest.approx(place, abs=0.1)
                assert value == pytest.approx(1.0, abs=0.05)


def test_a_mirrored_texture_has_its_peak_mirrored(ctx: moderngl.Context) -> None:
    """White noise has maxima at the ends of the search, on either side of its greatest texel."""
    furthest = 0.0
    for seed in (122, 210, 278, 285):
        values = np.random.default_rng(seed).uniform(-1, 1, (13, 13))
        greatest = np.unravel_index(values.argmax(), values.shape)
        values = np.roll(values, (6 - int(greatest[0]), 6 - int(greatest[1])), (0, 1))
        places = [found(ctx, each)[:2] for each in (values, values[::-1, ::-1])]
        away = np.subtract(places, 6)
        assert away[0] == pytest.approx(-away[1], abs=1.01 / 80)  # neighbours on the grid may be equal
        furthest = max(furthest, np.abs(away).max())
    assert furthest == pytest.approx(63 / 80, abs=1e-5)


def test_a_maximum_beyond_half_a_texel_is_that_of_the_fourier_series(ctx: moderngl.Context) -> None:
    """Values that fall faster to one side have their maximum nearer to the lower neighbour."""
    for seed, wanted in ((68, -0.575), (548, 0.575)):
        spectrum = np.fft.fft(np.random.default_rng(seed).standard_normal(24)) * (np.abs(np.fft.fftfreq(24)) < 0.4)
        values = np.fft.ifft(spectrum).real
        values = np.roll(values, 8 - values.argmax())
        waves = np.exp(2j * np.pi * np.outer(8 + np.arange(-80, 81) / 80, np.fft.fftfreq(24)))
        series = (waves @ np.fft.fft(values)).real
        assert (series.argmax() - 80) / 80 == pytest.approx(wanted)
        assert found(ctx, values[None], periodic=True).column - 8 == pytest.approx(wanted, abs=0.03)


@pytest.mark.parametrize("shape", [(2, 9), (9, 2), (3, 3), (2, 2), (1, 3), (4, 6)], ids=str)
def test_small_textures_have_their_peak_within(ctx: moderngl.Context, shape: tuple[int, int]) -> None:
    for seed in range(6):
        values = np.random.default_rng(seed).standard_normal(shape)
        row, column, value = found(ctx, values)
        greatest = np.unravel_index(values.argmax(), shape)
        assert (row, column) == pytest.approx(greatest, abs=0.8)
        assert 0 <= row <= shape[0] - 1
        assert 0 <= column <= shape[1] - 1
        assert value >= values.max() - 1e-5


def test_the_value_at_an_edge_is_the_textures_and_none_beyond_it(ctx: moderngl.Context) -> None:
    corner = np.zeros((12, 20))
    corner[0, 19] = 0.6
    assert found(ctx, corner) == pytest.approx((0, 19, 0.6), abs=1e-5)
    slope = np.add.outer(np.arange(12.0), np.arange(9.0))
    assert found(ctx, slope) == pytest.approx((11, 8, 19), abs=1e-3)


def test_of_equal_values_the_first_is_found_as_by_numpy(ctx: moderngl.Context) -> None:
    values = np.zeros((200, 300))
    values[[40, 40, 150], [50, 250, 20]] = 1.0
    assert found(ctx, values)[:2] == pytest.approx((40, 50), abs=0.02)


@pytest.mark.parametrize("periodic", [False, True])
def test_where_all_is_equal_the_place_is_a_texels(ctx: moderngl.Context, periodic: bool) -> None:
    assert found(ctx, np.full((9, 12), 0.3), periodic=periodic)[:2] == (0.0, 0.0)


def test_nan_and_infinity_are_left_out_and_a_texture_without_numbers_is_refused(ctx: moderngl.Context) -> None:
    values = bump((30, 30), 10.3, 9.6, 2.0)
    values[25, 25], values[25, 3], values[3, 25] = np.nan, np.inf, -np.inf
    assert found(ctx, values)[:2] == pytest.approx((10.3, 9.6), abs=0.03)
    # Beside the greatest texel, whatever is around.
    for level, nan in ((-10.0, (4, 5)), (100.0, (4, 6)), (0.0, (3, 3))):
        values = np.full((9, 9), level)
        values[4, 4] += 2.0
        values[nan] = np.nan
        assert found(ctx, values) == pytest.approx((4.0, 4.0, level + 2.0), abs=0.05)
    for wrong in (np.nan, np.inf):
        with refused(DataError):
            found(ctx, np.full((5, 70), wrong))


def test_errors_say_what_to_do(ctx: moderngl.Context) -> None:
    with pytest.raises(ShapeError):
        PeakFinder(ctx, (0, 3))
    finder = PeakFinder(ctx, (4, 6))
    texture, other = ctx.texture((6, 4), 1, dtype="f4"), ctx.texture((4, 6), 1, dtype="f4")
    released = ctx.texture((6, 4), 1)
    for call, error in (
        (finder.read, OptionError),
        (lambda: PeakFinder(ctx, (4, 6), periodic="no"), OptionError),  # type: ignore[arg-type]
        (lambda: finder.run(other), TextureError),
        (lambda: finder.run(None), TextureError),  # type: ignore[arg-type]
        (lambda: finder.run(ctx.texture((6, 4), 1, dtype="i4")), TextureError),
        (lambda: finder.run(ctx.depth_texture((6, 4))), TextureError),
        (lambda: released.release() or finder.run(released), TextureError),
        (lambda: finder.run(texture, "sample"), OptionError),
        (lambda: finder.release() or finder.run(texture), ReleasedError),
    ):
        with refused(error):
            call()
    texture.release()
    other.release()
