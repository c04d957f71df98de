"""`glfft info`: what it reports, and how it fails."""

from __future__ import annotations

import json

import pytest
from support.processes import glfft_process

import glfft
from glfft.algorithms.registry import algorithm_names
from glfft.apps import system_report
from glfft.commands import cli


def test_every_algorithm_is_reported_as_right() -> None:
    done = glfft_process("info", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(report["algorithms"]) == set(algorithm_names())
    for name, found in report["algorithms"].items():
        assert found["snr_db"] >= 130.0, name
        assert found["passed"], name
        both_axes = name == "stockham-tiles"  # and no line alone
        assert both_axes or 2 <= found["max_length"] <= report["limits"]["texture_size"], name
        assert not both_axes or found["max_length"] is None
    assert report["limits"]["float64"] is (report["double"] is not None)
    assert report["double"] is None or report["double"]["passed"]
    assert report["study"] == algorithm_names(study=True)
    assert report["versions"]["glfft"] == glfft.__version__


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_versions_are_reported_even_where_there_is_no_opengl(form: tuple[str, ...]) -> None:
    # An index that no machine has, through the variable that has the last word.
    done = glfft_process("info", *form, GLCONTEXT_DEVICE_INDEX="4096")
    assert done.returncode == 1
    if form:
        report = json.loads(done.stdout)
        assert report["versions"]["glfft"] == glfft.__version__
        assert "4096" in report["error"]
    else:
        assert f"glfft {glfft.__version__}" in done.stdout
    assert "4096" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_wrong_algorithm_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        system_report,
        "self_check",
        lambda _ctx, algorithm, **_options: 40.0 if algorithm == "stockham-radix2" else 137.0,
    )
    assert cli.main(["info"]) == 1
    output = capsys.readouterr()
    assert "WRONG" in output.out
    assert "glfft info: The self-check failed for stockham-radix2; " in output.err


def test_double_precision_that_is_none_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_report, "self_check", lambda _ctx, _algorithm, **_options: 137.0)
    assert cli.main(["info"]) == 1
    output = capsys.readouterr()
    assert "double precision: 137.0 dB  WRONG, 290 dB expected" in output.out
    assert "glfft info: The self-check failed in double precision; " in output.err
