"""Lines of any length with one small program, which plans have at once while they compile others."""

import math

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import divisors, shares_of_scale
from glfft.algorithms.passes import AXES, PassSpec
from glfft.algorithms.tables import Roots

_MOST = 16  # radices made of several primes are no larger: an output takes as many products as the radices add up to
_MOST_PRODUCTS = 1 << 34  # some 14 ms on an NVIDIA H200
_MOST_AT_FIRST = 1 << 36  # for as long as others compile
_THREADS = 128  # which every device allows


class AnyRadix(Family[None]):
    """A dispatch a stage; an invocation sums one output. All that differs between passes is in uniforms."""

    name = "any-radix-stages"
    summary = "any length, a dispatch a stage, in one small program for all radices and axes"

    def supports(self, request: AxisRequest) -> str | None:
        if request.points * sum(_radices(request.length)) > (_MOST_AT_FIRST if request.quick else _MOST_PRODUCTS):
            return "smaller prime factors"
        return work_groups.why_not(request.of_length(1), _THREADS, groups=self._groups(request))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        across = (request.crossing or request).shape[-2 if request.along == "x" else -1]
        line = {"length": request.length, "lines": request.lines, "lines_across": across, "axis": AXES[request.along]}
        roots, radices = Roots(request.length), _radices(request.length)
        line["fine_bits"] = roots.fine_bits
        defines = {"AXIS": "glfft_axis", "LINES_ACROSS": "glfft_lines_across", "AXIS_GIVEN": True}
        defines |= {"LINE_POINTS": "glfft_length", "THREADS": _THREADS, "DIRECTION": request.direction}
        scales = shares_of_scale(request.scale, radices)
        stages = [{"radix": radix, "span": math.prod(radices[:stage])} for stage, radix in enumerate(radices)]
        return [
            PassSpec(
                shader="fft/any_radix.comp",
                request=request,
                defines=(*defines.items(), ("SCALE", scale)),
                groups=(*self._groups(request), request.layers or 1),
                threads=_THREADS,
                uniforms=tuple((f"glfft_{name}", number) for name, number in (line | stage).items()),
                radices=(stage["radix"],),
                table=(),
                tables=(roots,),
                turns_at_ends=True,
            )
            for stage, scale in zip(stages, scales, strict=True)
        ]

    def _groups(self, request: AxisRequest) -> tuple[int, int]:
        width, height = (request.length, request.lines)[:: 1 if request.along == "x" else -1]
        return -(-width // _THREADS), height


def _radices(length: int) -> list[int]:
    """The radices of the stages, primes or at most 16; and a last 1, a copy, where one stage could not be in place."""
    found = list[int]()
    while length > 1:
        _, least, *more = divisors(length)
        found.append(max([least, *(each for each in more if each <= _MOST)]))
        length //= found[-1]
    return found if len(found) > 1 else [*found, 1]
