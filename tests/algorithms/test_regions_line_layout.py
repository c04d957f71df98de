"""Where the points of a line lie is where numpy has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.algorithms.regions import LineLayout, Points, half_shape


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(6, 8), (1, 5), (7, 1)])
def test_points_and_lines_are_those_of_an_array(shape: tuple[int, int], axis: int) -> None:
    lines = LineLayout(shape, axis, shape[axis], Points.COMPLEX)
    assert (lines.stored, math.prod(lines.shape) // lines.stored) == np.moveaxis(np.empty(shape), axis, 0).shape


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(6, 8), (5, 9), (2, 3), (1, 1)])
def test_half_a_spectrum_has_the_shape_of_numpys(shape: tuple[int, int], axis: int) -> None:
    assert half_shape(shape, axis) == np.fft.rfft(np.ones(shape), axis=axis).shape
