"""Measured kernels: found where they apply, kept across processes, and no harm from files of any kind."""

from __future__ import annotations

import errno
import json
import math
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path
from typing import Any

import moderngl
import platformdirs
import pytest
from filelock import FileLock, Timeout
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows
from support.kernels import kernels

import glfft
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.kernel import Kernel
from glfft.algorithms.storage import STORAGES
from glfft.commands import cli
from glfft.errors import DataError
from glfft.gl.context import driver_of
from glfft.gl.device import Limits
from glfft.wisdom import lookup, store
from glfft.wisdom.entries import Entry, parse, to_json

DEVICE = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
RENDERER, DRIVER = "Some Device 7", "Some Driver 1.2"
KERNEL = Kernel((4, 4, 4), 4, lines=2)
OTHER = Kernel((8, 8), 8, lines=1)


def request(storage: str = "rg32f", rows: int = 64, renderer: str = RENDERER, driver: str = DRIVER) -> AxisRequest:
    return AxisRequest((rows, 64), 1, -1, 1.0, False, None, STORAGES[storage], DEVICE, renderer, driver)


def entry(kernel: Kernel = KERNEL, microseconds: float = 5.0, **asked: Any) -> Entry:
    return Entry.of(request(**asked), kernel, microseconds)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file that is not there yet; what this process knows begins anew with it."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path


def next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what only this process knows."""
    monkeypatch.setattr(store, "_known", {})


def chosen(wanted: AxisRequest | None = None) -> Kernel:
    return choose.choose(wanted or request())[0]


def test_json_brings_back_every_entry() -> None:
    sample = kernels(DEVICE, [2**exponent for exponent in range(1, 13)] * 3, seed=5, heaviest=1024)
    generator = random.Random(5)
    entries = [
        replace(
            Entry.of(request(storage.name), kernel, generator.uniform(1, 1e5)),
            length=kernel.length,
            points=generator.randrange(1, 2**30),
        )
        for kernel, storage in sample
    ]
    assert set(parse(to_json(entries))) == set(entries)
    assert to_json(reversed(entries)) == to_json(entries)


def test_what_is_shipped_is_understood_to_the_last_entry() -> None:
    files = [file for file in resources.files("glfft.wisdom").iterdir() if file.name.endswith(".json")]
    assert files
    assert len(lookup.shipped()) == sum(len(json.loads(file.read_text())["entries"]) for file in files)


def test_what_was_measured_is_kept_for_the_next_process(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen() != KERNEL
    store.remember([entry()])
    assert chosen() == KERNEL
    next_process(monkeypatch)
    kernel, why = choose.choose(request())
    assert kernel == KERNEL
    assert why == "tuned on this device: 5 us a pass of 4096 points of rg32f"


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


@pytest.mark.parametrize(
    ("platform", "system", "earlier"), [("darwin", MacOS, "Library/Caches/glfft"), ("win32", Windows, "Local/glfft")]
)
def test_a_file_where_it_used_to_be_stays_in_use(
    platform: str, system: type, earlier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # platformdirs says otherwise on a Mac with XDG_CACHE_HOME, and where LOCALAPPDATA is not what Windows says.
    monkeypatch.delenv(store.VARIABLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/cache")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", "C:/local")
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    file = tmp_path / earlier / "wisdom.json"
    assert store.path() not in (None, file)
    file.parent.mkdir(parents=True)
    file.write_text(to_json([entry()]))
    assert store.path() == file
    assert set(store.entries()) == {entry()}


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
    assert parse((tmp_path / "cache" / "glfft" / "wisdom.json").read_text()) == (entry(),)


def valid(**changes: object) -> str:
    """A file of one entry that applies, but for what is changed in it or its kernel."""
    content = asdict(entry())
    for name, value in changes.items():
        (content if name in content else content["kernel"])[name] = value
    return json.dumps({"version": 1, "entries": [content]})


def as_text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


def test_a_valid_file_is_taken(file: Path) -> None:
    file.write_text(valid())
    assert chosen() == KERNEL


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(as_text(""), id="empty"),
        pytest.param(as_text(valid()[:-20]), id="cut off"),
        pytest.param(as_text("[]"), id="a list"),
        pytest.param(as_text("null"), id="nothing"),
        pytest.param(as_text('{"version": 1}'), id="no entries"),
        pytest.param(as_text('{"version": 1, "entries": {}}'), id="entries of another kind"),
        pytest.param(as_text(valid().replace('"version": 1', '"version": 0')), id="an old version"),
        pytest.param(as_text(valid().replace('"version": 1', '"version": 99')), id="a later version"),
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
    with pytest.warns(UserWarning, match="Cannot keep"):
        store.remember([entry()])
    assert chosen() == KERNEL
    assert (file.read_bytes() if file.is_file() else None) == content


@pytest.mark.parametrize(
    "changes",
    [
        {"renderer": "Another Device"},
        {"renderer": "Some Device 75"},
        {"renderer": "some device"},
        {"driver": "Some Driver 1.3"},
        {"length": 128},
        {"axis": 0},
        {"radices": [4, 4, 8]},
        {"radices": [4, 4, 4, 4]},
        {"radices": [4, 4]},
        {"radices": [64]},
        {"radices": []},
        {"radices": None},
        {"radices": [4.0, 4, 4]},
        {"points": 0, "renderer": RENDERER},
        {"points": 10**400, "renderer": RENDERER},
        {"lines": 0},
        {"lines": -1},
        {"lines": 1 << 20},
        {"lines": "2"},
        {"side_by_side": "yes"},
        {"exchange": "AT_ONCE"},
        {"padding": 3},
        {"padding": -4},
        {"padding": 1 << 40},
        {"microseconds": 0.0},
        {"microseconds": math.nan},
        {"microseconds": "5"},
        {"microseconds": 10**400},
        {"components": None},
        {"storage": 4},
        {"kernel": "fast"},
        {"kernel": None},
        {"unheard_of": 1, "kernel": {**asdict(KERNEL), "unheard_of": 1}},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_entries_that_do_not_apply_are_ignored_without_a_word(changes: dict[str, object], file: Path) -> None:
    reasoned = choose.reasoned(request())
    file.write_text(valid(**changes))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen() == reasoned


def test_points_of_a_thread_that_make_no_sense_are_ignored(file: Path) -> None:
    for points in (0, -4, 2, 3, 128):
        content = json.loads(valid())
        content["entries"][0]["kernel"]["points"] = points
        assert parse(json.dumps(content)) == () or not parse(json.dumps(content))[0].speaks_of(request())


def test_a_sound_entry_beside_broken_ones_is_taken(file: Path) -> None:
    content = json.loads(valid())
    content["entries"] = [None, 3, {}, [], *content["entries"], {"renderer": RENDERER}]
    file.write_text(json.dumps(content))
    assert chosen() == KERNEL


def test_what_does_not_fit_a_smaller_device_is_ignored(file: Path) -> None:
    store.remember([entry()])
    small = replace(request(), limits=replace(DEVICE, shared_memory=KERNEL.shared_bytes(8) - 1))
    assert chosen(small) != KERNEL
    assert chosen(small).fits(small.limits, 8)


def test_two_processes_keep_what_both_measured(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(store.entries())
    file.write_text(to_json([entry(rows=8), entry(microseconds=9.0, rows=16)]))
    store.remember([entry(OTHER, 7.0)])
    expected = {entry(rows=8), entry(microseconds=9.0, rows=16), entry(OTHER, 7.0)}
    assert set(parse(file.read_text())) == set(store.entries()) == expected


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
    script += "store.remember(entries.parse(sys.argv[1]))\nprint('saved')"
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
    assert set(parse(file.read_text())) == {entry(rows=8), entry(), entry(OTHER, rows=16)}


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
    assert parse(file.read_text()) == (entry(),)
    assert not recwarn.list


def lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")


def test_two_names_of_one_file_have_one_lock(file: Path) -> None:
    link = file.with_name("link.json")
    link.symlink_to(file)
    with store._locked(link), pytest.raises(Timeout):
        FileLock(lock_of(file)).acquire(timeout=0.0)
    FileLock(lock_of(file)).acquire(timeout=0.0).lock.release()


def test_a_new_measurement_takes_the_place_of_an_old_one(file: Path) -> None:
    store.remember([entry()])
    # Slower than what an earlier run found: but by now it is the better one, beside the earlier winner.
    store.remember([entry(OTHER, 6.0)])
    assert parse(file.read_text()) == (entry(OTHER, 6.0),)


def test_of_imported_measurements_the_faster_stay(file: Path) -> None:
    store.remember([entry(), entry(rows=8)])
    taken = store.take_over([entry(OTHER, 6.0), entry(OTHER, 4.0, rows=8), entry(rows=16), entry(OTHER, 4.0, rows=16)])
    assert taken == 2
    assert set(store.entries()) == {entry(), entry(OTHER, 4.0, rows=8), entry(OTHER, 4.0, rows=16)}
    assert set(parse(file.read_text())) == set(store.entries())


def test_a_name_no_file_can_have_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / ("long" * 100)))
    with pytest.warns(UserWarning, match="Cannot keep"):
        store.remember([entry()])
    assert chosen() == KERNEL


def test_where_it_cannot_be_written_it_serves_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "nowhere" / "wisdom.json"))
    with pytest.warns(UserWarning, match="as long as this process"):
        store.remember([entry()])
    assert chosen() == KERNEL
    assert not list(tmp_path.iterdir())


def test_the_entry_nearest_in_points_is_taken(file: Path) -> None:
    store.remember([entry(rows=8), entry(OTHER, rows=1024)])
    assert chosen(request(rows=16)) == KERNEL
    assert chosen(request(rows=512)) == OTHER


def test_a_neighbour_is_called_one(file: Path) -> None:
    store.remember([entry(rows=8)])
    of_its_own = "tuned on this device: 5 us a pass of 512 points of rg32f"
    assert choose.choose(request(rows=8))[1] == of_its_own
    assert choose.choose(request(rows=16))[1] == f"{of_its_own}, the nearest measured to 1024 points of rg32f"
    assert choose.choose(request("rg16f", rows=8))[1] == f"{of_its_own}, the nearest measured to 512 points of rg16f"
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    rows = {points: choose.choose(request(rows=points // 64, **nvidia))[1] for points in (2**10, 2**24)}
    assert all(", the nearest measured to " in why for why in rows.values())
    measured = next(each for each in lookup.shipped() if each.length == 64 and each.axis == 1 and each.components == 2)
    exact = replace(request(), renderer=measured.renderer, shape=(measured.points // 64, 64))
    assert "nearest" not in choose.choose(exact)[1]


def test_the_same_storage_comes_before_the_same_number_of_points(file: Path) -> None:
    store.remember([entry(), entry(OTHER, storage="rg16f", rows=8)])
    assert chosen(request("rg16f")) == OTHER
    assert chosen(request("buffer")) in (KERNEL, OTHER)
    assert chosen(request("rgba32f")) in (KERNEL, OTHER)


def test_what_was_tuned_here_comes_before_what_is_shipped(file: Path) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    shipped, why = choose.choose(request(**nvidia))
    assert why.startswith("shipped wisdom: ")
    assert shipped != OTHER
    store.remember([entry(OTHER, **nvidia)])
    assert chosen(request(**nvidia)) == OTHER
    # What is shipped for a picture of this size is nearer than what was tuned for one a thousand times as large.
    store.remember([replace(entry(OTHER, **nvidia), points=2**22)])
    store._known[store.path()].pop(entry(OTHER, **nvidia).key)
    assert chosen(request(**nvidia)) == shipped


def test_a_plan_runs_what_is_kept_and_says_so(ctx: moderngl.Context, file: Path) -> None:
    with glfft.Plan(ctx, (8, 64)) as plan:
        assert KERNEL.radices not in [each.spec.radices for each in plan._ways[-1].passes]
    renderer, driver = str(ctx.info["GL_RENDERER"]), driver_of(ctx)
    store.remember([entry(rows=8, renderer=renderer, driver=driver)])
    with glfft.Plan(ctx, (8, 64)) as plan:
        assert KERNEL.radices in [each.spec.radices for each in plan._ways[-1].passes]
        assert "rows: tuned on this device" in plan.explain()


def test_the_driver_is_named_without_the_profile_asked_for() -> None:
    class Context:
        def __init__(self, version: str) -> None:
            self.info = {"GL_VERSION": version}

    for version, expected in {
        "4.5 (Core Profile) Mesa 22.3.6": "Mesa 22.3.6",
        "4.5 (Compatibility Profile) Mesa 22.3.6": "Mesa 22.3.6",
        "4.6.0 NVIDIA 580.159.04": "NVIDIA 580.159.04",
        "4.3.0 NVIDIA 580.159.04": "NVIDIA 580.159.04",
        "4.6.0 - Build 31.0.101.2111": "Build 31.0.101.2111",
        "4.6.0 Core Profile Context 22.20.27": "22.20.27",
        "4.3": "unknown",
    }.items():
        assert driver_of(Context(version)) == expected  # pyright: ignore[reportArgumentType]


def test_files_are_exchanged_by_the_command(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store.remember([entry(), entry(rows=8)])
    exported = tmp_path / "exported.json"
    assert cli.main(["tune", "--export", str(exported)]) == 0
    assert set(parse(exported.read_text())) == set(store.entries())
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "other.json"))
    assert cli.main(["tune", "--import", str(exported), str(exported)]) == 0
    assert set(parse((tmp_path / "other.json").read_text())) == {entry(), entry(rows=8)}
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{exported}: took in 2 of 2 kernels",
        f"{exported}: took in 0 of 2 kernels; left out 2 (no faster than what is known)",
    ]


def test_an_import_says_what_it_leaves_out_and_why(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.remember([entry(rows=8)])
    content = json.loads(to_json([entry(), entry(OTHER, 9.0, rows=8), entry(rows=16), entry(rows=32), entry(rows=128)]))
    broken = content["entries"][-3:]
    broken[0]["kernel"]["lines"] = 0
    broken[1]["unheard_of"] = 1
    del broken[2]["kernel"]["radices"]
    named = tmp_path / "named.json"
    named.write_text(json.dumps(content))
    assert cli.main(["tune", "--import", str(named)]) == 0
    assert capsys.readouterr().out == (
        f"{named}: took in 1 of 5 kernels; left out 1 (no faster than what is known), "
        "1 (no kernel has such values), 2 (fields are missing, or unknown to this glfft)\n"
    )


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
    assert store.read_file(file)[0] == (entry(),)
    assert chosen() == KERNEL


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
