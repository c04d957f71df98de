"""Kernels of small pictures: compiled, as softpipe (Mesa 22.3.6) gets small pieces wrong."""

from __future__ import annotations

import moderngl
import pytest
from support.kernels import assert_transforms_pictures

from glfft.algorithms.stockham.config import BY_STRIDE, PictureConfig
from glfft.algorithms.stockham.pictures import StockhamPicture

# In two and four pieces, in which other stages begin and end, also within a period of the padding.
KERNELS = [
    PictureConfig((4, 2, 4, 2), 16, exchange="in turn", padding=BY_STRIDE, columns=2, pieces=2),
    PictureConfig((2, 3, 4), 6, 2, exchange="in turn", padding=5, columns=2, pieces=4),
    # Whole numbers, with factors read beforehand, as GPUs take few pictures.
    PictureConfig((4, 6, 2, 5), 40, padding=BY_STRIDE, twiddle_products=True, prefetch_twiddles=True, columns=2),
    PictureConfig((3, 5), 3, 4, padding=BY_STRIDE, prefetch_twiddles=True, columns=1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=StockhamPicture().describe)
def test_every_kernel_is_right(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: PictureConfig) -> None:
    assert_transforms_pictures(ctx, monkeypatch, kernel)
