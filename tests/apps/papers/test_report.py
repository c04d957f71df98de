"""What was measured is kept as data, chapter by chapter, and read again."""

from __future__ import annotations

import os
from pathlib import Path

import moderngl
import pytest
from support.papers import report, spread

from glfft.apps.papers import ambuluri
from glfft.apps.papers.ambuluri import Row
from glfft.apps.papers.claims import Grid
from glfft.apps.papers.measuring import Run
from glfft.apps.papers.report import Report, measure
from glfft.errors import DataError


def test_a_report_comes_back_as_it_was(tmp_path: Path) -> None:
    written = report(ambuluri={"lines": Grid({("scipy", 16): spread(2.0)}, {("row", 16): "it is too long"})})
    (tmp_path / "report.json").write_text(written.to_json())
    read = Report.read(tmp_path / "report.json")
    assert read == written
    assert [(chapter.name, measured.software) for chapter, measured in read.opened] == [("ambuluri", False)]


@pytest.mark.parametrize("text", ["", "[]", '{"chapters": {}}', '{"device": "", "setup": {}, "chapters": {"a": 1}}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(DataError, match=r"other\.json is no report on papers"):
        Report.read(tmp_path / "other.json")
    with pytest.raises(DataError, match="No such file"):
        Report.read(tmp_path / "nothing.json")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="pipe is a device or pipe; save what it holds in a file"):
        Report.read(tmp_path / "pipe")


def test_chapters_are_measured_and_handed_out_one_by_one(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ambuluri, "ROWS", (Row("word-group-2"),))
    monkeypatch.setattr(ambuluri, "QUICK_LENGTHS", (16,))
    done = []
    with Run(ctx, 5, quick=True) as run:
        found = measure(run, ["ambuluri"], done.append)
    assert done == [found]
    assert found.setup["quick"] is True
    assert "scipy" in found.setup["libraries"]
    assert ("word-group-2, 1 thread", 16) in found.chapters["ambuluri"]["lines"].values


def test_chapters_of_several_files_come_together_if_the_device_is_the_same(tmp_path: Path) -> None:
    for name, chapter in (("a", "ambuluri"), ("b", "mota")):
        (tmp_path / name).write_text(report(**{chapter: {"lines": Grid()}}).to_json())
    (tmp_path / "c").write_text(Report("another", {}, {}).to_json())
    assert Report.read(tmp_path / "a", tmp_path / "b").chapters.keys() == {"ambuluri", "mota"}
    with pytest.raises(DataError, match=r"c is of another, .*a of a device"):
        Report.read(tmp_path / "a", tmp_path / "c")


def test_a_row_of_a_grid_is_a_line_of_the_file() -> None:
    text = report(ambuluri={"lines": Grid({("scipy", 16): spread(2.0)})}).to_json()
    assert '\n    "rows": {\n     "scipy": [{"middle":2.0,"low":1.9,"high":2.1}]\n    }' in text
