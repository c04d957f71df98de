"""Points in the layouts of del Mundo's kernels, and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from glfft.algorithms.study.four_by_four import BEST, FourByFourConfig
from glfft.apps.papers.layouts import in_lines, laid_out
from glfft.apps.signal_to_noise import random_complex

BASELINE = FourByFourConfig()
KERNELS = [
    BEST,
    replace(BASELINE, layout="groups"),
    *(replace(BASELINE, layout="planar", width=width) for width in (4, 8)),
]


def test_points_come_back_from_their_layout() -> None:
    points = random_complex((64, 16)).astype(np.complex64)
    for config in KERNELS:
        numbers = laid_out(points, config)
        assert np.array_equal(in_lines(numbers, config), points)
    # Neighbouring threads, four to a line, have neighbouring points of its first row.
    grouped = laid_out(points, replace(BASELINE, layout="groups")).view(np.complex64)
    assert np.array_equal(grouped[: 16 * 4], points[:16, :4].ravel())
    planar = laid_out(points, replace(BASELINE, layout="planar", width=4))
    assert np.array_equal(planar[:8], np.concatenate([points[:4, 0].real, points[:4, 1].real]))
