"""What passed on which device: counted at the end of a run, kept in docs/devices, and compared with today's shaders.

A plugin of pytest that conftest.py registers. With pytest-xdist each worker tells the controller which shader files it
has compiled, and on which device.

Shaders are compared file by file, and not by the text that was compiled: limits of the device, such as its shared
memory, decide what constants and stages that text has. A constant that Python writes anew does not show.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import platform
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import moderngl
import pytest

from glfft.gl import programs
from glfft.gl.context import state_of
from glfft.gl.source import Source
from support.paths import ROOT, SHADERS, shader_files

FOLDER = ROOT / "docs" / "devices"
PAGE = ROOT / "docs" / "devices.md"

_compiled: set[str] = set()
_devices: list[dict[str, str]] = []
_skipped_files: dict[str, str] = {}


def add_options(parser: pytest.Parser) -> None:
    """What a run says at its end, and what it leaves behind."""
    parser.addoption(
        "--devices", action="store_true", help="end with what has changed since each device of docs/devices"
    )
    parser.addoption(
        "--results", action="store_true", help="end with a table: device, passed, failed, skipped by reason"
    )
    parser.addoption("--keep-results", action="store_true", help="write that table into docs/devices too")


def register(config: pytest.Config) -> None:
    """Note the files of every program that is compiled from now on, and take part in this run."""
    programs.compute_alone = _noting(programs.compute_alone)
    config.pluginmanager.register(sys.modules[__name__], "device report")


def _noting(build: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(build)
    def noting(ctx: moderngl.Context, *sources: Source) -> Any:
        found = build(ctx, *sources)
        for source in sources:
            _compiled.update(path for path, _ in source.origins if path)
        return found

    return noting


def note_device(ctx: moderngl.Context) -> None:
    """Remember the device of the context that the tests share."""
    device = state_of(ctx).device
    _devices.append({"device": device_name(device.renderer), "renderer": device.renderer, "driver": device.driver})


def device_name(renderer: str) -> str:
    """A device's name without the bus, compiler and processor features that drivers add to it."""
    over = re.fullmatch(r"zink \((.+)\)", renderer)
    if over:
        return f"zink over {device_name(over[1])}"
    return re.split(r"/| \(", renderer)[0].strip()


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file of tests that is skipped as a whole: a worker does not tell the controller."""
    if report.skipped:
        _skipped_files[report.nodeid] = reason(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the controller what this worker knows."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output.update(compiled=sorted(_compiled), devices=_devices, skipped_files=_skipped_files)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a worker knows. One that has crashed says nothing."""
    output = getattr(node, "workeroutput", {})
    _compiled.update(output.get("compiled", ()))
    _devices.extend(output.get("devices", ()))
    _skipped_files.update(output.get("skipped_files", {}))


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """End the run with what was asked for."""
    lines: list[str] = []
    if config.getoption("--results"):
        results = results_of(terminalreporter.stats)
        lines += table(results)
        if config.getoption("--keep-results") and _is_whole(config, exitstatus):
            lines.append(f"kept in {keep(results, FOLDER).relative_to(ROOT)}")
            _write_page()
    if config.getoption("--devices"):
        lines += since(FOLDER, hashes())
    if lines:
        terminalreporter.section("devices")
    for line in lines:
        terminalreporter.write_line(line)


def _write_page() -> None:
    """Write the tables of the page on devices anew."""
    from support.documents import make_pages  # imports more than other runs need

    PAGE.write_text(make_pages.with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def _is_whole(config: pytest.Config, exitstatus: int) -> bool:
    """Whether all tests that `make test` runs have come to their end, if with failures."""
    chosen = config.option.keyword or config.option.markexpr != "not slow" or config.option.maxfail
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    return ended and not chosen and config.args_source is pytest.Config.ArgsSource.TESTPATHS


def results_of(stats: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
    """A run as it is kept: device, driver, date, counts, and the hash of each shader file that was compiled."""
    device = _devices[0] if _devices else {"device": "no device", "renderer": "", "driver": ""}
    reports = {outcome: list(stats.get(outcome, ())) for outcome in ("passed", "failed", "error", "skipped")}
    skipped = {each.nodeid: reason(each) for each in reports["skipped"]} | _skipped_files
    now = hashes()
    return {
        **device,
        "system": f"{platform.system()}, Python {platform.python_version()}",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "passed": len(reports["passed"]),
        "failed": sorted({each.nodeid for each in (*reports["failed"], *reports["error"])}),
        "skipped": dict(sorted(Counter(skipped.values()).items())),
        "shaders": {path: now[path] for path in now if path in _compiled},
        "never compiled": [path for path in now if path not in _compiled],
    }


def reason(report: Any) -> str:
    """Why a test was skipped, in the words of the test."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    missing = re.search(r"could not import '([\w.]+)'", text)  # pytest.importorskip
    return f"{missing[1]} is not installed" if missing else " ".join(text.split()).removeprefix("Skipped: ")


def table(results: Mapping[str, Any]) -> list[str]:
    """Lines for people: the device, and what came out of the run."""
    rows = [
        ("device", results["device"]),
        ("driver", results["driver"]),
        ("passed", str(results["passed"])),
        ("failed", str(len(results["failed"]))),
        ("skipped", str(sum(results["skipped"].values()))),
        *(("", f"{count} {why}") for why, count in results["skipped"].items()),
    ]
    return [f"{name:8} {value}" for name, value in rows]


def keep(results: Mapping[str, Any], folder: Path) -> Path:
    """Write results as the device's file in a folder; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", results["device"].lower()).strip("-")
    path = folder / f"{name}.json"
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return path


@functools.cache
def hashes() -> dict[str, str]:
    """A short hash of every shader file, by its path below shaders/."""
    return {path.relative_to(SHADERS).as_posix(): digest(path) for path in sorted(shader_files())}


def digest(path: Path) -> str:
    """A short hash of a text, the same wherever lines end in another way."""
    text = path.read_text(encoding="utf-8")
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def since(folder: Path, now: Mapping[str, str]) -> list[str]:
    """A line for each device of a folder: how many shader files are other ones, new or gone since its tests ran.

    Args:
        folder: the files that `keep` wrote.
        now: today's shader files and their hashes.
    """
    lines = []
    for path in sorted(folder.glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        then = results["shaders"]
        changed = sum(now.get(name) != known for name, known in then.items())
        changed += len(set(now) - set(then) - set(results["never compiled"]))
        words = f"{changed} shader{'s' * (changed > 1)} changed since" if changed else "the same shaders"
        lines.append(f"{results['device']}: {words}")
    return lines
