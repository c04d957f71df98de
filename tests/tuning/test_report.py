"""Reports as tables."""

from __future__ import annotations

from dataclasses import fields, replace

from glfft.algorithms.stockham.kernel import KernelConfig
from glfft.tuning.report import describe


def test_a_table_tells_kernels_apart() -> None:
    kernel = KernelConfig((4, 2), 4, lines=2)
    like_it = [
        replace(kernel, **{option: value})
        for option, value in (
            ("radices", (2, 4)),
            ("points", 8),
            ("lines", 4),
            ("side_by_side", True),
            ("exchange", "in turn"),
            ("padding", 16),
            ("sampled_twiddles", True),
            ("twiddle_products", True),
            ("image_loads", True),
            ("line_pairs", True),
            ("prefetch_twiddles", True),
        )
    ]
    assert len(like_it) == len(fields(KernelConfig))
    assert len({describe(each) for each in (kernel, *like_it)}) == len(like_it) + 1
