"""Where results go: pictures written whole, under names that are told apart."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from glfft.apps.spectrum.outputs import check_picture_suffix, choose_targets, save_picture
from glfft.errors import OutputError, UsageError

# Whose last write ignored a full disk, or never came back from it, and one of each that did not.
KINDS = ("tif", "bmp", "jpg", "ppm", "pcx", "dds", "im", "jp2", "j2k", "png", "gif", "webp", "tga")

PROGRAM = """
import resource
import sys
from pathlib import Path
from PIL import Image
from glfft.errors import OutputError
from glfft.apps.spectrum.outputs import save_picture

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


def _by_counting(sources: Sequence[Path]) -> list[Path]:
    """Duplicate names get the lowest number that is free."""
    taken, targets = set(sources), []
    for source in sources:
        candidates = [source.with_name(f"{source.stem}-s.png")]
        candidates += [source.with_name(f"{source.stem}-s-{number}.png") for number in range(2, len(sources) + 3)]
        targets.append(next(each for each in candidates if each not in taken))
        taken.add(targets[-1])
    return targets


@given(st.lists(st.sampled_from(["a.png", "a.jpg", "b.png", "a-s.png", "a-s-2.png", "a-s-2-s.png"]), max_size=9))
def test_duplicate_names_get_the_lowest_free_number(names: list[str]) -> None:
    sources = [Path("/nowhere") / name for name in names]
    assert choose_targets(sources, None, "-s.png") == _by_counting(sources)


def test_naming_takes_as_long_for_each_of_many_pictures_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    resolve = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: asked.append(path) or resolve(path))
    targets = choose_targets([Path("x.png")] * 300, None, "-s.png")
    assert targets[-1] == Path("x-s-300.png")
    # Counted from 1 for each they would be 45,000.
    assert len(asked) <= 4 * 300


def test_names_too_long_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="too long"):
        choose_targets([Path("a.png")], "n" * 300 + ".png", "-s.png")
    with pytest.raises(OutputError, match="too long"):
        choose_targets([Path("a.png"), Path("b.png")], "n" * 300, "-s.png")
    with pytest.raises(OutputError, match="too long"):
        save_picture("n" * 300 + ".png", Image.new("L", (1, 1)))


@pytest.mark.parametrize("name", ["é.png", os.fsdecode(b"\xff.im"), "é.sgi", "漢.pdf", "a.j2k"])
def test_any_name_can_be_written(tmp_path: Path, name: str) -> None:
    check_picture_suffix(name)
    save_picture(tmp_path / name, Image.new("RGB", (8, 8)))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_kind_that_cannot_be_written_is_a_sentence() -> None:
    for name in ("a", "a.xyz", "a.psd", "-"):
        with pytest.raises(UsageError, match=r"name a file such as out\.png"):
            check_picture_suffix(name)
