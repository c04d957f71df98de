"""The kernels worth measuring for a request, and what to try next around a good one.

Every one fits the device and compiles in reasonable time: what a software renderer takes to compile grows with the
numbers a thread holds and the stages they go through, to many seconds.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import is_power_of_two, largest_prime_factor, log2, power_of_two_above
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig

# Bits of the largest radix of a list, in the order they are tried. Radix 32 takes a CPU long to compile.
_LARGEST_BITS, _LARGEST_BITS_SOFTWARE = (4, 3, 5, 2), (4, 3, 2, 5)
_MOST_STAGES, _MOST_LISTS, _MOST_THREAD_COUNTS = 4, 3, 2
_MOST_POINTS = 16  # points of a thread, where a radix does not ask for more
_MOST_POINTS_SOFTWARE, _MOST_LINES = 24, 64
_GROUP_SIZES = (128, 64, 256, 512)  # invocations a work group, in the order they are tried
# Up to so many points, exchanging whole numbers and reading twiddles from a texture was the faster on GPUs.
_SHORT = 512
_PADDINGS, _FLOAT_BYTES = (0, 16, BY_STRIDE), 4

# Radices over 24 that are computed in two steps, in loops.
_LARGE_PRODUCTS = frozenset((25, 26, 27, 28, 30))
_MOST_FOLDED_POINTS = 24  # of a thread in cosine and sine transforms, or a larger prime: 24 do not spill, 32 do
_MOST_FLOATS, _MOST_FLOATS_SOFTWARE = 128, 64  # floats of the points a thread keeps, at most
# Invocations of kernels in pieces: two lines of 8192 points gain an NVIDIA H200 a quarter, of 9216 in 768 lose a third.
_MOST_IN_PIECES = 512
_MOST_WEIGHT_SOFTWARE = 128  # those floats times the stages, at most: a second or two of compiling


def default(request: AxisRequest) -> KernelConfig:
    """The kernel to take where nothing was measured: of powers of two a modest one, else the most promising."""
    if is_power_of_two(request.length) or choose.takes_few_stages(request):
        return choose.default(request)
    return next(_reasonable(request), None) or choose.default(request)


def candidates(request: AxisRequest, most: int) -> list[KernelConfig]:
    """Kernels to measure, the most promising first: the reasoned one, then few radices with groups of several sizes."""
    found = dict.fromkeys([default(request)])
    for config in itertools.takewhile(lambda _: len(found) < most, _reasonable(request)):
        found.setdefault(config)
    return list(found)[:most]


def neighbours(kernel: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
    """The kernels that differ from one in a single option, and the one with the fewest lines, exchanged in pieces."""
    software, several = request.device.software, len(kernel.radices) > 1
    flipped = {
        "side_by_side": kernel.lines > 1,
        "sampled_twiddles": several and not request.computed_twiddles and not request.storage.double,
        "twiddle_products": several,
        "prefetch_twiddles": several and not software,
        "image_loads": software,
        "line_pairs": software or kernel.line_pairs,
        "staged": choose.are_rows_of_buffer(request) and not software,
    }
    counts, first = (2 * kernel.lines, kernel.lines // 2), kernel.radices[0]
    # What the first stage writes lies its radix apart, and in few banks where that is even.
    paddings = (*_PADDINGS, first) if first % 2 == 0 and not is_power_of_two(first) else (*_PADDINGS, SWAPPED)
    fewest = choose.fewest_lines(request)
    in_pieces = replace(kernel, lines=fewest, side_by_side=fewest > 1, exchange="in turn", pieces=2, staged=False)
    changed = [
        *(replace(kernel, lines=lines, side_by_side=lines > 1 and not kernel.staged) for lines in counts),
        *[in_pieces] * (kernel.lines <= fewest),
        *(replace(kernel, exchange=exchange) for exchange in (*choose.exchanges_of(request), "alternate") if several),
        # A CPU has no banks.
        *(replace(kernel, padding=padding) for padding in (paddings if several else (0,)) if not software),
        *(replace(kernel, threads=threads) for threads in (kernel.threads // 2, 2 * kernel.threads)),
        *(replace(kernel, radices=radices) for radices in dict.fromkeys(itertools.permutations(kernel.radices))),
        *(replace(kernel, **{name: not getattr(kernel, name)}) for name, worth in flipped.items() if worth),
    ]
    return [each for each in dict.fromkeys(changed) if each != kernel and is_worth_it(each, request)]


def in_pairs(kernel: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
    """A kernel with two lines a thread, in two sizes of work groups, which GPUs measure: no model ranks them well."""
    if request.device.software or request.mirrors or request.inverse_scale or kernel.line_pairs or kernel.pieces > 1:
        return []
    pairs = [replace(kernel, lines=n, side_by_side=True, line_pairs=True) for n in (kernel.lines, 2 * kernel.lines)]
    return [each for each in pairs if each.exchange == "in turn" and is_worth_it(each, request)]


def spills(kernel: KernelConfig, request: AxisRequest) -> bool:
    """Whether registers may not hold what a thread keeps of texels of two numbers, or of cosine and sine transforms. Of
    960 x 960 cosines an NVIDIA H200 took 82 us with rows in 32 x 30, and 14 in 8 x 15 x 8.
    """
    many = kernel.pieces > 1 or not _LARGE_PRODUCTS.isdisjoint(kernel.radices)
    most = max(_MOST_FOLDED_POINTS, largest_prime_factor(kernel.length))
    folded = request.kind is not None and kernel.points > most
    return not request.device.software and (folded or (request.storage.paired and many))


def _pays_in_pieces(kernel: KernelConfig, request: AxisRequest) -> bool:
    """Whether exchanging in pieces may be worth it: where a work group has as many lines as fill sectors, which whole
    would take over a third of the shared memory that a group may have. Under OpenGL an NVIDIA H200 has no room for
    three such groups: rows of 3125 points take it 136 us, in pieces 80; rows of 2880 points 92 and 84.
    """
    plain = not (request.device.software or request.mirrors or request.part) and request.inverse_scale is None
    large = replace(kernel, pieces=1).shared_bytes(request.storage) > request.device.limits.shared_memory // 3
    return plain and large and kernel.invocations <= _MOST_IN_PIECES and kernel.lines == choose.fewest_lines(request)


def _reasonable(request: AxisRequest) -> Iterator[KernelConfig]:
    length, software, short = request.length, request.device.software, request.length <= _SHORT
    sampled = (short or software) and not request.computed_twiddles and not request.storage.double
    images = software and not request.storage.buffer
    exchanges = choose.exchanges_of(request) if short or software else ("in turn", "at once")
    # A CPU reads what lies side by side from its caches.
    fewest = 1 if software else choose.fewest_lines(request)
    most = min(_MOST_LINES, power_of_two_above(request.lines))
    for size, (radices, threads) in itertools.product(_GROUP_SIZES, _layouts(length, software)):
        several, first = len(radices) > 1, radices[0]
        lines = min(max(size * -(-length // threads) // length, fewest), most)
        side_by_side = lines > 1 and (software or not choose.are_rows_of_buffer(request))
        # With it a single address serves all registers of a thread; none where no accesses meet in a bank.
        likely = 16 if is_power_of_two(length) else first if first % 2 == 0 else 0
        padding = likely if several and not software else 0
        products = software and several  # on an NVIDIA H200 they rarely win
        for exchange in exchanges:
            kernel = KernelConfig(radices, threads, lines, side_by_side, exchange, padding, sampled, products, images)
            if is_worth_it(kernel, request):
                yield kernel
                break


def _layouts(length: int, software: bool) -> Iterable[tuple[tuple[int, ...], int]]:
    if is_power_of_two(length):
        bits = log2(length)
        order = _LARGEST_BITS_SOFTWARE if software else _LARGEST_BITS
        families = [_lists_of(bits, largest) for largest in order if largest <= bits] or [[(2,)]]
        # Those of unlike largest radices in turn.
        in_turn = (each for group in itertools.zip_longest(*families) for each in group if each is not None)
        yield from ((radices, length // max(radices)) for radices in dict.fromkeys(in_turn))
        return
    lists = choose.radix_lists(length)[:_MOST_LISTS]
    if not software:
        lists += choose.radix_lists(length, max(RADICES))[:_MOST_LISTS]
    most_points = _MOST_POINTS_SOFTWARE if software else _MOST_POINTS
    for radices in dict.fromkeys(lists):
        yield from ((radices, threads) for threads in choose.thread_counts(radices, most_points)[:_MOST_THREAD_COUNTS])


def _lists_of(bits: int, largest: int) -> list[tuple[int, ...]]:
    """The fewest radices, of at most 2^largest, for 2^bits points: as alike as can be, or as many large as can be."""
    count = -(-bits // largest)
    if count > _MOST_STAGES:
        return []
    small, larger = divmod(bits, count)
    alike = [small + 1] * larger + [small] * (count - larger)
    full, rest = divmod(bits, largest)
    large = [largest] * full + [rest] * (rest > 0)
    exponents = [order for each in (alike, large) for order in (each, each[::-1])]
    return [tuple(1 << exponent for exponent in order) for order in exponents]


def is_worth_it(kernel: KernelConfig, request: AxisRequest) -> bool:
    """Whether a kernel fits the device, is not larger than the picture, and compiles in reasonable time."""
    if kernel.lines < 1 or kernel.threads < 1 or not kernel.fits(request.device.limits, request.storage):
        return False
    # In a work group of lines that are not there most threads only wait.
    if kernel.lines >= max(2 * request.lines, 3):
        return False
    needless = (kernel.staged and not choose.are_rows_of_buffer(request)) or spills(kernel, request)
    if needless or (kernel.pieces > 1 and not _pays_in_pieces(kernel, request)):
        return False
    numbers = kernel.points * request.storage.components * kernel.lines_a_value
    floats = numbers * request.storage.number_bytes // _FLOAT_BYTES
    if request.device.software:
        return floats <= _MOST_FLOATS_SOFTWARE and floats * len(kernel.radices) <= _MOST_WEIGHT_SOFTWARE
    return floats <= _MOST_FLOATS
