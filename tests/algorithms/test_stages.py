"""A dispatch for each stage: every butterfly of every line is an invocation, and the factor is applied once."""

from __future__ import annotations

import pytest
from support.requests import axis_request

from glfft.algorithms.stages import FAMILIES, Stages


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_there_is_a_dispatch_for_each_stage_and_the_last_one_scales(family: Stages) -> None:
    specs = family.passes(axis_request((5, 64), scale=0.25, direction=+1), None)
    uniforms = [dict(spec.uniforms) for spec in specs]
    assert [each["glfft_stage"] for each in uniforms] == list(range(6))
    assert [each["glfft_scale"] for each in uniforms] == [1.0] * 5 + [0.25]
    assert {each["glfft_direction"] for each in uniforms} == {+1}
    assert len({spec.source.text for spec in specs}) == 1, "one program serves all"


@pytest.mark.parametrize("layers", [None, 3])
@pytest.mark.parametrize(("shape", "axis"), [((5, 64), 1), ((1, 2), 1), ((64, 33), 0), ((1024, 1), 0)])
def test_work_groups_cover_every_butterfly_and_waste_less_than_one(
    shape: tuple[int, int], axis: int, layers: int | None
) -> None:
    request = axis_request(shape, axis, layers=layers)
    spec = FAMILIES[0].passes(request, None)[0]
    defines = dict(spec.defines)
    butterflies, lines = int(defines["GROUP_BUTTERFLIES"]), int(defines["GROUP_LINES"])
    assert butterflies * lines == spec.threads
    along_butterflies, along_lines = spec.groups[:2] if axis == 1 else spec.groups[1::-1]
    assert 0 <= along_butterflies * butterflies - request.length // 2 < butterflies
    assert 0 <= along_lines * lines - request.lines < lines
    assert spec.groups[2] == (layers or 1)


def test_only_powers_of_two_have_stages_of_radix_2() -> None:
    assert FAMILIES[0].supports(axis_request((3, 16384))) is None
    assert FAMILIES[0].supports(axis_request((4, 48))) == "a length that is a power of two"
