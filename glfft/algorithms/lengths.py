"""Arithmetic on lengths: the one place in Python that knows powers of two."""

import math
from collections.abc import Sequence
from functools import cache


def is_power_of_two(length: int) -> bool:
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


def shares_of_scale(scale: float, lengths: Sequence[int]) -> list[float]:
    """The scale of each pass over factors of a length over 1: half floats do not hold sums scaled only at the end."""
    share = math.log(scale) / math.log(math.prod(lengths))
    shares = [length**share for length in lengths[:-1]]
    return [*shares, scale / math.prod(shares)]


@cache
def largest_prime_factor(length: int) -> int:
    """The largest prime that divides a positive number, 1 for 1."""
    largest, factor = 1, 2
    while factor * factor <= length:
        while length % factor == 0:
            largest, length = factor, length // factor
        factor += 1
    return max(largest, length)


def divisors(length: int) -> list[int]:
    """All numbers that divide a positive number, in order."""
    small = [factor for factor in range(1, math.isqrt(length) + 1) if length % factor == 0]
    return sorted({*small, *(length // factor for factor in small)})


@cache
def next_smooth(least: int, largest: int) -> int:
    """The smallest number from a positive `least` on whose prime factors are at most `largest`, which is at least 2."""
    if largest == 2:
        return power_of_two_above(least)
    # Without the largest prime as a factor, or with it.
    if largest_prime_factor(largest) < largest:
        return next_smooth(least, largest - 1)
    if least <= largest:
        return least
    return min(next_smooth(least, largest - 1), largest * next_smooth(-(-least // largest), largest))


@cache
def generator_of(prime: int) -> int:
    """The smallest number whose powers are all numbers from 1 to an odd prime less 1, modulo the prime."""
    orders = divisors(prime - 1)[:-1]
    return next(g for g in range(2, prime) if all(pow(g, order, prime) != 1 for order in orders))
