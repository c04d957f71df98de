"""What passed on which device: counted, kept, and compared with the shaders of today."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import moderngl
import pytest
from support import device_report
from support.device_report import device_name, hashes, keep, results_of, since, table
from support.paths import ROOT

from glfft.gl import programs

THEN = {"device": "NVIDIA H200", "shaders": {"a.glsl": "1", "b.comp": "2"}, "never compiled": ["c.frag"]}


def report(name: str, why: str = "") -> Any:
    """A test's report, with the parts that are read."""
    return SimpleNamespace(nodeid=name, longrepr=("file.py", 1, f"Skipped: {why}"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What is known of one device."""
    (tmp_path / "nvidia-h200.json").write_text(json.dumps(THEN))
    return tmp_path


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"a.glsl": "1", "b.comp": "2", "c.frag": "3"}, "the same shaders"),
        ({"a.glsl": "1", "b.comp": "2", "c.frag": "changed"}, "the same shaders"),
        ({"a.glsl": "1", "b.comp": "changed", "c.frag": "3"}, "1 shader changed since"),
        ({"a.glsl": "1", "c.frag": "3"}, "1 shader changed since"),
        ({"a.glsl": "changed", "b.comp": "changed", "d.comp": "new"}, "3 shaders changed since"),
    ],
)
def test_shaders_are_counted_that_are_not_what_they_were(folder: Path, now: dict[str, str], words: str) -> None:
    assert since(folder, now) == [f"NVIDIA H200: {words}"]


def test_skipped_tests_are_counted_by_reason_and_failed_ones_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_report, "_skipped_files", {"f.py": "av is not installed"})
    skipped = [report("a", "no display"), report("b", "no display"), report("c", "could not import 'av': No module")]
    stats = {"passed": [report("d")], "skipped": skipped, "failed": [report("e")], "error": [report("e")]}
    found = results_of(stats)
    assert found["passed"] == 1
    assert found["failed"] == ["e"]
    assert found["skipped"] == {"av is not installed": 2, "no display": 2}
    lines = table(found)
    assert any(line.split() == ["failed", "1"] for line in lines)
    assert any(line.split() == ["2", "no", "display"] for line in lines)


def test_what_is_kept_says_that_nothing_has_changed(ctx: moderngl.Context, tmp_path: Path) -> None:
    programs.compute(ctx, "profiling/busy.comp", {"BUSY_BINDING": 1})
    found = results_of({})
    assert "profiling/busy.comp" in found["shaders"]
    assert set(found["shaders"]) | set(found["never compiled"]) == set(hashes())
    written = keep(found, tmp_path)
    assert since(tmp_path, hashes()) == [f"{found['device']}: the same shaders"]
    assert since(tmp_path, {**hashes(), "profiling/busy.comp": "changed"}) == [
        f"{found['device']}: 1 shader changed since"
    ]
    assert written.stat().st_size < 100_000


@pytest.mark.parametrize(
    ("renderer", "name"),
    [
        ("NVIDIA H200/PCIe/SSE2", "NVIDIA H200"),
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe"),
        ("zink (llvmpipe (LLVM 15.0.6, 256 bits))", "zink over llvmpipe"),
        ("AMD Radeon RX 6800 (radeonsi, navi21)", "AMD Radeon RX 6800"),
    ],
)
def test_a_device_is_named_without_what_drivers_add(renderer: str, name: str) -> None:
    assert device_name(renderer) == name


def test_a_python_without_the_packages_is_told_in_a_sentence() -> None:
    line = [sys.executable, "-S", str(ROOT / "tests" / "run_installed.py")]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env={})
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert "no pytest" in sentence
    assert "PYTHON=" in sentence


def test_the_command_ends_with_a_table_and_keeps_nothing_of_a_part_of_the_tests() -> None:
    before = {path: path.read_bytes() for path in device_report.FOLDER.glob("*.json")}
    line = [sys.executable, str(ROOT / "tests" / "run_installed.py"), "tests/test_packaging.py", "-k", "no_such_test"]
    if find_spec("xdist") is not None:
        line += ["-n", "0"]  # processes for no test
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert [each.split() for each in done.stdout.splitlines() if each.startswith("passed")] == [["passed", "0"]]
    assert {path: path.read_bytes() for path in device_report.FOLDER.glob("*.json")} == before
