"""The page on papers is made from the runs that are kept, and their reports are up to date."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest
from support.papers import AMBULURI, report, spread
from support.paths import ROOT

from glfft.apps.papers.claims import Grid, Spread, Table
from glfft.apps.papers.report import Report

FAST, SLOW = "constant-geometry, 1 thread", "word-group-2, 1 thread"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("make_papers")


def keep(folder: Path, stem: str, device: str, fast: float, slow: float) -> None:
    lines = Grid({**AMBULURI.values, (FAST, 16): spread(fast), (SLOW, 16): spread(slow)})
    found = report(ambuluri={"lines": lines})
    setup = {**found.setup, "quick": True}
    (folder / f"{stem}.json").write_text(Report(device, setup, found.chapters).to_json())


def test_reports_of_runs_are_up_to_date(page: ModuleType) -> None:
    for path, text in page.reports().items():
        assert path.read_text(encoding="utf-8") == text, "run `make pages`"


def test_every_chapter_of_a_run_is_on_the_page(page: ModuleType) -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    claims = (ROOT / "docs" / "papers" / "claims.md").read_text(encoding="utf-8")
    named = {name for found in page.kept().values() for name in found.chapters}
    assert {name for name in named if page.claims_table(name) not in claims} == set()
    assert {name for name in page.panels() if f"](papers/{name}.svg)" not in text} == set()


def test_the_page_says_so_while_there_is_no_run_on_a_gpu(page: ModuleType) -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert ("on a GPU of today, is not kept yet" in text) == all(run.setup["software"] for run in page.kept().values())


def test_runs_stand_side_by_side(page: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    assert "No run of this chapter is kept yet." in page.claims_table("ambuluri")
    keep(tmp_path, "llvmpipe", "llvmpipe", 1.0, 2.0)
    head, _, first, *_ = page.claims_table("ambuluri").splitlines()
    assert head == "|  | claim | ratio | paper | llvmpipe |"
    assert first.endswith(" | constant geometry / word groups | 0.58–0.98 | **holds**: 0.5 |")
    keep(tmp_path, "h200", "NVIDIA H200/PCIe", 2.0, 1.0)
    head, _, first, *_ = page.claims_table("ambuluri").splitlines()
    assert head == "|  | claim | ratio | paper | H200 | llvmpipe |"
    assert first.endswith(" | **fails**: 2 | **holds**: 0.5 |")
    assert page.runs_table().splitlines()[2].startswith("| H200 | NVIDIA H200, a GPU | scipy.fft 1 | the few of")
    assert page.notes("ambuluri")[-1] == "13: It takes cuFFT, and there is none here."
    claims = len(page.conclusions("ambuluri")["H200"])
    for run, row in zip(("H200", "llvmpipe"), page.summary_table().splitlines()[2:], strict=True):
        author, *counts = (cell.strip() for cell in row.strip("|").split("|"))
        assert author == f"Ambuluri, {run}"
        assert sum(int(count or 0) for count in counts[:-1]) == claims
    panel, *figures = page.panels()["ambuluri"]
    assert list(panel.curves) == ["paper", "H200", "llvmpipe"]
    assert [figure.title.rpartition(", ")[2] for figure in figures] == ["H200", "llvmpipe"]
    pytest.importorskip("matplotlib")
    page.draw()
    page.write_reports()
    assert {path.name for path in tmp_path.iterdir()} == {
        "ambuluri.svg", "claims.md", "h200.json", "h200.md", "llvmpipe.json", "llvmpipe.md"
    }  # fmt: skip


def test_a_table_is_published_if_nothing_in_it_was_measured(page: ModuleType) -> None:
    assert page.is_published(Table("", "", "", {"a": {16: 1.0}}))
    assert not page.is_published(Table("", "", "", {"a": {16: 1.0, 32: spread(1.0)}}))
    assert not page.is_published(Table("", "", "", {}))


def test_a_report_comes_back_as_it_was(page: ModuleType) -> None:
    written = report(ambuluri={"lines": Grid({("scipy", 16): spread(2.0)}, {("row", 16): "it is too long"})})
    read = page.read_report(written.to_json())
    assert read == written
    assert [(chapter.name, measured.software) for chapter, measured in read.opened] == [("ambuluri", False)]


def test_samples_are_kept_in_order(page: ModuleType) -> None:
    grid = Grid({("a", 16): Spread.of_samples([3.0, 1.0, 2.0, 4.0, 5.0])})
    (value,) = page.read_grid(json.loads(json.dumps(grid.to_json()))).values.values()
    assert value.samples == (3.0, 1.0, 2.0, 4.0, 5.0)
    assert value == Spread(3.0, 2.0, 4.0)


def test_data_comes_back_as_it_was(page: ModuleType) -> None:
    grid = Grid({("a", 16): spread(123.456), ("b", "name"): Spread(0.0, 0.0, 1e-9)}, {("a", "name"): "too long"})
    assert page.read_grid(json.loads(json.dumps(grid.to_json()))) == Grid(
        {("a", 16): Spread(123.5, 123.4, 123.6), ("b", "name"): Spread(0.0, 0.0, 1e-9)}, {("a", "name"): "too long"}
    )
    with pytest.raises(ValueError, match="shorter than"):
        page.read_grid({"points": [1, 2], "rows": {"a": [None]}})
