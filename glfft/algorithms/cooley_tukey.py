"""Cooley-Tukey in one dispatch an axis: one line a work group, in place in shared memory."""

from __future__ import annotations

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec


class CooleyTukey(Family[None]):
    """All stages of an axis in one dispatch, with a barrier before each and one before the stores."""

    name = "cooley-tukey"
    summary = "ping-pong-cooley-tukey with the line in shared memory in place of two images"

    def supports(self, request: AxisRequest) -> str | None:
        return (
            work_groups.why_not(request)
            or work_groups.why_no_power_of_two(request)
            or work_groups.why_too_many(request, request.lines)
        )

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages = log2(request.length)
        threads = work_groups.threads(request, points=2)
        spec = work_groups.line_pass(
            request,
            "fft/cooley_tukey.comp",
            threads,
            (2,) * stages,
            shared_bytes=request.length * request.storage.value_bytes,
            barriers=stages + 1,
            turns_at_ends=True,
        )
        return [spec]
