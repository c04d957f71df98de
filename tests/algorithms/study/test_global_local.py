"""Soerman's algorithm: global stages, a local kernel, and columns as rows of the transposed picture."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.images import random_values
from support.images import run as run_plan
from support.kernels import restrict_device
from support.pictures import run
from support.requests import axis_request
from support.tolerances import assert_close

import glfft
from glfft.algorithms.study.global_local import FAMILIES
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import LimitError
from glfft.gl.context import state_of

each_family = pytest.mark.parametrize("name", [family.name for family in FAMILIES])


@each_family
def test_pictures_that_fit_a_work_group_agree_with_numpy(ctx: moderngl.Context, name: str) -> None:
    for shape in ((64, 128), (4, 2)):
        picture = random_complex(shape)
        with glfft.Plan(ctx, shape, algorithm=name) as plan:
            assert_close(run(plan, picture), np.fft.fft2(picture.astype(np.complex128)))
            assert_close(run(plan, picture, "inverse"), np.fft.ifft2(picture.astype(np.complex128)))


@pytest.mark.parametrize(("axis", "shape"), [(0, (256, 33)), (1, (3, 256))])
def test_global_stages_come_first_where_lines_are_long(
    ctx: moderngl.Context, axis: int, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Work groups of 16 invocations take 32 points: three stages of 256 points are global.
    restrict_device(ctx, monkeypatch, invocations=16)
    picture = random_complex(shape)
    for name in (family.name for family in FAMILIES):
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=name) as plan:
            assert_close(run(plan, picture), np.fft.fft(picture.astype(np.complex128), axis=axis))


def test_its_dispatches() -> None:
    device = replace(axis_request((1, 1)).device, limits=replace(axis_request((1, 1)).device.limits, invocations=256))
    passes = FAMILIES[0].passes(axis_request((6, 4096), device=device), None)
    # 512 points fit: three stages of 12 in a dispatch each, with a butterfly a thread, then nine.
    assert [spec.radices for spec in passes] == [(2,)] * 3 + [(2,) * 9]
    assert [spec.groups for spec in passes] == [(6, 1, 8)] * 4
    assert {spec.threads for spec in passes} == {256}
    columns = FAMILIES[0].passes(axis_request((64, 6), 0, device=device), None)
    assert [spec.shader for spec in columns] == [
        "fft/study/transpose.comp",
        "fft/study/global_local.comp",
        "fft/study/transpose_back.comp",
    ]
    assert [spec.target_lines.shape for spec in columns] == [(6, 64), (6, 64), (64, 6)]
    assert [spec.source_lines.shape for spec in columns] == [(64, 6), (6, 64), (6, 64)]


@pytest.mark.parametrize("storage", ["rgba32f", "buffer"])
def test_batches_and_real_pictures(ctx: moderngl.Context, storage: str) -> None:
    with glfft.Plan(ctx, (16, 32), algorithm="global-local", layers=2, storage=storage) as plan:
        values = random_values(plan.request.storage, plan.shape, plan.request.layers)
        assert_close(run_plan(plan, values), np.fft.fft2(values.astype(np.complex128)))
    for axes in ((0, 1), (0,)):
        with glfft.Plan(ctx, (16, 32), axes=axes, algorithm="global-local", storage=storage, real=True) as plan:
            values = random_values(plan.request.storage.of_reals, plan.shape, None)
            exact = np.fft.rfftn(values.astype(np.float64), axes=[each - 2 for each in axes])
            assert_close(run_plan(plan, values), exact)


def test_columns_need_no_images_where_snippets_do_without(ctx: moderngl.Context) -> None:
    load = "value load(ivec3 at) { return value(at.x + 1, 0.5 * float(at.y * at.y)); }"
    results = "layout(std430, binding = 0) writeonly buffer Results { value results[]; };"
    store = results + "void store(ivec3 at, value result) { results[at.y * COLUMNS + at.x] = result; }"
    rows, columns = np.indices((16, 8))
    found = ctx.buffer(reserve=8 * 16 * 8)
    with glfft.Plan(
        ctx, (16, 8), axes=(0,), algorithm="global-local", storage="buffer", load=load, store=store
    ) as plan:
        found.bind_to_storage_buffer(0)
        plan.forward(None, None)
    values = np.frombuffer(found.read(), np.complex64).reshape(16, 8)
    found.release()
    assert_close(values, np.fft.fft(columns + 1 + 0.5j * rows**2, axis=0))


def test_volumes_keep_their_columns(ctx: moderngl.Context) -> None:
    volume = random_values(glfft.Plan(ctx, (4, 8, 16), storage="buffer").request.storage, (4, 8, 16), None)
    with glfft.Plan(ctx, (4, 8, 16), algorithm="global-local", storage="buffer") as plan:
        assert_close(run_plan(plan, volume), np.fft.fftn(volume.astype(np.complex128)))


def test_other_lengths_are_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(LimitError, match=r"power of two; it can do \d+; algorithm='auto' works"):
        glfft.Plan(ctx, (12, 4), algorithm="global-local")
    assert state_of(ctx).limits.invocations > 16, "restored"
