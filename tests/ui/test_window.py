"""A window where there is no display."""

from __future__ import annotations

import ast

import pytest
from support.displays import python, why_no_display

from glfft.ui.window import Window, has_display


def test_without_a_display_there_is_none(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(Exception, match="--headless"), Window("none", (64, 64)):
        pass


def test_window_tests_are_skipped_only_where_no_display_can_be_had(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":7")
    assert why_no_display() is None
    monkeypatch.delenv("DISPLAY")
    assert "make test" in str(why_no_display())
    (tmp_path / "xvfb-run").touch(0o755)
    assert why_no_display() is None


_FULL_SCREEN = """
from glfft.ui.window import Window
with Window("full", (320, 200)) as window:
    sizes = [window.size]
    for _ in range(2):
        window.toggle_full_screen()
        for _ in range(20):
            window.poll()
            window.swap()
        sizes.append(window.size)
print(sizes)
"""


@pytest.mark.window
def test_a_window_fills_the_screen_and_comes_back():
    done = python("-c", _FULL_SCREEN, display=True)
    assert done.returncode == 0, done.stderr
    small, full, again = ast.literal_eval(done.stdout)
    assert small == again == (320, 200)
    assert full[0] > 320
    assert full[1] > 200
