"""What the tests of GL state share."""

from __future__ import annotations

import pytest
from support.drawing import framebuffer as framebuffer
from support.drawing import profiler as profiler


@pytest.fixture
def egl(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of programs whose contexts are EGL's, whichever those of the tests themselves are."""
    monkeypatch.setenv("GLFFT_WINDOW_SYSTEM", "egl")
