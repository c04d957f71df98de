"""Reports as files: by suffix, or all in a folder; without matplotlib the report says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.papers import AMBULURI, report, spread

from glfft.apps.papers.claims import Grid
from glfft.apps.papers.report import check, write
from glfft.errors import OutputError

REPORT = report(ambuluri={"lines": Grid({**AMBULURI.values, ("word-group-2, 1 thread", 16): spread(2.0)})})


def test_the_suffix_decides_what_is_written(tmp_path: Path) -> None:
    for name, start in (("a.md", "# What papers"), ("a.html", "<!doctype html>"), ("a.json", "{")):
        check(str(tmp_path / name))
        write(REPORT, str(tmp_path / name))
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_folder_takes_everything(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write(REPORT, str(tmp_path / "report"))
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        "report.md", "report.html", "report.json", "ambuluri.svg"
    }  # fmt: skip
    assert "](ambuluri.svg)" in (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "report" / "report.json").read_text() == REPORT.to_json()


def test_without_matplotlib_the_report_has_tables_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.apps.papers.report.find_spec", lambda _: None)
    write(REPORT, str(tmp_path / "report"))
    text = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "pip install '.[plot]'" in text
    assert ".svg" not in text


def test_what_cannot_be_written_is_found_out_before(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        check(str(tmp_path / "nowhere" / "report.md"))
    with pytest.raises(OutputError):
        check(str(tmp_path / "nowhere" / "report"))
    with pytest.raises(OutputError, match=r"report\.txt: a report is a file that ends in \.md, \.html or \.json, or a"):
        check(str(tmp_path / "report.txt"))
    check(str(tmp_path / "report-0.1"))
