"""What a bug report needs: which algorithms are wrong or fail, and where tuned kernels are kept."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest
from support.kernels import restrict_device

from glfft import errors
from glfft.apps import system_report
from glfft.wisdom import store


def test_a_wrong_algorithm_and_one_that_fails_are_told_apart(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_ctx: object, algorithm: str) -> float:
        if algorithm == "cooley-tukey":
            raise errors.ShaderError("stockham.comp:12: syntax error")
        return 40.0 if algorithm == "stockham-radix2" else 137.0

    monkeypatch.setattr(system_report, "self_check", broken)
    report = system_report.check_algorithms(ctx)
    assert [name for name, found in report.items() if not found["passed"]] == ["cooley-tukey", "stockham-radix2"]
    text = system_report.algorithms_text(report)
    assert "stockham.comp:12: syntax error" in text
    assert "WRONG" in text


def test_double_precision_is_checked_where_there_is_some(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = system_report.check_double(ctx)
    assert found is not None
    assert found["passed"]
    assert found["snr_db"] > 290
    assert f"{found['snr_db']} dB  ok" in system_report.double_text(found)
    # Of doubles that are only as exact as floats.
    monkeypatch.setattr(system_report, "self_check", lambda *_args, **_options: 145.0)
    assert "WRONG, 290 dB expected" in system_report.double_text(system_report.check_double(ctx))
    restrict_device(ctx, monkeypatch, float64=False)
    assert system_report.check_double(ctx) is None
    assert "no float64" in system_report.double_text(None)


def test_the_report_says_where_tuned_kernels_are_kept(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(file))
    assert system_report.describe_device(ctx)["wisdom"] == f"{file}, 0 tuned kernels"
    monkeypatch.setenv(store.VARIABLE, "")
    assert system_report.describe_device(ctx)["wisdom"] == "not saved (GLFFT_WISDOM is empty)"


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_report, "_PACKAGES", ("moderngl", "no-such-package"))
    found = system_report.versions()
    assert found["no-such-package"] is None
    text = system_report.versions_text(found)
    assert f"moderngl {found['moderngl']}" in text
    assert "not installed no-such-package" in text
