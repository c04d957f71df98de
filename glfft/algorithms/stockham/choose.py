"""The Stockham family: the kernel for a device and a size is measured, or where nothing was measured, reasoned.

A list of few radices means few trips through shared memory; more points a thread mean fewer threads that each wait less
often; two or more lines side by side fill the 32-byte sectors memory is read in.
"""

from __future__ import annotations

from dataclasses import replace

from glfft.algorithms.passes import AxisRequest, Part, PassSpec
from glfft.algorithms.stockham.kernel import Kernel, kernel_pass
from glfft.algorithms.storage import Storage
from glfft.gl.device import Limits
from glfft.wisdom import lookup

# Fewest stages of radix 16 or less, the smaller ones first: their factors are cheapest where the span is longest.
_RADICES = {
    1: (2,),
    2: (4,),
    3: (8,),
    4: (4, 4),
    5: (4, 8),
    6: (8, 8),
    7: (8, 16),
    8: (16, 16),
    9: (8, 8, 8),
    10: (8, 8, 16),
    11: (8, 16, 16),
    12: (16, 16, 16),
    13: (8, 8, 8, 16),
    14: (8, 8, 16, 16),
}
_FEWEST_THREADS = 64
_FEWEST_LINES = 2
_PADDING = 16
_FLOAT_BYTES = 4


def passes(request: AxisRequest) -> list[PassSpec]:
    """One dispatch where a line fits a work group, else two over parts of it."""
    return [_pass(part) for part in parts(request)]


def parts(request: AxisRequest) -> list[AxisRequest]:
    """The request of each dispatch: the one given, or two for the parts of lines that do not fit."""
    if request.length <= longest_at_once(request.limits, request.storage):
        return [request]
    bits = request.length.bit_length() - 1
    first, second = 1 << (bits - bits // 2), 1 << (bits // 2)
    # Only in whole lines can two real ones be told apart again.
    request = replace(request, real_pairs=False)
    return [
        replace(request, part=Part(first, second, first=True), scale=1.0),
        replace(request, part=Part(second, first, first=False)),
    ]


def goes_back(request: AxisRequest) -> bool:
    """Whether one pass can transform, multiply and transform back."""
    return request.length <= longest_at_once(request.limits, request.storage)


def _pass(request: AxisRequest) -> PassSpec:
    kernel, why = choose(request)
    return replace(kernel_pass(request, kernel), why=why)


def choose(request: AxisRequest) -> tuple[Kernel, str]:
    """The kernel for a request, and why it was taken, in a few words."""
    known = lookup.best(request)
    if known is not None:
        return known
    return reasoned(request), "reasoned from the limits, as nothing was measured of such lines on this device"


def max_length(limits: Limits, storage: Storage) -> int:
    """The longest line that two passes can do, and a texture can hold."""
    return min(longest_at_once(limits, storage) ** 2, _power_of_two(limits.texture_size))


def longest_at_once(limits: Limits, storage: Storage) -> int:
    """The longest line that fits a work group: the floats of one part of its numbers, in shared memory."""
    return _power_of_two(min(limits.shared_memory // _FLOAT_BYTES, limits.texture_size, 1 << max(_RADICES)))


def _power_of_two(most: int) -> int:
    return 1 << (most.bit_length() - 1)


def reasoned(request: AxisRequest) -> Kernel:
    """A kernel that fits the device: the first of a list from liked to modest."""
    radices = _RADICES[request.length.bit_length() - 1]
    value_bytes = request.storage.value_bytes
    for points in (max(radices), 2 * max(radices), 4 * max(radices)):
        threads = max(request.length // points, 1)
        liked = max(_FEWEST_LINES, _FEWEST_THREADS // threads)
        for lines in (liked, liked // 2, 1):
            for exchange, padding in (("at once", _PADDING), ("at once", 0), ("in turn", _PADDING), ("in turn", 0)):
                kernel = Kernel(radices, min(points, request.length), lines, lines > 1, exchange, padding)
                if lines and kernel.fits(request.limits, value_bytes):
                    return kernel
    raise AssertionError(f"no kernel of {request.length} points fits, though max_length said so")
