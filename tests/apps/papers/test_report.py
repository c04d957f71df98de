"""What was measured is kept as data, chapter by chapter."""

from __future__ import annotations

import moderngl
import pytest
from support.papers import report, spread

from glfft.apps.papers import ambuluri
from glfft.apps.papers.ambuluri import Row
from glfft.apps.papers.claims import Grid
from glfft.apps.papers.measuring import Run
from glfft.apps.papers.report import measure


def test_chapters_are_measured_and_handed_out_one_by_one(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ambuluri, "ROWS", (Row("word-group-2"),))
    monkeypatch.setattr(ambuluri, "QUICK_LENGTHS", (16,))
    done = []
    with Run(ctx, 5, quick=True) as run:
        found = measure(run, ["ambuluri"], done.append)
    assert done == [found]
    assert found.setup["quick"] is True
    assert "scipy" in found.setup["libraries"]
    assert ("word-group-2, 1 thread", 16) in found.chapters["ambuluri"]["lines"].values


def test_a_row_of_a_grid_is_a_line_of_the_file() -> None:
    text = report(ambuluri={"lines": Grid({("scipy", 16): spread(2.0)})}).to_json()
    assert '\n    "rows": {\n     "scipy": [{"middle":2.0,"low":1.9,"high":2.1}]\n    }' in text
