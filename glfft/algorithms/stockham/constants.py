"""The constants of a Stockham kernel's shader; shaders/fft/stockham.glsl says what each of them is."""

from __future__ import annotations

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import BACKWARDS
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.tables import Roots, Table
from glfft.gl.source import Define

Defines = tuple[tuple[str, Define], ...]


def line_constants(request: AxisRequest, config: KernelConfig, lines: int, groups: tuple[int, int, int]) -> Defines:
    """Which lines an invocation works on, and how it loads and stores their points."""
    across, layers, deep = groups
    one = "part" if request.part is not None else "point"
    at_once = "pair" if config.line_pairs else one
    return (
        *((("line_point", "vec4"),) * config.line_pairs),
        ("LOAD", f"load_{at_once}"),
        ("STORE", f"store_{at_once}"),
        ("LOAD_EACH", f"load_{one}"),
        ("STORE_EACH", f"store_{one}"),
        ("LINE_PAIRS", config.line_pairs),
        ("LINE_COUNT", lines),
        ("LINES", config.lines // config.lines_a_value),
        ("EVERY_LINE_EXISTS", across * deep * config.lines == lines),
        ("LINES_SIDE_BY_SIDE", config.side_by_side),
        ("INVOCATIONS", config.invocations),
        ("GROUPS_ACROSS", across),
        ("GROUP_LAYERS", layers),
        ("GROUPS_DEEP", deep),
        (BACKWARDS, False),
    )


def stage_constants(request: AxisRequest, config: KernelConfig) -> Defines:
    """What a thread does in the stages and between them."""
    return (
        ("LENGTH", config.length),
        ("THREADS", config.threads),
        ("POINTS", config.points),
        ("FIRST_RADIX", config.radices[0]),
        ("LAST_RADIX", config.radices[-1]),
        ("MIRRORED_POINTS", config.registers_up_to(config.length // 2)),
        ("EXCHANGES", config.exchanges),
        ("TURNS", False),
        ("TWICE", False),
        ("LOADS_LINES", False),
        ("ENDS_AS_IT_BEGINS", config.ends_as_it_begins),
        ("IN_TURN", config.exchange == "in turn"),
        ("ALTERNATE", config.exchange == "alternate"),
        ("LINE_SLOTS", config.line_slots(request.storage)),
        ("FACTORS_GIVEN", config.factors_given),
        ("TWIDDLE_PRODUCTS", config.twiddle_products),
        ("DIRECTION", request.direction),
    )


def padded_constants(request: AxisRequest, tables: tuple[Table, ...], offset: int) -> Defines:
    """How shaders/fft/padded_lines.glsl finds the lines of the picture, and the chirp."""
    padded = request.padded
    if padded is None:
        return ()
    roots = 0 if request.computed_twiddles else sum(each.size for each in tables if isinstance(each, Roots))
    return (
        ("ENTERS", padded.enters),
        ("WHOLE_LINES", padded.whole.lines),
        ("CHIRP_POINTS", padded.whole.length),
        ("CHIRP_DIRECTION", padded.whole.direction),
        ("CHIRP_OFFSET", offset + roots),
    )


def part_constants(request: AxisRequest, tables: tuple[Table, ...], offset: int) -> Defines:
    """How shaders/fft/four_step.glsl finds the points of a part."""
    part, padded = request.part, request.padded
    if part is None:
        return (("PARTS", 1),)
    roots = [table for table in tables if isinstance(table, Roots)]
    at_ends = padded is not None and (padded.enters or padded.leaves)
    return (
        ("PARTS", part.count),
        ("PART_POINTS", part.length),
        ("PARTS_AFTER", part.after),
        ("PUTS_IN_ORDER", part.last and padded is None),
        ("PASSES_BEFORE", len(part.before)),
        ("LENGTHS_BEFORE", f"int[{max(len(part.before), 1)}]({', '.join(map(str, part.before or (1,)))})"),
        ("PART_DIRECTION", request.direction),
        ("FACTORS_ON_INPUTS", padded is not None and request.direction > 0),
        ("PADDED", at_ends),
        ("LINE_LOAD", "load_padded" if at_ends else "load_point"),
        ("LINE_STORE", "store_padded" if at_ends else "store_point"),
        ("ROOT_ORDER", roots[0].length if roots else 0),
        ("ROOT_OFFSET", offset),
        ("ROOT_FINE_BITS", roots[0].fine_bits if roots else 0),
    )
