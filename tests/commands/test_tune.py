"""`glfft tune`: what it measures, shows and keeps, and what it refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import moderngl
import pytest
from support.processes import python_process
from support.wisdom import OTHER, entry

import glfft
from glfft.commands import cli
from glfft.errors import DataError
from glfft.gl.context import driver_of
from glfft.tuning import device_constants
from glfft.wisdom import store
from glfft.wisdom.entries import read, to_json

pytestmark = pytest.mark.usefixtures("file")


def test_the_command_measures_shows_and_keeps(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "1x4,8x1", "--batch", "2", "--quick"]) == 0
    output = capsys.readouterr()
    for shown in ("1 rows of 4 x 2 layers, rg32f", "1 columns of 8", "times as fast", str(file)):
        assert shown in output.out
    assert "%" in output.err  # the progress bar
    assert len(json.loads(file.read_text())["entries"]) == 2


def test_the_command_measures_real_lines(file: Path) -> None:
    assert cli.main(["tune", "--sizes", "1x9", "--real", "--quick"]) == 0
    assert [each.reals for each in read(file.read_text()).entries] == ["in pairs"]


def test_the_command_does_not_say_kept_where_it_could_not_keep(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("something else")
    exported = file.with_name("exported.json")
    assert cli.main(["tune", "--sizes", "1x4", "--quick", "--export", str(exported)]) == 0
    assert len(read(exported.read_text()).entries) == 1
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--sizes", "1x4", "--quick"]) == 0
    output = capsys.readouterr()
    assert "saved in" not in output.out
    assert "not saved: GLFFT_WISDOM is empty" in output.out
    assert f"glfft: note: The tuning results in {file} are ignored" in output.err
    assert file.read_text() == "something else"


def test_the_command_names_sizes_that_leave_no_choice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--sizes", "4x8,1x4", "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "1 rows of 4" in shown
    assert "no choice of kernel: 4 x 8" in shown
    assert cli.main(["tune", "--sizes", "4x8", "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "There is nothing to tune: small pictures," in shown
    assert "saved" not in shown


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
    assert "no file to save" in capsys.readouterr().err
    assert cli.main(["tune", "--sizes", "1x4", "--quick", "--import", str(good), "--export", str(exported)]) == 0
    assert exported.exists()


def test_a_batch_is_of_pictures_as_for_bench(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "1x4", "--batch", "4", "--storage", "rgba32f", "--quick"]) == 0
    assert "1 rows of 4 x 2 layers, rgba32f" in capsys.readouterr().out


def test_sizes_are_checked_before_any_is_measured(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(glfft.Plan, "tune", lambda *_, **__: pytest.fail("measured"))
    assert cli.main(["tune", "--sizes", "1048576,4,0"]) == 2
    assert "rows must be at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
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


FULL_DISK = """
import resource, sys
from glfft.commands.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.exit(main(sys.argv[1:]))
"""


def test_an_import_that_cannot_be_saved_is_a_failure(file: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(to_json([entry()]))
    done = python_process(FULL_DISK, "tune", "--import", str(good))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert f"Cannot write {file}" in line
    assert not file.exists()


def test_results_that_cannot_be_saved_are_a_failure(file: Path) -> None:
    done = python_process(FULL_DISK, "tune", "--sizes", "1x4", "--quick", TQDM_DISABLE="1")
    assert done.returncode == 1
    assert "times as fast" in done.stdout
    assert "saved in" not in done.stdout
    note, failure = done.stderr.splitlines()
    assert "note: Cannot write" in note
    assert failure == f"glfft tune: The results could not be saved in {file}."


def test_a_size_named_twice_is_kept(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "1x4,1x4", "--quick"]) == 0
    assert f"saved in {file}" in capsys.readouterr().out


def test_an_import_that_only_an_export_takes_is_no_failure(
    ctx: moderngl.Context, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("something else")
    good, exported = tmp_path / "good.json", tmp_path / "exported.json"
    shipped = entry(renderer=ctx.info["GL_RENDERER"]).for_others
    good.write_text(to_json([shipped]))
    assert cli.main(["tune", "--import", str(good), "--export", str(exported)]) == 0
    assert read(exported.read_text()).entries == (shipped,)
    output = capsys.readouterr()
    assert f"{good}: added 1 of 1 kernels" in output.out
    assert "note: Cannot save tuning results" in output.err


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert cli.main(["tune", "--import", str(pipe)]) == 1
    assert f"Cannot read wisdom from {pipe}: it is a device or pipe; name a file " in capsys.readouterr().err


def test_an_export_of_nothing_writes_nothing(file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    exported = tmp_path / "exported.json"
    assert cli.main(["tune", "--export", str(exported)]) == 1
    assert f"There is nothing to write into {exported}: " in capsys.readouterr().err
    assert not exported.exists()


@pytest.mark.parametrize("content", [to_json([entry(), entry(OTHER, rows=8)]), '{"version": 3, "entries": []}'])
def test_an_export_does_not_replace_the_file_that_keeps_all_results(
    content: str, file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file.write_text(content)
    (link := tmp_path / "link.json").symlink_to(file)
    for name in (file, link):
        assert cli.main(["tune", "--sizes", "1x4", "--quick", "--export", str(name)]) == 1
        assert f"{name} keeps all tuning results, and an export holds some;" in capsys.readouterr().err
    assert file.read_text() == content


def test_an_export_of_sizes_without_a_choice_asks_for_others(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # A GPU's constants alone would be worth a file.
    monkeypatch.setattr(device_constants, "measured", lambda *_: None)
    assert cli.main(["tune", "--sizes", "8", "--quick", "--export", str(tmp_path / "exported.json")]) == 1
    assert "give --sizes with a choice of kernels, such as 256." in capsys.readouterr().err


def test_an_empty_name_to_export_to_starts_no_tuning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(glfft.Plan, "tune", lambda *_, **__: pytest.fail("measured"))
    assert cli.main(["tune", "--export", ""]) == 2
    assert "Argument --export: the name is empty; name a file." in capsys.readouterr().err


def test_files_are_exchanged_by_the_command(
    ctx: moderngl.Context,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here: dict[str, Any] = {"renderer": ctx.info["GL_RENDERER"], "driver": driver_of(ctx)}
    measured = [entry(**here), entry(OTHER, rows=8, **here)]
    store.remember([*measured, entry(), entry(rows=16, renderer=here["renderer"])])
    exported = tmp_path / "exported.json"
    assert cli.main(["tune", "--export", str(exported)]) == 0
    assert capsys.readouterr().out == f"wrote {exported}: 2 kernels for {measured[0].for_others.renderer}\n"
    others = {each.for_others for each in measured}
    assert set(read(exported.read_text()).entries) == others, "neither other devices nor other drivers"
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "other.json"))
    assert cli.main(["tune", "--import", str(exported), str(exported)]) == 0
    assert set(read((tmp_path / "other.json").read_text()).entries) == others
    assert capsys.readouterr().out.splitlines() == [
        f"{exported}: added 2 of 2 kernels",
        f"{exported}: added 0 of 2 kernels; left out 2 (no faster than what is known)",
    ]


def test_an_import_says_what_it_leaves_out_and_why(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.remember([entry(rows=8)])
    content = json.loads(to_json([entry(), entry(OTHER, 9.0, rows=8), entry(rows=16), entry(rows=32), entry(rows=128)]))
    broken = content["entries"][-3:]
    broken[0]["config"]["lines"] = 0
    broken[1]["unheard_of"] = 1
    del broken[2]["config"]
    named = tmp_path / "named.json"
    named.write_text(json.dumps(content))
    assert cli.main(["tune", "--import", str(named)]) == 0
    assert capsys.readouterr().out == (
        f"{named}: added 1 of 5 kernels; left out 1 (no faster than what is known), "
        "1 (no kernel has such values), 2 (fields are missing, or unknown to this glfft)\n"
    )


@pytest.mark.parametrize("content", [None, "", '{"version": 99, "entries": []}'])
def test_a_file_that_was_named_and_cannot_be_imported_is_an_error(
    content: str | None, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / "named.json"
    if content is not None:
        named.write_text(content)
    with pytest.raises(DataError):
        store.read_file(named)
    assert cli.main(["tune", "--import", str(named)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(named) in line
    assert not file.exists()
