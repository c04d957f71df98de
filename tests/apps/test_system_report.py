"""What a bug report needs: which algorithms are wrong or fail, and where tuned kernels are kept."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import moderngl
import pytest
from support.kernels import restrict_device
from support.paths import ROOT

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
    text, wrong = system_report.self_checks(ctx)
    assert wrong == ["cooley-tukey", "stockham-radix2"]
    assert "stockham.comp:12: syntax error" in text
    assert "WRONG" in text


def test_the_report_says_whether_there_is_double_precision(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ", float64 in shaders" in system_report.device(ctx)
    restrict_device(ctx, monkeypatch, float64=False)
    assert ", no float64 in shaders" in system_report.device(ctx)


def test_the_report_says_where_tuned_kernels_are_kept(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(file))
    assert system_report.device(ctx).endswith(f"wisdom    {file}, 0 tuned kernels")
    monkeypatch.setenv(store.VARIABLE, "")
    assert system_report.device(ctx).endswith("wisdom    not saved (GLFFT_WISDOM is empty)")


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_report, "_PACKAGES", "moderngl no-such-package")
    text = system_report.versions()
    assert f"moderngl {metadata.version('moderngl')}" in text
    assert re.search("not installed +no-such-package", text)


def test_versions_name_every_package_of_the_usual_installation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for extra in ("ui", "video", "plot", "exr") for each in extras[extra])]
    text = system_report.versions()
    assert [each for each in wanted if re.split(r"[<>=]", each)[0] not in text] == []
