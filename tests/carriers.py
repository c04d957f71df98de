"""Any storage's textures, texture arrays and buffers filled from arrays and read back: for the tests of the engine.

An array here is [layers, halves, rows, columns]: one layer where a plan has none, two halves where a texel carries two
complex numbers.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

import glfft
from glfft.accuracy import random_complex
from glfft.passes import Carrier
from glfft.storage import STORAGES, Storage

HALVES = {name: 2 if storage.paired else 1 for name, storage in STORAGES.items()}

_REAL = {"f4": np.float32, "f2": np.float16}


def random_values(storage: Storage, shape: tuple[int, int], layers: int | None, seed: int = 0) -> npt.NDArray[Any]:
    """Random numbers that the storage holds exactly, so that what is measured is the transform."""
    values = random_complex((layers or 1, HALVES[storage.name], *shape), seed)
    return _complex(_channels(values, storage), storage)


def upload(ctx: moderngl.Context, values: npt.NDArray[Any], storage: Storage, layers: int | None) -> Any:
    """A carrier of the storage with these values."""
    data = np.ascontiguousarray(_channels(values, storage)).tobytes()
    rows, columns = values.shape[2:]
    if storage.buffer:
        return ctx.buffer(data)
    if layers is None:
        return ctx.texture((columns, rows), storage.components, data, dtype=storage.dtype)
    return ctx.texture_array((columns, rows, layers), storage.components, data, dtype=storage.dtype)


def blank(ctx: moderngl.Context, shape: tuple[int, int], storage: Storage, layers: int | None) -> Any:
    """A target full of NaN, so that an element nobody writes shows."""
    values = np.full((layers or 1, HALVES[storage.name], *shape), complex(np.nan, np.nan), np.complex64)
    return upload(ctx, values, storage, layers)


def download(carrier: Any, storage: Storage, shape: tuple[int, int], layers: int | None) -> npt.NDArray[np.complex64]:
    """What a carrier holds."""
    flat = np.frombuffer(carrier.read(), _REAL[storage.dtype])
    return _complex(flat.reshape(layers or 1, *shape, storage.components), storage)


def run(plan: glfft.Plan, values: npt.NDArray[Any], direction: str = "forward") -> npt.NDArray[np.complex64]:
    """What a plan makes of values, written to a target full of NaN."""
    storage, layers = plan.request.storage, plan.request.layers
    source = upload(plan.ctx, values, storage, layers)
    target = blank(plan.ctx, plan.shape, storage, layers)
    try:
        getattr(plan, direction)(source, target, next_use="read")
        return download(target, storage, plan.shape, layers)
    finally:
        release(source, target)


def release(*carriers: Carrier) -> None:
    """Free them."""
    for carrier in carriers:
        carrier.release()


def _channels(values: npt.NDArray[Any], storage: Storage) -> npt.NDArray[Any]:
    """[layers, halves, rows, columns] complex to [layers, rows, columns, channels] real."""
    texels = np.ascontiguousarray(np.moveaxis(values, 1, -1), np.complex64)
    return texels.view(np.float32).astype(_REAL[storage.dtype])


def _complex(channels: npt.NDArray[Any], storage: Storage) -> npt.NDArray[np.complex64]:
    texels = np.ascontiguousarray(channels, np.float32).view(np.complex64)
    return np.ascontiguousarray(np.moveaxis(texels, -1, 1))
