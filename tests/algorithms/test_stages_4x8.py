"""Mota's own work groups: the same stages as numpy's transform, in work groups of 4 x 8."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.pictures import run
from support.requests import axis_request
from support.tolerances import COMPUTED_DB, assert_close

import glfft
from glfft.algorithms.stages import STUDIED, Stages
from glfft.apps.signal_to_noise import random_complex


@pytest.mark.parametrize("family", STUDIED, ids=lambda family: family.name)
def test_the_thesis_own_work_groups_do_the_same_stages(ctx: moderngl.Context, family: Stages) -> None:
    for axis, size in ((1, "local_size_x = GROUP_BUTTERFLIES"), (0, "local_size_x = GROUP_LINES")):
        shape = (12, 32) if axis == 1 else (32, 12)
        spec = family.passes(axis_request(shape, axis), None)[0]
        assert dict(spec.defines) | {"GROUP_BUTTERFLIES": 4, "GROUP_LINES": 8} == dict(spec.defines)
        assert size in spec.source.text, "4 x 8 for rows, 8 x 4 for columns (listings A.1 and A.2)"
        assert spec.groups == ((4, 2, 1) if axis == 1 else (2, 4, 1))
        array = random_complex(shape)
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=family.name, twiddles="computed") as plan:
            assert_close(run(plan, array), np.fft.fft(array.astype(np.complex128), axis=axis), COMPUTED_DB)
