"""Plans of several sizes tuned one after the other. What `glfft tune` prints and keeps: tests/commands/test_tune.py."""

from __future__ import annotations

import moderngl
import pytest

from glfft.apps.tune import Wanted, tune
from glfft.wisdom import store


def test_a_size_that_does_not_fit_is_a_sentence_and_the_others_are_tuned(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, "")
    shares: list[float] = []
    found, left_out, skipped = tune(ctx, Wanted([(1, 4), (1, 1 << 20)], None, "rg32f", True), shares.append)
    assert [each.entry.length for each in found] == [4]
    assert not left_out
    assert len(skipped) == 1
    assert "1048576" in skipped[0]
    assert shares == sorted(shares)
    assert shares[-1] == 2
