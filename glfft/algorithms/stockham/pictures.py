"""Small pictures, and planes of volumes: both axes in one dispatch, where a work group has room for the whole."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import power_of_two_below, shares_of_scale
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig, PictureConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.stockham.kernel import picture_pass
from glfft.algorithms.storage import STORAGES

# Up to so many points one dispatch takes less time than two, everywhere and in every storage that was measured.
_SMALL = 32 * 32
# A CPU gives each work group to one core: larger pictures take two dispatches unless there are so many.
_MANY_LAYERS = 8
# An NVIDIA H200 takes 2048 pictures of 64 x 64 in 55.9 us, not 77.7. Two numbers a texel and buffers lose by it, but so
# many planes in textures gain: 32^3 takes 7.2 us, not 10, 48^3 in rgba32f 10.2, not 13.5. So do few small pictures:
# two of 40 x 40 in rgba32f take 4.6 us, not 6.8, one in a buffer 4.8, not 5.8, where 45 x 45 take 6.4, not 6.1.
_MOST_POINTS_ON_GPUS = 64 * 64
_MANY_PLANES = 32
_ONE_NUMBER_A_TEXEL = (STORAGES["rg32f"], STORAGES["rg16f"])
_MOST_POINTS_OF_FEW = {"rgba32f": 48 * 48, "rgba16f": 48 * 48, "buffer": 40 * 40}
# Up to so many points GPUs take a line in one stage.
_ONE_STAGE = 8
# Several pictures share a work group of at most so many invocations.
_GROUP = 64
# So few groups leave room for more shared memory and registers: numbers are exchanged whole, factors read beforehand.
# An NVIDIA H200 takes 24 x 40 in 3.7 us so, not 4.2, and 60 x 63 in 6.2, not 6.6; but 256 of 64 x 64 in 10.7, not 9.5.
_FEW_GROUPS = 128


class StockhamPicture(Stockham):
    """A work group keeps pictures in its registers, and exchanges points through shared memory along both axes."""

    name = "stockham-picture"
    summary = "stockham with both axes in one dispatch where a picture fits a work group"
    tunable = False

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        """The planes of a volume, then its lines along z."""
        if not (request.both_axes and request.is_volume):
            return super().parts(request)
        scales = shares_of_scale(request.scale, [math.prod(request.shape[1:]), request.shape[0]])
        return [replace(request, scale=scales[0]), replace(_lines_of(request), scale=scales[1])]

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        kernel = kernel_for(request) if request.both_axes else None
        return super().passes(request, config) if kernel is None else [picture_pass(request, kernel)]


def pays(request: AxisRequest) -> bool:
    """Whether one dispatch is known to take less time than two (docs/performance.md)."""
    kernel, points = kernel_for(request), math.prod(request.shape[-2:])
    if kernel is None or kernel.pieces > 1 or (request.is_volume and request.device.software):
        return False
    if request.device.software:
        # Two dispatches take half the work for real pictures. Oblong ones gain or lose a quarter.
        is_square, is_complex = len(set(request.shape)) == 1, not request.real_pairs
        gains = points <= _SMALL or (is_square and is_complex and (request.layers or 1) >= _MANY_LAYERS)
        # As with lines, compiling counts: llvmpipe takes 12 s over 41 x 24 points in one, 3 s in two.
        return gains and kernel.exchange != "in turn" and not any(map(choose.is_rough_part, request.shape))
    many = request.storage in _ONE_NUMBER_A_TEXEL
    if request.is_volume:
        many = request.shape[0] >= _MANY_PLANES and not request.storage.buffer
    few = kernel.exchange == "at once" and not request.is_volume
    most = _MOST_POINTS_OF_FEW.get(request.storage.name, _SMALL) if few else _SMALL
    return points <= (_MOST_POINTS_ON_GPUS if many else most)


def kernel_for(request: AxisRequest) -> PictureConfig | None:
    """The kernel for pictures or planes, None where they do not fit a work group, or volumes' other lines need more."""
    lines = _lines_of(request)
    if request.is_volume and (choose.why_not(lines) is not None or choose.parts(lines) != [lines]):
        return None
    found = next((each for each in _kernels(request) if each.fits(request.device.limits, request.storage)), None)
    if found is None or found.exchange != "at once" or not choose.may_exchange_in_buffer(request):
        return found
    return replace(found, exchange="in a buffer")


def _lines_of(volume: AxisRequest) -> AxisRequest:
    return replace(volume, axis=0, both_axes=False, algorithm=Stockham.name)


def _kernels(request: AxisRequest) -> Iterator[PictureConfig]:
    """Kernels, the best first."""
    software, pictures = request.device.software, math.prod(request.shape[:-2]) * (request.layers or 1)
    # CPUs exchange whole values, GPUs a component at a time, in pieces where shared memory has no room for more.
    exchanges = [("at once", 1)] + [("in turn", pieces) for pieces in (1, 2, 4)]
    for columns, rows in itertools.product(*(_lists(length, software) for length in request.shape[-2:])):
        radices, padding = (*columns, *rows), 0 if software else BY_STRIDE
        # Neighbouring threads read other factors: with fewer, an H200 convolves 64 x 64 in 69.3 us, not 100.
        products = not software and any(len(axis) > 1 for axis in (columns, rows))
        for threads in choose.thread_counts(radices, max(radices)):
            lines = 1 if software else power_of_two_below(max(min(_GROUP // threads, pictures), 1))
            few = not software and pictures <= lines * _FEW_GROUPS
            for exchange, pieces in exchanges[not (software or few) :]:
                config = KernelConfig(radices, threads, lines, False, exchange, padding, twiddle_products=products)
                config = replace(config, pieces=pieces, prefetch_twiddles=few and exchange == "at once")
                yield PictureConfig(**vars(config), columns=len(columns))


def _lists(length: int, software: bool) -> list[tuple[int, ...]]:
    """Lists of radices for an axis: one stage on CPUs and of few points, else two of the smallest radices."""
    pairs = [(radix, length // radix) for radix in RADICES if length % radix == 0 and length // radix in RADICES]
    found: list[tuple[int, ...]] = [*sorted(pairs, key=max)[:1]]
    if length in RADICES:
        found.insert(0 if software or length <= _ONE_STAGE else 1, (length,))
    return found
