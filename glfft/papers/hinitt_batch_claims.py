"""What Hinitt and Kocak say of one batch divided over streams, and what our times say of it."""

from __future__ import annotations

from dataclasses import replace

from glfft.demos.ofdm.settings import FIXED8, FLOAT16, FLOAT32
from glfft.papers.chapter import Conclusion, Measured
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.hinitt_batches import APART, BITS, FOUR, ONE, PUBLISHED, RADIX_2, ROWS, TOGETHER, TWO, Row
from glfft.papers.published import HINITT, Place

_ON_CPU = "The device is a software renderer: no numbers go to another device, and none runs beside it."


def conclusions(measured: Measured) -> list[Conclusion]:
    """The paper's conclusions about its streams."""
    divided = Grid() if measured.software else measured["divided"]
    reason = _ON_CPU if measured.software else ""

    def of_streams(claim: str, width: str, over: str, under: str, places: tuple[Place, ...]) -> Conclusion:
        pair = [PUBLISHED.get((RADIX_2, streams, width)) for streams in (over, under)]
        published = {BITS[width]: pair[0][1] / pair[1][1]} if pair[0] and pair[1] else {}
        return Conclusion(
            claim,
            f"{over} / {under}, one batch, radix 2",
            published,
            _at(divided, [Row(RADIX_2, over).name], [Row(RADIX_2, under).name], width),
            points="samples",
            reason=reason,
            places=places,
        )

    three = [row for row in ROWS if row.way == APART and row.kernel == RADIX_2]
    return [
        of_streams(
            '"A batch of FFTs was divided equally between the number of available streams", and two took 290 ns less '
            "than one (4.3).",
            FLOAT32,
            TWO,
            ONE,
            (HINITT.line(152), HINITT.line(146)),
        ),
        of_streams('"Two streams proved to be the most efficient" (4.3).', FLOAT32, TWO, FOUR, (HINITT.line(152),)),
        of_streams(
            'In 16 bits the fastest time "was achieved using 4 streams" (4.4.1).',
            FLOAT16,
            FOUR,
            TWO,
            (HINITT.line(184),),
        ),
        of_streams(
            "With TinyFixed four streams take 534 ns, and one 860 (4.4.2).", FIXED8, FOUR, ONE, (HINITT.line(207),)
        ),
        Conclusion(
            '"The memory copies of one stream can overlap with the kernel execution of another stream" (4.3).',
            "copies in contexts of their own / all in one context, radix 2",
            {},
            {
                BITS[width]: ratio
                for width in BITS
                for ratio in _at(
                    divided, [row.name for row in three], [replace(row, way=TOGETHER).name for row in three], width
                ).values()
            },
            points="samples",
            reason=reason,
            remark="Commands of one context of OpenGL run in order. Here copies to the device, work and copies back "
            "have a context each, with the same buffers, and fences between them.",
            places=(HINITT.line(150),),
        ),
    ]


def with_transfers(measured: Measured, over: str, under: str) -> dict[Point, Spread]:
    """The time of a kernel over another's, in 8 bits and four streams."""
    return _at(measured["divided"], [Row(over, FOUR).name], [Row(under, FOUR).name], FIXED8)


def _at(grid: Grid, over: list[str], under: list[str], width: str) -> dict[Point, Spread]:
    return {point: ratio for point, ratio in grid.ratios(over, under).items() if point == BITS[width]}
