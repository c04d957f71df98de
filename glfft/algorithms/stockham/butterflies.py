"""The butterflies of a kernel's radices as GLSL: what they compute is in shaders/fft, the constants are from here.

Powers of two, 3, 5 and 9 have a file of their own. Larger primes are Rader's, coprime factors Good and Thomas's, and 25
and 27 Cooley and Tukey's.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from functools import cache

from glfft.algorithms.lengths import largest_prime_factor

RADICES = tuple(range(2, 33))
LARGEST_PRIME = 31

_WITH_A_FILE = (2, 3, 4, 5, 8, 9, 16, 32)
# With larger primes NVIDIA's compiler makes kernels up to 4 % faster where it is told so; others ignore the line.
_UNROLLED = ("#pragma optionNV(unroll all)",)
_LARGEST_UNTOLD = 13
_PI = Decimal("3.14159265358979323846264338327950288419716939937510")
_DIGITS = 40
_SMALLEST = Decimal("1e-38")


def butterflies_text(radices: Iterable[int]) -> list[str]:
    """Lines that define `dft` for arrays of each of these numbers of points, and of those it is made of."""
    needed: dict[int, None] = {}

    def need(radix: int) -> None:
        for part in dict.fromkeys(parts_of(radix)):
            need(part)
        needed.setdefault(radix)

    for radix in sorted(set(radices)):
        need(radix)
    return [line for radix in needed for line in _dft_text(radix)]


def parts_of(radix: int) -> tuple[int, ...]:
    """The two numbers of points that a butterfly is made of, or none."""
    if radix in _WITH_A_FILE or largest_prime_factor(radix) == radix:
        return ()
    smallest = next(prime for prime in (2, 3, 5) if radix % prime == 0)
    power = smallest ** next(n for n in range(5, 0, -1) if radix % smallest**n == 0)
    return (power, radix // power) if power < radix else (smallest, radix // smallest)


def _dft_text(radix: int) -> list[str]:
    parts = parts_of(radix)
    if radix in _WITH_A_FILE:
        return [f'#include "fft/radix{radix}.glsl"']
    if not parts:
        return _rader_text(radix)
    if math.gcd(*parts) == 1:
        return [_good_thomas_text(*parts)]
    return _cooley_tukey_text(*parts)


def _rader_text(prime: int) -> list[str]:
    powers = [pow(generator_of(prime), q, prime) for q in range(prime - 1)]
    cosines, sines = zip(*(cosine_and_sine(power, prime) for power in powers[: prime // 2]), strict=True)
    arrays = {"POWERS": f"POWERS_{prime}", "COSINES": f"COSINES_{prime}", "SINES": f"SINES_{prime}"}
    return [
        *_UNROLLED * (prime > _LARGEST_UNTOLD),
        '#include "fft/roots.glsl"',
        _array_text("int", arrays["POWERS"], powers),
        _array_text("float", arrays["COSINES"], cosines),
        _array_text("float", arrays["SINES"], sines),
        f'#include "fft/rader.template.glsl" with PRIME = {prime}, '
        + ", ".join(f"{name} = {array}" for name, array in arrays.items()),
    ]


def _good_thomas_text(first: int, second: int) -> str:
    k1, k2 = second * pow(second, -1, first), first * pow(first, -1, second)
    return f'#include "fft/good_thomas.template.glsl" with N1 = {first}, N2 = {second}, K1 = {k1}, K2 = {k2}'


def _cooley_tukey_text(first: int, second: int) -> list[str]:
    length = first * second
    roots = [cosine_and_sine(k, length) for k in range((first - 1) * (second - 1) + 1)]
    return [
        '#include "fft/roots.glsl"',
        _array_text("vec2", f"ROOTS_{length}", [f"vec2({cosine!r}, {sine!r})" for cosine, sine in roots]),
        f'#include "fft/cooley_tukey.template.glsl" with N1 = {first}, N2 = {second}, ROOTS = ROOTS_{length}',
    ]


def _array_text(kind: str, name: str, values: Sequence[object]) -> str:
    return f"const {kind} {name}[{len(values)}] = {kind}[{len(values)}]({', '.join(map(str, values))});"


@cache
def generator_of(prime: int) -> int:
    """The smallest number whose powers are all numbers from 1 to an odd prime less 1, modulo the prime."""
    return next(g for g in range(2, prime) if len({pow(g, q, prime) for q in range(prime - 1)}) == prime - 1)


@cache
def cosine_and_sine(part: int, of: int) -> tuple[float, float]:
    """Cosine and sine of so many parts of a turn, by their power series in decimals: float64, rounded once."""
    with localcontext(prec=_DIGITS):
        angle = 2 * _PI * part / of
        terms = [Decimal(1)]
        while abs(terms[-1]) > _SMALLEST:
            terms.append(terms[-1] * angle / len(terms))
        cosine, sine = (sum(terms[first::4]) - sum(terms[first + 2 :: 4]) for first in (0, 1))
    return float(cosine), float(sine)
