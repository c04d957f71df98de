"""Rows are timed in turn; those that cannot be say why, and nothing wrong is timed."""

from __future__ import annotations

import moderngl
import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.papers import measuring as papers_run
from glfft.apps.papers.measuring import Run
from glfft.errors import AccuracyError, LimitError, MissingExtraError

CASE = Case((2, 16), axes=(1,), storage=STORAGES["buffer"])


def test_plans_and_libraries_are_rows(run: Run) -> None:
    steps = []
    run.progress = steps.append
    grid = run.time({16: {"ours": run.plan(CASE, "stockham"), **run.contenders(CASE, run.peers)}})
    assert [row for row in grid.rows if row != "cufft"] == ["ours", "scipy"]  # cuFFT where there is CuPy
    assert all(value.low <= value.middle <= value.high for value in grid.values.values())
    assert steps == ["16"]


def test_what_cannot_be_measured_says_why(run: Run) -> None:
    def refused(stack: object) -> None:
        raise LimitError("it would need more")

    odd = Case((2, 17), axes=(1,))
    grid = run.time({17: {"refused": refused, "radix": run.plan(odd, "stockham-radix4")}})  # pyright: ignore
    assert not grid.values
    assert grid.skipped["refused", 17] == "it would need more"
    assert grid.skipped["radix", 17].startswith("stockham-radix4 cannot transform lines of 17 points here")
    assert not grid.skipped["radix", 17].endswith(".")


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("A line is too long.", "a line is too long"),
        ("The pass needs GLSL.", "the pass needs GLSL"),
        ("GLSL has no sine of float64.", "GLSL has no sine of float64"),
        ("OpenGL refuses it.", "OpenGL refuses it"),
        ("", ""),
    ],
)
def test_a_reason_begins_small_unless_a_name_with_capitals_begins_it(sentence: str, clause: str, run: Run) -> None:
    def refused(stack: object) -> None:
        raise LimitError(sentence)

    assert run.time({16: {"refused": refused}}).skipped["refused", 16] == clause  # pyright: ignore


def test_a_wrong_result_is_not_timed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.apps.bench.workload.Workload.snr_db", lambda *_: 20.0)
    with pytest.raises(AccuracyError, match=rf"{run.peers[0].name} is wrong: 20\.0 dB"):
        run.time({16: run.contenders(CASE, run.peers)})


def test_without_any_library_there_is_nothing_to_compare_with(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(names: object) -> None:
        raise MissingExtraError("not here")

    monkeypatch.setattr(papers_run, "open_peers", missing)
    with pytest.raises(MissingExtraError, match="pip install scipy"):
        Run(ctx, 5)
