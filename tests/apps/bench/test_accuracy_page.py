"""The page on accuracy: what is measured, how curves are gathered, and the table and the figure of it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import moderngl
import pytest
from support.paths import ROOT

from glfft.algorithms.registry import algorithm_names
from glfft.errors import LimitError


@pytest.fixture
def accuracy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("make_accuracy")


def test_every_algorithm_is_measured_at_every_length(
    accuracy: ModuleType, ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("scipy")
    transform = accuracy.fft

    def fft_up_to_four(lines, *, ctx, algorithm="auto", twiddles="table"):
        if algorithm == "cooley-tukey" and lines.shape[1] > 4:
            raise LimitError("It is too long.")
        return transform(lines, ctx=ctx, algorithm=algorithm, twiddles=twiddles)

    monkeypatch.setattr(accuracy, "fft", fft_up_to_four)
    monkeypatch.setattr(accuracy, "_POINTS", 64)
    curves = accuracy.measure(ctx, [4, 16])
    assert set(curves) == {*algorithm_names(), accuracy.COMPUTED, accuracy.PEER}
    assert all(value is None or value > 125 for curve in curves.values() for value in curve)
    assert [name for name, curve in curves.items() if None in curve] == ["cooley-tukey"]
    assert curves["cooley-tukey"][1] is None
    head, _, *rows = accuracy.table([4, 16], curves).splitlines()
    assert head == "| dB at | 4 | 16 |"
    assert len(rows) == len(curves) + 1
    assert any(row.startswith("| `cooley-tukey` | ") and row.endswith(" | – |") for row in rows)
    assert f"{accuracy.expected(16):.1f}" in rows[-1]


def test_the_error_expected_grows_with_the_root_of_the_stages(accuracy: ModuleType) -> None:
    assert accuracy.expected(2) - accuracy.expected(16) == pytest.approx(6.02, abs=0.01)


def test_curves_that_lie_on_each_other_are_gathered(accuracy: ModuleType) -> None:
    curves = {"a": [140.0, None], "b": [140.1, 138.0], "c": [136.0, 135.0], "d": [140.1, 137.9]}
    assert accuracy.groups(curves) == [(["b", "d", "a"], [140.1, 138.0]), (["c"], [136.0, 135.0])]


def test_the_figure_is_written_whole_or_not_at_all(accuracy: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curves = {"auto": [140.0, 139.0], "cooley-tukey": [136.0, None], accuracy.PEER: [141.0, 140.5]}
    accuracy.draw([2, 4], curves, "a device", str(tmp_path / "accuracy.png"))
    assert (tmp_path / "accuracy.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(accuracy.OutputError, match="xyz"):
        accuracy.draw([2, 4], curves, "a device", str(tmp_path / "accuracy.xyz"))
    assert [path.name for path in tmp_path.iterdir()] == ["accuracy.png"]


def test_the_program_prints_the_table_and_says_what_is_wrong(
    accuracy: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ctx: moderngl.Context
) -> None:
    monkeypatch.setattr(accuracy, "require_context", lambda given: ctx)
    monkeypatch.setattr(accuracy, "measure", lambda ctx, lengths: {"auto": [140.0] * len(lengths)})
    assert accuracy.main(["--longest", "3"]) == 0
    assert capsys.readouterr().out.startswith("| dB at | 2 | 4 | 8 |")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert accuracy.main(["--figure", "accuracy.png"]) == 1
    assert "Drawing needs matplotlib" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        accuracy.main(["--longest", "17"])
    assert "must be from 1 to 16" in capsys.readouterr().err


def test_names_of_curves_move_as_little_as_keeps_them_apart(accuracy: ModuleType) -> None:
    assert accuracy.apart([0.2, 0.5], [0.08]) == [0.2, 0.5]
    assert accuracy.apart([0.5, 0.5, 0.9], [0.08, 0.08]) == pytest.approx([0.46, 0.54, 0.9])
    assert accuracy.apart([130.0, 130.0, 140.0], [1.9, 2.4]) == pytest.approx([129.05, 130.95, 140.0])
