"""The butterflies' constants and what they are made of."""

from __future__ import annotations

import itertools
import math
import re

import pytest
from support.exact import cosine_and_sine as exact
from support.paths import SHADERS

from glfft.algorithms.lengths import generator_of, largest_prime_factor
from glfft.algorithms.stockham.butterflies import (
    LARGEST_PRIME,
    RADICES,
    butterflies_text,
    cosine_and_sine,
    parts_of,
)

# Zeros are none, to forty digits.
ZERO = 1e-35


def arrays(text: str, name: str) -> list[float]:
    """The numbers of a constant array."""
    found = re.search(rf"\b{name}\[\d+\] = \w+\[\d+\]\((.*)\);", text)
    assert found
    return [float(each) for each in found[1].replace("vec2(", "").replace(")", "").split(",")]


@pytest.mark.parametrize("of", [3, 7, 8, 12, 17, 25, 31])
def test_cosines_and_sines_are_doubles_to_the_last_bit(of: int) -> None:
    for part in range(of):
        for found, right in zip(cosine_and_sine(part, of), exact(part, of), strict=True):
            assert found == float(right) or max(abs(found), abs(right)) < ZERO


@pytest.mark.parametrize("prime", [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53])
def test_the_constants_of_a_prime_are_in_the_order_of_its_generators_powers(prime: int) -> None:
    text = "\n".join(butterflies_text([prime]))
    powers = [int(power) for power in arrays(text, f"POWERS_{prime}")]
    assert sorted(powers) == list(range(1, prime))
    assert all(after == before * generator_of(prime) % prime for before, after in itertools.pairwise(powers))
    turns = [2 * math.pi * power / prime for power in powers[: prime // 2]]
    assert arrays(text, f"COSINES_{prime}") == pytest.approx([math.cos(turn) for turn in turns])
    assert arrays(text, f"SINES_{prime}") == pytest.approx([math.sin(turn) for turn in turns])


@pytest.mark.parametrize(("length", "count"), [(25, 17), (27, 17)])
def test_the_roots_of_a_square_or_a_cube_reach_as_far_as_its_products(length: int, count: int) -> None:
    found = arrays("\n".join(butterflies_text([length])), f"ROOTS_{length}")
    right = [part for k in range(count) for part in exact(k, length)]
    assert found == [float(part) for part in right]


@pytest.mark.parametrize("radix", RADICES)
def test_every_radix_is_defined_after_what_it_is_made_of(radix: int) -> None:
    text = butterflies_text([radix])
    assert len(text) == len(set(text)) or "roots" in "".join(text)
    parts = parts_of(radix)
    if parts:
        assert math.prod(parts) == radix
        inner = butterflies_text(parts)
        assert set(inner) < set(text)
        assert text[-1] not in inner
    for path in re.findall(r'#include "([^"]+)"', "\n".join(text)):
        assert (SHADERS / path).is_file()


def test_parts_without_a_common_factor_meet_at_the_right_places() -> None:
    for radix in (6, 12, 18, 22, 30):
        n1, n2 = parts_of(radix)
        numbers = re.search(r"N1 = (\d+), N2 = (\d+), K1 = (\d+), K2 = (\d+)", butterflies_text([radix])[-1])
        assert numbers
        k1, k2 = int(numbers[3]), int(numbers[4])
        assert [int(number) for number in numbers.groups()[:2]] == [n1, n2]
        assert (k1 % n1, k1 % n2, k2 % n1, k2 % n2) == (1, 0, 0, 1)


def test_what_several_radices_share_is_defined_once() -> None:
    text = butterflies_text([14, 7, 21, 28])
    assert sum("POWERS_7[" in line for line in text) == 1


def test_the_largest_prime_is_the_largest_of_any_radix() -> None:
    assert max(map(largest_prime_factor, RADICES)) == LARGEST_PRIME
