"""Numbers on the boards of demos; the wells are tested by the boards that have them."""

from __future__ import annotations

import math

import pytest

from glfft.apps.plots import engineering


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2.538e9, "2.54 G"),
        (12_000.0, "12 k"),
        (7.5, "7.5 "),
        (5.65e-5, "56.5 µ"),
        (226.95e-9, "227 n"),
        (999.7e6, "1 G"),
        (0.9997, "1 "),
        (math.nan, "- "),
        (0.0, "- "),
    ],
)
def test_numbers_are_written_with_prefixes(value: float, words: str) -> None:
    assert engineering(value) == words
