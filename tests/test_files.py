"""Results are written whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from glfft.errors import OutputError
from glfft.files import atomic_write, check_writable, make_folder


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
        ("file/x.png", "not a directory"),
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
