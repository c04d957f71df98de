"""Bluestein's transform of any length, as a convolution of a length that the Stockham kernel can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from glfft.algorithms.family import Config
from glfft.algorithms.lengths import is_power_of_two, next_smooth, power_of_two_above
from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.family import Stockham, kernel_from_fields
from glfft.algorithms.stockham.kernel import KernelConfig, kernel_pass

# Of the padded length.
_LARGEST_PRIME = 5
# How much more a length takes whose stages its threads cannot share evenly.
_RAGGED = 1.15


class Bluestein(Stockham):
    """Lines of any length in one dispatch an axis, while their padded length fits a work group."""

    name = "bluestein"
    summary = "any length as a convolution of a longer one, in one dispatch an axis (Bluestein)"
    fallback = True

    def supports(self, request: AxisRequest) -> str | None:
        longest = choose.longest_at_once(request)
        if request.part is None and padded_length(request.length) <= longest:
            return None
        return f"lines of at most {(longest + 1) // 2} points"

    def convolves(self, request: AxisRequest) -> bool:
        return False

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        # A value holds one line, so that two real ones do not meet.
        return [replace(request, real_pairs=False)]

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        assert isinstance(config, KernelConfig)
        config = replace(config, sampled_twiddles=False)
        spec = kernel_pass(replace(_padded(request), direction=-1, real_pairs=False), config)
        offset = 0 if request.computed_twiddles else config.length - 1
        return [
            replace(
                spec,
                shader="fft/stockham_bluestein.comp",
                request=request,
                defines=(
                    *spec.defines,
                    ("CHIRP_OFFSET", offset),
                    ("ENDS_AS_IT_BEGINS", config.ends_as_it_begins),
                ),
                chirp=(request.length, request.direction, config.length),
                barriers=config.barriers(request.storage.components, config.convolution_exchanges),
            )
        ]

    def default(self, request: AxisRequest) -> KernelConfig:
        return super().default(_padded(request))

    def fits(self, config: Config, request: AxisRequest) -> bool:
        return (
            isinstance(config, KernelConfig)
            and config.length >= 2 * request.length - 1
            and config.fits(request.device.limits, request.storage)
        )

    def candidates(self, request: AxisRequest, most: int) -> list[Config]:
        return super().candidates(_padded(request), most)

    def neighbours(self, config: Config, request: AxisRequest) -> list[Config]:
        return super().neighbours(config, _padded(request))

    def is_worth_it(self, config: Config, request: AxisRequest) -> bool:
        return self.fits(config, request) and super().is_worth_it(config, _padded(request))

    def from_fields(self, fields: Mapping[str, Any], length: int) -> KernelConfig:
        kernel = kernel_from_fields(fields, length)
        if kernel.length < 2 * length - 1:
            raise ValueError("no kernel has such values")
        return kernel


@cache
def padded_length(length: int) -> int:
    """The length of the convolution that transforms so many points: from 2 length - 1 on, the one of least work."""
    least, most = 2 * length - 1, power_of_two_above(2 * length - 1)
    lengths = []
    following = next_smooth(least, _LARGEST_PRIME)
    while following <= most:
        lengths.append(following)
        following = next_smooth(following + 1, _LARGEST_PRIME)
    return min(lengths, key=_work)


def _work(length: int) -> float:
    """What a convolution of a length takes, roughly."""
    return length * len(choose.radix_lists(length)[0]) * (1.0 if is_power_of_two(length) else _RAGGED)


def _padded(request: AxisRequest) -> AxisRequest:
    """The request for lines of the padded length."""
    shape = list(request.shape)
    shape[request.axis] = padded_length(request.length)
    return replace(request, shape=tuple(shape))
