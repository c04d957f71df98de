"""Many files: what is printed, and what a failure does."""

from __future__ import annotations

from pathlib import Path

import pytest

from glfft.apps.spectrum.batches import each_file
from glfft.errors import DataError


def test_failures_are_named_and_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    def work(index: int) -> str:
        if index == 1:
            raise DataError("It is bad.")
        return f"done {index}"

    assert each_file("glfft test", [Path("a"), Path("b"), Path("c")], work) == 1
    said = capsys.readouterr()
    assert said.out == "done 0\ndone 2\n"
    assert "glfft test: b: It is bad. Skipped.\n" in said.err
    assert "glfft test: 1 of 3 pictures failed.\n" in said.err


def test_one_file_has_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    def work(_index: int) -> str:
        raise MemoryError

    assert each_file("glfft test", [Path("a")], work) == 1
    assert capsys.readouterr().err == "glfft test: a: There is not enough memory.\n"
