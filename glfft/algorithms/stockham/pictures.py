"""Small square pictures: both axes in one dispatch, where a work group has room for the whole picture."""

from dataclasses import dataclass, replace

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.stockham.kernel import picture_pass
from glfft.algorithms.storage import Storage

# A CPU gives each work group to one core: larger pictures take two dispatches unless there are so many.
_LARGEST_ALONE = 32
_MANY_LAYERS = 8


@dataclass(frozen=True)
class PictureConfig(KernelConfig):
    """The kernel of a square picture: its lines are exchanged too, so that it takes shared memory in any case.

    Attributes:
        free_slots: slots of shared memory behind each line, so that points of a column lie in different banks.
    """

    free_slots: int = 0

    def line_slots(self, storage: Storage) -> int:
        return self.length + self.free_slots

    def shared_bytes(self, storage: Storage) -> int:
        return self.lines * self.line_slots(storage) * self.slot_bytes(storage)


class StockhamPicture(Stockham):
    """A work group keeps a picture in its registers, and exchanges points through shared memory along both axes."""

    name = "stockham-picture"
    summary = "stockham with both axes in one dispatch where a picture is square and fits a work group"
    tunable = False

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        kernel = kernel_for(request) if request.both_axes else None
        return super().passes(request, config) if kernel is None else [picture_pass(request, kernel)]


def pays(request: AxisRequest) -> bool:
    """Whether one dispatch is known to take less time than two: measured on llvmpipe only (docs/performance.md)."""
    kernel = kernel_for(request)
    many_groups = request.length <= _LARGEST_ALONE or (request.layers or 1) >= _MANY_LAYERS
    return request.device.software and many_groups and kernel is not None and kernel.exchange == "at once"


def kernel_for(request: AxisRequest) -> PictureConfig | None:
    """The kernel for a picture, None where none fits a work group.

    CPUs begin with a line a thread in one stage, GPUs with the two stages of the smallest radices. Values are exchanged
    whole if shared memory has room for them, better with a free slot a line.
    """
    length, device = request.length, request.device
    pairs = [(radix, length // radix) for radix in RADICES if length % radix == 0 and length // radix in RADICES]
    lists: list[tuple[int, ...]] = [*sorted(pairs, key=max)[:1]]
    if length in RADICES:
        lists.insert(0 if device.software else 1, (length,))
    for radices in lists:
        kernel = PictureConfig(radices, length // max(radices), lines=length)
        spread = replace(kernel, free_slots=0 if device.software else 1 - length % 2)
        for choice in (spread, kernel, replace(spread, exchange="in turn"), replace(kernel, exchange="in turn")):
            if choice.fits(device.limits, request.storage):
                return choice
    return None
