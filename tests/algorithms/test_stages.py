"""A dispatch for each stage: every butterfly of every line is an invocation, and the factor is applied once."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.pictures import run
from support.requests import axis_request
from support.tolerances import COMPUTED_DB, assert_close

import glfft
from glfft.accuracy import random_complex
from glfft.algorithms.stages import STUDY_FAMILIES, CooleyTukeyDifStages, CooleyTukeyStages, NaturalOrderStages


@pytest.mark.parametrize("family", [CooleyTukeyStages(), CooleyTukeyDifStages(), NaturalOrderStages()])
def test_there_is_a_dispatch_for_each_stage_and_the_last_one_scales(family: CooleyTukeyStages) -> None:
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
    spec = CooleyTukeyStages().passes(request, None)[0]
    defines = dict(spec.defines)
    butterflies, lines = int(defines["GROUP_BUTTERFLIES"]), int(defines["GROUP_LINES"])
    assert butterflies * lines == spec.threads
    along_butterflies, along_lines = spec.groups[:2] if axis == 1 else spec.groups[1::-1]
    assert 0 <= along_butterflies * butterflies - request.length // 2 < butterflies
    assert 0 <= along_lines * lines - request.lines < lines
    assert spec.groups[2] == (layers or 1)


@pytest.mark.parametrize("family", STUDY_FAMILIES, ids=lambda family: family.name)
def test_the_thesis_own_work_groups_do_the_same_stages(ctx: moderngl.Context, family: CooleyTukeyStages) -> None:
    for axis, size in ((1, "local_size_x = GROUP_BUTTERFLIES"), (0, "local_size_x = GROUP_LINES")):
        shape = (12, 32) if axis == 1 else (32, 12)
        spec = family.passes(axis_request(shape, axis), None)[0]
        assert dict(spec.defines) | {"GROUP_BUTTERFLIES": 4, "GROUP_LINES": 8} == dict(spec.defines)
        assert size in spec.source.text, "4 x 8 for rows, 8 x 4 for columns (listings A.1 and A.2)"
        assert spec.groups == ((4, 2, 1) if axis == 1 else (2, 4, 1))
        array = random_complex(shape)
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=family.name, twiddles="computed") as plan:
            assert_close(run(plan, array), np.fft.fft(array.astype(np.complex128), axis=axis), COMPUTED_DB)


def test_only_powers_of_two_have_stages_of_radix_2() -> None:
    assert CooleyTukeyStages().supports(axis_request((3, 16384))) is None
    assert CooleyTukeyStages().supports(axis_request((4, 48))) == "a length that is a power of two"
