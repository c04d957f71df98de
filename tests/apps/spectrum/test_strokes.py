"""Strokes over a spectrum: where they go, their mirror images, and their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum.strokes import TOOLS, Stroke, mirrored, paint

SIDES = st.integers(2, 24)
NUMBERS = st.floats(-30, 30)


def painted(shape: tuple[int, int], *strokes: Stroke) -> np.ndarray:
    mask = np.ones(shape, np.float32)
    for stroke in strokes:
        paint(mask, stroke)
    return mask


@given(
    shape=st.tuples(SIDES, SIDES),
    tool=st.sampled_from(TOOLS),
    points=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=3),
    radius=st.floats(0.5, 40),
    softness=st.floats(0, 1),
)
def test_a_picture_stays_real_and_keeps_its_mean(
    shape: tuple[int, int], tool: str, points: list[tuple[float, float]], radius: float, softness: float
) -> None:
    mask = painted(shape, Stroke(tool, tuple(points), radius, softness))
    rows, columns = np.indices(shape)
    assert np.array_equal(mask, mask[-rows, -columns])
    assert mask[0, 0] == 1
    assert mask.min() >= 0
    assert mask.max() <= 1
    again = mask.copy()
    paint(again, Stroke(tool, tuple(points), radius, softness))
    assert np.array_equal(again, mask)


def test_a_brush_reaches_as_far_as_its_radius_and_fades_as_a_cosine() -> None:
    shape = (64, 48)
    mask = painted(shape, Stroke("brush", ((5.0, 3.0), (5.0, 12.0)), radius=4.0, softness=0.5))
    y, x = np.fft.fftfreq(shape[0], 1 / shape[0])[:, None], np.fft.fftfreq(shape[1], 1 / shape[1])[None, :]

    def expected(sign: int) -> np.ndarray:
        across = np.clip(sign * x, 3, 12)
        distance = np.hypot(sign * y - 5, sign * x - across)
        share = np.clip((distance - 2) / 2, 0, 1)
        return 0.5 - 0.5 * np.cos(math.pi * share)

    wanted = np.minimum(expected(1), expected(-1))
    wanted[0, 0] = 1
    assert np.allclose(mask, wanted, atol=1e-6)


@pytest.mark.parametrize("shape", [(760, 700), (620, 900)])
@pytest.mark.parametrize("end", [(70.0, -40.0), (12.0, 31.0)])
def test_a_large_brush_reaches_over_blocks_and_edges(shape: tuple[int, int], end: tuple[float, float]) -> None:
    start, radius = (12.0, 31.0), 320.0
    mask = painted(shape, Stroke("brush", (start, end), radius, softness=0.5))
    y, x = np.fft.fftfreq(shape[0], 1 / shape[0])[:, None], np.fft.fftfreq(shape[1], 1 / shape[1])[None, :]
    along = np.subtract(end, start)
    wanted = np.ones(shape)
    # The spectrum repeats, and its mirror image is painted too.
    for sign in (1, -1):
        for down in (-shape[0], 0, shape[0]):
            for across in (-shape[1], 0, shape[1]):
                v, u = sign * (y + down) - start[0], sign * (x + across) - start[1]
                share = np.clip((v * along[0] + u * along[1]) / max(along @ along, 1), 0, 1)
                distance = np.hypot(v - share * along[0], u - share * along[1])
                fade = np.clip((distance - radius / 2) / (radius / 2), 0, 1)
                wanted = np.minimum(wanted, 0.5 - 0.5 * np.cos(math.pi * fade))
    wanted[0, 0] = 1
    assert np.allclose(mask, wanted, atol=2e-6)


def test_a_notch_goes_on_at_the_opposite_edge() -> None:
    mask = painted((32, 32), Stroke("notch", ((-16.0, 4.0),), radius=2.0, softness=0.0))
    removed = {(int(row), int(column)) for row, column in np.argwhere(mask == 0)}
    around = {(y, x) for y in range(-2, 3) for x in range(-2, 3) if math.hypot(y, x) <= 2}
    assert removed == {((s * 16 + y) % 32, (s * 4 + x) % 32) for s in (1, -1) for y, x in around}


def test_a_point_beyond_the_spectrum_is_where_it_repeats() -> None:
    inside, beyond = (Stroke("brush", ((3.0, x),), radius=2.5) for x in (-5.0, 15.0))
    assert np.array_equal(painted((16, 20), inside), painted((16, 20), beyond))


def test_a_ring_has_one_frequency_a_pixel_in_all_directions() -> None:
    rows, columns = 40, 80
    mask = painted((rows, columns), Stroke("ring", ((0.0, 20.0),), radius=3.0, softness=0.0))
    y, x = np.fft.fftfreq(rows, 1 / rows)[:, None], np.fft.fftfreq(columns, 1 / columns)[None, :]
    inside = np.abs(np.hypot(y * (columns / rows), x) - 20) <= 3
    assert np.array_equal(mask == 0, inside)


def test_band_and_wedge_go_outwards_from_the_point() -> None:
    y, x = np.fft.fftfreq(64, 1 / 64)[:, None], np.fft.fftfreq(64, 1 / 64)[None, :]
    band = painted((64, 64), Stroke("band", ((0.0, 10.0),), radius=2.0, softness=0.0))
    outside = (np.abs(y) <= 2) & (np.abs(x) >= 10)
    assert np.all(band[outside] == 0)
    assert np.all(band[(np.abs(y) > 2) | (np.abs(x) < 8)] == 1)
    wedge = painted((64, 64), Stroke("wedge", ((0.0, 10.0),), radius=2.0, softness=0.0))
    assert np.array_equal(wedge == 0, (np.arctan2(np.abs(y), np.abs(x)) <= 0.2) & (np.hypot(y, x) >= 8))


def test_the_zero_frequency_has_no_direction() -> None:
    for tool in ("band", "wedge"):
        assert np.all(painted((8, 8), Stroke(tool, ((0.0, 0.0),))) == 1)


def test_mirroring_takes_the_lower_of_two() -> None:
    mask = np.ones((5, 6), np.float32)
    mask[1, 2], mask[-1, -2], mask[2, 0] = 0.25, 0.75, 0.5
    both = mirrored(mask)
    assert both[1, 2] == both[-1, -2] == 0.25
    assert both[2, 0] == both[-2, 0] == 0.5
    assert np.count_nonzero(both != 1) == 4
