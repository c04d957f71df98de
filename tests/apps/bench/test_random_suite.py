"""The random suite: the same for the same seed, within its cap, and with some of everything."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import moderngl
import pytest

from glfft.apps.bench import random_suite as module
from glfft.apps.bench.random_suite import MOST_POINTS, SOFTWARE_POINTS, most_points, random_suite
from glfft.gl.context import state_of


def test_a_seed_gives_the_same_cases_for_ever() -> None:
    titles = [case.title for case in random_suite(1, 6, SOFTWARE_POINTS).cases]
    assert titles == ["449x630", "600x800 real", "625x686", "800x480 x 2", "1-D 347 x 13", "320x240"]
    assert random_suite(2, 50).cases == random_suite(2, 50).cases != random_suite(3, 50).cases
    assert random_suite(2, 50).cases[:10] == random_suite(2, 10).cases


@pytest.mark.parametrize("most", [20_000, SOFTWARE_POINTS, MOST_POINTS])
def test_cases_keep_within_the_cap_and_are_of_every_kind(most: int, ctx: moderngl.Context) -> None:
    cases = random_suite(5, 200, most).cases
    assert max(case.points for case in cases) <= most
    assert max(case.points for case in cases) > most / 4
    # llvmpipe binds buffers of 128 MiB.
    for case in [each for each in cases if not each.storage.buffer or most < MOST_POINTS]:
        assert case.request.check_limits(state_of(ctx).device) is None
    lines = [case for case in cases if len(case.axes) == 1]
    assert {case.storage.name for case in lines} == {"rg32f", "buffer"}
    assert {case.storage.name for case in cases} == {"rg32f", "rg16f", "rgba16f", "buffer"}
    pictures = [case for case in cases if len(case.axes) == 2]
    assert {case.smooth for case in pictures} == {case.smooth for case in lines} == {True, False}
    assert len([case for case in cases if case.real]) >= 60
    assert len([case for case in pictures if case.batch > 1 and not case.storage.paired]) >= 20


def test_hardly_any_case_comes_twice() -> None:
    cases = random_suite(7, 200).cases
    assert len(set(cases)) > 190


@pytest.mark.parametrize(
    ("extensions", "free_gib", "most"),
    [
        (set(), 0, MOST_POINTS),
        ({"GL_NVX_gpu_memory_info"}, 80, MOST_POINTS),
        ({"GL_NVX_gpu_memory_info"}, 8, MOST_POINTS // 2),
        ({"GL_ATI_meminfo"}, 2, MOST_POINTS // 8),
    ],
)
def test_little_memory_lowers_the_cap(
    extensions: set[str], free_gib: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "is_software", lambda _: False)
    monkeypatch.setattr(module.Functions, "integer", lambda _, name: free_gib << 20)
    ctx: Any = SimpleNamespace(extensions=extensions)
    assert most_points(ctx) == most


def test_software_renderers_have_a_cap_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_software", lambda _: True)
    ctx: Any = SimpleNamespace(extensions=set())
    assert most_points(ctx) == SOFTWARE_POINTS
