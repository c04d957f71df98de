"""Cosine and sine transforms in one dispatch, by kernels with all their options."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
import scipy.fft
from support import images
from support.images import random_values, release
from support.kernels import kernels, request
from support.tolerances import TABLE_DB, assert_close

from glfft.algorithms.kinds import KINDS
from glfft.algorithms.stockham.bluestein import Bluestein
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER, TEXTURE_UPDATE_BARRIER
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits

DEVICE = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
SAMPLE = list(kernels(DEVICE, [2, 8, 15, 26, 64, 90, 128, 256], seed=5, heaviest=64))


@pytest.mark.parametrize(("kernel", "storage"), SAMPLE, ids=lambda case: getattr(case, "name", ""))
def test_every_kernel_agrees_with_scipy_in_float64(
    ctx: moderngl.Context, kernel: KernelConfig, storage: Storage
) -> None:
    index = SAMPLE.index((kernel, storage))
    axis, lines = index % 2, (5, 3, 11)[index % 3]
    wanted = request(state_of(ctx).limits, kernel, storage, axis=axis, lines=lines, layers=(None, 2)[index // 2 % 2])
    # Types 2 and 4 mirror their points through what the kernel exchanges them by, as type 3 does on GPUs.
    for kind in ("dct2", "dst4", "dct3") if index % 2 else ("dct4", "dst2", "dst3"):
        device = Device(wanted.device.limits) if kind[3] == "3" else wanted.device
        wanted = replace(
            wanted, device=device, kind=KINDS[kind], real_pairs=index % 4 > 0, scale=0.375, orthogonal=index % 5 > 2
        )
        (spec,) = Stockham().passes(wanted, kernel)
        values = random_values(storage.of_reals, wanted.shape, wanted.layers)
        source = images.upload(ctx, values, storage.of_reals, wanted.layers)
        target = images.blank(ctx, wanted.shape, storage.of_reals, wanted.layers)
        CompiledPass(ctx, spec).run(source, target)
        ctx.memory_barrier(TEXTURE_UPDATE_BARRIER | BUFFER_UPDATE_BARRIER)
        result = images.download(target, storage.of_reals, wanted.shape, wanted.layers)
        transform = getattr(scipy.fft, kind[:3])
        exact = transform(values.astype(np.float64), int(kind[3]), axis=axis - 2, orthogonalize=wanted.orthogonal)
        assert_close(result, 0.375 * np.asarray(exact), TABLE_DB)
        release(source, target)


def test_a_kernel_of_bluesteins_mirrors_no_more_than_half_a_line() -> None:
    wanted = request(DEVICE, KernelConfig((17,), 1), STORAGES["rg32f"], axis=1, lines=4)
    wanted = replace(wanted, device=Device(DEVICE), kind=KINDS["dct2"], real_pairs=True)
    family = Bluestein()
    assert family.fuses(wanted)
    (spec,) = family.passes(wanted, KernelConfig((6, 6), 6))
    defines = dict(spec.defines)
    assert [each.size for each in spec.tables] == [17, 36, 17]
    assert defines["FACTORS_OFFSET"] == 35 + 17 + 36
    # Two of six positions 6 apart, from 0 on, are at most 8.
    assert defines["MIRRORED_POINTS"] == 2
