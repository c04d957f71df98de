"""Cosine and sine transforms round the passes of any algorithm, and the constants of those done in one dispatch."""

from collections.abc import Sequence
from dataclasses import replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.regions import Points
from glfft.algorithms.tables import Table, TrigonometricFactors
from glfft.gl.source import Define

_INVOCATIONS = 64


def round_complex_passes(request: AxisRequest, passes: Sequence[PassSpec]) -> list[PassSpec]:
    """The dispatches that transform real lines by those of `request.complex_lines`: one before these and one after."""
    before = _each_point("fft/trigonometric_inputs.comp", replace(request, scale=1.0))
    after = _each_point("fft/trigonometric_outputs.comp", request)
    return [
        replace(before, reads=Points.REAL, writes=Points.CARRIED),
        *passes,
        replace(after, reads=Points.CARRIED, writes=Points.REAL),
    ]


def constants(request: AxisRequest, offset: int) -> dict[str, Define]:
    """What fft/trigonometric_lines.glsl wants to know; `offset` is where its factors begin in the table."""
    kind = request.kind
    assert kind is not None
    return {
        "TYPE": kind.type,
        "SINE": kind.sine,
        "ORTHOGONAL": request.orthogonal,
        "REAL_POINTS": request.shape[request.axis],
        "TRANSFORM_POINTS": request.length,
        "REAL_PAIRS": request.real_pairs,
        "REAL_LINES": request.lines,
        "FACTORS_OFFSET": offset,
    }


def tables(request: AxisRequest) -> tuple[Table, ...]:
    """The factors that it reads there."""
    kind = request.kind
    return () if kind is None or kind.type == 1 else (TrigonometricFactors(kind.type, request.shape[request.axis]),)


def _each_point(shader: str, request: AxisRequest) -> PassSpec:
    """A dispatch with an invocation for each point of the complex lines."""
    complex_lines = request.complex_lines
    across, deep = request.device.limits.in_rows(-(-complex_lines.length * complex_lines.lines // _INVOCATIONS))
    defines: dict[str, Define] = {
        **constants(request, offset=0),
        "INVOCATIONS": _INVOCATIONS,
        "GROUPS_ACROSS": across,
        "LINE_COUNT": complex_lines.lines,
        "DIRECTION": -1,
        "SCALE": request.scale,
    }
    groups = (across, request.layers or 1, deep)
    return PassSpec(shader, request, tuple(defines.items()), groups, _INVOCATIONS, tables=tables(request))
