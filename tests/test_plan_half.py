"""Half floats, which end at 65504, between the passes of a plan."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.tolerances import assert_close, floor_of

import glfft

ONE = "value product(ivec3 at, value spectrum) { return spectrum; }"


@pytest.mark.parametrize(
    ("shape", "direction", "norm", "largest", "algorithm"),
    [
        ((64, 64), "forward", "forward", 3e4, "auto"),
        ((64, 64), "forward", "ortho", 1.5e4, "auto"),
        ((64, 64), "inverse", "backward", 3e4, "auto"),
        ((64, 64), "convolve", "backward", 1e3, "auto"),
        ((8, 8, 8), "inverse", "backward", 3e4, "auto"),
        ((1, 16384), "forward", "forward", 3e4, "auto"),  # in parts
        ((16, 16, 16), "forward", "forward", 3e4, "stockham-picture"),
    ],
)
def test_sums_between_passes_are_no_larger_than_they_must_be(
    ctx: moderngl.Context, shape: tuple[int, ...], direction: str, norm: str, largest: float, algorithm: str
) -> None:
    """Numbers whose sums along an axis exceed half floats, as long as nothing but the last pass is scaled."""
    axes = None if shape[0] > 1 else (1,)
    options: dict[str, Any] = {"algorithm": algorithm, "multiply": ONE if direction == "convolve" else None}
    with glfft.Plan(ctx, shape, axes=axes, storage="rg16f", norm=norm, directions=[direction], **options) as plan:
        values = random_values(plan.request.storage, shape, None)
        values = (values * (largest / abs(values.view(np.float32)).max())).astype(np.complex64)
        values = values.view(np.float32).astype(np.float16).astype(np.float32).view(np.complex64)
        over = {"forward": np.fft.fftn, "inverse": np.fft.ifftn, "convolve": None}[direction]
        along = [axis - len(shape) for axis in plan.request.axes]
        exact = values if over is None else over(values.astype(complex), axes=along, norm=norm)
        assert_close(run(plan, values, direction), exact, floor_of(plan.request.storage, plan.dispatches))
