"""Stockham autosort in one dispatch an axis: points in registers, exchanged through shared memory between stages.

There is one template, shaders/fft/stockham.glsl. A `KernelConfig` sets it up: the list of radices, threads a line,
lines a work group, and how points are exchanged.
"""

from __future__ import annotations

import math

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.constants import (
    Defines,
    line_constants,
    padded_constants,
    part_constants,
    stage_constants,
)
from glfft.algorithms.stockham.stages_text import stages_text
from glfft.algorithms.tables import Chirp, ChirpSpectrum, Roots, Table

# Up to so many points, the factors between two passes over parts have an entry each.
_LONGEST_TABLE = 1 << 16

_OF_LINES = "fft/stockham.comp"
_OF_PICTURES = "fft/stockham_picture.comp"

# The uniform of passes whose lines lie in scratch.
FIRST_LINE = "glfft_first_line"


def kernel_pass(request: AxisRequest, config: KernelConfig) -> PassSpec:
    """The dispatch that does what is asked for, to all lines of an axis or to all parts of them, with a kernel."""
    if request.real_pairs or request.inverse_scale is not None:
        # There, a value is what a texel carries.
        config = config.line_by_line
    components = request.storage.components
    barriers = config.barriers(components, config.exchanges)
    if request.inverse_scale is not None:
        barriers = config.barriers(components, config.convolution_exchanges)
        scales = (
            ("SCALE", request.inverse_scale),
            ("SPECTRUM_SCALE", request.scale),
            ("TWICE", True),
            ("LOADS_LINES", True),
        )
        return _pass("fft/stockham_convolve.comp", request, config, request.lines, barriers, scales)
    scales = (("SCALE", request.scale),)
    if not request.real_pairs:
        return _pass(_OF_LINES, request, config, request.lines, barriers, (*scales, ("LOADS_LINES", True)))
    pairs = -(-request.lines // 2)
    defines = (*scales, ("REAL_LINES", request.lines))
    if request.direction < 0:
        barriers += config.mirror_barriers(components)
        return _pass("fft/stockham_real_forward.comp", request, config, pairs, barriers, defines)
    return _pass("fft/stockham_real_inverse.comp", request, config, pairs, barriers, defines)


def picture_pass(request: AxisRequest, config: KernelConfig) -> PassSpec:
    """The dispatch that does what is asked for to both axes of a square picture: its rows are a work group's lines."""
    components, exchanges = request.storage.components, config.exchanges
    defines: Defines = (("SCALE", request.scale), ("TURNS", True), ("LOADS_LINES", True))
    shader, barriers = _OF_PICTURES, config.barriers(components, 2 * exchanges + 1)
    if request.inverse_scale is not None:
        shader = "fft/stockham_picture_convolve.comp"
        barriers = config.barriers(components, 2 * exchanges + 2 + config.convolution_exchanges)
        defines = (
            ("SCALE", request.inverse_scale),
            ("SPECTRUM_SCALE", request.scale),
            ("TURNS", True),
            ("TWICE", True),
            ("LOADS_LINES", True),
        )
    return _pass(shader, request, config, request.lines, barriers, defines)


def _pass(
    shader: str,
    request: AxisRequest,
    config: KernelConfig,
    lines: int,
    barriers: int,
    defines: Defines,
) -> PassSpec:
    """A dispatch of a shader for some lines, or pairs of real ones, a layer."""
    groups = _groups(request, config, lines)
    part, padded = request.part, request.padded
    table, tables = part_tables(request, config)
    offset = table_size(request, table)
    whole_lines = part is None or not part.last or padded is not None
    at_ends = padded is not None and (padded.enters or padded.leaves)
    return PassSpec(
        shader=shader,
        request=request,
        defines=(
            *line_constants(request, config, lines, groups),
            *stage_constants(request, config),
            *defines,
            *part_constants(request, tables, offset),
            *padded_constants(request, tables, offset),
        ),
        groups=groups,
        threads=config.invocations,
        generated=(("generated/stages.glsl", stages_text(config, request.storage)), *_product(request)),
        uniforms=((FIRST_LINE, padded.first),) if padded is not None and at_ends else (),
        radices=config.radices,
        table=table,
        tables=tables,
        # A texture has only so many columns, and no float64.
        sampled_twiddles=(
            config.sampled_twiddles
            and offset + sum(each.size for each in tables) < request.device.limits.texture_size
            and not request.storage.double
        ),
        prefers_image_loads=config.image_loads,
        shared_bytes=config.shared_bytes(request.storage),
        barriers=barriers,
        stores_where_it_loads=not request.real_pairs and whole_lines,
        turns_at_ends=shader in (_OF_LINES, _OF_PICTURES),
        reads=Points.COMPLEX if padded is None or padded.enters else Points.PADDED,
        writes=Points.COMPLEX if padded is None or padded.leaves else Points.PADDED,
    )


def _groups(request: AxisRequest, config: KernelConfig, lines: int) -> tuple[int, int, int]:
    """Work groups across, in layers and deep: devices may allow no more than 65535 in a row, which parts of lines can
    exceed.
    """
    groups = -(-lines // config.lines)
    deep = -(-groups // request.device.limits.group_count[0])
    return -(-groups // deep), request.layers or 1, deep


def part_tables(request: AxisRequest, config: KernelConfig) -> tuple[tuple[int, ...], tuple[Table, ...]]:
    """The radices of a pass's twiddle table, and what is behind it: the factors between passes over parts.

    Those are the factors of one more stage, of a radix as large as what follows, or of many points in two levels.
    """
    part, chirps = request.part, _chirps(request)
    if part is None or part.last:
        return config.radices, chirps
    points = part.length * part.after
    if config.length == part.length and points <= _LONGEST_TABLE:
        return (*config.radices, part.after), chirps
    return config.radices, (Roots(points), *chirps)


def _chirps(request: AxisRequest) -> tuple[Table, ...]:
    """What the lines of a picture, or the spectra of padded lines, are multiplied by."""
    padded, part = request.padded, request.part
    if padded is None or part is None:
        return ()
    chirp = Chirp(padded.whole.length)
    if part.last:
        return (ChirpSpectrum(chirp, request.shape[request.axis], (*part.before, part.length)),)
    return (chirp,) if padded.enters or padded.leaves else ()


def table_size(request: AxisRequest, radices: tuple[int, ...]) -> int:
    """Entries of a twiddle table."""
    return 0 if request.computed_twiddles else math.prod(radices) - 1


def _product(request: AxisRequest) -> tuple[tuple[str, str], ...]:
    """What the spectra of padded lines are multiplied by, as the text that a convolution includes."""
    if request.padded is None or request.inverse_scale is None:
        return ()
    return (("generated/multiply.glsl", '#include "fft/chirp_product.glsl"\n'),)
