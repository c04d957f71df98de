"""del Mundo's bars as data, and no time of a kernel that is wrong."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest

from glfft.algorithms.study.four_by_four import BEST, FourByFourConfig
from glfft.apps.papers import del_mundo
from glfft.apps.papers.del_mundo import (
    ALONE,
    BESIDE,
    BEST_NAME,
    IN_CONCERT,
    OURS,
    ROWS,
    Images,
    Row,
    transforms,
)
from glfft.apps.papers.measuring import Run
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import AccuracyError

LAYOUTS = [
    BEST,
    replace(FourByFourConfig(), layout="groups"),
    *(replace(FourByFourConfig(), layout="planar", width=width) for width in (4, 8)),
]


def test_figure_4_has_one_optimisation_each_and_figure_5_several() -> None:
    fields = vars(FourByFourConfig())
    for row in ALONE:
        changed = {name for name, value in vars(row.config).items() if value != fields[name]}
        # A width comes with what is done with it.
        assert len(changed - {"width"}) == 1, row.name
    assert len(IN_CONCERT) == 2 * 3 * 3
    best = {row.name: row.config for row in IN_CONCERT}[BEST_NAME]
    assert best == replace(BEST, coalesced=False, layout="groups")
    assert all(row.config.exists for row in (*OURS, *IN_CONCERT, *BESIDE))
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_a_wrong_kernel_is_not_timed(quick_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(del_mundo, "snr_db", lambda *_: 20.0)
    with ExitStack() as stack, pytest.raises(AccuracyError, match=r"best is wrong: 20\.0 dB"):
        transforms(quick_run, Row("best", BEST), Images(quick_run, 1 << 11, stack))


def test_points_come_back_from_their_layout() -> None:
    points = random_complex((64, 16)).astype(np.complex64)
    for config in LAYOUTS:
        numbers = Row("", config).numbers(points)
        assert np.array_equal(Row("", config).points(numbers), points)
    # Neighbouring threads, four to a line, have neighbouring points of its first row.
    grouped = Row("", replace(FourByFourConfig(), layout="groups")).numbers(points).view(np.complex64)
    assert np.array_equal(grouped[: 16 * 4], points[:16, :4].ravel())
    planar = Row("", replace(FourByFourConfig(), layout="planar", width=4)).numbers(points)
    assert np.array_equal(planar[:8], np.concatenate([points[:4, 0].real, points[:4, 1].real]))
