"""`glfft tune`: what it measures, shows and keeps, and what it refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import glfft
from glfft.commands import cli
from glfft.wisdom import store
from glfft.wisdom.entries import parse, to_json


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file that is not there yet."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path


def test_the_command_measures_shows_and_keeps(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "4,2x8", "--batch", "2", "--quick"]) == 0
    output = capsys.readouterr()
    for shown in ("4 rows of 4 x 2 layers, rg32f", "8 columns of 2", "times as fast", str(file)):
        assert shown in output.out
    assert "%" in output.err  # the progress bar
    assert len(json.loads(file.read_text())["entries"]) == 4


def test_the_command_does_not_say_kept_where_it_could_not_keep(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("something else")
    exported = file.with_name("exported.json")
    assert cli.main(["tune", "--sizes", "2", "--quick", "--export", str(exported)]) == 0
    assert len(parse(exported.read_text())) == 2
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--sizes", "2", "--quick"]) == 0
    output = capsys.readouterr()
    assert "kept in" not in output.out
    assert "kept nowhere: GLFFT_WISDOM is empty" in output.out
    assert f"glfft: note: The tuning results in {file} are ignored" in output.err
    assert file.read_text() == "something else"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("garbage.json", "not JSON"),
        (".", "directory"),
        ("missing/wisdom.json", "no folder"),
        ("/dev/full", "device"),
        ("pipe", "pipe"),
    ],
)
@pytest.mark.parametrize("asked", ["--sizes 2 --quick", "--import good.json"])
def test_the_command_says_beforehand_that_it_cannot_keep(
    place: str,
    reason: str,
    asked: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("garbage.json").write_text("something else")
    Path("good.json").write_text(to_json([]))
    os.mkfifo("pipe")
    monkeypatch.setenv(store.VARIABLE, place)
    assert cli.main(["tune", *asked.split()]) == 1
    output = capsys.readouterr()
    (line,) = output.err.splitlines()
    assert place in line
    assert reason in line
    assert not output.out


def test_what_is_imported_has_to_go_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, exported = tmp_path / "good.json", tmp_path / "exported.json"
    good.write_text(to_json([]))
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--import", str(good)]) == 1
    assert "no file to keep" in capsys.readouterr().err
    assert cli.main(["tune", "--import", str(good), "--export", str(exported)]) == 0
    assert exported.exists()


def test_a_batch_is_of_pictures_as_for_bench(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "2", "--batch", "4", "--storage", "rgba32f", "--quick"]) == 0
    assert "2 rows of 2 x 2 layers, rgba32f" in capsys.readouterr().out


def test_sizes_are_checked_before_any_is_measured(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(glfft.Plan, "tune", lambda *_, **__: pytest.fail("measured"))
    assert cli.main(["tune", "--sizes", "1048576,4,100"]) == 2
    assert "100 rows is not a power of two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("--sizes 100", 2, "power of two"),
        ("--sizes 1048576", 1, "device's textures"),
        ("--batch 0", 2, "1 or more"),
        ("--batch 3 --storage rgba32f", 2, "must be even"),
        ("--storage rgb", 2, "rg32f"),
        ("--export /no/such/folder/x.json", 1, "no folder"),
        ("--device 4096", 1, "4096"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    arguments: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tune", *arguments.split()]) == code
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
