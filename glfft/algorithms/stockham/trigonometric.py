"""Cosine and sine transforms in the dispatch of a Stockham kernel, Bluestein's included."""

import math
from collections.abc import Callable
from dataclasses import replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.trigonometric import constants, tables
from glfft.gl.source import Define


def fused(
    request: AxisRequest, config: KernelConfig, make: Callable[[AxisRequest, KernelConfig], PassSpec]
) -> PassSpec:
    """The dispatch that does cosine or sine transforms; `make` makes the kernel's dispatch for complex lines."""
    # A value is what a texel carries.
    config = config.line_by_line
    spec = make(request.complex_lines, config)
    # In the table, its factors follow those of the stages and the chirp.
    offset = (0 if request.computed_twiddles else math.prod(spec.radices) - 1) + sum(each.size for each in spec.tables)
    found = tables(request)
    length = offset + sum(each.size for each in found)
    assert request.kind is not None
    defines: dict[str, Define] = {
        **dict(spec.defines),
        **constants(request, offset),
        "SCALE": request.scale,
        "BLUESTEIN": bool(spec.tables),
        "LOADS_LINES": False,
        "MIRRORED_POINTS": config.registers_up_to(request.length // 2),
    }
    return replace(
        spec,
        shader="fft/stockham_trigonometric.comp",
        request=request,
        defines=tuple(defines.items()),
        tables=(*spec.tables, *found),
        # A texture has only so many columns.
        sampled_twiddles=spec.sampled_twiddles and length <= request.device.limits.texture_size,
        barriers=spec.barriers + (config.mirror_barriers(request.storage.components) if request.kind.folds else 0),
        reads=Points.REAL,
        writes=Points.REAL,
        stores_where_it_loads=True,
    )
