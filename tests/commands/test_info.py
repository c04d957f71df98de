"""`glfft info`: what it reports, and how it fails."""

from __future__ import annotations

import pytest
from support.processes import glfft_process

import glfft
from glfft.algorithms.registry import algorithm_names
from glfft.apps import system_report
from glfft.commands import cli


def test_every_algorithm_is_reported_as_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check = system_report.self_check
    # tests/apps/test_signal_to_noise.py has the check of each, which compiles all its programs.
    monkeypatch.setattr(
        system_report, "self_check", lambda ctx, name: check(ctx, "auto") if name == "auto" else 130.0 + len(name)
    )
    assert cli.main(["info"]) == 0
    versions, checks, study = capsys.readouterr().out.split("\n\n")
    assert f"glfft {glfft.__version__}" in versions
    rows = [line.split() for line in checks.splitlines()[1:]]
    assert [name for name, *_ in rows] == list(algorithm_names())
    for name, *longest, decibels, unit, verdict in rows:
        assert float(decibels) >= 130.0 if name == "auto" else float(decibels) == 130.0 + len(name), name
        assert (unit, verdict) == ("dB", "ok"), name
        assert int(longest[0]) >= 2, name
    assert all(f"{name} " in study for name in algorithm_names(study=True))


def test_versions_are_reported_even_where_there_is_no_opengl() -> None:
    # An index that no machine has, through the variable that has the last word.
    done = glfft_process("info", GLCONTEXT_DEVICE_INDEX="4096")
    assert done.returncode == 1
    assert f"glfft {glfft.__version__}" in done.stdout
    assert "4096" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_wrong_algorithm_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        system_report, "self_check", lambda _ctx, algorithm: 40.0 if algorithm == "stockham-radix2" else 137.0
    )
    assert cli.main(["info"]) == 1
    output = capsys.readouterr()
    assert "WRONG" in output.out
    assert "glfft info: The self-check failed for stockham-radix2; " in output.err
