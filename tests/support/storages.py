"""Every storage and how many layers: cases, the exact transform of each layer, and how close a plan must come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import glfft
from glfft.algorithms.storage import STORAGES, Storage
from support.pictures import NUMPY
from support.tolerances import floor_of

each_storage = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
each_layers = pytest.mark.parametrize("layers", [None, 1, 3], ids=lambda layers: f"layers={layers}")
# One-pass algorithms of either kind and one in stages: for what does not depend on the arithmetic.
KINDS = ("stockham-radix4", "cooley-tukey", "natural-order-stages")


def floor_db(plan: glfft.Plan) -> float:
    """How close a plan's transform must come."""
    return floor_of(plan.request.storage, plan.dispatches)


def turn(algorithm: str, storage: Storage, algorithms: Sequence[str], turns: int = 2) -> int:
    """Which of so many values a case takes: any two of algorithm, storage and value meet, and not all three."""
    return (list(algorithms).index(algorithm) + list(STORAGES).index(storage.name)) % turns


def exact(
    values: npt.NDArray[Any], direction: str, axes: tuple[int, ...], norm: str = "backward"
) -> npt.NDArray[np.complex128]:
    """numpy's transform of each layer and half."""
    return NUMPY[direction](values.astype(np.complex128), axes=[axis - 2 for axis in axes], norm=norm)
