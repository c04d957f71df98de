"""How long a pass takes, predicted: from what its kernel does, counted, and from a few constants of the device.

A pass takes launch + sqrt(memory^2 + busy^2 + waiting^2), which docs/tuning.md explains, with how near this comes.
"""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.stockham.butterflies import parts_of
from glfft.algorithms.stockham.config import BANKS, KernelConfig, Padding
from glfft.algorithms.storage import Storage

WARP = 32
SCHEDULERS = 4  # warps of a unit that can each begin an instruction in a clock
_MOST_GROUPS = 32  # of a unit
SECTOR_BYTES = 32  # of memory, which is read and written in sectors
SECTOR_TILE = (16, 2)  # bytes across and rows of a texture in a sector
# Registers of a thread: what it needs beside its points, a point's, a factor's that is kept, and the most.
_REGISTERS, _POINT_REGISTERS, _FACTOR_REGISTERS, _MOST_REGISTERS = 14, 2.0, 2.0, 255
# How much longer texels take in sectors twice as large as what is used, as a power of two: caches keep the other half.
_HALF_USED, _HALF_USED_COLUMNS, _HALF_LOADED = 0.33, 1.2, 0.45
# Bytes of a buffer's row that a warp loads side by side where they take twice as long: 32 take 1.36 times 256's time.
_SHORT_RUN = 12.0
_KEPT_IN_PIECES = 0.25  # of a butterfly's factors where lines go in pieces, twice as many where they are not multiplied
_SPILLED = 2.0  # instructions for a register that does not fit, each stage

# Instructions of butterflies that have a file of their own, multiply-adds counted once.
_INSTRUCTIONS = {2: 4, 3: 12, 4: 16, 5: 32, 8: 52, 9: 96, 16: 148, 32: 400}
_MULTIPLICATION = 4
_Warp = tuple[tuple[int, int], ...]  # the thread of its line, and the line of its group, that each invocation is


@dataclass(frozen=True)
class Work:
    """What a pass does, counted: all that its time depends on beside the device."""

    groups: int
    warps: int  # of a group
    registers: float  # of a thread
    shared_bytes: int  # of a group
    stages: int
    barriers: int  # within a group
    moved: float  # bytes read and written, as many more as sectors that are half used cost
    instructions: float  # of a thread
    twiddles: float  # read by a thread from a buffer
    sampled_twiddles: float  # read by a thread from a texture
    texels: float  # loads and stores of a thread, in units of a complex number in float32
    shared_accesses: float  # of a warp, those that meet in a bank one after the other


def predicted_us(work: Work, device: DeviceConstants) -> float:
    spilled = max(work.registers - _most_registers(work, device), 0.0)
    instructions = device.instruction * work.instructions + _SPILLED * spilled * work.stages
    clocks = work.warps * (
        instructions / SCHEDULERS
        + device.twiddle * work.twiddles
        + device.sampled_twiddle * work.sampled_twiddles
        + device.texel * work.texels
        + device.shared_access * work.shared_accesses
    )
    groups = work.groups / device.units
    memory = work.moved / (device.gigabytes_per_second * 1e3)
    busy = clocks * math.ceil(groups) / device.megahertz
    group = device.latency_us + device.barrier_us * work.barriers
    alone = device.alone * max(SCHEDULERS / work.warps, 1.0)  # fewer warps leave some without work
    group += (2 * device.dependence * instructions + alone * clocks) / device.megahertz
    at_once = max(math.floor(groups_fitting(work, device)), 1)
    waiting = group * max(groups / at_once, 1.0)
    return device.launch_us + math.sqrt(memory**2 + busy**2 + waiting**2)


def _most_registers(work: Work, device: DeviceConstants) -> float:
    """Registers that a thread can have."""
    return min(_MOST_REGISTERS, device.unit_registers / (WARP * work.warps))


def groups_fitting(work: Work, device: DeviceConstants) -> float:
    """How many work groups a unit has room for: by threads and registers, which are guessed, so that parts of a group
    count, and by shared memory.
    """
    registers = min(max(work.registers, 24.0), _most_registers(work, device))
    threads, shared = WARP * work.warps, device.unit_shared_bytes // max(work.shared_bytes, 1)
    return min(device.unit_threads / threads, device.unit_registers / (registers * threads), shared, _MOST_GROUPS)


def work_of(request: AxisRequest, kernel: KernelConfig) -> Work:
    """What a kernel's pass does for a request; one that transforms back too computes and exchanges twice as much."""
    transforms = 1 if request.inverse_scale is None else 2
    storage, radices = request.storage, kernel.radices
    complex_numbers = storage.components / 2 * kernel.lines_a_value
    held = {radix: radix * kernel.butterflies(radix) for radix in radices}
    factors = [kernel.butterflies(radix) * _factors_read(kernel, radix) for radix in radices[1:]]
    instructions = sum(kernel.butterflies(radix) * complex_numbers * instructions_of(radix) for radix in radices)
    instructions += sum(held[radix] * _MULTIPLICATION * complex_numbers for radix in radices[1:])
    if kernel.twiddle_products:
        made = (kernel.butterflies(radix) * (radix - 1 - _factors_read(kernel, radix)) for radix in radices[1:])
        instructions += _MULTIPLICATION * sum(made)
    if kernel.pieces > 1:
        # Each butterfly asks whether its outputs are in a piece, which is stored and loaded by conditions.
        instructions += kernel.pieces * 2 * complex_numbers * sum(held[radix] for radix in radices[:-1])
    a_point = _POINT_REGISTERS * complex_numbers + (kernel.pieces > 1)  # with what is loaded of it in a piece
    kept = sum(factors) if kernel.prefetch_twiddles else max(radices) if kernel.twiddle_products else 0
    if kernel.pieces > 1 and not kernel.prefetch_twiddles:  # in pieces, compilers move loads of factors
        kept = max(radices) * (_KEPT_IN_PIECES if kernel.twiddle_products else 2 * _KEPT_IN_PIECES)
    read = float(transforms * sum(factors))
    rows, lines = request.measured_axis == 1, kernel.lines // kernel.lines_a_value
    warp = _first_warp(min(WARP, kernel.invocations), kernel.threads, lines, kernel.side_by_side)
    sectors = 1.0 if kernel.staged else _sectors_loaded(warp, rows, storage.texel_bytes, storage.buffer)
    exponent = _HALF_USED_COLUMNS if storage.buffer and not rows else _HALF_USED
    more = sectors**_HALF_LOADED * _sectors_of_lines(request, kernel) ** exponent
    if storage.buffer and rows:
        run = len(warp) if kernel.staged else sum(line == warp[0][1] for _, line in warp)
        more *= 1 + _SHORT_RUN / (run * storage.texel_bytes)
    return Work(
        groups=-(-request.lines // kernel.lines) * (request.layers or 1),
        warps=-(-kernel.invocations // WARP),
        registers=_REGISTERS + a_point * kernel.points + _FACTOR_REGISTERS * kept,
        shared_bytes=kernel.shared_bytes(storage),
        stages=len(radices),
        barriers=kernel.barriers(storage.components, transforms * kernel.exchanges),
        moved=2 * request.points * storage.texel_bytes * more,
        instructions=transforms * instructions,
        twiddles=0.0 if kernel.sampled_twiddles else read,
        sampled_twiddles=read if kernel.sampled_twiddles else 0.0,
        texels=(held[radices[0]] * sectors + held[radices[-1]]) * complex_numbers,
        shared_accesses=float(transforms * _shared_accesses(storage, kernel, warp)),
    )


def _factors_read(kernel: KernelConfig, radix: int) -> int:
    """Twiddle factors that a butterfly reads."""
    return math.ceil(math.log2(radix)) if kernel.twiddle_products else radix - 1


@cache
def instructions_of(radix: int) -> int:
    """Instructions of a butterfly: Rader's for primes, Good and Thomas's, or Cooley and Tukey's."""
    if radix in _INSTRUCTIONS:
        return _INSTRUCTIONS[radix]
    parts = parts_of(radix)
    if not parts:
        return (radix - 1) ** 2 + 6 * (radix - 1)
    first, second = parts
    twiddles = 0 if math.gcd(first, second) == 1 else 6 * (first - 1) * (second - 1)
    return first * instructions_of(second) + second * instructions_of(first) + twiddles


def _sectors_of_lines(request: AxisRequest, kernel: KernelConfig) -> float:
    """The sectors that a group's lines touch, over the fewest that could hold them: lines side by side in memory."""
    texel = request.storage.texel_bytes
    if not request.storage.buffer:
        across = SECTOR_TILE[1] if request.measured_axis == 1 else max(SECTOR_TILE[0] // texel, 1)
        aligned = math.gcd(kernel.lines, across)
    elif request.measured_axis == 0:
        across = max(SECTOR_BYTES // texel, 1)
        aligned = math.gcd(kernel.lines, request.shape[-1], across)
    else:
        return 1.0
    return (kernel.lines + across - aligned) / kernel.lines


@cache
def _first_warp(invocations: int, threads: int, lines: int, side_by_side: bool) -> _Warp:
    """That of a work group, of so many invocations."""
    if side_by_side:
        return tuple(divmod(each, lines) for each in range(invocations))
    return tuple((each % threads, each // threads) for each in range(invocations))


@cache
def _sectors_loaded(warp: _Warp, rows: bool, texel: int, buffer: bool) -> float:
    """The sectors that a warp touches with one load, over the fewest that could hold what it loads."""
    across, down = (SECTOR_BYTES, 1) if buffer else SECTOR_TILE
    places = [(thread, line) if rows else (line, thread) for thread, line in warp]
    return len({(x * texel // across, y // down) for x, y in places}) / -(-len(warp) * texel // SECTOR_BYTES)


def _shared_accesses(storage: Storage, kernel: KernelConfig, warp: _Warp) -> int:
    """The accesses to rows of banks that a warp takes for all exchanges."""
    words = max(kernel.slot_bytes(storage) // 4, 1)
    strides = (kernel.lines // kernel.lines_a_value, 1) if kernel.side_by_side else (1, kernel.line_slots(storage))
    total, span = 0, 1
    for stage, (radix, following) in enumerate(pairwise(kernel.radices)):
        padding = kernel.padding_after(stage, storage)
        stored = _rows_of_banks(warp, radix, span, padding, words, strides)
        loaded = _rows_of_banks(warp, 1, 1, padding, words, strides)
        total += radix * kernel.butterflies(radix) * stored + following * kernel.butterflies(following) * loaded
        span *= radix
    if kernel.staged:  # before the first stage and after the last one
        together = _rows_of_banks(tuple((each, 0) for each in range(len(warp))), 1, 1, Padding(), words, strides)
        apart = _rows_of_banks(warp, 1, 1, Padding(), words, strides)
        ends = (radix * kernel.butterflies(radix) for radix in (kernel.radices[0], kernel.radices[-1]))
        total += apart * sum(ends) + 2 * together * -(-kernel.length // kernel.threads)
    return kernel.rounds(storage.components) * total


@lru_cache(maxsize=1 << 14)
def _rows_of_banks(warp: _Warp, radix: int, span: int, padding: Padding, words: int, strides: tuple[int, int]) -> int:
    """Rows of banks that a warp needs to store a stage's first outputs: the most words that are in one bank."""
    wanted: set[int] = set()
    for thread, line in warp:
        position = (thread - thread % span) * radix + thread % span
        first = (padding.slot(position) * strides[0] + line * strides[1]) * words
        wanted.update(range(first, first + words))
    return max(Counter(word % BANKS for word in wanted).values())
