"""What algorithms share that have a work group for each line: the device's limits bound its length."""

from typing import Any

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import is_power_of_two, log2, power_of_two_below
from glfft.algorithms.passes import PassSpec


def why_not(request: AxisRequest, padding: int = 0) -> str | None:
    """Why a line, with a free slot every `padding` points, does not fit shared memory, after "it would need"."""
    points = request.length + (request.length // padding if padding else 0)
    need = points * request.storage.value_bytes
    have = request.device.limits.shared_memory
    return f"{need} bytes of shared memory, and the device has {have}" if need > have else None


def why_too_many_invocations(request: AxisRequest, invocations: int) -> str | None:
    """Why a work group cannot have that many invocations, to complete "it would need"."""
    most = _most_invocations(request)
    return f"{invocations} invocations in a work group, and the device allows {most}" if invocations > most else None


def why_too_many(request: AxisRequest, across: int, down: int = 1) -> str | None:
    """Why a dispatch of so many work groups in x and y cannot be, to complete "it would need"."""
    most = request.device.limits.group_count
    if across <= most[0] and down <= most[1]:
        return None
    return f"a dispatch of {across} x {down} work groups, and the device allows {most[0]} x {most[1]}"


def why_no_power_of_two(request: AxisRequest) -> str | None:
    """Why an algorithm of radix 2 cannot do a request, to complete "it would need"."""
    return None if is_power_of_two(request.length) else "a length that is a power of two"


def in_rows(request: AxisRequest, groups: int) -> tuple[int, int]:
    """So many work groups as groups across and rows of them: devices may allow no more than 65535 in a row."""
    rows = -(-groups // request.device.limits.group_count[0])
    return -(-groups // rows), rows


def most_threads(request: AxisRequest) -> int:
    """The largest power of two of invocations that a work group may have: some devices allow 1536 or 896."""
    return power_of_two_below(_most_invocations(request))


def _most_invocations(request: AxisRequest) -> int:
    return min(request.device.limits.invocations, request.device.limits.group_size[0])


def threads(request: AxisRequest, points: int) -> int:
    """Invocations a line, a power of two: one for every `points` points, or as many as the device allows."""
    return min(request.length // points, most_threads(request))


def radices(request: AxisRequest, radix: int) -> tuple[int, ...]:
    """The radices of a power of two in order: as many of one radix as can be, and a last smaller one for the rest."""
    stages, left = divmod(log2(request.length), log2(radix))
    return (radix,) * stages + (2**left,) * (left > 0)


def line_pass(request: AxisRequest, shader: str, threads: int, radices: tuple[int, ...], **more: Any) -> PassSpec:
    """A dispatch with a work group of so many threads for each line; `more` are other fields of `PassSpec`."""
    defines = (
        ("LENGTH", request.length),
        ("STAGES", len(radices)),
        ("THREADS", threads),
        ("DIRECTION", request.direction),
        ("SCALE", request.scale),
    )
    fields = {"defines": defines, "radices": radices, "stores_where_it_loads": True, **more}
    groups = (request.lines, request.layers or 1, 1)
    return PassSpec(shader=shader, request=request, groups=groups, threads=threads, **fields)
