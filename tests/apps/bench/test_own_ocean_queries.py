"""The times of looking up points: what the table holds."""

from __future__ import annotations

import re

import moderngl
import pytest

from glfft.apps.bench.own import time_queries
from glfft.commands import cli


@pytest.mark.filterwarnings("ignore:The tile is")
@pytest.mark.usefixtures("short_samples")
def test_three_times_are_told(ctx: moderngl.Context) -> None:
    found = time_queries(ctx, 10, 5, size=64)
    assert "a batch of 10 points" in found
    assert all(float(each) > 0 for each in re.findall(r"([\d.]+) µs", found))
    assert len(re.findall(r"µs", found)) == 3


def test_it_goes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--queries", "--suite"]) == 2
    assert "only --samples and --device go with it" in capsys.readouterr().err
