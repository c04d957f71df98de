"""Files are written whole or not at all."""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from support.sentences import assert_one_sentence

from glfft.apps.ocean.camera import read_camera_path
from glfft.channelizer.recordings import open_recording
from glfft.errors import DataError, OutputError, UsageError
from glfft.files import (
    atomic_write,
    check_new_folder,
    check_writable,
    make_folder,
    next_screenshot,
    write_folder,
    write_whole,
)
from glfft.sea.buoy_files import read_spectrum
from glfft.sea.settings_file import read_settings
from glfft.streaming.sources import file_samples, wav_samples


def test_the_target_appears_only_when_the_block_is_left(tmp_path: Path) -> None:
    target = tmp_path / "picture.png"
    with atomic_write(target) as temporary:
        temporary.write_bytes(b"half")
        assert not target.exists()
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".png"
        inode = temporary.stat().st_ino
    # Renamed and not copied: a reader sees the old file or the new one, never a part.
    assert target.stat().st_ino == inode
    assert target.read_bytes() == b"half"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("failure", [RuntimeError("x"), KeyboardInterrupt(), SystemExit(3), OSError(5, "elsewhere")])
def test_a_failure_leaves_what_was_there(tmp_path: Path, failure: BaseException) -> None:
    target = tmp_path / "data.npz"
    target.write_text("before")

    def write_half_and_fail() -> None:
        with atomic_write(target) as temporary:
            temporary.write_text("half")
            raise failure

    with pytest.raises((type(failure), OutputError)):
        write_half_and_fail()
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    "write",
    [lambda path: write_whole(path, b""), check_writable, make_folder, lambda path: check_new_folder(path, False)],
)
def test_ctrl_c_right_after_a_file_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], object]
) -> None:
    create = os.open

    def create_and_interrupt(*arguments: Any) -> None:
        os.close(create(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", create_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "x")
    assert [each for each in tmp_path.rglob("*") if each != tmp_path / "x"] == []


def test_ctrl_c_right_after_a_folder_is_made_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Path.mkdir

    def make_and_interrupt(folder: Path) -> None:
        make(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "mkdir", make_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "x", {})
    assert list(tmp_path.iterdir()) == []


def test_somebody_else_s_missing_file_is_not_blamed_on_the_target(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "out"):
        (tmp_path / "input").read_text()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    program = (
        "import resource, sys\n"
        "from glfft.errors import OutputError\n"
        "from glfft.files import atomic_write\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try:\n"
        "    with atomic_write(sys.argv[1]) as path:\n"
        "        path.write_bytes(bytes(1000))\n"
        "except OutputError as error:\n"
        "    print(error)\n"
    )
    assert resource
    target = tmp_path / "big.bin"
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"Cannot write {target}: file too large.\n"
    assert list(tmp_path.iterdir()) == []


def test_permissions_are_those_of_any_new_file_or_of_the_file_replaced(tmp_path: Path) -> None:
    ordinary, ours = tmp_path / "ordinary", tmp_path / "ours"
    ordinary.touch()
    with atomic_write(ours):
        pass
    assert stat.S_IMODE(ours.stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)
    ours.chmod(0o640)
    with atomic_write(ours):
        pass
    assert stat.S_IMODE(ours.stat().st_mode) == 0o640


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real" / "file.txt")
    with atomic_write(link) as temporary:
        temporary.write_text("through the link")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file.txt").read_text() == "through the link"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "not a folder"),
        ("folder", "not a folder"),
        ("new/", "not a folder"),
        ("missing/x.png", "no folder"),
        ("file/x.png", "no folder"),
        ("n" * 300, "too long"),
        ("nul\0.png", "null"),
    ],
)
def test_targets_that_cannot_be_written_are_sentences(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    for write in (check_writable, lambda path: atomic_write(path).__enter__()):
        with pytest.raises(OutputError, match=why) as caught:
            write(name)
        assert str(caught.value).endswith(".")
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs a device file")
def test_a_device_is_not_replaced_by_a_file() -> None:
    with pytest.raises(OutputError, match="device or pipe"):
        check_writable("/dev/null")


def test_checking_leaves_no_trace(tmp_path: Path) -> None:
    check_writable(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_made_but_no_tree(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "out") == tmp_path / "out"
    assert make_folder(tmp_path / "out").is_dir()
    with pytest.raises(OutputError, match="no folder"):
        make_folder(tmp_path / "mistyped" / "out")
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="not a folder"):
        make_folder(tmp_path / "file")


def test_a_folder_takes_files_whatever_is_in_it_and_is_named_if_not(tmp_path: Path) -> None:
    (tmp_path / "probe").mkdir()
    assert make_folder(tmp_path) == tmp_path
    assert [each.name for each in tmp_path.iterdir()] == ["probe"]
    if os.path.isdir("/proc/self"):  # takes no files, not even from root
        with pytest.raises(OutputError, match=r"^Cannot write /proc/self: "):
            make_folder("/proc/self")


def test_bytes_are_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "data.bin"
    write_whole(target, b"before")
    assert target.read_bytes() == b"before"
    with target.open("rb") as still_open:
        write_whole(target, memoryview(b"after"))
        assert still_open.read() == b"before"
    assert target.read_bytes() == b"after"
    # A file system that takes the bytes and keeps some of them.
    write = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", lambda path, content: write(path, bytes(content)[:3]))
    with pytest.raises(OutputError, match="only 3 of 6 bytes"):
        write_whole(target, b"longer")
    assert target.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [target]


def test_a_name_as_long_as_the_system_allows_is_no_hindrance(tmp_path: Path) -> None:
    target = tmp_path / ("n." + "x" * 250)
    write_whole(target, b"content")
    assert list(tmp_path.iterdir()) == [target]


def _killed_while_writing(target: Path) -> Path:
    """The temporary file that a killed process leaves."""
    program = (
        "import os, signal, sys\n"
        "from glfft.files import atomic_write\n"
        "with atomic_write(sys.argv[1]) as temporary:\n"
        "    temporary.write_text('half')\n"
        "    print(temporary, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(target)], stdout=subprocess.PIPE, text=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    left = Path(killed.stdout.strip())
    assert left.read_text() == "half"
    return left


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    left = _killed_while_writing(tmp_path / "data.bin")
    machine, process = left.name.split("-")[1:3]
    for name in (f".glfft-{machine}-{process}-notes.txt", ".glfft-readme", "glfft.bin"):
        (tmp_path / name).touch()
    elsewhere = left.with_name(left.name.replace(machine, f"{int(machine, 16) ^ 1:08x}"))
    elsewhere.touch()
    kept = set(tmp_path.iterdir()) - {left}
    write_whole(tmp_path / "data.bin", b"whole")
    assert set(tmp_path.iterdir()) == kept | {tmp_path / "data.bin"}


def test_what_a_running_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    program = "import sys\nfrom glfft.files import write_whole\nwrite_whole(sys.argv[1], b'of another process')\n"
    with atomic_write(tmp_path / "ours") as temporary:
        temporary.write_text("ours")
        subprocess.run([sys.executable, "-c", program, str(tmp_path / "theirs")], check=True)
        assert temporary.read_text() == "ours"
    assert (tmp_path / "ours").read_text() == "ours"


READERS = {
    "settings.toml": read_settings,
    "buoy.txt": read_spectrum,
    "buoy.data_spec": read_spectrum,
    "path.toml": read_camera_path,
    "sound.wav": wav_samples,
    "samples.f32": lambda path: file_samples(path, "<f4"),
    "recording.sigmf-meta": open_recording,
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", READERS)
def test_no_reader_waits_for_a_pipe_or_reads_a_device_without_end(tmp_path: Path, name: str) -> None:
    pipe, endless = tmp_path / name, tmp_path / "endless" / name
    os.mkfifo(pipe)
    endless.parent.mkdir()
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        with pytest.raises((DataError, UsageError)) as caught:
            READERS[name](path)
        assert_one_sentence(str(caught.value).replace(str(path), "It"))
        assert "is a device or pipe" in str(caught.value)


def test_a_dataset_is_no_pipe(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    os.mkfifo(tmp_path / "buoy.nc")
    with pytest.raises(DataError, match="is a device or pipe"):
        read_spectrum(tmp_path / "buoy.nc")


MANIFEST = json.dumps({"files": ["a.bin"]}).encode()


def test_a_folder_is_written_whole(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "new", {"a.bin": b"1", "manifest.json": MANIFEST})
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == {"a.bin": b"1", "manifest.json": MANIFEST}
    with pytest.raises(OutputError, match="the folder exists"):
        write_folder(folder, {"a.bin": b"2"})
    assert (folder / "a.bin").read_bytes() == b"1"
    write_folder(folder, {"b.bin": b"2", "manifest.json": MANIFEST}, overwrite=True)
    assert {each.name for each in folder.iterdir()} == {"b.bin", "manifest.json"}
    assert [*tmp_path.iterdir()] == [folder]


def test_a_folder_that_cannot_be_finished_is_not_there(tmp_path: Path) -> None:
    for name in ("new", "earlier"):
        if name == "earlier":
            write_folder(tmp_path / name, {"a.bin": b"1", "manifest.json": MANIFEST})
        with pytest.raises(OutputError):
            write_folder(tmp_path / name, {"a.bin": b"2", "no-folder/b.bin": b"3"}, overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["earlier"]
    assert (tmp_path / "earlier" / "a.bin").read_bytes() == b"1"


def test_an_interrupt_while_a_folder_is_replaced_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(tmp_path / "export", {"a.bin": b"1", "manifest.json": MANIFEST})
    monkeypatch.setattr(os, "rename", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, {"a.bin": b"2", "manifest.json": MANIFEST}, overwrite=True)
    assert [*tmp_path.iterdir()] == [folder]
    assert (folder / "a.bin").read_bytes() == b"1"


@pytest.mark.parametrize("kept", ["notes.txt", "folder/notes.txt", "manifest.json"])
def test_a_folder_with_anything_of_ones_own_is_not_replaced(tmp_path: Path, kept: str) -> None:
    folder = tmp_path / "mine"
    (folder / kept).parent.mkdir(parents=True)
    if kept != "manifest.json":
        (folder / "manifest.json").write_bytes(MANIFEST)
    (folder / kept).write_text("mine")
    with pytest.raises(OutputError) as caught:
        write_folder(folder, {"a.bin": b"2", "manifest.json": MANIFEST}, overwrite=True)
    assert_one_sentence(str(caught.value).replace(str(folder), "It"))
    assert (folder / kept).read_text() == "mine"


@pytest.mark.parametrize("path", ["missing/new", "file", "file/new"])
def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    for overwrite in (False, True):
        with pytest.raises(OutputError, match="Cannot"):
            check_new_folder(tmp_path / path, overwrite)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_screenshots_are_numbered_and_none_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "shots"
    assert next_screenshot(folder, "sea") == folder / "sea-001.png"
    for name in ("sea-001.png", "sea-003.png", "bloom-002.png"):
        (folder / name).touch()
    assert next_screenshot(folder, "sea") == folder / "sea-002.png"
    (folder / "sea-002.png").touch()
    assert next_screenshot(folder, "sea") == folder / "sea-004.png"


def test_folders_written_whole_are_not_kept_in_memory(tmp_path: Path) -> None:
    def kept() -> int:
        gc.collect()
        return sum(isinstance(each, Path) and tmp_path in each.parents for each in gc.get_objects())

    for _ in range(100):  # an export a call, each under a name of its own at first
        write_folder(tmp_path / "export", {"manifest.json": b'{"files": []}'}, overwrite=True)
    assert kept() < 80
