"""The step of the ocean as a contender."""

from __future__ import annotations

import json

import moderngl
import pytest

from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.peers import Peers, open_peers
from glfft.apps.bench.results import render
from glfft.apps.bench.suite import OceanCase
from glfft.sea import step
from glfft.sea.wave_textures import fixed_point_time


def test_the_step_of_the_ocean_stands_beside_the_transforms_alone(ctx: moderngl.Context) -> None:
    found = benchmark(ctx, [OceanCase((16, 16), 8)], ["auto"], open_peers(["scipy"]), samples=5)
    (result,) = found.results
    assert result.case.title == "ocean step, 2 tiles of 16x16"
    assert (result.dispatches, result.is_right()) == (2, True)
    assert (result.peers["scipy"].snr_db or 0) > 130
    assert result.copy_share is None
    assert "ocean step" in render(found)
    assert json.dumps(found.to_json())


def test_a_wrong_ocean_shows(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "fixed_point_time", lambda time: fixed_point_time(time + 1.0))
    (result,) = benchmark(ctx, [OceanCase((16, 16), 4)], ["auto"], Peers(), samples=5).results
    assert not result.is_right()
