"""Small volumes in two passes over tiles: rows and parts of columns, then the rest of columns and lines along z."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from glfft.algorithms.axis_request import AxisRequest, Tile
from glfft.algorithms.lengths import largest_prime_factor, shares_of_scale
from glfft.algorithms.stockham import candidates, choose
from glfft.algorithms.stockham.butterflies import LARGEST_PRIME, RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.stockham.family import Stockham

_LEAST_RADIX = 4  # along columns a tile has one stage
# How many tiles a group: many fill sectors, but the sectors of a whole row hold only tiles above each other.
_LINES = (8, 4, 16, 2)
_LINES_OF_WHOLE_ROWS = (2, 4, 8, 16)
# Up to so many points two passes take an NVIDIA H200 less time than three: 80^3 14.5 us, not 15.6; 100^3 17.8, not 17.
_MOST_POINTS_IN_TWO = 96**3
_THREAD_COUNTS, _POINTS = 2, 16


@dataclass(frozen=True)
class TileConfig(KernelConfig):
    """The kernel of a tile: a stage along columns, then those along the other axis, without factors between them."""

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        return self.radices[:1], self.radices[1:]


class StockhamTiles(Stockham):
    """Volumes in two passes over tiles."""

    name = "stockham-tiles"
    summary = "stockham with passes over parts of two axes: small volumes in two passes"
    tunable = False  # `Plan.tune` made volumes of 64^3 points no faster on an NVIDIA H200

    def supports(self, request: AxisRequest) -> str | None:
        able = request.tile is not None or (request.both_axes and passes_over(request) is not None)
        return None if able else "all of a small volume"

    def convolves(self, request: AxisRequest) -> bool:
        return False

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        return (request.both_axes and passes_over(request)) or [request]

    def default(self, request: AxisRequest) -> KernelConfig:
        worth_it = (each for each in _kernels(request) if candidates.is_worth_it(each, request))
        return next(worth_it, None) or next(_kernels(request))


def passes_over(request: AxisRequest) -> list[AxisRequest] | None:
    """The requests of the two passes, those whose longest transform is the shortest; None where there are no tiles."""
    if not request.is_volume or max(map(largest_prime_factor, request.shape)) > LARGEST_PRIME:
        return None
    planes, rows, columns = request.shape
    passes = replace(request, both_axes=False, algorithm=StockhamTiles.name)
    found: list[list[AxisRequest]] = []
    radices = [radix for radix in RADICES if _LEAST_RADIX <= radix < rows and rows % radix == 0]
    if not request.storage.buffer:  # two tiles above each other fill the sectors of textures
        radices = [radix for radix in radices if radix % 2 == 0 and rows // radix % 2 == 0]
    for radix in radices:
        after = rows // radix
        tiles = Tile(radix, after, columns, first=True), Tile(after, radix, planes, first=False)
        scales = shares_of_scale(request.scale, [tile.length for tile in tiles])
        both = [replace(passes, tile=tile, scale=scale) for tile, scale in zip(tiles, scales, strict=True)]
        if after in RADICES and all(next(_kernels(each), None) is not None for each in both):
            found.append(both)
    return min(found, key=lambda each: sorted((one.length for one in each), reverse=True), default=None)


def pays(request: AxisRequest) -> bool:
    """Whether passes over tiles of a volume are known to take less time than a pass for each axis."""
    small = request.points <= _MOST_POINTS_IN_TWO and not request.device.software
    return small and request.storage.name == "rg32f" and passes_over(request) is not None


def _kernels(request: AxisRequest) -> Iterator[KernelConfig]:
    assert request.tile is not None
    length = request.tile.other
    lists = [(length,)] if length in RADICES else choose.radix_lists(length)
    for rest, lines in itertools.product(lists, _LINES_OF_WHOLE_ROWS if request.tile.first else _LINES):
        radices = (request.tile.rows, *rest)
        counts = choose.thread_counts(radices, _POINTS)[:_THREAD_COUNTS]
        for threads, exchange in itertools.product(counts, ("in turn", "at once")):
            config = TileConfig(radices, threads, lines, True, exchange, BY_STRIDE)
            if config.fits(request.device.limits, request.storage):
                yield config
