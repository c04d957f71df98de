"""The programs in the documents run and print what is shown: those of few points, whose shaders may be interpreted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from support.displays import python
from support.documents import LARGE, assert_prints_what_is_shown, examples
from support.paths import ROOT

SMALL = [path for path in examples.documents() if path not in LARGE and examples.programs(path.read_text("utf-8"))]


@pytest.mark.parametrize("document", SMALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_programs_run_and_print_what_is_shown(document: Path, tmp_path: Path) -> None:
    assert_prints_what_is_shown(document, tmp_path)


def test_the_plate_of_the_recipes_can_be_drawn(tmp_path: Path) -> None:
    # The scene and the glare have fewer pixels: an interpreter takes long for each.
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    sizes = "ROWS, COLUMNS, MARGIN = 256, 512"
    assert sizes in page
    docs, assets = tmp_path / "docs", tmp_path / "assets"
    for folder in (docs, assets):
        folder.mkdir()
    (docs / "recipes.md").write_text(page.replace(sizes, "ROWS, COLUMNS, MARGIN = 48, 96"), "utf-8")
    with Image.open(ROOT / "assets" / "ocean.png") as scene:
        scene.reduce(6).save(assets / "ocean.png")
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'docs')!r}); import make_recipes_plate as made"
    program += f"; from pathlib import Path; made._FOLDER = Path({str(docs)!r})"
    done = python("-c", f"{program}; print(made.make_plate().height)", display=False)
    assert done.stdout == "334\n", done.stderr
