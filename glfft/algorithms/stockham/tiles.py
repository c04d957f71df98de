"""Passes over tiles: large pictures in three passes, small volumes in two.

Two passes over rows and columns have a whole line in a work group, or two, as sectors of a texture hold points of two
lines. Few work groups run at a time on long lines, and memory waits for them. Three passes move half as many points
again, but each work group has few: after parts of rows, tiles do the rest of rows and the first parts of columns.

In volumes, one pass does the rows and parts of the columns, and one the rest of the columns and the lines along z.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from glfft.algorithms.axis_request import AxisRequest, FourStepPart, Tile, TileAxis
from glfft.algorithms.stockham import candidates, choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.stockham.family import Stockham

_LEAST_RADIX = 4  # along columns a tile has one stage
# How many tiles a group: many fill sectors, but a whole row lies in sectors by itself, which the tiles above share. The
# two passes over 64^3 points take an NVIDIA H200 4.5 and 5.5 us so, and 12.9 for rows with eight tiles a group.
_LINES = (8, 4, 16, 2)
_LINES_OF_WHOLE_ROWS = (2, 4, 8, 16)
# A GPU takes up to so many points of a volume in two passes instead of three: an NVIDIA H200 48^3 in 8.8 us instead of
# 11.2, 64^3 in 9.8 instead of 11.2, 96^3 in 17.4 instead of 18.7, but 100^3 in 17.8 instead of 17.0 (passes timed
# apart).
_MOST_POINTS_IN_TWO = 96**3
_THREAD_COUNTS = 2
_POINTS = 16


@dataclass(frozen=True)
class TileConfig(KernelConfig):
    """The kernel of a tile: a stage along columns, then those along the other axis, without factors between them."""

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        return self.radices[:1], self.radices[1:]


class StockhamTiles(Stockham):
    """Pictures in three passes and volumes in two, with some over tiles."""

    name = "stockham-tiles"
    summary = "stockham with passes over parts of two axes: large pictures in three passes, small volumes in two"
    config_type = TileConfig

    def supports(self, request: AxisRequest) -> str | None:
        able = request.tile is not None or (request.both_axes and passes_over(request) is not None)
        return None if able else "both axes of a large picture, or all of a small volume"

    def convolves(self, request: AxisRequest) -> bool:
        return False

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        return (request.both_axes and passes_over(request)) or [request]

    def default(self, request: AxisRequest) -> KernelConfig:
        return next(iter(self.candidates(request, 1)), None) or next(_kernels(request))

    def fits(self, config: KernelConfig, request: AxisRequest) -> bool:
        tile = request.tile
        alike = tile is not None and (config.radices[0], config.length) == (tile.columns.length, tile.length)
        return alike and config.fits(request.device.limits, request.storage)

    def candidates(self, request: AxisRequest, most: int) -> list[KernelConfig]:
        found = [config for config in _kernels(request) if self.is_worth_it(config, request)]
        return list(dict.fromkeys(found))[:most]

    def neighbours(self, config: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
        near = candidates.neighbours(config, request)
        return [each for each in near if each.radices[0] == config.radices[0]]


def passes_over(request: AxisRequest) -> list[AxisRequest] | None:
    """The requests of the passes for all axes, those whose longest transform is the shortest; None without tiles."""
    found = _of_volume(request) if request.is_volume else _of_picture(request)
    return min(found, key=lambda passes: sorted((each.length for each in passes), reverse=True), default=None)


def pays(request: AxisRequest) -> bool:
    """Whether passes over tiles are known to take less time than a pass for each axis."""
    small = request.is_volume and request.points <= _MOST_POINTS_IN_TWO and not request.device.software
    return small and request.storage.name == "rg32f" and passes_over(request) is not None


def _of_picture(request: AxisRequest) -> Iterator[list[AxisRequest]]:
    """Parts of rows, tiles of what is left of them and of parts of columns, parts of columns."""
    rows, columns = request.shape
    passes = replace(request, both_axes=False, algorithm=choose.FAMILY, scale=1.0)
    for row_radix in _radices_of(columns):
        before = columns // row_radix
        for column_radix in _column_radices(request, rows):
            after = rows // column_radix
            across = TileAxis(row_radix, before, stores_apart=True)
            tile = Tile(TileAxis(column_radix, after, loads_apart=True), across, "x", multiplies=True)
            first = replace(passes, part=FourStepPart(before, (), row_radix))
            last = FourStepPart(after, (), column_radix, multiplies=False)
            third = replace(passes, axis=0, part=last, scale=request.scale)
            if choose.why_not(first) is None and choose.why_not(third) is None:
                yield [first, replace(passes, tile=tile, algorithm=StockhamTiles.name), third]


def _of_volume(request: AxisRequest) -> Iterator[list[AxisRequest]]:
    """Tiles of rows and of parts of columns, tiles of what is left of columns and of lines along z."""
    planes, rows, columns = request.shape
    passes = replace(request, both_axes=False, algorithm=StockhamTiles.name)
    for radix in _column_radices(request, rows):
        after = rows // radix
        if after not in RADICES:
            continue
        first = Tile(TileAxis(radix, after, loads_apart=True), TileAxis(columns, 1), "x", multiplies=True)
        apart = TileAxis(after, radix, loads_apart=True, stores_apart=True)
        second = Tile(apart, TileAxis(planes, 1), "z", multiplies=False)
        found = [replace(passes, tile=first, scale=1.0), replace(passes, tile=second)]
        if all(next(_kernels(each), None) is not None for each in found):
            yield found


def _radices_of(length: int) -> list[int]:
    return [radix for radix in RADICES if _LEAST_RADIX <= radix < length and length % radix == 0]


def _column_radices(request: AxisRequest, rows: int) -> list[int]:
    """Those with which two tiles above each other fill the sectors of textures."""
    found = _radices_of(rows)
    return found if request.storage.buffer else [each for each in found if each % 2 == 0 and rows // each % 2 == 0]


def _kernels(request: AxisRequest) -> Iterator[KernelConfig]:
    assert request.tile is not None
    first, length = request.tile.columns.length, request.tile.other.length
    lists = [(length,)] if length in RADICES else choose.radix_lists(length)
    whole_rows = request.tile.other_along == "x" and request.tile.other.count == 1
    for rest, lines in itertools.product(lists, _LINES_OF_WHOLE_ROWS if whole_rows else _LINES):
        radices = (first, *rest)
        counts = choose.thread_counts(radices, _POINTS)[:_THREAD_COUNTS]
        for threads, exchange in itertools.product(counts, ("in turn", "at once")):
            config = TileConfig(radices, threads, lines, True, exchange, BY_STRIDE)
            if config.fits(request.device.limits, request.storage):
                yield config
