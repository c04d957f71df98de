"""The length to pad to, for a fast transform."""

import sys
from contextlib import suppress

import moderngl

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import largest_prime_factor, next_smooth
from glfft.algorithms.registry import families_for
from glfft.algorithms.storage import STORAGES
from glfft.arrays.calls import LONGEST
from glfft.engine.request import FORWARD
from glfft.errors import ContextError, LimitError, ShapeError, require, shown, whole_number
from glfft.gl.context import default_context, state_of
from glfft.gl.device import Device
from glfft.wisdom.lookup import known, of_convolutions

# On an NVIDIA H200 lines of 3264 and 5472 points take as long a point as of 3840 and 4096. Those of 2944 and 3968, with
# factors 23 and 31, take a third and a half more with kernels that nobody tuned.
_LARGEST_FAST_PRIME = 19
# Two complex numbers a value leave registers few points: an NVIDIA H200 blooms 858 x 1408 in 63 us, 864 x 1408 in 47.
_LARGEST_FAST_PRIME_OF_PAIRS = 7
# By which share a length may be longer, in convolutions too; the points of compared lines, how many times these differ.
_SHARE, _SHARE_OF_CONVOLUTIONS = 8, 11
_COMPARED, _MOST_TIMES_APART = 1 << 20, 4
_EMPTY_US = 5.7  # that a convolution's three dispatches take an NVIDIA H200 with nothing to do


def next_fast_len(target: int, real: bool = False, *, ctx: moderngl.Context | None = None) -> int:
    """The length to pad to, as scipy.fft.next_fast_len.

    This is the next length without a prime factor above 19. If that length and others up to an eighth longer were
    measured on the device with about as many points, it is the one of these with the fastest lines.

    Args:
        target: the least length, at least 0.
        real: ignored; the lengths are the same for real transforms.
        ctx: the device's context. Default: the current one; without one only factors count.

    Returns:
        A length of at least `target`; 0 for 0. ShapeError unless it is a whole number from 0, LimitError over 64 bits.
    """
    least = whole_number(target)
    if least is None:
        raise ShapeError(f"The target is {shown(target)} and must be a whole number.")
    require(least >= 0, "The target", least, "at least 0", ShapeError)
    if least > sys.maxsize:
        raise LimitError(f"The target is {shown(target)}; the longest transform there is has {LONGEST} points.")
    if least < 2:
        return least
    shortest = next_smooth(least, _LARGEST_FAST_PRIME)
    with suppress(ContextError):
        used = default_context() if ctx is None else ctx
        if used is not None and shortest <= LONGEST:  # longer ones were measured nowhere, and are long to look for
            return _fastest_measured(shortest, state_of(used).device) or shortest
    return shortest


def length_for_convolutions(target: int, axis: int, storage: str, real: bool, *, ctx: moderngl.Context) -> int:
    """The same for columns (axis 0) and rows (1) of convolutions with a storage of textures. Lengths measured in such
    convolutions come first, best in that storage, of which one may be an eleventh longer.
    """
    components = STORAGES[storage].components
    measured = of_convolutions("real" if real else "complex", axis, components, state_of(ctx).device)
    lengths = range(target, target + target // _SHARE_OF_CONVOLUTIONS + 1)
    # Many pictures at once take less time each.
    fitting = [each for each in measured if each.length in lengths and each.points <= 2 * each.length**2]
    if fitting := [each for each in fitting if each.storage == storage] or fitting:
        return min(fitting, key=lambda each: (each.microseconds - _EMPTY_US) / each.points * each.length).length
    least = next_smooth(target, _LARGEST_FAST_PRIME_OF_PAIRS) if components == 4 else target
    return next_fast_len(least, ctx=ctx)


def _fastest_measured(shortest: int, device: Device) -> int | None:
    """The length measured fastest with about as many points, up to an eighth longer; None if `shortest` was not."""
    times, points = dict[int, float](), 0
    for length in range(shortest, shortest + shortest // _SHARE + 1):
        if largest_prime_factor(length) <= _LARGEST_FAST_PRIME:
            shape, storage = (max(1, _COMPARED // length), length), STORAGES["buffer"]
            request = AxisRequest(shape, 1, FORWARD, 1.0, False, None, storage, device)
            for nearest, _ in known(request, families_for(request))[:1]:
                points = points or nearest.points
                if max(points, nearest.points) <= _MOST_TIMES_APART * min(points, nearest.points):
                    times[length] = nearest.microseconds / nearest.points * length
        if not times:
            return None
    return min(times, key=lambda length: (times[length], length))
