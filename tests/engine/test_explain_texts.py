"""The GLSL of a plan's passes: named by direction and number, and printed under these names."""

from __future__ import annotations

from dataclasses import replace

from support.requests import axis_request, spec_of

from glfft.algorithms.stages import FAMILIES as STAGES
from glfft.algorithms.stages import PING_PONGS
from glfft.engine.explain import explain, pass_texts
from glfft.engine.request import FORWARD, INVERSE, PlanRequest


def test_texts_are_named_and_are_what_the_compiler_sees() -> None:
    there = STAGES[0].passes(axis_request((1, 8)), None)
    back = PING_PONGS[0].passes(axis_request((1, 8), direction=+1), None)
    texts = pass_texts({FORWARD: there, INVERSE: back})
    assert [each.name for each in texts] == [*(f"forward pass {n}" for n in (1, 2, 3)), "inverse pass 1"]
    assert [each.text for each in texts] == [spec.source.text for spec in (*there, *back)]
    assert {each.stage for each in texts} == {"compute"}
    assert str(texts[3]) == f"// ==== inverse pass 1\n{back[0].source.text}"
    assert "#version" not in repr(texts[3])


def test_work_groups_are_told_along_each_axis_that_has_several() -> None:
    for groups, told in (((1, 1, 1), "1"), ((2, 1, 3), "2 x 3"), ((2, 65, 1), "2 x 65")):
        (row,) = explain(PlanRequest.of((4, 8)), {FORWARD: [replace(spec_of(), groups=groups)]}).splitlines()[-1:]
        assert row.split("  8  ")[1].strip().startswith(f"{told}  ")
