"""The length to pad to, for a fast transform."""

import sys
from contextlib import suppress
from dataclasses import replace

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
from glfft.wisdom.lookup import known

# On an NVIDIA H200 lines of 3264 and 5472 points take as long a point as of 3840 and 4096. Those of 2944 and 3968, with
# factors 23 and 31, take a third and a half more with kernels that nobody tuned.
_LARGEST_FAST_PRIME = 19
# A convolution with two complex numbers a value keeps few points in registers. On an NVIDIA H200 a bloom of 1280 x 720
# in 850 x 1408 points, 850 with a radix of 17, takes 85 us, and of 1920 x 1080 in 1210 x 2048 takes 96.
_LARGEST_FAST_PRIME_OF_PAIRS = 13
_POINTS_COMPARED, _MOST_TIMES_APART = 1 << 20, 4  # the points of measurements that are compared


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


def next_fast_len_of_pairs(target: int, *, ctx: moderngl.Context) -> int:
    """The same for convolutions with two complex numbers a value. Lengths measured in such ones come first."""
    device = state_of(ctx).device
    measured = target <= device.limits.texture_size and _fastest_measured(target, device, of_pairs=True)
    return measured or next_fast_len(next_smooth(target, _LARGEST_FAST_PRIME_OF_PAIRS), ctx=ctx)


def _fastest_measured(shortest: int, device: Device, of_pairs: bool = False) -> int | None:
    """The length measured fastest, with about as many points, from `shortest` to an eighth more; None where none was,
    or, but for convolutions of pairs, not the shortest.
    """
    times, points = dict[int, float](), 0
    for length in range(shortest, shortest + shortest // 8 + 1):
        if largest_prime_factor(length) <= _LARGEST_FAST_PRIME:
            lines = max(1, _POINTS_COMPARED // length)
            request = AxisRequest((lines, length), 1, FORWARD, 1.0, False, None, STORAGES["buffer"], device)
            if of_pairs:
                convolved = {"storage": STORAGES["rgba16f"], "inverse_scale": 1.0}
                request = replace(request, shape=(length, lines), axis=0, **convolved)
            for nearest, _ in known(request, families_for(request))[:1]:
                points = points or nearest.points
                alike = max(points, nearest.points) <= _MOST_TIMES_APART * min(points, nearest.points)
                if alike and nearest.transforms_back == of_pairs:
                    times[length] = nearest.microseconds / nearest.points * length
        if not (times or of_pairs):
            return None
    return min(times, key=lambda length: (times[length], length), default=None)
