"""del Mundo's bars as data, and no time of a kernel that is wrong."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import moderngl
import pytest

from glfft.algorithms.study.four_by_four import BEST, FourByFour, FourByFourConfig
from glfft.apps.papers import del_mundo_kernels
from glfft.apps.papers.del_mundo_kernels import (
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
from glfft.errors import AccuracyError


def test_figure_4_has_one_optimisation_each_and_figure_5_several() -> None:
    fields = FourByFour().to_fields(FourByFourConfig())
    for row in ALONE:
        if row.config is not None:
            changed = {name for name, value in FourByFour().to_fields(row.config).items() if value != fields[name]}
            # A width comes with what is done with it.
            assert len(changed - {"width"}) == 1, row.name
        assert (row.config is None) == bool(row.reason)
    assert len(IN_CONCERT) == 2 * 3 * 3
    best = {row.name: row.config for row in IN_CONCERT}[BEST_NAME]
    assert best == replace(BEST, coalesced=False, layout="groups")
    assert all(row.config is not None and row.config.exists for row in (*OURS, *IN_CONCERT, *BESIDE))
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_a_wrong_kernel_is_not_timed(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(del_mundo_kernels, "snr_db", lambda *_: 20.0)
    run = Run(ctx, 5, quick=True)
    with ExitStack() as stack, pytest.raises(AccuracyError, match=r"best is wrong: 20\.0 dB"):
        transforms(run, Row("best", BEST), Images(run, 1 << 11, stack))
    run.release()
