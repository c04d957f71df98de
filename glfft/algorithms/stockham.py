"""Stockham autosort in one dispatch an axis: points in registers, exchanged through shared memory between stages."""

from __future__ import annotations

from glfft.algorithms import lines
from glfft.passes import BYTES_PER_COMPLEX, AxisRequest, PassSpec

max_length = lines.max_length
limit = lines.limit


def radix2(request: AxisRequest) -> list[PassSpec]:
    """Radix-2 stages only."""
    return _single_pass(request, (2,) * (request.length.bit_length() - 1))


def radix4(request: AxisRequest) -> list[PassSpec]:
    """Radix-4 stages, and a last one of radix 2 where log2 of the length is odd."""
    stages = request.length.bit_length() - 1
    return _single_pass(request, (4,) * (stages // 2) + (2,) * (stages % 2))


def _single_pass(request: AxisRequest, radices: tuple[int, ...]) -> list[PassSpec]:
    threads = lines.threads(request, points=max(radices))
    return [
        PassSpec(
            shader="fft/stockham.comp",
            request=request,
            defines=(
                ("LENGTH", request.length),
                ("THREADS", threads),
                ("POINTS", request.length // threads),
                ("DIRECTION", request.direction),
                ("SCALE", request.scale),
            ),
            groups=(request.lines, 1, 1),
            threads=threads,
            generated=(("generated/stages.glsl", _stages_text(radices)),),
            radices=radices,
            shared_bytes=request.length * BYTES_PER_COMPLEX,
            barriers=2 * (len(radices) - 1),
        )
    ]


def _stages_text(radices: tuple[int, ...]) -> str:
    """The list of stages as GLSL calls: the radices are Python's choice, what a stage does is written in GLSL."""
    calls = []
    span = 1
    for index, radix in enumerate(radices):
        calls.append(f"    stage{radix}(v, thread, {span});")
        if index < len(radices) - 1:
            calls.append(f"    exchange(v, thread, {radix}, {span});")
        span *= radix
    return "\n".join(["void all_stages(inout complex v[POINTS], int thread) {", *calls, "}"])
