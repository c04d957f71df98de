"""What tests of tuning share."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import glfft
from support import images as carriers
from support.images import random_values
from support.tolerances import assert_close

# Far more than anything here takes: so that a fault is told instead of waited for.
PATIENCE_SECONDS = 120.0


def radices_of(plan: glfft.Plan) -> set[tuple[int, ...]]:
    return {each.spec.radices for way in plan._ways.values() for each in way.passes}


def assert_transforms(plan: glfft.Plan) -> None:
    values = random_values(plan.request.storage, plan.shape, plan.request.layers)
    assert_close(carriers.run(plan, values), np.fft.fft2(values.astype(np.complex128)))


def until(done: Callable[[], object]) -> None:
    """Ask again and again, and give way to other processes in between."""
    end = time.perf_counter() + PATIENCE_SECONDS
    while not done():
        assert time.perf_counter() < end, "it does not end"
        time.sleep(1e-3)
