"""Pictures in a window: zoom, and from pixels to frequencies and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum.viewer import Pane, Part, place_of

FRACTIONS = st.floats(0, 0.999)


@given(st.floats(0.1, 10), st.floats(0.1, 10), FRACTIONS, FRACTIONS)
def test_zooming_keeps_the_place_under_the_mouse(first: float, second: float, across: float, down: float) -> None:
    part = Part().zoomed(first * 4, (0.5, 0.5))
    pane = Pane("picture", (10, 20, 200, 100), part)
    pixel = (10 + across * 200, 20 + down * 100)
    before = pane.of_picture(pixel)
    zoomed = Pane("picture", pane.rectangle, part.zoomed(second, pane.place(pixel)))
    assert 0 <= zoomed.part.left <= 1 - zoomed.part.side + 1e-9
    assert 0 <= zoomed.part.top <= 1 - zoomed.part.side + 1e-9
    if second >= 1:
        assert zoomed.of_picture(pixel) == pytest.approx(before)


def test_moving_goes_with_the_mouse_and_stops_at_the_edge() -> None:
    part = Part(0.25, 0.25, 0.5)
    moved = part.moved(0.1, -0.1)
    assert (moved.left, moved.top, moved.side) == pytest.approx((0.2, 0.3, 0.5))
    assert part.moved(5, -5) == Part(0.0, 0.5, 0.5)


@pytest.mark.parametrize("shift", [True, False])
@pytest.mark.parametrize("size", [(8, 5), (9, 6)])
def test_frequencies_are_those_of_the_bins_shown(size: tuple[int, int], shift: bool) -> None:
    pane = Pane("spectrum", (10, 20, size[0] * 3, size[1] * 3), Part())
    for row in range(size[1]):
        for column in range(size[0]):
            pixel = (10 + 3 * column + 1.5, 20 + 3 * row + 1.5)
            expected = (row - size[1] // 2, column - size[0] // 2) if shift else (row, column)
            assert pane.frequency(pixel, size, shift) == pytest.approx(expected)
            assert place_of(expected, size, shift) == pytest.approx(pane.of_picture(pixel))
    assert pane.contains((10, 20))
    assert not pane.contains((10 + size[0] * 3, 20))
