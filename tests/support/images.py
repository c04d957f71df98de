"""Any storage's textures, texture arrays and buffers filled from arrays and read back: for the tests of the engine.

An array here is [layers, halves, rows, columns], of volumes [layers, halves, depth, rows, columns]: one layer where a
plan has none, two halves where a texel carries two numbers. It is complex, or where the storage is one of real numbers,
real.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

import glfft
from glfft.algorithms.storage import STORAGES, Storage
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.images import Image
from glfft.engine.request import DIRECTION_NAMES
from glfft.errors import TextureError
from support.sentences import refused

HALVES = {name: 2 if storage.paired else 1 for name, storage in STORAGES.items()}


def random_values(storage: Storage, shape: tuple[int, ...], layers: int | None, seed: int = 0) -> npt.NDArray[Any]:
    """Random numbers that the storage holds exactly, so that what is measured is the transform."""
    values = random_complex((layers or 1, _halves(storage), *shape), seed, storage.double)
    return _numbers(_channels(values.real if storage.real else values, storage), storage)


def upload(ctx: moderngl.Context, values: npt.NDArray[Any], storage: Storage, layers: int | None) -> Any:
    """An image of the storage with these values."""
    data = np.ascontiguousarray(_channels(values, storage)).tobytes()
    size = values.shape[:1:-1]
    if storage.buffer:
        return ctx.buffer(data)
    if len(size) == 3:
        return ctx.texture3d(size, storage.components, data, dtype=storage.dtype)
    if layers is None:
        return ctx.texture(size, storage.components, data, dtype=storage.dtype)
    return ctx.texture_array((*size, layers), storage.components, data, dtype=storage.dtype)


def blank(ctx: moderngl.Context, shape: tuple[int, ...], storage: Storage, layers: int | None) -> Any:
    """A target full of NaN, so that an element nobody writes shows."""
    nan = np.nan if storage.real else complex(np.nan, np.nan)
    return upload(ctx, np.full((layers or 1, _halves(storage), *shape), nan), storage, layers)


def download(image: Any, storage: Storage, shape: tuple[int, ...], layers: int | None) -> npt.NDArray[Any]:
    """What an image holds."""
    flat = np.frombuffer(image.read(), storage.dtype)
    return _numbers(flat.reshape(layers or 1, *shape, storage.components), storage)


def ends(plan: glfft.Plan, direction: str) -> tuple[tuple[Storage, tuple[int, ...]], tuple[Storage, tuple[int, ...]]]:
    """Storage and shape of what a plan reads and of what it writes."""
    number = {name: each for each, name in DIRECTION_NAMES.items()}[direction]
    source, target = plan.request.ends(number)
    return (source[1], source[0]), (target[1], target[0])


def run(plan: glfft.Plan, values: npt.NDArray[Any], direction: str = "forward") -> npt.NDArray[Any]:
    """What a plan makes of values, written to a target full of NaN."""
    layers = plan.request.layers
    (source_storage, source_shape), (target_storage, target_shape) = ends(plan, direction)
    assert values.shape[2:] == source_shape
    source = upload(plan.ctx, values, source_storage, layers)
    target = blank(plan.ctx, target_shape, target_storage, layers)
    try:
        getattr(plan, direction)(source, target, next_use="read")
        return download(target, target_storage, target_shape, layers)
    finally:
        release(source, target)


def assert_refused(plan: glfft.Plan, good: Any, bad: Any, words: tuple[str, ...]) -> None:
    """Fail unless a plan refuses an image as source and as target, in one sentence that has the words."""
    for role, arguments in (("source", (bad, good)), ("target", (good, bad))):
        for transform in (plan.forward, plan.inverse):
            with refused(TextureError) as caught:
                transform(*arguments)
            for word in (role, *words):
                assert word in str(caught.value)


def release(*images: Image) -> None:
    """Free them."""
    for image in images:
        image.release()


def _halves(storage: Storage) -> int:
    """Numbers a texel carries."""
    return storage.components if storage.real else storage.components // 2


def _channels(values: npt.NDArray[Any], storage: Storage) -> npt.NDArray[Any]:
    """[layers, halves, ..., rows, columns] to [layers, ..., rows, columns, channels] real."""
    texels = np.moveaxis(values, 1, -1)
    if not storage.real:
        texels = np.ascontiguousarray(texels, np.complex128).view(np.float64)
    return texels.astype(storage.dtype)


def _numbers(channels: npt.NDArray[Any], storage: Storage) -> npt.NDArray[Any]:
    texels = np.ascontiguousarray(channels, "f8" if storage.double else "f4")
    if not storage.real:
        texels = texels.view(np.complex128 if storage.double else np.complex64)
    return np.ascontiguousarray(np.moveaxis(texels, -1, 1))
