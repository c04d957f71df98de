"""Ambuluri's kernels are checked before they are timed, in the order that their results have."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from glfft.apps.papers import ambuluri_lines
from glfft.apps.papers.ambuluri_lines import COMPUTING, TRANSFER, factor_makers, line_maker
from glfft.apps.papers.ambuluri_rows import FROM_CPU, FROM_GPU, UNBALANCED, Row
from glfft.apps.papers.measuring import Run
from glfft.errors import AccuracyError

KERNEL = Row("word-group-2")


@pytest.fixture
def run(ctx: moderngl.Context) -> Iterator[Run]:
    made = Run(ctx, 5)
    yield made
    made.release()


def test_a_wrong_kernel_is_not_timed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ambuluri_lines, "snr_db", lambda *_: 20.0)
    with pytest.raises(AccuracyError, match=r"word-group-2, 1 thread at 16 points is wrong: 20\.0 dB"):
        run.time({16: {KERNEL.name: line_maker(run, KERNEL, 16)}})


@pytest.mark.parametrize("row", [UNBALANCED[1], Row("multi-group-4", 4)])
def test_results_are_checked_in_the_order_that_they_have(run: Run, monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    makers = {row.name: line_maker(run, row, 64)}
    assert (row.name, 64) in run.time({64: makers}).values
    monkeypatch.setattr(ambuluri_lines, "in_bit_reversed_order", lambda spec: spec)
    with pytest.raises(AccuracyError, match="at 64 points is wrong"):
        run.time({64: makers})


def test_the_parts_of_the_cost_of_factors_are_timed(run: Run) -> None:
    found = run.time({16: factor_makers(run, 16)})
    assert {row for row, _ in found.values} == {FROM_CPU.name, FROM_GPU.name, COMPUTING, TRANSFER}
