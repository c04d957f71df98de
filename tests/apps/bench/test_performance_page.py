"""The page on performance is made from what the suite writes."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path

import moderngl
import pytest
from support.paths import ROOT

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.peers import Peers, open_peers
from glfft.apps.bench.suite import Case, OceanCase


def test_the_page_on_performance_is_made_from_what_the_suite_writes(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With scipy in cuFFT's place, and small cases of every kind."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("make_performance_plot")
    stand_in = replace(open_peers(["scipy"]).libraries[0], name="cufft")
    cases = [Case((8, 8)), Case((4, 8), 2), Case((64, 16), 2, axes=(1,)), OceanCase((16, 16), 4)]
    half = Case((8, 8), 2, storage=STORAGES["rgba16f"])
    found = benchmark(ctx, [*cases, half], ["auto"], Peers([stand_in]), samples=5)
    written = tmp_path / "suite.json"
    written.write_text(json.dumps(found.to_json()))
    monkeypatch.setattr(page, "DATA", tmp_path / "performance.json")
    page._take(written)

    head, _, *rows = page.table().splitlines()
    assert [row.split(" | ")[0] for row in rows] == ["| 8²", "| 4 × 8 × 2", "| 1D 16 × 128", "| ocean, 1 × 16²"]
    assert {"cuFFT / glfft", "plain copies", "first plan, ms |"} <= set(head.split(" | "))
    assert f" | {page._time(min(way.microseconds for way in found.results[0].measured.ways.values()))} | " in rows[0]
    (row,) = page.storage_table().splitlines()[2:]
    assert row.startswith("| 8² × 2 | `rgba16f` | ")
    assert page.error_table().splitlines()[0] == "| | 8² |"
    monkeypatch.setattr(page, "HERE", tmp_path)
    pytest.importorskip("matplotlib")
    page.draw()
    assert (tmp_path / "performance.png").stat().st_size > 0


def test_the_figure_of_other_sizes_has_every_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("make_sizes_plot")
    shown = page.results()
    # Volumes in textures and in buffers, and real and complex pictures, can be told apart.
    assert len({(page.group(each), page.label(each)) for each in shown}) == len(shown)
    assert all(page.LOWEST < ratio < page.HIGHEST for each in shown for ratio in page.ratios(each).values())
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert "](performance-sizes.png)" in text
    pytest.importorskip("matplotlib")
    for name in ("performance-sizes.json", "performance-vkfft.json"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"))
    monkeypatch.setattr(page, "HERE", tmp_path)
    page.draw()
    assert (tmp_path / "performance-sizes.png").stat().st_size > 0
