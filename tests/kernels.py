"""A sample of Stockham kernels over all their options, and requests for them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from glfft.algorithms.stockham import Kernel
from glfft.gl import Limits
from glfft.passes import AxisRequest
from glfft.storage import STORAGES, Storage

EXCHANGES = ("at once", "in turn", "alternate")

# Floats in registers times stages: what a software renderer's compile time grows with. Beyond this it takes seconds.
QUICK_TO_COMPILE = 96


def kernels(
    limits: Limits, lengths: list[int], seed: int = 0, heaviest: int = QUICK_TO_COMPILE
) -> Iterator[tuple[Kernel, Storage]]:
    """One random kernel that fits a device for each length, with a storage it fits."""
    generator = random.Random(seed)
    for length in lengths:
        yield _kernel(generator, limits, length, heaviest)


def request(
    limits: Limits,
    kernel: Kernel,
    storage: Storage,
    *,
    axis: int,
    lines: int,
    layers: int | None = None,
    direction: int = -1,
    scale: float = 1.0,
) -> AxisRequest:
    """So many lines of the kernel's length along an axis."""
    shape = (lines, kernel.length) if axis == 1 else (kernel.length, lines)
    return AxisRequest(shape, axis, direction, scale, False, layers, storage, limits)


def _kernel(generator: random.Random, limits: Limits, length: int, heaviest: int) -> tuple[Kernel, Storage]:
    while True:
        radices = _radices(generator, length)
        points = max(radices) * generator.choice([1, 1, 2, 4])
        kernel = Kernel(
            radices,
            points,
            lines=generator.choice([1, 2, 3, 4, 8]),
            side_by_side=generator.random() < 0.5,
            exchange=generator.choice(EXCHANGES),
            padding=generator.choice([0, 0, 4, 16, 32]),
            twiddle_products=generator.random() < 0.5,
            image_loads=generator.random() < 0.5,
            line_pairs=generator.random() < 0.5,
        )
        storage = STORAGES[generator.choice(["rg32f", "rg32f", "rgba32f", "buffer", "buffer4"])]
        weight = points * storage.components * kernel.lines_a_value * len(radices)
        if points <= length and weight <= heaviest and kernel.fits(limits, storage.value_bytes):
            return kernel, storage


def _radices(generator: random.Random, length: int) -> tuple[int, ...]:
    radices = []
    while length > 1:
        radix = generator.choice([radix for radix in (2, 4, 8, 16, 32) if radix <= length])
        radices.append(radix)
        length //= radix
    return tuple(radices)
