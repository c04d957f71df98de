"""Pictures of any kind that Pillow writes, from Pillow's images and from arrays: whole, or as they were before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from glfft.apps.picture_files import map_strips, save_picture
from glfft.errors import OutputError

# Whose last write ignored a full disk, or never came back from it, and one of each that did not.
KINDS = ("tif", "bmp", "jpg", "ppm", "pcx", "dds", "im", "jp2", "j2k", "png", "gif", "webp", "tga")

PROGRAM = """
import resource
import sys
from pathlib import Path
from PIL import Image
from glfft.errors import OutputError
from glfft.apps.picture_files import save_picture

_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
noise = Image.effect_noise((256, 256), 90).convert("RGB")
for kind in sys.argv[1:]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    target = Path(f"s.{kind}")
    save_picture(target, Image.new("RGB", (8, 8)))
    before = target.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        save_picture(target, noise)
    except OutputError as error:
        print(error)
    assert target.read_bytes() == before, kind
"""


def test_a_full_disk_leaves_the_earlier_picture_whatever_its_kind(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *KINDS], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"Cannot write s.{kind}: file too large." for kind in KINDS]
    assert {path.name for path in tmp_path.iterdir()} == {f"s.{kind}" for kind in KINDS}


@pytest.mark.parametrize("name", ["é.png", os.fsdecode(b"\xff.im"), "é.sgi", "漢.pdf", "a.j2k"])
def test_any_name_can_be_written(tmp_path: Path, name: str) -> None:
    save_picture(tmp_path / name, Image.new("RGB", (8, 8)))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_name_too_long_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="too long"):
        save_picture("n" * 300 + ".png", Image.new("L", (1, 1)))


def test_an_array_has_its_top_row_first(tmp_path: Path) -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    save_picture(tmp_path / "a.PNG", pixels)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a.PNG")), pixels)


@pytest.mark.parametrize(("rows", "height"), [(0, 4), (1, 4), (4, 4), (5, 4), (103, 10)])
def test_strips_cover_all_rows_once(rows: int, height: int) -> None:
    seen = map_strips(lambda strip: np.arange(1000)[strip], rows, height)
    assert np.array_equal(np.concatenate([[], *seen]), np.arange(rows))
    assert all(len(strip) == height for strip in seen[:-1])


def test_what_a_strip_raises_is_raised() -> None:
    def work(strip: slice) -> None:
        if strip.start == 6:
            raise MemoryError

    with pytest.raises(MemoryError):
        map_strips(work, 10, 2)
