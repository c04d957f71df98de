"""`glfft demo`: its demos by name, and refusals in one line."""

from __future__ import annotations

import pytest
from support.sentences import one_line_of_error

from glfft.commands import demo
from glfft.commands.cli import main


def test_help_lists_every_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in demo._DEMOS)


def test_frames_are_for_windows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "ofdm", "--frames", "3", "--headless"]) == 2
    assert "no window opens here; leave it out" in one_line_of_error(capsys)


@pytest.mark.parametrize(("arguments", "words"), [([], "required: NAME"), (["nope"], "choose from 'ofdm'")])
def test_a_demo_must_be_named(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *arguments]) == 2
    assert words in one_line_of_error(capsys)
