"""What tests of wisdom share."""

from __future__ import annotations

from pathlib import Path

import pytest

from glfft.wisdom import store


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file that is not there yet; what this process knows begins anew with it."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path
