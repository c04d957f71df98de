"""Which Stockham kernel to take for a request where nothing was measured: one reasoned from the device's limits.

A list of few radices means few trips through shared memory; more points a thread mean fewer threads that each wait less
often; lines side by side fill the 32-byte sectors that memory is read in. In the rows of a buffer, points do.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from glfft.algorithms.axis_request import AxisRequest, FourStepPart
from glfft.algorithms.lengths import divisors, is_power_of_two, largest_prime_factor, shares_of_scale
from glfft.algorithms.stockham.butterflies import LARGEST_PRIME, RADICES
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import SECTOR_BYTES
from glfft.gl.bindings import SLOTS_IMAGE_UNIT

FAMILY = "stockham"  # the name of the family whose kernels these are
_LARGEST_RADIX, _LARGEST_SOFTWARE_RADIX = 16, 32
# Other radices, compiled as soon, where threads do so much less: lengths from 1120 to 2560 take 0.80 to 0.93.
_LARGEST_PROMPT_RADIX, _LESS_WORK, _LARGEST_PAIRED = 20, 0.85, 20
_SMALL_RADIX, _FEW_POINTS, _FEWEST_THREADS = 9, 10, 64
_LINES_ON_CPUS = 8  # fill what a CPU's caches load at once of columns: rows of 1920 take llvmpipe 16 ns a point, not 18
_FEWEST_LINES = 2  # a texture's sectors hold points of neighbouring rows and columns
_FEWEST_IN_SQUARES = 8  # where neighbouring lines lie in squares, as many fill two sectors of them
_PADDING, _MOST_PARTS = 16, 4
_LONGEST_PART = 1024  # shorter parts leave work groups room for neighbouring ones, which outweighs a pass
# 64 lines of 88064 = 8 x 43 x 256 points take an NVIDIA H200 183 us, and 143 where the first part is a convolution.
_LARGEST_PRIME_OF_PARTS = 31
# So few lines leave most of a GPU idle: 4 rows of 10000 points take an NVIDIA H200 12.3 us, in two passes 7.3. In
# buffers, whose points are loaded sooner, 12 rows of 7350 take 8.0, in textures 10.6.
_FEW_LINES, _LONGEST_OF_FEW, _LONGEST_OF_FEW_IN_TEXTURES = 64, 8192, 5500
# Primes of the largest butterflies, and of those that registers do not hold for texels of two numbers.
_LARGE_PRIMES, _SPILLED_ALONE = (37, 41, 43, 47, 53), (47, 53)
_LONGEST_CONVOLVED, _FEW_POINTS_CONVOLVED, _LONGEST_SHORT = 2048, 1 << 19, 256
# Points of real lines that a GPU takes as complex ones of half as many.
_SHORTEST_HALVED_IN_MEMORY, _SHORTEST_HALVED_PAIR, _SHORTEST_HALVED_OF_FEW = 34, 3000, 2048
_SHORTEST_HALVED, _SHORTEST_HALVED_IN_BUFFERS, _LONGEST_HALVED_PAIR = 450, 600, 4096
_LONGEST_COLUMN_CONVOLVED, _LONG_IN_BUFFERS = 4096, 600
_POINTS_OF_WIDE_BUFFERS, POINTS_BEYOND_CACHES = 5 << 20, 1 << 23
_EXCHANGES = (("in a buffer", 0), ("at once", _PADDING), ("at once", 0), ("in turn", _PADDING), ("in turn", 0))


def parts(request: AxisRequest) -> list[AxisRequest]:
    """The request of each dispatch."""
    fits = request.part is not None or request.length <= longest_at_once(request)
    if fits and not _is_faster_in_passes(request):
        return [request]
    # The points of first parts lie the furthest apart, so few are better: columns of 128 x 32 172 us, of 32 x 128 151.
    order = slice(None, None, 1 if request.device.software else -1)
    for lines in (as_halves(request), request):
        if (lengths := _division(lines)) is not None:
            return in_passes(replace(lines, algorithm=FAMILY), lengths[order])
    assert fits, "supports said so"
    return [request]


def why_not(request: AxisRequest) -> str | None:
    """Why no kernel can do a request, to complete "it would need"."""
    if largest_prime_factor(request.length) > LARGEST_PRIME:
        return f"prime factors of at most {LARGEST_PRIME}"
    if request.part is None and request.length > longest_at_once(request) and _division(request) is None:
        return f"parts of at most {longest_at_once(request)} points"
    return None


def convolution_is_faster(request: AxisRequest) -> bool:
    """Whether Bluestein's convolution takes less time than a butterfly of a large prime. On CPUs, compiling counts: 53
    points take llvmpipe 2.3 s, a convolution 0.4. On GPUs, two numbers a texel fill the registers: rows of 212 = 4 x 53
    take an NVIDIA H200 12 times as long. Few points wait for long butterflies: 2^17 take 8.2 to 10.1 us, by convolution
    4.9 to 6.8, but 2^22 36 to 43, 42 to 95.
    """
    largest, short = largest_prime_factor(request.length), request.length <= _LONGEST_CONVOLVED
    if largest not in _LARGE_PRIMES:
        return False
    if request.device.software:
        return True
    if request.storage.paired and not are_rows_of_buffer(request):
        held = largest == 37 and 700 < request.length <= 1400
        return largest in _SPILLED_ALONE if largest == request.length else not held and (short or largest != 41)
    few = request.points <= _FEW_POINTS_CONVOLVED and request.inverse_scale is None
    return largest > _LARGE_PRIMES[0] and short and few


def longest_at_once(request: AxisRequest) -> int:
    """The longest line that fits a work group: one real number of each point, in shared memory."""
    return request.device.limits.shared_memory // request.storage.number_bytes


def halves_pay(request: AxisRequest) -> bool:
    """Whether real lines that a request has halved take less time so than as complex lines of twice as many points. On
    CPUs, a single butterfly has hardly more to do for those, and short lines exchange more: 256 points take 1.1.
    """
    length = 2 * request.length
    if not request.device.software:
        return _halves_pay_on_gpus(request)
    short = request.direction < 0 and length <= _LONGEST_SHORT and request.length not in RADICES
    return length not in RADICES and not (short or (request.storage.paired and length > longest_at_once(request)))


def _halves_pay_on_gpus(request: AxisRequest) -> bool:
    """The same on a GPU, by the times of an NVIDIA H200, and older ones of an H100, over the times of whole lines."""
    length, storage, forward = 2 * request.length, request.storage, request.direction < 0
    # Rows and lines along z of 256^3 points take 1.02 to 1.10, lines along z of 100^3 1.25.
    if request.is_volume or length < _shortest_halved(request):
        return False
    # With two complex numbers a texel, 450 to 4096 points take 0.71 to 0.95; back 0.71 to 1.29.
    if storage.paired:
        return forward and length <= _LONGEST_HALVED_PAIR
    # Lines that would go whole in two passes: 4096 columns of a buffer take 1.06, 16 rows of 16384 points 1.30.
    if not are_rows_of_buffer(request) and leaves_sectors_empty(replace(request, halved=False)):
        return False
    # Back, neighbouring threads store every second point of a texture's lines: 2000 rows of 4096 points take 0.86, but
    # where a work group has no room for a whole one, of 16384 1.18, and most columns of 900 to 4096 1.1 to 1.5.
    gains = forward or storage.buffer or request.measured_axis == 1
    if _are_few(request):
        return gains and length <= _LONGEST_OF_FEW
    return gains and (forward or storage.buffer or length <= longest_at_once(request))


def _shortest_halved(request: AxisRequest) -> int:
    """The fewest points of real lines that take a GPU less time halved: in textures 512 take an NVIDIA H200 0.80 to
    0.85, 256 1.03 to 1.07, but 40 rows of 1200 1.18; in buffers columns of 600 take 0.81, of 300 1.8, rows of doubles
    of 1500 0.76, of 1000 1.14. Rows of single complex numbers in buffers are complex lines already.
    """
    if _are_halved_in_memory(request):
        return _SHORTEST_HALVED_IN_MEMORY
    if _are_few(request):
        return _SHORTEST_HALVED_OF_FEW
    in_buffer = _SHORTEST_HALVED_IN_BUFFERS * (2 if request.storage.double else 1)
    return in_buffer if request.storage.buffer else _SHORTEST_HALVED


def pairs_take_longer(request: AxisRequest) -> bool:
    """Whether real lines for which `halves_pay` take less time halved than in pairs too: 49 textures take an H200 0.96
    of the time, 2160 x 4096 points 54 us, not 62, and back 0.97. In buffers an H100 takes 4320 x 7680 points 332, not
    395, but 1080 x 1920 21.6 and 19.4. Few rows, volumes and others that stay in pairs: not measured.
    """
    if request.storage.paired or request.convolution or request.is_volume:
        return False
    if request.device.software:
        # With fewer stages, 40 to 2000 points take llvmpipe 0.67 to 0.99, with as many 0.96 to 1.2, and 512 1.04.
        alone = replace(request, halved=True, real_pairs=False)
        fits = request.length <= longest_at_once(request) and not is_power_of_two(request.length)
        return fits and len(default(alone).radices) < len(default(request).radices)
    if request.storage.buffer:
        return _are_halved_in_memory(request) and request.length >= _SHORTEST_HALVED_PAIR
    return not _are_few(request)


def _are_halved_in_memory(request: AxisRequest) -> bool:
    return are_rows_of_buffer(request) and not (request.storage.double or request.storage.paired)


def are_rows_of_buffer(request: AxisRequest) -> bool:
    """Whether the points of a line lie side by side in memory."""
    return request.storage.buffer and request.measured_axis == 1


def may_exchange_in_buffer(request: AxisRequest) -> bool:
    """Whether work groups may exchange points through a buffer, of which they read floats as an image's."""
    device, single = request.device, not request.storage.double
    return single and device.goes_lane_by_lane and device.limits.image_units > SLOTS_IMAGE_UNIT


def exchanges_of(request: AxisRequest) -> tuple[str, ...]:
    """Ways to exchange points, the best first."""
    return (*("in a buffer",) * may_exchange_in_buffer(request), "at once", "in turn")


def fewest_lines(request: AxisRequest) -> int:
    """Lines that a work group should have at least, for the sake of memory."""
    if are_rows_of_buffer(request):
        return 1
    if request.measured_axis == 2:
        return _FEWEST_IN_SQUARES
    return max(_FEWEST_LINES, SECTOR_BYTES // request.storage.texel_bytes if request.storage.buffer else 0)


def _is_faster_in_passes(request: AxisRequest) -> bool:
    """Whether a GPU takes less time for two passes over parts of lines that fit a work group: where most of it would be
    idle, or sectors left empty (4096 columns of a buffer take an NVIDIA H200 195 us, not 636).
    """
    if request.device.software or not (request.part is None and request.kind is None and request.inverse_scale is None):
        return False
    return leaves_units_idle(request) or leaves_sectors_empty(request) or lines_lie_apart(request)


def leaves_units_idle(request: AxisRequest) -> bool:
    """Whether a GPU takes less time for so few and long lines in two passes, also where whole ones were measured."""
    longest = _LONGEST_OF_FEW if request.storage.buffer else _LONGEST_OF_FEW_IN_TEXTURES
    plain = request.part is None and request.kind is None and request.inverse_scale is None
    few = plain and request.length > longest and _are_few(request) and not request.device.software
    return few and not request.real_pairs and _division(request) is not None


def lines_lie_apart(request: AxisRequest) -> bool:
    """Whether a buffer's columns are so long, and it is so wide, that a GPU's caches keep no rows until the groups of
    neighbouring lines come. An NVIDIA H200 takes 3000 x 4000 points in 231 us, in two passes along columns in 172, but
    1024 x 8192, with twice as many lines a group as fill sectors, in 107 and 117. Layers of 1080 x 1920 lose too.
    """
    usual = request.algorithm in ("auto", FAMILY) and not request.device.software
    plain = request.part is None and request.kind is None and request.inverse_scale is None
    wide = request.length >= _LONG_IN_BUFFERS and request.points > _POINTS_OF_WIDE_BUFFERS * (request.layers or 1)
    columns = request.storage.buffer and request.measured_axis == 0 and not request.is_volume
    return usual and plain and columns and wide and _division(request) is not None


def convolves_faster_apart(request: AxisRequest) -> bool:
    """Whether transforms there and back, each in two passes over parts, take a GPU less time than one dispatch: in a
    buffer of 8192 x 2048 points an NVIDIA H200 takes 1297 us, not 2189, but of 3087 x 512, in its cache, 58, not 47.
    """
    long = request.length > _LONGEST_COLUMN_CONVOLVED or request.points >= POINTS_BEYOND_CACHES
    return long and not request.storage.double and leaves_sectors_empty(request)


def _are_few(request: AxisRequest) -> bool:
    return request.lines * (request.layers or 1) <= _FEW_LINES


def leaves_sectors_empty(request: AxisRequest) -> bool:
    """Whether a GPU's work group has no room for as many of a buffer's lines as fill sectors."""
    many = request.length * fewest_lines(request) > longest_at_once(request)
    return many and request.storage.buffer and not request.device.software


def _division(request: AxisRequest) -> tuple[int, ...] | None:
    def divided(longest: int) -> tuple[int, ...] | None:
        return division(request.length, lambda length: None if length > longest or is_rough_part(length) else length)

    longest = longest_at_once(request)
    return (None if request.device.software else divided(min(longest, _LONGEST_PART))) or divided(longest)


def is_rough_part(length: int) -> bool:
    """Whether a part of a line has large prime factors."""
    return largest_prime_factor(length) > _LARGEST_PRIME_OF_PARTS


def division(length: int, size_of: Callable[[int], int | None]) -> tuple[int, ...] | None:
    """The lengths that a length is the product of, the longest first: as few as can be, at least two, alike in size;
    None where there are none. `size_of` is what a part of a length takes, None where there can be no such part.
    """
    sizes = {each: size_of(each) for each in divisors(length)[1:-1]}
    fitting = {each: size for each, size in sizes.items() if size is not None}

    @cache
    def best(left: int, count: int) -> tuple[int, ...] | None:
        if count == 1:
            return (left,) if left in fitting else None
        found = [
            (first, *rest)
            for first in fitting
            if left % first == 0 and first < left and (rest := best(left // first, count - 1)) is not None
        ]
        largest_first = {each: sorted((fitting[length] for length in each), reverse=True) for each in found}
        return min(found, key=lambda each: (largest_first[each], each[::-1]), default=None)

    found = (best(length, count) for count in range(2, _MOST_PARTS + 1))
    lengths = next(filter(None, found), None)
    return None if lengths is None else tuple(sorted(lengths, reverse=True))


def in_passes(request: AxisRequest, lengths: Sequence[int]) -> list[AxisRequest]:
    """The requests of passes over the parts of a line, of these lengths in order."""
    # In couples, parts of one butterfly take a GPU long: 538 x 28660 real points took an H100 812 us, and 614 without.
    one_butterfly = request.direction < 0 and not request.device.software and lengths[-1] in RADICES
    request = replace(request, real_pairs=False) if one_butterfly else two_as_one(request)
    found = []
    for index, (length, scale) in enumerate(zip(lengths, shares_of_scale(request.scale, lengths), strict=True)):
        part = FourStepPart(length, tuple(lengths[:index]), math.prod(lengths[index + 1 :]))
        found.append(replace(request, part=part, scale=scale))
    return found


def as_halves(request: AxisRequest) -> AxisRequest:
    """The request with real lines each as a complex one of half as many points, where passes over parts allow it."""
    in_pairs = request.real_pairs and request.lines > 1
    apart = request.real and not (in_pairs or request.kind or request.is_volume or request.crossing)
    if not (apart and request.inverse_scale is None and request.length % 2 == 0 and _are_halved_in_memory(request)):
        return request
    return replace(request, shape=(request.shape[0], request.length // 2), real_lines=request)


def two_as_one(request: AxisRequest) -> AxisRequest:
    """The request with real lines as complex ones, two at a time, where passes over parts can tell them apart."""
    # A volume's lines, and those through a region, are numbered alike at both ends of a pass.
    alike = request.is_volume or request.crossing is not None
    if request.real_pairs and request.lines > 1 and not (alike or request.storage.paired):
        request = replace(request, shape=(-(-request.shape[0] // 2), request.length), real_lines=request)
    return replace(request, real_pairs=False)


@cache
def radix_lists(length: int, largest: int = _LARGEST_RADIX) -> tuple[tuple[int, ...], ...]:
    """Lists of radices with the length as product, each in rising order: those of the fewest stages that there are with
    radices of at most `largest`, the most alike first. Beside a larger prime, radices are about as large: 4896 points
    are 16 x 17 x 18. A length that is a radix is one stage: 24 points take llvmpipe half the time of 4 x 6.
    """
    prime = largest_prime_factor(length)
    if prime > largest:
        largest = prime + 1
    if largest >= _LARGEST_RADIX and length in RADICES and not is_power_of_two(length):
        return ((length,),)
    radices = [radix for radix in RADICES if radix <= largest and length % radix == 0]
    found, stages = list[tuple[int, ...]](), 0
    while not found:
        stages += 1
        found = [each for each in itertools.combinations_with_replacement(radices, stages) if math.prod(each) == length]
    return tuple(sorted(found, key=lambda each: (max(each), sum(each))))


def thread_counts(radices: tuple[int, ...], points: int) -> list[int]:
    """Counts of threads for a list of radices, those that leave the fewest threads without work first."""
    length, shares = math.prod(radices), {1, 2, 4, points // 8 or 1, *(radices if points > 2 * _LARGEST_RADIX else ())}
    counts = {-(-length // radix // many) for radix in radices for many in shares}
    fitting = [threads for threads in counts if max(_held(radices, threads)) <= max(points, *radices)]
    return sorted(fitting, key=lambda threads: (threads * sum(_held(radices, threads)), threads))


def _held(radices: tuple[int, ...], threads: int) -> list[int]:
    """Points of a thread in each stage, one after the other."""
    return [radix * -(-math.prod(radices) // radix // threads) for radix in radices]


def default(request: AxisRequest) -> KernelConfig:
    """A kernel that fits the device: the first of a list from liked to modest."""
    if takes_few_stages(request) and (found := _few_stages(request)) is not None:
        return found
    exchanges = _EXCHANGES[not may_exchange_in_buffer(request) :]
    sizes = [(_LARGEST_RADIX, points) for points in (_LARGEST_RADIX, 2 * _LARGEST_RADIX, 4 * _LARGEST_RADIX)]
    if request.device.software and request.storage.paired and largest_prime_factor(request.length) <= _SMALL_RADIX:
        # Two numbers a texel take twice as long to compile: a convolution with 16 points a thread over ten seconds.
        sizes.insert(0, (_SMALL_RADIX, _FEW_POINTS))
    for largest, points in sizes:
        for radices in radix_lists(request.length, largest):
            for threads in thread_counts(radices, points):
                liked = max(fewest_lines(request), _FEWEST_THREADS // threads)
                for lines, (exchange, padding) in itertools.product((liked, liked // 2, 1), exchanges):
                    side_by_side = lines > 1 and not are_rows_of_buffer(request)
                    config = KernelConfig(radices, threads, lines, side_by_side, exchange, padding)
                    if lines and config.fits(request.device.limits, request.storage):
                        return config
    raise AssertionError(f"no kernel of {request.length} points fits, though `supports` said so")


def quick(request: AxisRequest) -> KernelConfig:
    """A kernel that compiles quickly: a thread has one small butterfly a stage where it can."""
    lists = {radices for largest in (4, 5, 6, 8) for radices in radix_lists(request.length, largest)}
    kernels = {(radices, threads) for radices in lists for threads in thread_counts(radices, points=_LARGEST_RADIX)}
    for radices, threads in sorted(kernels, key=lambda kernel: (sum(_held(*kernel)), kernel)):
        for lines, exchange in itertools.product((fewest_lines(request), 1), exchanges_of(request)):
            side_by_side = lines > 1 and not are_rows_of_buffer(request)
            config = KernelConfig(radices, threads, lines, side_by_side, exchange)
            if config.fits(request.device.limits, request.storage):
                return config
    return default(request)


def takes_few_stages(request: AxisRequest) -> bool:
    """Whether the default has as few stages as can be: on CPUs, of small values, but for powers of two that fit."""
    storage = request.storage
    fits = request.length * storage.value_bytes <= request.device.limits.shared_memory
    small = not (storage.paired or storage.double)
    return request.device.software and small and not (fits and is_power_of_two(request.length))


def _few_stages(request: AxisRequest) -> KernelConfig | None:
    """A kernel of few stages, None where none fits. Rows of 6000 points take 22 ns a point in three, 33 in four."""
    # Mesa does not unroll loops over butterflies, so each thread has one of the largest, and few of others.
    found = [(r, t) for r in radix_lists(request.length, _LARGEST_SOFTWARE_RADIX) for t in thread_counts(r, points=0)]
    work = {each: each[1] * sum(_held(*each)) for each in found}  # of threads without a butterfly too
    prompt = sorted((each for each in found if max(each[0]) <= _LARGEST_PROMPT_RADIX), key=work.__getitem__)
    better = [each for each in prompt[:1] if work[each] < _LESS_WORK * work[found[0]]]
    # Two lines a thread: 343 x 490 points take 0.83, 1000 x 1000 0.92. Larger radices compile for long.
    may_pair = not request.mirrors and request.inverse_scale is None
    for radices, threads in [*better, *found]:
        liked = max(_LINES_ON_CPUS, _FEWEST_THREADS // threads)
        for exchange, lines in itertools.product(exchanges_of(request), (liked, liked // 2, 1)):
            pairs = may_pair and lines % 2 == 0 and max(radices) <= _LARGEST_PAIRED < request.length
            options = {"twiddle_products": len(radices) > 1, "image_loads": not request.storage.buffer}
            options |= {"sampled_twiddles": len(radices) > 1}
            # The largest first: 32 lengths of 63 to 2925 points take 0.88 as long so in the mean.
            config = KernelConfig(radices[::-1], threads, lines, lines > 1, exchange, line_pairs=pairs, **options)
            if lines and config.fits(request.device.limits, request.storage):
                return config
    return None
