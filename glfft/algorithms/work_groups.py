"""What algorithms share that have a work group for each line: the device's limits bound its length."""

from typing import Any

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import is_power_of_two, log2, power_of_two_below
from glfft.algorithms.passes import PassSpec


def why_not(
    request: AxisRequest, invocations: int = 1, shared_bytes: int = 0, groups: tuple[int, int] = (1, 1)
) -> str | None:
    """Why lines of a power of two cannot go in such a dispatch, to complete "it would need"; None where they can."""
    limits = request.device.limits
    if not is_power_of_two(request.length):
        return "a length that is a power of two"
    if invocations > (most := _most_invocations(request)):
        return f"{invocations} invocations in a work group, and the device allows {most}"
    if shared_bytes > limits.shared_memory:
        return f"{shared_bytes} bytes of shared memory, and the device has {limits.shared_memory}"
    (across, down), (most_across, most_down, _) = groups, limits.group_count
    if across > most_across or down > most_down:
        return f"a dispatch of {across} x {down} work groups, and the device allows {most_across} x {most_down}"
    return None


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
