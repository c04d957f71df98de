"""Work on a picture strip by strip, on all cores. A strip fits the caches, and needs little memory."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Result = TypeVar("_Result")


def map_strips(work: Callable[[slice], _Result], rows: int, height: int) -> list[_Result]:
    """What `work` returns for each strip of at most `height` rows, from the top down, done by threads."""
    strips = [slice(first, min(first + height, rows)) for first in range(0, rows, height)]
    if len(strips) < 2:
        return [work(strip) for strip in strips]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(work, strips))
