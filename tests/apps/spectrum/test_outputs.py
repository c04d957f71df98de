"""Where results go, by names that are told apart, of kinds that can be written; what is printed, and what fails."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum.outputs import check_picture_suffix, choose_targets, each_file
from glfft.errors import DataError, OutputError, UsageError


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
    for name in ("a", "a.xyz", "a.psd", "-", "icon.ICO", "icon.icns", "a.h5", "a.grib", "a.WMF", "a.xbm"):
        with pytest.raises(UsageError, match=r"name a file such as out\.png"):
            check_picture_suffix(name)


def test_failures_are_named_and_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    def work(index: int) -> str:
        if index == 1:
            raise DataError("It is bad.")
        return f"done {index}"

    assert each_file("glfft test", [Path("a"), Path("b"), Path("c")], work) == 1
    said = capsys.readouterr()
    assert said.out == "done 0\ndone 2\n"
    assert "glfft test: b: It is bad. Skipped.\n" in said.err
    assert "glfft test: 1 of 3 pictures failed.\n" in said.err


def test_one_file_has_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    def work(_index: int) -> str:
        raise MemoryError

    assert each_file("glfft test", [Path("a")], work) == 1
    assert capsys.readouterr().err == "glfft test: a: There is not enough memory.\n"
