"""Lines of any length as a convolution that the Stockham kernel can do: Bluestein's, or where it is shorter Rader's."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from glfft.algorithms.axis_request import AxisRequest, PaddedLines
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.lengths import is_power_of_two, next_smooth, power_of_two_above
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import choose, modelled
from glfft.algorithms.stockham.config import KernelConfig, RaderConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.stockham.kernel import fused, kernel_pass, suited
from glfft.algorithms.stockham.rader import Rader
from glfft.algorithms.tables import Chirp, ChirpSpectrum

_LARGEST_PRIME = 5  # of the padded length
# The model compares a few lengths, those of the least work among the shortest.
_LARGEST_PRIME_MODELLED, _LONGEST_PADDED = 7, 1.3
_LENGTHS_SEEN, _MOST_LENGTHS = 16, 3
# How much more a length takes whose stages its threads cannot share evenly. In several passes of even parts it is less.
_RAGGED, _EVEN_RAGGED, _EVEN = 1.15, 1.05, 64
# GPUs take longer lines (of one number, of two) in parts if parts with large factors, which are convolved, are short;
# but in textures of one number whole ones: an NVIDIA H200 1306 columns of 2395 points in 51 us, not 102.
_LONGEST_WHOLE, _LONGEST_PART = (2500, 2048), 512
# For so much scratch, lines are transformed together: enough to keep any device busy, and little beside a picture.
_SCRATCH_BYTES = 1 << 26

_RADER = Rader()


class Bluestein(Stockham):
    """Lines of any length in one dispatch an axis, while their padded length fits a work group."""

    name = "bluestein"
    summary = "any length as a convolution, long lines in several dispatches (Bluestein, or Rader where it is faster)"
    fallback = True

    def supports(self, request: AxisRequest) -> str | None:
        longest = choose.longest_at_once(request)
        if fits_at_once(request.length, longest) or _division(request) is not None:
            return None
        lengths = None if request.part is not None else padded_parts(request.length, longest)
        if lengths is None:
            return f"lines of at most {(longest + 1) // 2} points"
        # A line in scratch, and the table of the chirp's spectrum with factors before it.
        storage, have, padded = request.storage, request.device.limits.buffer_bytes, math.prod(lengths)
        need = max(padded * storage.value_bytes, (padded + lengths[-1]) * 2 * storage.number_bytes)
        return f"a buffer of {need} bytes for a padded line, and the device can bind {have}" if need > have else None

    def convolves(self, request: AxisRequest) -> bool:
        return False

    def halves(self, request: AxisRequest) -> bool:
        return len(self.parts(request)) == 1

    def lets_pairs_go_alone(self, request: AxisRequest) -> bool:
        parts = self.parts(request)
        return len(parts) > 1 and parts[0].real_lines is None and not request.device.software

    def fuses(self, request: AxisRequest) -> bool:
        return fits_at_once(request.length, choose.longest_at_once(request))

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        own = replace(request, algorithm=self.name)
        if request.kind is not None or _RADER.pays(request):
            return [own]
        lengths = _division(request)
        few_rough = lengths is not None and all(each <= _LONGEST_PART for each in lengths if choose.is_rough_part(each))
        may_part = (request.storage.buffer or request.storage.paired) and not request.device.software
        is_long = request.length > _LONGEST_WHOLE[request.storage.paired]
        if self.fuses(request) and not (may_part and few_rough and is_long):
            return [own]
        if lengths is None:
            return _in_padded_lines(choose.two_as_one(request))
        # What has small factors only is transformed without a convolution.
        return [
            replace(part, algorithm=self.name if choose.is_rough_part(part.length) else choose.FAMILY)
            for part in choose.in_passes(request, lengths)
        ]

    def passes(self, request: AxisRequest, config: KernelConfig) -> list[PassSpec]:
        if isinstance(config, RaderConfig):
            return _RADER.passes(request, config)
        if request.kind is not None:
            return [fused(request, config, lambda complex_lines, kernel: self.passes(complex_lines, kernel)[0])]
        spec = kernel_pass(request, replace(config, sampled_twiddles=False, staged=False))
        config, components = suited(request, replace(config, staged=False)), request.storage.components
        once, twice = (config.barriers(components, each) for each in (config.exchanges, config.convolution_exchanges))
        chirp, by_pairs = Chirp(request.length), request.real_pairs or request.couples_parts
        chirps = chirp, ChirpSpectrum(chirp, config.length)
        # The roots of halved lines come last, as they were measured on GPUs.
        before, after = ((), spec.tables) if request.halved else (spec.tables, ())
        offset = replace(spec, tables=before).table_entries
        return [
            replace(
                spec,
                shader=spec.shader if by_pairs or request.halved else "fft/stockham_bluestein.comp",
                defines=(
                    *((name, -1 if name == "DIRECTION" else value) for name, value in spec.defines),
                    ("TWICE", True),
                    ("LOADS_LINES", False),
                    ("BLUESTEIN", True),
                    ("MIRRORED_POINTS", config.registers_up_to(request.length // 2)),
                    ("CHIRP_POINTS", request.length),
                    ("CHIRP_DIRECTION", request.direction),
                    ("CHIRP_OFFSET", offset),
                    ("ROOTS_OFFSET", offset + sum(each.size for each in chirps)),
                ),
                tables=(*before, *chirps, *after),
                barriers=spec.barriers + twice - once,
            )
        ]

    def predicted_fastest(
        self, request: AxisRequest, device: DeviceConstants, measured: Iterable[KernelConfig] = ()
    ) -> modelled.Predicted | None:
        if not modelled.speaks_of(request):
            return None
        if _RADER.pays(request):
            return _RADER.predicted_fastest(
                request, device, [each for each in measured if isinstance(each, RaderConfig)]
            )
        # One search serves both directions, and its kernels transform, multiply and transform back.
        lines = request.complex_lines if request.real_pairs else request.of_values
        request = replace(lines, direction=-1, scale=1.0, inverse_scale=1.0, loads_computed=False)
        # The requests for lines of the lengths that may do, those of the least work.
        least, longest = 2 * request.length - 1, choose.longest_at_once(request)
        lengths = itertools.islice(_smooth_lengths(least, _LARGEST_PRIME_MODELLED), _LENGTHS_SEEN)
        fitting = [each for each in lengths if each <= min(longest, _LONGEST_PADDED * least)]
        fitting.sort(key=lambda each: _work(each, _EVEN_RAGGED))
        found = [modelled.fastest(request.of_length(each), device) for each in fitting[:_MOST_LENGTHS]]
        best = min(filter(None, found), key=lambda each: each[1], default=None)
        return best and modelled.with_measured(best, request, device, measured)

    def default(self, request: AxisRequest) -> KernelConfig:
        return _RADER.default(request) if _RADER.pays(request) else super().default(request)

    def quick(self, request: AxisRequest) -> KernelConfig:
        return _RADER.default(request) if _RADER.pays(request) else super().quick(request)

    def candidates(self, request: AxisRequest, most: int) -> list[KernelConfig]:
        of_rader = _RADER.candidates(request, most // 2) if _RADER.supports(request) is None else []
        return [*of_rader, *(super().candidates(request, most - len(of_rader)) if self.fuses(request) else ())]

    def fits(self, config: KernelConfig, request: AxisRequest) -> bool:
        return self._owner(config).fits(config, request)

    def neighbours(self, config: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
        return self._owner(config).neighbours(config, request)

    def is_worth_it(self, config: KernelConfig, request: AxisRequest) -> bool:
        return self._owner(config).is_worth_it(config, request)

    def from_fields(self, fields: Mapping[str, Any], length: int) -> KernelConfig:
        return (_RADER if "columns" in fields else super()).from_fields(fields, length)

    def _owner(self, config: KernelConfig) -> Stockham:
        return _RADER if isinstance(config, RaderConfig) else super()

    def _is_for(self, config: KernelConfig, length: int) -> bool:
        return config.length >= 2 * length - 1

    def _transformed(self, request: AxisRequest) -> AxisRequest:
        return request.of_values.of_length(padded_length(request.length, choose.longest_at_once(request)))


def fits_at_once(length: int, longest: int) -> bool:
    """Whether a convolution that transforms so many points fits where so long lines do."""
    return next_smooth(2 * length - 1, _LARGEST_PRIME) <= longest


@cache
def padded_length(length: int, longest: int) -> int:
    """The length of the convolution of least work that transforms so many points, of at most `longest`."""
    most = min(power_of_two_above(2 * length - 1), longest)
    return min(itertools.takewhile(lambda padded: padded <= most, _smooth_lengths(2 * length - 1)), key=_work)


def _smooth_lengths(least: int, largest_prime: int = _LARGEST_PRIME) -> Iterator[int]:
    while True:
        yield (found := next_smooth(least, largest_prime))
        least = found + 1


@cache
def padded_parts(length: int, longest: int) -> tuple[int, ...] | None:
    """The parts of as short a line as can be whose convolution transforms so many points; None without such."""
    most = power_of_two_above(2 * length - 1)
    found: list[tuple[float, tuple[int, ...]]] = []
    for padded in itertools.takewhile(lambda each: each <= most, _smooth_lengths(2 * length - 1)):
        work = padded * _raggedness(padded)
        # A division takes its time, and there are at least two parts.
        if not found or 2 * work < min(found)[0]:
            lengths = choose.division(padded, lambda part: part if part <= longest else None)
            if lengths is not None:
                found.append((work * len(lengths), lengths))
    return min(found)[1] if found else None


def _in_padded_lines(request: AxisRequest) -> list[AxisRequest]:
    """The passes over parts that convolve lines in scratch, as many lines at a time as a buffer should hold."""
    lengths = padded_parts(request.length, choose.longest_at_once(request))
    assert lengths is not None, "supports said so"
    storage = request.storage.scratch
    room = min(request.device.limits.buffer_bytes, _SCRATCH_BYTES) // (math.prod(lengths) * storage.texel_bytes)
    lines = request.lines * (request.layers or 1)
    count = -(-lines // -(-lines // max(room, 1)))  # as many each time
    axis = int(request.along == "x")
    shape = (count, math.prod(lengths)) if axis == 1 else (math.prod(lengths), count)
    plain = replace(request, shape=shape, axis=axis, direction=-1, scale=1.0, layers=None, storage=storage)
    plain = replace(plain, algorithm=choose.FAMILY, picture=None, crossing=None, real_lines=None)
    found: list[AxisRequest] = []
    for first in range(0, lines, count):
        there = choose.in_passes(replace(plain, padded=PaddedLines(request, first)), lengths)
        back = [replace(each, direction=+1) for each in there[-2::-1]]
        there[0] = replace(there[0], padded=PaddedLines(request, first, enters=True))
        there[-1] = replace(there[-1], inverse_scale=1.0)
        back[-1] = replace(back[-1], scale=request.scale, padded=PaddedLines(request, first, leaves=True))
        found += [*there, *back]
    return found


def _division(request: AxisRequest) -> tuple[int, ...] | None:
    """The parts of a line with large prime factors that each fit a work group, those with such factors padded."""
    longest = choose.longest_at_once(request)

    def size(length: int) -> int | None:
        if choose.is_rough_part(length):
            return 2 * length if fits_at_once(length, longest) else None
        return length if length <= longest else None

    if request.part is not None or not choose.is_rough_part(request.length):
        return None
    return choose.division(request.length, size)


def _work(length: int, even_ragged: float = _RAGGED) -> float:
    """What a convolution of a length takes, roughly."""
    return length * len(choose.radix_lists(length)[0]) * _raggedness(length, even_ragged)


def _raggedness(length: int, even_ragged: float = _EVEN_RAGGED) -> float:
    """How much more a length takes than one whose stages threads share evenly."""
    return 1.0 if is_power_of_two(length) else _RAGGED if length % _EVEN else even_ragged
