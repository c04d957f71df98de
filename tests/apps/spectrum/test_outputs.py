"""Where results go: names that are told apart, of kinds that can be written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum.outputs import check_picture_suffix, choose_targets
from glfft.errors import OutputError, UsageError


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


def test_a_kind_that_cannot_be_written_is_a_sentence() -> None:
    for name in ("é.png", os.fsdecode(b"\xff.im"), "é.sgi", "漢.pdf", "a.j2k"):
        check_picture_suffix(name)
    for name in ("a", "a.xyz", "a.psd", "-"):
        with pytest.raises(UsageError, match=r"name a file such as out\.png"):
            check_picture_suffix(name)
