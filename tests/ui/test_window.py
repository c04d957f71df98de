"""A window where there is no display."""

from __future__ import annotations

import pytest

from glfft.ui.window import Window, has_display


def test_without_a_display_there_is_none(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(Exception, match="--headless"), Window("none", (64, 64)):
        pass
