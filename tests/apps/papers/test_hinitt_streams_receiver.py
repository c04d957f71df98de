"""The receiver timed in each width, and its wrong bits counted."""

from __future__ import annotations

import pytest

from glfft.apps.papers import hinitt
from glfft.apps.papers.hinitt import RADIX_8
from glfft.apps.papers.measuring import Run


def test_receivers_are_timed_and_fewer_bits_a_sample_cost_errors(
    quick_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hinitt, "SYMBOLS", dict.fromkeys((False, True), 22))
    monkeypatch.setattr(hinitt, "ERROR_BITS", 100_000)
    monkeypatch.setattr(hinitt, "BLOCKS", 2)
    # Others take long to compile.
    monkeypatch.setattr(hinitt, "ALGORITHM", RADIX_8)
    measured = hinitt.measure_receiver(quick_run)
    assert len(measured["receiver"].values) == 7
    rates = {row: value.middle for (row, _), value in measured["errors"].values.items()}
    assert rates["float32"] == pytest.approx(rates["fixed8"], rel=0.2)
    assert rates["fixed4"] > 1.3 * rates["fixed8"]
