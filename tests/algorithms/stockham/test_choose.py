"""Passes fit the device they are made for, whatever its limits."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, run
from support.tolerances import assert_close

import glfft
from glfft.accuracy import random_complex
from glfft.algorithms.storage import STORAGES


@pytest.mark.parametrize("invocations", [96, 64])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_few_threads_do_the_work_of_many(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, algorithm: str, invocations: int
) -> None:
    restrict_device(ctx, monkeypatch, invocations=invocations)
    array = random_complex((16, 512))
    with glfft.Plan(ctx, (16, 512), algorithm=algorithm) as plan:
        assert_close(run(plan, array), np.fft.fft2(array.astype(np.complex128)))


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer"])
@pytest.mark.parametrize("layers", [None, 3])
@pytest.mark.parametrize(("shape", "axis"), [((6, 512), 1), ((512, 6), 0), ((1, 256), 1), ((2048, 1), 0)], ids=str)
def test_lines_too_long_for_a_work_group_go_in_parts(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    axis: int,
    layers: int | None,
    storage: str,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=512)
    with glfft.Plan(ctx, shape, axes=(axis,), layers=layers, storage=storage, algorithm="stockham") as plan:
        assert plan.dispatches == 2
        values = random_values(STORAGES[storage], shape, layers)
        wide = values.astype(np.complex128)
        assert_close(images.run(plan, values), np.fft.fft(wide, axis=2 + axis))
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide, axis=2 + axis))


def test_more_groups_than_fit_in_a_row(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, group_count=(2, 65535, 65535))
    array = random_complex((300, 16))
    with glfft.Plan(ctx, array.shape, axes=(1,), algorithm="stockham") as plan:
        assert_close(run(plan, array), np.fft.fft(array.astype(np.complex128)))
