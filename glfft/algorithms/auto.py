"""The choice made for users who make none, axis by axis: single-pass radix 4 where a line fits, else stages."""

from __future__ import annotations

from glfft.algorithms import stages, stockham
from glfft.passes import AxisRequest, PassSpec


def passes(request: AxisRequest) -> list[PassSpec]:
    """The dispatches of the algorithm chosen."""
    if request.length <= stockham.max_length(request.limits, request.storage):
        return stockham.radix4(request)
    return stages.cooley_tukey(request)
