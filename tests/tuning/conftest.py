"""Tests of tuning keep what they measure in a file of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from glfft.wisdom import store


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file of wisdom that is not there yet."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path
