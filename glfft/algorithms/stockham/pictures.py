"""Small square pictures: both axes in one dispatch, where a work group has room for the whole picture."""

from dataclasses import replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import KernelConfig, PictureConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.stockham.kernel import picture_pass
from glfft.algorithms.storage import STORAGES

# A CPU gives each work group to one core: larger pictures take two dispatches unless there are so many.
_LARGEST_ALONE = 32
_MANY_LAYERS = 8
# GPUs were measured with many layers of complex float32 textures: an NVIDIA H200 takes 2048 pictures of 64 x 64 in
# 54.7 us instead of 78.9, of 48 x 48 in 34.4 instead of 61.1.
_LARGEST_ON_GPUS = 64
_MANY_LAYERS_ON_GPUS = 256
# From here on columns come first, so that loads and stores of a convolution are along rows, and more groups share a
# multiprocessor: 54.7 us instead of 76.6 for 64 x 64. Smaller ones were measured the other way only.
_COLUMNS_FIRST = 49


class StockhamPicture(Stockham):
    """A work group keeps a picture in its registers, and exchanges points through shared memory along both axes."""

    name = "stockham-picture"
    summary = "stockham with both axes in one dispatch where a picture is square and fits a work group"
    tunable = False

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        kernel = kernel_for(request) if request.both_axes else None
        return super().passes(request, config) if kernel is None else [picture_pass(request, kernel)]


def pays(request: AxisRequest) -> bool:
    """Whether one dispatch is known to take less time than two (docs/performance.md)."""
    kernel, layers = kernel_for(request), request.layers or 1
    if kernel is None or kernel.pieces > 1:
        return False
    # One dispatch computes with real pictures as with complex ones, two take half the work.
    is_complex = not request.real_pairs
    if request.device.software:
        many_groups = request.length <= _LARGEST_ALONE or (layers >= _MANY_LAYERS and is_complex)
        return many_groups and kernel.exchange == "at once"
    measured = is_complex and request.storage is STORAGES["rg32f"] and layers >= _MANY_LAYERS_ON_GPUS
    return measured and request.length <= _LARGEST_ON_GPUS


def kernel_for(request: AxisRequest) -> PictureConfig | None:
    """The kernel for a picture, None where none fits a work group.

    CPUs begin with a line a thread in one stage, GPUs with the two stages of the smallest radices. Values are exchanged
    whole if shared memory has room for them, better with a free slot a line; else a component at a time, and that in
    pieces.
    """
    length, device = request.length, request.device
    pairs = [(radix, length // radix) for radix in RADICES if length % radix == 0 and length // radix in RADICES]
    lists: list[tuple[int, ...]] = [*sorted(pairs, key=max)[:1]]
    if length in RADICES:
        lists.insert(0 if device.software else 1, (length,))
    for radices in lists:
        whole = PictureConfig(radices, length // max(radices), lines=length)
        spread = replace(whole, free_slots=0 if device.software else 1 - length % 2)
        in_turn = [replace(each, exchange="in turn") for each in (spread, whole)]
        in_pieces = [replace(each, pieces=pieces) for pieces in (2, 4) for each in in_turn]
        choices = [spread, whole, *in_turn, *in_pieces]
        if not device.software and length >= _COLUMNS_FIRST:
            choices.insert(0, replace(whole, side_by_side=True, exchange="in turn", free_slots=1 - length % 2))
        for choice in choices:
            if choice.fits(device.limits, request.storage):
                return choice
    return None
