"""Plans that read buffers through buffer textures."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
import scipy.fft
from support import images
from support.gl_objects import assert_plans_leave_nothing
from support.images import random_values
from support.kernels import restrict_device
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, TABLE_DB

import glfft
from glfft.algorithms.pass_bindings import Place
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import snr_db


def checked(plan: glfft.Plan) -> glfft.Plan:
    """The plan, all of whose passes fetch."""
    for pipeline in plan._pipelines.values():
        assert {each.spec.source_place for each in pipeline.passes} == {Place.BUFFER_TEXTURE}
    return plan


@pytest.mark.parametrize("storage", ["buffer", "buffer_pairs"])
@pytest.mark.parametrize(
    ("shape", "layers", "floor"), [((6, 16), None, TABLE_DB), ((9, 4), 3, TABLE_DB), ((41, 5), 2, BLUESTEIN_DB)]
)
def test_pictures(
    ctx: moderngl.Context, storage: str, shape: tuple[int, int], layers: int | None, floor: float
) -> None:
    with checked(glfft.Plan(ctx, shape, layers=layers, storage=storage)) as plan:
        values = random_values(STORAGES[storage], shape, layers)
        assert snr_db(images.run(plan, values), np.fft.fft2(values.astype(complex))) >= floor
        assert snr_db(images.run(plan, values, "inverse"), np.fft.ifft2(values.astype(complex))) >= floor


@pytest.mark.parametrize("storage", ["buffer", "buffer_pairs"])
def test_real_volumes(ctx: moderngl.Context, storage: str) -> None:
    shape = (3, 4, 10)
    with checked(glfft.Plan(ctx, shape, storage=storage, real=True)) as plan:
        volume = random_values(plan.request.storage.of_reals, shape, None)
        exact = np.fft.rfftn(volume.astype(float), axes=(-3, -2, -1))
        assert snr_db(images.run(plan, volume), exact) >= TABLE_DB
        assert snr_db(images.run(plan, exact.astype(np.complex64), "inverse"), volume) >= TABLE_DB


def test_cosine_transforms(ctx: moderngl.Context) -> None:
    with checked(glfft.Plan(ctx, (6, 15), storage="buffer", kind="dct2")) as plan:
        picture = random_values(plan.request.storage.of_reals, (6, 15), None)
        exact: Any = scipy.fft.dctn(picture.astype(float), axes=(-2, -1))
        assert snr_db(images.run(plan, picture), exact) >= COMPOSED_DB


@pytest.mark.parametrize(("length", "floor"), [(10000, TABLE_DB), (4099, BLUESTEIN_DB)])
def test_long_lines_in_parts(ctx: moderngl.Context, length: int, floor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=8192)
    with checked(glfft.Plan(ctx, (2, length), axes=(1,), storage="buffer")) as plan:
        assert plan.dispatches > 1
        values = random_values(STORAGES["buffer"], (2, length), None)
        assert snr_db(images.run(plan, values), np.fft.fft(values.astype(complex))) >= floor


def test_runs_in_place_follow_each_other(ctx: moderngl.Context) -> None:
    values = random_values(STORAGES["buffer"], (16, 32), None)
    buffer: Any = images.upload(ctx, values, STORAGES["buffer"], None)
    with checked(glfft.Plan(ctx, (16, 32), storage="buffer", norm="ortho")) as plan:
        for _ in range(3):
            plan.forward(buffer, buffer, next_use="transform")
        plan.inverse(buffer, buffer, next_use="read")
    exact = np.fft.fft2(np.fft.fft2(values.astype(complex), norm="ortho"), norm="ortho")
    assert snr_db(images.download(buffer, STORAGES["buffer"], (16, 32), None), exact) >= COMPOSED_DB
    buffer.release()


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_nothing_stays(ctx: moderngl.Context) -> None:
    def make_and_drop(index: int) -> None:
        buffer = ctx.buffer(reserve=8 * 64)
        with glfft.Plan(ctx, (8, 8), storage="buffer") as plan:
            plan.forward(buffer, buffer)
        buffer.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 5)
