"""Sizes tuned one after the other. What `glfft tune` prints and keeps: tests/commands/test_tune.py."""

from __future__ import annotations

import pytest
from tqdm import tqdm

from glfft.apps import tune
from glfft.wisdom import store


def test_a_size_that_does_not_fit_is_a_sentence_and_the_others_are_tuned(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(store.VARIABLE, "")
    shares: list[float] = []

    class Bar(tqdm):
        def update(self, n: float | None = 1) -> bool | None:
            super().update(n)
            shares.append(self.n)

    monkeypatch.setattr(tune, "tqdm", Bar)
    tune.run(tune.Wanted([(1, 4), (1, 1 << 20)], None, "rg32f", real=False, quick=True), [], None, None)
    output = capsys.readouterr().out
    assert "1 rows of 4, rg32f" in output
    assert "no choice of kernel" not in output
    assert output.count("1048576") == 1
    assert shares == sorted(shares)
    assert shares[-1] == 2
