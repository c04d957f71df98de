"""Lengths and types of numbers are numpy's."""

from __future__ import annotations

import numpy as np

from glfft.arrays.transform import Transform
from glfft.engine.request import FORWARD, INVERSE


def test_lengths_of_real_transforms_are_numpys() -> None:
    forward, inverse = Transform(FORWARD, real=True), Transform(INVERSE, real=True)
    for length in range(1, 10):
        half = np.fft.rfft(np.ones(length)).size
        assert forward.target_length(length) == inverse.source_length(length) == half
        assert forward.source_length(length) == inverse.target_length(length) == length
        if half > 1:
            assert inverse.default_length(half) == np.fft.irfft(np.ones(half)).size
