"""The choice for users who make none, axis by axis: the measured Stockham kernels, or stages where none fits."""

from __future__ import annotations

from glfft.algorithms import stages
from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.algorithms.stockham import choose


def passes(request: AxisRequest) -> list[PassSpec]:
    """The dispatches of the algorithm chosen."""
    if request.length <= choose.max_length(request.limits, request.storage):
        return choose.passes(request)
    return stages.cooley_tukey(request)


def goes_back(request: AxisRequest) -> bool:
    """Whether one pass can transform, multiply and transform back."""
    return choose.goes_back(request)
