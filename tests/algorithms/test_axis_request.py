"""Requests for lines, whole or in parts, and the plain request that they are measured by."""

from __future__ import annotations

from dataclasses import replace

from support.requests import axis_request

from glfft.algorithms.axis_request import FourStepPart
from glfft.algorithms.storage import STORAGES


def test_parts_of_lines_are_lines_of_their_own() -> None:
    whole = axis_request((6, 32))
    part = replace(whole, part=FourStepPart(length=8, before=(), after=4))
    assert (whole.length, whole.lines, whole.line_name) == (32, 6, "rows")
    assert (part.length, part.lines, part.line_name) == (8, 24, "parts of rows")
    # In a GPU's textures neighbouring parts lie in squares. In its buffers the kernels of columns are the next best.
    buffer = replace(part, storage=STORAGES["buffer"])
    software = replace(part, device=replace(part.device, renderer="llvmpipe"))
    columns = replace(buffer, axis=0)
    every = (whole, part, buffer, columns, software)
    assert [each.measured_axes for each in every] == [(1,), (2,), (2, 0), (0,), (0,)]
    assert [each.measured_axis for each in every] == [1, 2, 2, 0, 0]
    assert [each.lines_above for each in (whole, part, buffer, software)] == [1, 6, 1, 6]
    assert whole.points == part.points == 6 * 32


def test_the_plain_request_is_one_for_both_directions() -> None:
    forward = axis_request((6, 32), layers=2)
    for changes in ({"direction": +1, "scale": 0.5}, {"real_pairs": True}, {"inverse_scale": 2.0}):
        assert replace(forward, **changes) != forward
        assert replace(forward, **changes).plain == forward
    assert replace(forward, axis=0).plain != forward
