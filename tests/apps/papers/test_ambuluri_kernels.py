"""Ambuluri's rows are kernels that there are; they are checked before they are timed, in the order of their results."""

from __future__ import annotations

from functools import partial

import pytest
from support.requests import axis_request

from glfft.algorithms import registry
from glfft.apps.papers import ambuluri
from glfft.apps.papers.ambuluri import (
    COMPUTING,
    FROM_CPU,
    FROM_GPU,
    LENGTHS,
    ROWS,
    TRANSFER,
    UNBALANCED,
    Ambuluri,
    Row,
    factor_makers,
    line_of,
)
from glfft.apps.papers.measuring import Run
from glfft.errors import AccuracyError

PUBLISHED = Ambuluri().published["lines"]
KERNEL = Row("word-group-2")


def test_a_wrong_kernel_is_not_timed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ambuluri, "snr_db", lambda *_: 20.0)
    with pytest.raises(AccuracyError, match=r"word-group-2, 1 thread at 16 points is wrong: 20\.0 dB"):
        run.time({16: {KERNEL.name: partial(line_of, run, KERNEL, 16)}})


@pytest.mark.parametrize("row", [UNBALANCED[1], Row("multi-group-4", 4)])
def test_results_are_checked_in_the_order_that_they_have(run: Run, monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    makers = {row.name: partial(line_of, run, row, 64)}
    assert (row.name, 64) in run.time({64: makers}).values
    monkeypatch.setattr(ambuluri, "in_bit_reversed_order", lambda spec: spec)
    with pytest.raises(AccuracyError, match="at 64 points is wrong"):
        run.time({64: makers})


def test_the_parts_of_the_cost_of_factors_are_timed(run: Run) -> None:
    found = run.time({16: factor_makers(run, 16)})
    assert {row for row, _ in found.values} == {FROM_CPU.name, FROM_GPU.name, COMPUTING, TRANSFER}


def test_each_published_time_is_of_a_kernel_that_can_be() -> None:
    rows = {row.name: row for row in ROWS if row.is_of_thesis}
    for name, length in PUBLISHED.values:
        row = rows[name]
        family = registry.family_of(row.family)
        assert length in LENGTHS
        if length <= 2048:
            # The tables come from a device with 48 KiB, ours has 32.
            (*_, part) = family.parts(axis_request((1, length)))
            assert family.fits(row.config, part) or length == 2048, (name, length)


def test_names_tell_all_rows_apart() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_the_gains_are_those_of_the_best_kernels() -> None:
    # Table 5.8 against 5.4: of 3.55 us at 16 points, cuFFT takes 5.47.
    best = PUBLISHED.best((row.name for row in ROWS), 16)
    share = Ambuluri().gains(Ambuluri().published["table 5.8"])[16].middle
    assert best is not None
    assert round(best.middle / share, 2) == 5.47
