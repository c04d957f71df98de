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
# Lines of two complex numbers a value keep few points in registers. On an NVIDIA H200 a bloom of 1280 x 720 takes 63 us
# in 858 x 1408 points, one of 1210 x 743 in 864 x 1408 takes 47, and 45 with kernels measured in it.
_LARGEST_FAST_PRIME_OF_PAIRS = 7
_FEWEST_POINTS_OF_PAIRS = 1 << 18
# By which share of it a length may be longer; the points of what is compared, and how many times they may differ.
_COMPARED, _COMPARED_OF_PAIRS = (8, 1 << 20, 4), (16, 1 << 22, 2)


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


def next_fast_len_of_pairs(target: int, axis: int, *, ctx: moderngl.Context) -> int:
    """The same for convolutions with two complex numbers a value in textures, along columns (axis 0), where they are
    multiplied, or rows (1). Lengths measured so come first.
    """
    device = state_of(ctx).device
    measured = target <= device.limits.texture_size and _fastest_measured(target, device, of_pairs=axis)
    return measured or next_fast_len(next_smooth(target, _LARGEST_FAST_PRIME_OF_PAIRS), ctx=ctx)


def _fastest_measured(shortest: int, device: Device, of_pairs: int | None = None) -> int | None:
    """The length measured fastest, with about as many points, from `shortest` to a little more. None where none was;
    without an axis `of_pairs`, also where `shortest` itself was not.
    """
    times, points, pairs = dict[int, float](), 0, of_pairs is not None
    share, compared, most_times_apart = _COMPARED_OF_PAIRS if pairs else _COMPARED
    for length in range(shortest, shortest + shortest // share + 1):
        if largest_prime_factor(length) <= _LARGEST_FAST_PRIME:
            shape, storage = (max(1, compared // length), length), STORAGES["rgba16f" if pairs else "buffer"]
            request = AxisRequest(shape, 1, FORWARD, 1.0, False, None, storage, device)
            if of_pairs == 0:
                request = replace(request, shape=shape[::-1], axis=0, inverse_scale=1.0)
            for nearest, _ in known(request, families_for(request))[:1]:
                so = nearest.components == storage.components and nearest.transforms_back == (of_pairs == 0)
                if pairs and not (so and nearest.points >= _FEWEST_POINTS_OF_PAIRS):
                    continue
                points = points or nearest.points
                if max(points, nearest.points) <= most_times_apart * min(points, nearest.points):
                    times[length] = nearest.microseconds / nearest.points * length
        if not (times or pairs):
            return None
    return min(times, key=lambda length: (times[length], length), default=None)
