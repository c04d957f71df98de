"""Kernels of small pictures, whole and in pieces: compiled, as softpipe (Mesa 22.3.6) gets small pieces wrong."""

from __future__ import annotations

import math

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.kernels import PRODUCT
from support.requests import LEAST_DEVICE
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.algorithms.stockham import pictures
from glfft.algorithms.stockham.config import BY_STRIDE, PictureConfig
from glfft.algorithms.stockham.pictures import StockhamPicture
from glfft.algorithms.storage import STORAGES

# Pictures side by side; padding; axes of unlike radices; several stages; in two and four pieces, in which other stages
# begin and end, also within a period of the padding.
KERNELS = [
    PictureConfig((2, 4, 2, 4), 16, 2, side_by_side=True, columns=2),
    PictureConfig((4, 2, 2, 2), 8, exchange="in turn", columns=1),
    PictureConfig((4, 4, 2, 2, 3), 24, padding=BY_STRIDE, columns=2, twiddle_products=True),
    PictureConfig((3, 5, 2, 3), 18, padding=4, columns=2, prefetch_twiddles=True, sampled_twiddles=True),
    PictureConfig((2, 4), 2, 3, exchange="alternate", columns=1),
    PictureConfig((4, 2, 4, 2), 16, exchange="in turn", padding=BY_STRIDE, columns=2, pieces=2),
    PictureConfig((2, 3, 4), 6, 2, exchange="in turn", padding=5, columns=2, pieces=4),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=StockhamPicture().describe)
def test_every_kernel_is_right(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: PictureConfig) -> None:
    monkeypatch.setattr(pictures, "kernel_for", lambda _request: kernel)
    storage = STORAGES["rg32f"]
    shape = math.prod(kernel.axes[0]), math.prod(kernel.axes[1])
    assert kernel.fits(LEAST_DEVICE.limits, storage)
    values = random_values(storage, shape, 3)
    exact = np.fft.fft2(values.astype(np.complex128))
    y, x = np.indices(shape)
    z = np.arange(3)[:, None, None, None]
    with glfft.Plan(ctx, shape, layers=3, algorithm=StockhamPicture.name, multiply=PRODUCT) as plan:
        assert "rows and columns" in plan.explain()
        assert_close(run(plan, values), exact)
        expected = np.fft.ifft2(exact * (1 + x + 0.5j * (y + 2 * z)))
        assert_close(run(plan, values, "convolve"), expected, COMPOSED_DB)
