"""The user's wisdom file: kept across processes, and no harm from files of any kind."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import platformdirs
import pytest
from filelock import FileLock, Timeout
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows
from support.wisdom import KERNEL, OTHER, chosen, entry, next_process, valid, why

from glfft.errors import DataError
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, read, to_json


def test_what_was_measured_is_kept_for_the_next_process(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen() != KERNEL
    store.remember([entry()])
    assert chosen() == KERNEL
    next_process(monkeypatch)
    assert chosen() == KERNEL
    assert why() == "tuned on this device: 5 us a pass of 4096 points of rg32f"


def test_a_measurement_made_while_another_thread_reads_the_file_is_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_wisdom = store._own_wisdom

    def read_slowly(place: Path | None) -> object:
        found = read_wisdom(place)
        monkeypatch.setattr(store, "_own_wisdom", read_wisdom)
        store.remember([entry()])
        return found

    monkeypatch.setattr(store, "_own_wisdom", read_slowly)
    assert store.entries() == [entry()] == store.entries()


def test_no_file_is_written_where_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(store.VARIABLE, "")
    next_process(monkeypatch)
    store.remember([entry()])
    assert chosen() == KERNEL
    assert not list(tmp_path.iterdir())
    assert not recwarn.list


@pytest.mark.parametrize(
    ("system", "variables", "expected"),
    [
        (Unix, {"XDG_CACHE_HOME": "/some/cache"}, "/some/cache/glfft/wisdom.json"),
        (Unix, {}, "/home/somebody/.cache/glfft/wisdom.json"),
        (Unix, {"XDG_CACHE_HOME": "not/absolute"}, "/home/somebody/.cache/glfft/wisdom.json"),
        (MacOS, {}, "/home/somebody/Library/Caches/glfft/wisdom.json"),
        # How platformdirs lets others than Windows say where its folder is.
        (Windows, {"WIN_PD_OVERRIDE_LOCAL_APPDATA": "C:/local"}, "C:/local/glfft/wisdom.json"),
        (Unix, {store.VARIABLE: "/named/file.json"}, "/named/file.json"),
    ],
)
def test_the_file_is_where_the_system_keeps_caches(
    system: type, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", store.VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    assert store.path() == Path(expected)


def test_without_a_home_there_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(number: int) -> None:
        raise KeyError(number)

    monkeypatch.delenv(store.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    assert store.path() is None
    assert store.why_nowhere() == "there is no home folder"


def test_the_folders_of_the_default_file_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(store.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store.remember([entry()])
    assert read((tmp_path / "cache" / "glfft" / "wisdom.json").read_text()).entries == (entry(),)


def as_text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(as_text(""), id="empty"),
        pytest.param(as_text(valid()[:-20]), id="cut off"),
        pytest.param(as_text("[]"), id="a list"),
        pytest.param(as_text("null"), id="nothing"),
        pytest.param(as_text('{"version": 2}'), id="no entries"),
        pytest.param(as_text('{"version": 2, "entries": {}}'), id="entries of another kind"),
        pytest.param(as_text(valid().replace('"version": 2', '"version": 0')), id="an old version"),
        pytest.param(as_text(valid().replace('"version": 2', '"version": 99')), id="a later version"),
        pytest.param(as_text('{"entries": []}'), id="no version"),
        pytest.param(as_text("[" * 100_000), id="nested without end"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00\x80" * 50), id="not text"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(os.mkfifo, id="a pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="without end"),
    ],
)
def test_a_file_that_cannot_be_read_does_no_harm(
    make: Callable[[Path], object], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = chosen()
    next_process(monkeypatch)
    make(file)
    content = file.read_bytes() if file.is_file() else None
    with pytest.warns(UserWarning, match="ignored") as record:
        assert chosen() == before
    assert chosen() == before
    assert len(record) == 1
    (sentence,) = (str(each.message) for each in record)
    assert str(file) in sentence
    # Nor is it replaced: it may be a later glfft's. What is measured serves this process.
    with pytest.warns(UserWarning, match="Cannot save"):
        store.remember([entry()])
    assert chosen() == KERNEL
    assert (file.read_bytes() if file.is_file() else None) == content


def test_two_processes_keep_what_both_measured(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(store.entries())
    file.write_text(to_json([entry(rows=8), entry(microseconds=9.0, rows=16)]))
    store.remember([entry(OTHER, 7.0)])
    expected = {entry(rows=8), entry(microseconds=9.0, rows=16), entry(OTHER, 7.0)}
    assert set(read(file.read_text()).entries) == set(store.entries()) == expected
    # What the other has measured since takes the place of what this one knew.
    file.write_text(to_json([entry(OTHER, 3.0, rows=8)]))
    store.remember([entry(rows=32)])
    assert set(read(file.read_text()).entries) >= {entry(OTHER, 3.0, rows=8), entry(rows=32)}
    assert entry(rows=8) not in store.entries()


# One process has read the file and pauses before it writes; meanwhile the other saves, or finds that it has to wait.
_PAUSE = """
def pause_and_write(*given, write=store.write_file):
    print("about to write", flush=True)
    sys.stdin.readline()
    write(*given)
store.write_file = pause_and_write
"""
_TELL_OF_WAITING = """
import time
def tell(seconds):
    print("waiting", flush=True)
    sys.stdin.readline()
time.sleep = tell
"""


@contextmanager
def saving(saved: Entry, first: str) -> Iterator[subprocess.Popen[str]]:
    """A process that saves an entry."""
    script = f"import sys\nfrom glfft.wisdom import entries, store\n{first}\n"
    script += "store.remember(entries.read(sys.argv[1]).entries)\nprint('saved')"
    line = [sys.executable, "-W", "error", "-c", script, to_json([saved])]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_two_processes_that_save_at_once_lose_nothing(file: Path) -> None:
    file.write_text(to_json([entry(rows=8)]))
    with saving(entry(), _PAUSE) as one:
        assert said(one) == "about to write"
        with saving(entry(OTHER, rows=16), _TELL_OF_WAITING) as other:
            assert said(other) in ("waiting", "saved")
            assert one.communicate("\n", timeout=60)[0] == "saved\n"
            other.communicate("\n", timeout=60)
    assert (one.returncode, other.returncode) == (0, 0)
    assert set(read(file.read_text()).entries) == {entry(rows=8), entry(), entry(OTHER, rows=16)}


@pytest.mark.parametrize("trouble", ["no locks", "no file to lock", "one that hangs"])
def test_where_no_lock_is_to_be_had_it_is_saved_all_the_same(
    trouble: str, file: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    def no_locks(opened: int, how: int) -> None:
        raise OSError(errno.ENOSYS, "No locks available")

    with ExitStack() as stack:
        if trouble == "no locks":
            monkeypatch.setattr("fcntl.flock", no_locks)
        elif trouble == "no file to lock":
            lock_of(file).mkdir()
        else:
            monkeypatch.setattr(store, "_LONGEST_WAIT", 0.0)
            stack.enter_context(FileLock(lock_of(file)))
        store.remember([entry()])
    assert read(file.read_text()).entries == (entry(),)
    assert not recwarn.list


def lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")


def test_two_names_of_one_file_have_one_lock(file: Path) -> None:
    link = file.with_name("link.json")
    link.symlink_to(file)
    with store._locked(link), pytest.raises(Timeout):
        FileLock(lock_of(file)).acquire(timeout=0.0)
    FileLock(lock_of(file)).acquire(timeout=0.0).lock.release()


def test_entries_of_a_later_glfft_outlast_saving(file: Path) -> None:
    content = json.loads(valid())
    (good,) = content["entries"]
    later = [{**good, "family": "bluestein"}, {**good, "watts": 3.5}]
    file.write_text(json.dumps({"version": 2, "entries": [*later, good]}))
    store.remember([entry(OTHER, rows=8)])
    store.take_over([entry(OTHER, 4.0, rows=16)])
    written = json.loads(file.read_text())["entries"]
    assert all(each in written for each in later)
    assert set(read(file.read_text()).entries) == {entry(), entry(OTHER, rows=8), entry(OTHER, 4.0, rows=16)}
    assert len(written) == 5


def test_a_new_measurement_takes_the_place_of_an_old_one(file: Path) -> None:
    store.remember([entry()])
    # Slower than what an earlier run found: but by now it is the better one, beside the earlier winner.
    store.remember([entry(OTHER, 6.0)])
    assert read(file.read_text()).entries == (entry(OTHER, 6.0),)


def test_of_imported_measurements_the_faster_stay(file: Path) -> None:
    store.remember([entry(), entry(rows=8)])
    given = [entry(OTHER, 6.0), entry(OTHER, 4.0, rows=8), entry(rows=16), entry(OTHER, 4.0, rows=16), entry(rows=16)]
    assert store.take_over(given) == 2
    assert set(store.entries()) == {entry(), entry(OTHER, 4.0, rows=8), entry(OTHER, 4.0, rows=16)}
    assert set(read(file.read_text()).entries) == set(store.entries())


def test_a_name_no_file_can_have_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / ("long" * 100)))
    with pytest.warns(UserWarning, match="Cannot save"):
        store.remember([entry()])
    assert chosen() == KERNEL


def test_where_it_cannot_be_written_it_serves_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "nowhere" / "wisdom.json"))
    with pytest.warns(UserWarning, match="as long as this process"):
        store.remember([entry()])
    assert chosen() == KERNEL
    assert not list(tmp_path.iterdir())


def test_a_file_too_large_for_wisdom_is_not_read_to_the_end(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(DataError, match="64 MiB"):
        store.read_file(large)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_a_pipe_or_device_is_not_imported(make: Callable[[Path], object], tmp_path: Path) -> None:
    named = tmp_path / "named.json"
    make(named)
    with pytest.raises(DataError, match="device or pipe"):
        store.read_file(named)


def test_a_byte_order_mark_is_no_obstacle(file: Path, tmp_path: Path) -> None:
    file.write_text(valid(), encoding="utf-8-sig")
    assert store.read_file(file).entries == (entry(),)
    assert chosen() == KERNEL
