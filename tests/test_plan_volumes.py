"""Plans of volumes: transforms over any of three axes, in 3-D textures and in buffers."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.tolerances import BLUESTEIN_DB, TABLE_DB, half_db

import glfft
from glfft.accuracy import snr_db
from glfft.algorithms.storage import STORAGES

AXES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def from_the_end(axes: tuple[int, ...]) -> list[int]:
    """Axes of a volume as those of an array of volumes, the one that real= halves last."""
    return [axis - 3 for axis in sorted(axes)]


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
@pytest.mark.parametrize("axes", AXES)
def test_all_axes_in_both_directions(ctx: moderngl.Context, axes: tuple[int, ...], storage: str) -> None:
    shape = (6, 5, 7)
    with glfft.Plan(ctx, shape, axes=axes, storage=storage) as plan:
        assert plan.dispatches == len(axes)
        values = random_values(plan.request.storage, shape, None)
        exact = np.fft.fftn(values.astype(complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
        exact = np.fft.ifftn(values.astype(complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values, "inverse"), exact) >= TABLE_DB


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
@pytest.mark.parametrize("axes", AXES)
def test_real_volumes(ctx: moderngl.Context, axes: tuple[int, ...], storage: str) -> None:
    shape = (6, 5, 7)
    with glfft.Plan(ctx, shape, axes=axes, storage=storage, real=True) as plan:
        volume = random_values(plan.request.storage.of_reals, shape, None)
        exact = np.fft.rfftn(volume.astype(float), axes=from_the_end(axes))
        assert plan.spectrum_shape == exact.shape[2:]
        assert snr_db(images.run(plan, volume), exact) >= TABLE_DB
        assert snr_db(images.run(plan, exact.astype(np.complex64), "inverse"), volume) >= TABLE_DB


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("name", STORAGES)
def test_every_storage(ctx: moderngl.Context, name: str, real: bool) -> None:
    shape = (3, 4, 10)
    with glfft.Plan(ctx, shape, storage=name, real=real) as plan:
        storage = plan.request.storage
        values = random_values(storage.of_reals if real else storage, shape, None)
        transform = np.fft.rfftn if real else np.fft.fftn
        exact = transform(values.astype(float if real else complex), axes=(2, 3, 4))
        floor = half_db(plan.dispatches) if storage.dtype == "f2" else TABLE_DB
        assert snr_db(images.run(plan, values), exact) >= floor


@pytest.mark.parametrize("axes", [(0,), (0, 1), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("real", [False, True])
def test_a_buffer_holds_a_batch_of_volumes(ctx: moderngl.Context, axes: tuple[int, ...], real: bool) -> None:
    shape = (5, 4, 6)
    with glfft.Plan(ctx, shape, axes=axes, layers=3, storage="buffer", real=real) as plan:
        values = random_values(plan.request.storage.of_reals if real else plan.request.storage, shape, 3)
        transform = np.fft.rfftn if real else np.fft.fftn
        exact = transform(values.astype(float if real else complex), axes=from_the_end(axes))
        assert snr_db(images.run(plan, values), exact) >= TABLE_DB
        back = exact.astype(np.complex64)
        assert snr_db(images.run(plan, back, "inverse"), values) >= TABLE_DB


@pytest.mark.parametrize("shape", [(17, 2, 3), (2, 19, 3), (1, 3, 23), (1, 1, 1), (16, 1, 2)])
def test_lengths_of_large_primes_and_of_one_point(ctx: moderngl.Context, shape: tuple[int, int, int]) -> None:
    with glfft.Plan(ctx, shape, norm="ortho") as plan:
        values = random_values(plan.request.storage, shape, None)
        exact = np.fft.fftn(values.astype(complex), axes=(2, 3, 4), norm="ortho")
        assert snr_db(images.run(plan, values), exact) >= BLUESTEIN_DB
