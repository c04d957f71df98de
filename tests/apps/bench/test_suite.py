"""The suite: its cases, and what a software renderer leaves out of it."""

from __future__ import annotations

import moderngl
import pytest

from glfft.apps.bench import benchmark as benchmark_module
from glfft.apps.bench import suite
from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.peers import Peers
from glfft.apps.bench.suite import Case


def test_the_suite_on_a_software_renderer_leaves_out_what_takes_minutes(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark_module, "is_software", lambda _ctx: True)
    monkeypatch.setattr(suite, "SOFTWARE_POINTS", 100)
    found = benchmark(ctx, [Case((8, 8)), Case((16, 16))], ["auto"], Peers(), samples=5, suite=suite.SUITES["sizes"])
    assert [result.case.shape for result in found.results] == [(8, 8)]
    assert found.skipped == ["On a software renderer the suite leaves out cases of more than 100 points: 16x16."]
