"""The chapters are found by name, each with all that the report shows of it."""

from __future__ import annotations

import pytest

from glfft.apps.papers import NAMES, open_chapters
from glfft.errors import OptionError


def test_each_chapter_says_what_it_is() -> None:
    chapters = open_chapters()
    assert tuple(chapter.name for chapter in chapters) == NAMES
    assert all(chapter.title and chapter.measures and chapter.published_on for chapter in chapters)


def test_chapters_come_in_the_order_of_the_report() -> None:
    assert [chapter.name for chapter in open_chapters(NAMES[::-1])] == list(NAMES)
    assert [chapter.name for chapter in open_chapters([NAMES[-1]])] == [NAMES[-1]]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match=r"--only is 'ambulury' .*; did you mean 'ambuluri'"):
        open_chapters(["ambulury"])
