"""One batch divided over streams: what is measured, and what is shown of it."""

from __future__ import annotations

import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.papers import hinitt_batches
from glfft.apps.papers.claims import Measured
from glfft.apps.papers.hinitt import Hinitt
from glfft.apps.papers.hinitt_batches import (
    APART,
    CONVERTED,
    DIRECT,
    EMPTY,
    FOUR,
    NEW,
    ONE,
    RADIX_2,
    ROWS,
    SETS,
    TOGETHER,
    TRANSFERS,
    TWO,
    WHOLE,
    Row,
)
from glfft.apps.papers.measuring import Run


def test_batches_and_their_parts_are_measured(quick_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (Row(RADIX_2, TWO), Row(RADIX_2, FOUR, APART), Row(NEW, ONE, DIRECT))
    monkeypatch.setattr(hinitt_batches, "ROWS", rows)
    monkeypatch.setattr(hinitt_batches, "_BATCHES", 2)
    measured = Measured(hinitt_batches.measure(quick_run, 8))
    monkeypatch.setattr(hinitt_batches, "ALGORITHMS", ())
    monkeypatch.setattr(hinitt_batches, "COMPUTED", (SETS,))
    case = Case((4, 512), axes=(1,), storage=STORAGES["buffer"])
    on_device = quick_run.time({4: hinitt_batches.on_device(quick_run, case)})
    assert [*on_device.values] == [("butterfly-sets, factors computed", 4)]
    divided, parts = measured["divided"], measured["parts"]
    assert (divided.skipped, parts.skipped) == ({}, {})
    assert divided.points == ["32-bit", "16-bit", "8-bit"]
    # The new kernel came after samples of 8 bits.
    assert [point for row, point in divided.values if row == rows[2].name] == ["8-bit"]
    assert set(parts.rows) == {TRANSFERS, CONVERTED, EMPTY, WHOLE}
    titles = {table.title: table for table in Hinitt().tables(measured)}
    assert set(titles["What each part takes here"].rows) == {"copies", "conversion", "kernel call", "transform"}


def test_kernels_are_compared_in_one_batch() -> None:
    assert {(row.streams, row.way) for row in ROWS if row.kernel == RADIX_2} == {
        (ONE, TOGETHER), (TWO, TOGETHER), (FOUR, TOGETHER), (TWO, APART), (FOUR, APART), (ONE, DIRECT)
    }  # fmt: skip
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert set(Hinitt().published["divided"].rows) <= {row.name for row in ROWS}
