"""Which Stockham kernel to take for a request where nothing was measured: one reasoned from the device's limits.

A list of few radices means few trips through shared memory; more points a thread mean fewer threads that each wait less
often; two or more lines side by side fill the 32-byte sectors memory is read in.
"""

from __future__ import annotations

from dataclasses import replace

from glfft.algorithms.lengths import halves, log2, power_of_two_below
from glfft.algorithms.passes import AxisRequest, FourStepPart
from glfft.algorithms.stockham.kernel import KernelConfig

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


def parts(request: AxisRequest) -> list[AxisRequest]:
    """The request of each dispatch: the one given, or two for the parts of lines that do not fit."""
    if request.part is not None or request.length <= longest_at_once(request):
        return [request]
    first, second = halves(request.length)
    # Only in whole lines can two real ones be told apart again.
    request = replace(request, real_pairs=False)
    return [
        replace(request, part=FourStepPart(first, second, first=True), scale=1.0),
        replace(request, part=FourStepPart(second, first, first=False)),
    ]


def longest_at_once(request: AxisRequest) -> int:
    """The longest line that fits a work group: one float of each point, in shared memory."""
    return power_of_two_below(min(request.device.limits.shared_memory // _FLOAT_BYTES, 1 << max(_RADICES)))


def default(request: AxisRequest) -> KernelConfig:
    """A kernel that fits the device: the first of a list from liked to modest."""
    radices = _RADICES[log2(request.length)]
    value_bytes = request.storage.value_bytes
    for points in (max(radices), 2 * max(radices), 4 * max(radices)):
        threads = max(request.length // points, 1)
        liked = max(_FEWEST_LINES, _FEWEST_THREADS // threads)
        for lines in (liked, liked // 2, 1):
            for exchange, padding in (("at once", _PADDING), ("at once", 0), ("in turn", _PADDING), ("in turn", 0)):
                config = KernelConfig(radices, threads, lines, lines > 1, exchange, padding)
                if lines and config.fits(request.device.limits, value_bytes):
                    return config
    raise AssertionError(f"no kernel of {request.length} points fits, though `supports` said so")
