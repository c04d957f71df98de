"""Tests of the benchmark that measure for real."""

from __future__ import annotations

import pytest

from glfft.apps.bench import frames


@pytest.fixture
def short_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples of a few frames or calls, and little to warm up: for tests of what is measured, and not of how well."""
    monkeypatch.setattr(frames, "WARM_UP_SECONDS", 5e-3)
    monkeypatch.setattr(frames, "_SAMPLE_SECONDS", 1e-3)
