"""Arithmetic on lengths agrees with its definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from glfft.algorithms.lengths import (
    divisors,
    is_power_of_two,
    largest_prime_factor,
    log2,
    next_smooth,
    power_of_two_above,
    power_of_two_below,
)

lengths = st.integers(1, 5000)


def primes_of(length: int) -> list[int]:
    """By trial, the prime factors of a number."""
    return [each for each in range(2, length + 1) if length % each == 0 and all(each % less for less in range(2, each))]


@given(exponent=st.integers(0, 40))
def test_powers_of_two_are_known(exponent: int) -> None:
    power = 2**exponent
    assert is_power_of_two(power)
    assert log2(power) == exponent
    assert power_of_two_below(power) == power_of_two_above(power) == power
    if power > 2:
        assert not is_power_of_two(power - 1)
        assert not is_power_of_two(power + 1)


@given(length=lengths)
def test_a_length_lies_between_the_powers_around_it(length: int) -> None:
    below, above = power_of_two_below(length), power_of_two_above(length)
    assert below <= length <= above
    assert is_power_of_two(below)
    assert above == (below if is_power_of_two(length) else 2 * below)


@given(length=st.integers(1, 600))
def test_the_largest_prime_factor_and_the_divisors(length: int) -> None:
    assert largest_prime_factor(length) == max(primes_of(length), default=1)
    assert divisors(length) == [each for each in range(1, length + 1) if length % each == 0]


@given(least=st.integers(1, 400), largest=st.sampled_from([2, 3, 5, 7, 13]))
def test_the_next_smooth_length_is_the_first_there_is(least: int, largest: int) -> None:
    found = next_smooth(least, largest)
    assert found >= least
    assert largest_prime_factor(found) <= largest
    assert all(largest_prime_factor(each) > largest for each in range(least, found))
