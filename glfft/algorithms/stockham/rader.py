"""Lines with a large prime factor, as a convolution of one point less than that: Rader's, beside Good and Thomas's."""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from operator import itemgetter

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.lengths import largest_prime_factor
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import candidates, choose, modelled
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig, RaderConfig
from glfft.algorithms.stockham.cost import SCHEDULERS, SECTOR_BYTES, SECTOR_TILE, WARP, Work, predicted_us, work_of
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.tables import RaderFactors
from glfft.gl.source import Define

_SMALL = 31  # larger primes are convolved, though those up to 53 are radices too
# Each of so many points is read by as many threads.
_MOST_COFACTOR = 64
_LISTS, _THREAD_COUNTS, _LINES = 2, 3, (2, 4, 1, 8, 16, 32)
_EXCHANGES = ("at once", BY_STRIDE), ("in turn", BY_STRIDE), ("at once", 0), ("in turn", 0)
_EXCHANGES_SOFTWARE = ("at once", 0), ("in turn", 0)
# What fits the times of 1500 kernels of 160 lengths on an NVIDIA H200: rows of banks for a point that goes to its place
# or comes from it, how much longer instructions and texels of one line take, and registers for a number held meanwhile.
_ROWS_OF_BANKS, _INSTRUCTION, _ALONE, _HELD = 3.0, 0.5, 1.4, 0.5


class Rader(Stockham):
    """The kernels of lines of m p points in one dispatch: p a prime over 31, m and p - 1 with small factors."""

    config_type = RaderConfig

    def supports(self, request: AxisRequest) -> str | None:
        in_pairs = request.real_pairs and request.kind is None
        whole = (request.part or request.inverse_scale) is None and (in_pairs or not request.mirrors)
        fits = whole and _factors(request.length) is not None and any(True for _ in _kernels(request))
        return None if fits else "whole lines with such factors that fit a work group"

    def pays(self, request: AxisRequest) -> bool:
        """Whether it takes less time than Bluestein's convolution: on llvmpipe 0.5 to 0.93 times. Where `_pays_on_gpus`
        says so, predicted kernels of 90 passes take an NVIDIA H200 0.33 to 1.6 times, 0.73 in the mean, nine over 1.
        """
        factors = _factors(request.length)
        if factors is None or self.supports(request) is not None or (request.device.software and request.real_pairs):
            return False
        return request.device.software or (modelled.speaks_of(request) and _pays_on_gpus(request, factors))

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        spec, factors = kernel_pass(request, replace(config, sampled_twiddles=False)), _factors(request.length)
        assert factors is not None
        assert isinstance(config, RaderConfig)
        cofactor, prime, components = factors.cofactor, factors.prime, request.storage.components
        constants: dict[str, Define] = {
            "DIRECTION": -1,
            "TWICE": True,
            "LOADS_LINES": False,
            "PRIME": prime,
            "COFACTOR": cofactor,
            "DEALT": config.dealt,
            "OF_COFACTOR": prime * pow(prime, -1, cofactor) % request.length,
            "OF_PRIME": cofactor * pow(cofactor, -1, prime) % request.length,
            "CHIRP_OFFSET": spec.table_entries,
            "CHIRP_DIRECTION": request.direction,
            "IN_PAIRS": request.real_pairs,
        }
        if request.real_pairs:
            constants |= {"LOAD": "load_two", "STORE": "store_two"}
        dealing = 4 * config.rounds(components) * config.dealt
        barriers = config.barriers(components, config.convolution_exchanges) + dealing
        defines, tables = tuple({**dict(spec.defines), **constants}.items()), (*spec.tables, factors)
        return [replace(spec, shader="fft/stockham_rader.comp", defines=defines, tables=tables, barriers=barriers)]

    def default(self, request: AxisRequest) -> KernelConfig:
        return next(_kernels(request))

    def predicted_fastest(
        self, request: AxisRequest, device: DeviceConstants, measured: Iterable[KernelConfig] = ()
    ) -> modelled.Predicted | None:
        # One search serves both directions, and its kernels transform, multiply and transform back.
        lines = replace(request, direction=-1, scale=1.0, inverse_scale=1.0, loads_computed=False, real=False)
        timed = ((each, modelled.MEASURED * predicted_us(_work(lines, each), device)) for each in measured)
        return min([_fastest(lines, device), *timed], key=itemgetter(1))

    def fits(self, config: KernelConfig, request: AxisRequest) -> bool:
        dealt = isinstance(config, RaderConfig) and config.dealt
        return self.supports(request) is None and super().fits(config, request) and (dealt or not request.real_pairs)

    def candidates(self, request: AxisRequest, most: int) -> list[KernelConfig]:
        return [] if request.device.software and request.real_pairs else [*itertools.islice(_kernels(request), most)]

    def neighbours(self, config: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
        assert isinstance(config, RaderConfig)
        near = [*super().neighbours(config, request), replace(config, dealt=not config.dealt)]
        return [each for each in near if self.fits(each, request)]

    def _is_for(self, config: KernelConfig, length: int) -> bool:
        factors = _factors(length)
        if factors is None or not isinstance(config, RaderConfig) or config.threads < factors.cofactor:
            return False
        plain = config.exchange in ("at once", "in turn") and config.pieces == 1 and not config.staged
        once, again = math.prod(config.radices[: config.columns]), math.prod(config.radices[config.columns :])
        return plain and (once, again) == (factors.cofactor, factors.prime - 1)

    def _transformed(self, request: AxisRequest) -> AxisRequest:
        return _transformed(request)


@cache
def _factors(length: int) -> RaderFactors | None:
    """The prime and what it is multiplied by, None where a length has no such factors."""
    prime = largest_prime_factor(length)
    cofactor = length // prime
    if prime <= _SMALL or cofactor > _MOST_COFACTOR or max(map(largest_prime_factor, (cofactor, prime - 1))) > _SMALL:
        return None
    return RaderFactors(cofactor, prime)


def _pays_on_gpus(request: AxisRequest, factors: RaderFactors) -> bool:
    """Not for long lines, or short ones or texels of two numbers where p - 1 has large factors."""
    hardest, paired = largest_prime_factor(factors.prime - 1), request.storage.paired
    longest = 4096 if request.storage.buffer or paired else 8192
    return hardest <= (13 if request.length < 500 else 23 if paired else _SMALL) and request.length <= longest


def _transformed(request: AxisRequest) -> AxisRequest:
    factors, lines = _factors(request.length), request.complex_lines if request.real_pairs else request
    return request if factors is None else lines.of_length(factors.cofactor * (factors.prime - 1))


def _kernels(request: AxisRequest) -> Iterator[RaderConfig]:
    """Kernels that fit, those of few radices and modest work groups first."""
    factors, within = _factors(request.length), _transformed(request)
    assert factors is not None
    software, rows_of_buffer = request.device.software, choose.are_rows_of_buffer(request)
    once = choose.radix_lists(factors.cofactor)[:_LISTS] if factors.cofactor > 1 else ((),)
    lists = [each for largest in (16, 32) for each in choose.radix_lists(factors.prime - 1, largest)[:_LISTS]]
    again = dict.fromkeys(order for each in lists for order in (each[::-1], each))
    exchanges = _EXCHANGES_SOFTWARE if software else _EXCHANGES
    # On CPUs two lines a value, where they are quick to compile: 370 points take 0.65 as long. softpipe has no dvec4.
    pairs_tried = (True, False) if software and not request.storage.double else (False,)
    for first, second in itertools.product(once, again):
        images = software and not request.storage.buffer
        options = {"columns": len(first), "image_loads": images, "twiddle_products": True}
        for threads in choose.thread_counts((*first, *second), max(*first, *second))[:_THREAD_COUNTS]:
            dealing = (True,) if request.real_pairs else (False,) if software else (True, False)
            ways = itertools.product(_LINES, exchanges, pairs_tried, dealing)
            for lines, (exchange, padding), pairs, dealt in ways:
                side_by_side = lines > 1 and not rows_of_buffer
                kernel = RaderConfig((*first, *second), threads, lines, side_by_side, exchange, padding, **options)
                kernel = replace(kernel, line_pairs=pairs, dealt=dealt)
                if threads >= factors.cofactor and candidates.is_worth_it(kernel, within):
                    yield kernel


@lru_cache(maxsize=256)
def _fastest(request: AxisRequest, device: DeviceConstants) -> modelled.Predicted:
    works = {each: _work(request, each) for each in _kernels(request)}
    # With more registers than a scheduler has for its warps, NVIDIA's compiler (580.159) made 1 of 2561 kernels wrong.
    registers = device.unit_registers / (SCHEDULERS * WARP)
    fitting = [each for each, work in works.items() if work.registers * -(-work.warps // SCHEDULERS) <= registers]
    return min(((each, predicted_us(works[each], device)) for each in fitting or works), key=itemgetter(1))


def _work(request: AxisRequest, kernel: KernelConfig) -> Work:
    """What a pass does: the stages, and what deals points out, or loads and stores each in its place."""
    assert isinstance(kernel, RaderConfig)
    work, storage, rows = work_of(_transformed(request), kernel), request.storage, request.measured_axis == 1
    alone = kernel.lines == 1 and not (choose.are_rows_of_buffer(request) or request.real_pairs)
    work = replace(work, instructions=_INSTRUCTION * work.instructions, moved=work.moved * (_ALONE if alone else 1.0))
    across, down = (SECTOR_BYTES, 1) if storage.buffer else SECTOR_TILE
    texels = max(across // storage.texel_bytes, 1), down  # of a sector
    if not kernel.dealt:
        return replace(work, moved=work.moved * math.prod(texels) / min(kernel.lines, texels[rows]))
    held = [radix * kernel.butterflies(radix) for radix in (kernel.radices[0], kernel.radices[-1])]
    share, rounds = -(-request.length // kernel.threads), kernel.rounds(storage.components)
    return replace(
        work,
        barriers=work.barriers + 4 * rounds,
        registers=work.registers + _HELD * (storage.components * share + max(held)),
        shared_accesses=work.shared_accesses + _ROWS_OF_BANKS * rounds * (sum(held) + 2 * share),
    )
