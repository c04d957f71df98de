"""Strips cover the rows once each, in order, and what fails in a strip fails the whole."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.apps.spectrum.strips import map_strips


@pytest.mark.parametrize(("rows", "height"), [(0, 4), (1, 4), (4, 4), (5, 4), (103, 10)])
def test_strips_cover_all_rows_once(rows: int, height: int) -> None:
    seen = map_strips(lambda strip: np.arange(1000)[strip], rows, height)
    assert np.array_equal(np.concatenate([[], *seen]), np.arange(rows))
    assert all(len(strip) == height for strip in seen[:-1])


def test_what_a_strip_raises_is_raised() -> None:
    def work(strip: slice) -> None:
        if strip.start == 6:
            raise MemoryError

    with pytest.raises(MemoryError):
        map_strips(work, 10, 2)
