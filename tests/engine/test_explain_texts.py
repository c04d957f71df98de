"""The GLSL of a plan's passes: named by direction and number, and printed under these names."""

from __future__ import annotations

from support.requests import axis_request

from glfft.algorithms.stages import FAMILIES as STAGES
from glfft.algorithms.stages import PING_PONGS
from glfft.engine.explain import pass_texts
from glfft.engine.request import FORWARD, INVERSE


def test_texts_are_named_and_are_what_the_compiler_sees() -> None:
    there = STAGES[0].passes(axis_request((1, 8)), None)
    back = PING_PONGS[0].passes(axis_request((1, 8), direction=+1), None)
    texts = pass_texts({FORWARD: there, INVERSE: back})
    assert [each.name for each in texts] == [*(f"forward pass {n}" for n in (1, 2, 3)), "inverse pass 1"]
    assert [each.text for each in texts] == [spec.source.text for spec in (*there, *back)]
    assert {each.stage for each in texts} == {"compute"}
    assert str(texts[3]) == f"// ==== inverse pass 1\n{back[0].source.text}"
    assert "#version" not in repr(texts[3])
