"""The butterflies of a kernel's radices as GLSL: what they compute is in shaders/fft, the constants are from here.

Powers of two, 3, 5 and 9 have a file of their own. Larger primes are Rader's, coprime factors Good's, 25, 27 Cooley's.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from functools import cache
from itertools import islice

from glfft.algorithms.lengths import generator_of, largest_prime_factor
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import Storage

LARGEST_PRIME = 53
RADICES = (*range(2, 33), 37, 41, 43, 47, LARGEST_PRIME)

_WITH_A_FILE = (2, 3, 4, 5, 8, 9, 16, 32)
# With larger primes NVIDIA's compiler makes kernels up to 4 % faster where it is told so; others ignore the line.
_UNROLLED = ("#pragma optionNV(unroll all)",)
_LARGEST_UNTOLD = 13
_PI = Decimal("3.14159265358979323846264338327950288419716939937510")
_DIGITS = 40
_SMALLEST = Decimal("1e-38")
# The factors of a second list of radices lie behind those of the first.
_SECOND_TWIDDLE = """
complex second_twiddle(int i, int k, int span, int radix) {
    return twiddle(i, k + SECOND_FACTORS, span, radix);
}"""


def butterflies_text(radices: Iterable[int]) -> list[str]:
    """Lines that define `dft` for arrays of each of these numbers of points, and of those it is made of."""
    needed: dict[int, None] = {}

    def need(radices: Iterable[int]) -> None:
        for radix in radices:
            need(parts_of(radix))
            needed.setdefault(radix)

    need(sorted(set(radices)))
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
    if math.gcd(*parts) > 1:
        return _cooley_tukey_text(*parts)
    n1, n2 = parts
    k1, k2 = n2 * pow(n2, -1, n1), n1 * pow(n1, -1, n2)
    return [f'#include "fft/good_thomas.template.glsl" with N1 = {n1}, N2 = {n2}, K1 = {k1}, K2 = {k2}']


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
def cosine_and_sine(part: int, of: int) -> tuple[float, float]:
    """Cosine and sine of so many parts of a turn, by their power series in decimals: float64, rounded once."""
    with localcontext(prec=_DIGITS):
        angle = 2 * _PI * part / of
        terms = [Decimal(1)]
        while abs(terms[-1]) > _SMALLEST:
            terms.append(terms[-1] * angle / len(terms))
        cosine, sine = (sum(terms[first::4]) - sum(terms[first + 2 :: 4]) for first in (0, 1))
    return float(cosine), float(sine)


def stages_text(config: KernelConfig, storage: Storage) -> str:
    """The stages as calls of functions, which are written in GLSL."""
    first_factors = config.factor_lists[0]
    lines = butterflies_text(config.radices)
    if len(config.factor_lists) > 1:
        lines.append(_SECOND_TWIDDLE)
    lines += _butterflies(config, first_factors, "")
    if config.exchanges:
        # A kernel of one stage exchanges nothing and must not take shared memory.
        way = "exchange_in_a_buffer" if config.exchange == "in a buffer" else "exchange"
        lines.append(f'#include "fft/{"padded_" * _is_padded(config, storage)}{way}.glsl"')
    lines += _function(config, storage, "", "")
    back: list[str] = []
    if not config.ends_as_it_begins:
        last, first = config.radices[-1], config.turned.radices[config.done_once]
        given = f"{last}, {config.length // last}, {first}, {config.exchanges}"
        back += ["", "void exchange_to_first_stage(inout line_point v[POINTS], Place place) {"]
        back += [f"    exchange(v, place, {given}{_padding(config, storage, config.exchanges)});", "}"]
    if config.turned.axes != config.axes:
        back += _butterflies(config.turned, first_factors, "_back")
    if config.goes_back_otherwise:
        ending = "_back" * (config.turned.axes != config.axes)
        back += _function(config.turned, storage, "_back", ending, config.done_once)
    return "\n".join([*lines, *(["#if TWICE", *back, "#endif"] if back else [])])


def _endings(config: KernelConfig, ending: str) -> list[str]:
    """How the names of an axis's functions end, for each axis."""
    return [ending + "_second" * bool(axis) for axis in range(len(config.axes))]


def _butterflies(config: KernelConfig, first_factors: tuple[int, ...], ending: str) -> Iterator[str]:
    """The butterfly of a radix with its factors: one template, put in once for each radix along each axis."""
    step = 1
    for radices, own in zip(config.axes, _endings(config, ending), strict=True):
        second = len(radices) > 1 and radices != first_factors
        for radix in sorted(set(radices)):
            words = {"RADIX": radix, "BUTTERFLY": f"butterfly{radix}{own}", "FACTOR_STEP": step}
            words |= {"read_factors": f"read_factors{own}"} if own else {}
            words |= {"twiddle": "second_twiddle"} if second else {}
            given = ", ".join(f"{word} = {value}" for word, value in words.items())
            yield f'#include "fft/butterfly.template.glsl" with {given}'
        step *= math.prod(radices)


def _function(config: KernelConfig, storage: Storage, name: str, ending: str, begin: int = 0) -> list[str]:
    """The stages from one on, with butterflies whose names have an ending."""
    prefetched: list[str] = []
    calls: list[str] = []
    spans = [(radix, math.prod(radices[:stage]), own)
             for radices, own in zip(config.axes, _endings(config, ending), strict=True)
             for stage, radix in enumerate(radices)]  # fmt: skip
    covered = math.prod(config.radices[:begin])
    for stage, (radix, span, own) in islice(enumerate(spans), begin, None):
        for b in range(config.butterflies(radix)):
            if span == 1 or not config.factors_given:
                calls.append(f"    butterfly{radix}{own}(v, {b}, place.thread, {span});")
                continue
            factors = f"factors_{stage}_{b}"
            (prefetched if config.prefetch_twiddles else calls).extend(
                (f"    complex {factors}[{radix}];", f"    read_factors{own}({factors}, {b}, place.thread, {span});")
            )
            calls.append(f"    butterfly{radix}{own}(v, {b}, {factors});")
        if stage < config.exchanges:
            given = f"{radix}, {covered}, {config.radices[stage + 1]}, exchanges_before + {stage - begin}"
            calls.append(f"    exchange(v, place, {given}{_padding(config, storage, stage)});")
        covered *= radix
    head = f"void all_stages{name}(inout line_point v[POINTS], Place place, int exchanges_before) {{"
    return ["", head, *prefetched, *calls, "}"]


def _is_padded(config: KernelConfig, storage: Storage) -> bool:
    """Whether exchanges are those of fft/padded_exchange.glsl."""
    kernels, stages = (config, config.turned), range(len(config.radices))
    return config.pieces > 1 or any(each.padding_after(stage, storage)[0] for each in kernels for stage in stages)


def _padding(config: KernelConfig, storage: Storage, stage: int) -> str:
    period, free, turns, span = config.padding_after(stage, storage)
    given = f"{turns}, {span}" if config.swaps else free
    return f", Padding({period}, {given})" if _is_padded(config, storage) else ""
