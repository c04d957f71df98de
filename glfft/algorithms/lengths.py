"""Arithmetic on lengths: the one place in Python that knows powers of two."""

from __future__ import annotations

import math
from collections.abc import Iterable


def is_power_of_two(length: int) -> bool:
    """Whether a positive number is one."""
    return length & (length - 1) == 0


def log2(length: int) -> int:
    """The exponent of a power of two; of any other positive number, that of the power below."""
    return length.bit_length() - 1


def power_of_two_below(most: int) -> int:
    """The largest power of two up to a positive number."""
    return 1 << log2(most)


def power_of_two_above(least: int) -> int:
    """The smallest power of two from a positive number on."""
    return 1 << (least - 1).bit_length()


def halves(length: int) -> tuple[int, int]:
    """A power of two as a product of two that are as equal as can be, the larger one first."""
    exponent = log2(length)
    return 1 << (exponent - exponent // 2), 1 << (exponent // 2)


def product(factors: Iterable[int]) -> int:
    """The product of some numbers."""
    return math.prod(factors)
