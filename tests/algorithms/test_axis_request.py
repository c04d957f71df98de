"""Requests for lines, whole or in parts, and the plain request that they are measured by."""

from __future__ import annotations

from dataclasses import replace

from support.requests import axis_request

from glfft.algorithms.axis_request import FourStepPart


def test_parts_of_lines_are_lines_of_their_own() -> None:
    whole = axis_request((6, 32))
    part = replace(whole, part=FourStepPart(length=8, before=(), after=4))
    assert (whole.length, whole.lines, whole.line_name) == (32, 6, "rows")
    assert (part.length, part.lines, part.line_name) == (8, 24, "parts of rows")
    assert (whole.measured_axis, part.measured_axis) == (1, 0)
    assert whole.points == part.points == 6 * 32


def test_the_plain_request_is_one_for_both_directions() -> None:
    forward = axis_request((6, 32), layers=2)
    for changes in ({"direction": +1, "scale": 0.5}, {"real_pairs": True}, {"inverse_scale": 2.0}):
        assert replace(forward, **changes) != forward
        assert replace(forward, **changes).plain == forward
    assert replace(forward, axis=0).plain != forward
