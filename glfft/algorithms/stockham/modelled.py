"""The kernel that is predicted to be the fastest, where nothing was measured but a device's constants."""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from importlib import resources
from itertools import islice, product
from operator import itemgetter
from typing import Any

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.lengths import largest_prime_factor
from glfft.algorithms.stockham import candidates, choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.stockham.cost import groups_fitting, predicted_us, work_of
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device

_LARGEST_RADICES, _SMALL_RADICES = (16, 32, 8, 4), (16, 8)
_MOST_LISTS, _MOST_STAGES = 4, 5
_MOST_POINTS, _MOST_THREAD_COUNTS = (16, 32), 2
_GROUP_SIZES = (32, 1024)  # invocations
_LINES = (1, 2, 4, 8, 16, 32)
# The points of a part, or of volumes' lines, are far apart, and others lie between: so many at once, if they fit.
# Parts of 251 points, convolved in rg32f, take an NVIDIA H200 1371, 984, 510, 273 and 291 us with 1, 2, 4, 8 and 16.
_LINES_APART = (16, 8, 4, 2, 1)
# With 8, 16 and 32 lines of 64 points one of three passes over 2^24 takes 98.6, 78.9 and 74.1 us, of 256 77, 84 and 90.
_LONGEST_OF_MANY_LINES = 128
# From the best of so many lists of radices, options are changed one by one while it helps by so much, so often at most.
_CLIMBERS, _GAIN, _MOST_STEPS = 3, 0.003, 8

# Kernels chosen so for 867 passes took an NVIDIA H200 1.2 % longer than the best of them; with 1 in its place 1.7 %.
MEASURED = 0.95

# Work groups that a unit has registers for by count, which is not exact: no more than one, two, and one of two long
# lines; and groups whose shared memory two in pairs take. With 19 to 23 kB each, lines of 4350 to 5324 took 1.2 times.
_ONE_GROUP, _TWO_GROUPS, _FEWEST_ALONE, _SHARED_BY_TWO = 1.4, 1.75, 0.85, 2.6

# Lengths with factors of 11 and 13 took an NVIDIA H200 1.07 in pieces where shared memory holds all points at once, and
# 3456 points in four stages 1.1.
_LARGEST_PRIME_IN_PIECES, _MOST_STAGES_IN_PIECES = 7, 3

Predicted = tuple[KernelConfig, float]  # a kernel, and microseconds a pass

# Rows, columns and kernels whose times tell the constants of a device: few and many points, few and many stages, small
# and large work groups, each way of exchanging and of reading factors.
_PROBES: list[dict[str, Any]] = json.loads(
    resources.files(__package__ or "").joinpath("probes.json").read_text("utf-8")
)


def speaks_of(request: AxisRequest) -> bool:
    """Whether the model was compared with times of such lines: not float64, parts of one stage, or what caches keep."""
    butterfly = request.part is not None and request.length in RADICES
    return not (butterfly or request.storage.double or choose.lines_lie_apart(request))


@lru_cache(maxsize=256)
def fastest(request: AxisRequest, device: DeviceConstants) -> Predicted | None:
    """The kernel of the least predicted time and its microseconds a pass, or None where none is worth it."""
    known: dict[KernelConfig, float] = {}
    whole = largest_prime_factor(request.length) > _LARGEST_PRIME_IN_PIECES

    def timed(kernels: Iterable[KernelConfig], fewest: int) -> list[Predicted]:
        for kernel in kernels:
            if kernel.lines >= fewest and kernel not in known:
                fits = candidates.is_worth_it(kernel, request)
                unlike = whole or len(kernel.radices) > _MOST_STAGES_IN_PIECES
                fits = fits and not (unlike and kernel.needs_no_pieces(request.device.limits, request.storage))
                known[kernel] = predicted_us(work_of(request, kernel), device) if fits else math.inf
        return sorted(
            ((each, known[each]) for each in kernels if known.get(each, math.inf) < math.inf), key=itemgetter(1)
        )

    # A line may fill the shared memory so that none is left for padding.
    for padded, fewest in product((True, False), _fewest_lines(request)):
        kernels = _kernels(request) if padded else (replace(each, padding=0) for each in _kernels(request))
        best: dict[tuple[int, ...], Predicted] = {}
        for each in timed(list(kernels), fewest):
            best.setdefault(each[0].radices, each)
        if best:
            climbers = islice(best.values(), _CLIMBERS)
            climbed = (_climb(each, request, partial(timed, fewest=fewest)) for each in climbers)
            return min(climbed, key=itemgetter(1))
    return None


def _fewest_lines(request: AxisRequest) -> tuple[int, ...]:
    """The lines that kernels have in a work group at least: as many as there are kernels for, the most first."""
    buffer, whole = request.storage.buffer, request.part is None
    if whole and not (request.is_volume and (request.along == "z" or (buffer and request.along == "y"))):
        return (1,)
    many = buffer and (whole or (request.inverse_scale is None and request.length <= _LONGEST_OF_MANY_LINES))
    return _LINES_APART if many else _LINES_APART[1:]


def with_measured(
    best: Predicted, request: AxisRequest, device: DeviceConstants, measured: Iterable[KernelConfig]
) -> Predicted:
    """The kernel of least time: `best`, or one that was the fastest elsewhere, which counts as faster."""
    found = dict([best])
    for kernel in measured:
        found[kernel] = MEASURED * predicted_us(work_of(request.of_length(kernel.length), kernel), device)
    return min(found.items(), key=itemgetter(1))


def with_pairs(found: Predicted, request: AxisRequest, device: DeviceConstants) -> Predicted:
    """The kernel with two lines a thread, where a unit so holds more lines. No model rates pairs: the time stays."""
    kernel, microseconds = found
    pair = replace(kernel, lines=2, side_by_side=True, line_pairs=True)
    whole = request.part is None and request.inverse_scale is None and not request.storage.buffer
    exchanged = kernel.exchange == "in turn" and kernel.lines <= 2 and kernel.pieces == 1 and len(kernel.radices) <= 3
    many = request.points >= choose.POINTS_BEYOND_CACHES and request.lines % 2 == 0
    if not (whole and many and exchanged and candidates.is_worth_it(pair, request)):
        return found
    alone, paired = (groups_fitting(work_of(request, each), device) for each in (kernel, pair))
    roomy = pair.shared_bytes(request.storage) * _SHARED_BY_TWO <= device.unit_shared_bytes
    more = paired >= _FEWEST_ALONE if kernel.lines == 1 else alone < _ONE_GROUP and paired >= _TWO_GROUPS and roomy
    return (pair, microseconds) if more else found


def probes(device: Device) -> list[tuple[AxisRequest, KernelConfig]]:
    """Passes of float32 textures whose times tell the constants of a device, those that fit it; none on CPUs."""
    found: list[tuple[AxisRequest, KernelConfig]] = []
    for probe in () if device.software else _PROBES:
        rows, columns = probe["rows"], probe["columns"]
        kernel = KernelConfig(**{**probe["kernel"], "radices": tuple(probe["kernel"]["radices"])})
        layers = -(-rows // device.limits.texture_size)  # a texture has only so many rows
        shape, many = (rows // layers, columns), None if layers == 1 else layers
        request = AxisRequest(shape, 1, -1, 1.0, False, many, STORAGES["rg32f"], device)
        if candidates.is_worth_it(kernel, request):
            found.append((request, kernel))
    return found


def _climb(
    best: Predicted, request: AxisRequest, timed: Callable[[Iterable[KernelConfig]], list[Predicted]]
) -> Predicted:
    for _ in range(_MOST_STEPS):
        near = timed(candidates.neighbours(best[0], request))[:1]
        if not near or near[0][1] > best[1] * (1 - _GAIN):
            break
        best = near[0]
    return best


def _kernels(request: AxisRequest) -> Iterator[KernelConfig]:
    """Kernels of all lists of few radices, with several threads a line and lines a work group."""
    # Many kernels of larger radices spill in parts: convolving parts of 449 points, 30 x 30 took an NVIDIA H200 47 ms.
    spills, in_rows_of_buffer = request.part is not None, choose.are_rows_of_buffer(request)
    lists = [
        radices
        for largest in (_SMALL_RADICES if spills else _LARGEST_RADICES)
        for radices in choose.radix_lists(request.length, largest)[:_MOST_LISTS]
        if len(radices) <= _MOST_STAGES
    ]
    for radices in dict.fromkeys(order for each in lists for order in (each, each[::-1])):
        several = len(radices) > 1
        padding = BY_STRIDE if several else 0
        counts = [choose.thread_counts(radices, points)[:_MOST_THREAD_COUNTS] for points in _MOST_POINTS]
        for threads in dict.fromkeys(threads for each in counts for threads in each):
            for lines in _LINES:
                if threads * lines > _GROUP_SIZES[1] or (threads * lines < _GROUP_SIZES[0] and lines < _LINES[-1]):
                    continue
                for exchange in ("at once", "in turn") if several else ("at once",):
                    side_by_side = lines > 1 and not in_rows_of_buffer
                    yield KernelConfig(radices, threads, lines, side_by_side, exchange, padding)
                    if in_rows_of_buffer:
                        yield KernelConfig(radices, threads, lines, side_by_side, exchange, padding, staged=True)
            yield KernelConfig(radices, threads, 2, True, "in turn", BY_STRIDE, twiddle_products=True, pieces=2)
