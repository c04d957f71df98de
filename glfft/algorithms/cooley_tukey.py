"""Cooley-Tukey in one dispatch an axis: one line a work group, in place in shared memory."""

from __future__ import annotations

from glfft.algorithms import lines
from glfft.algorithms.passes import AxisRequest, PassSpec

max_length = lines.max_length
limit = lines.limit


def passes(request: AxisRequest) -> list[PassSpec]:
    """One dispatch: all stages, with a barrier before each and one before the stores."""
    stages = request.length.bit_length() - 1
    threads = lines.threads(request, points=2)
    return [
        PassSpec(
            shader="fft/cooley_tukey.comp",
            request=request,
            defines=(
                ("LENGTH", request.length),
                ("STAGES", stages),
                ("THREADS", threads),
                ("DIRECTION", request.direction),
                ("SCALE", request.scale),
            ),
            groups=(request.lines, request.layers or 1, 1),
            threads=threads,
            radices=(2,) * stages,
            shared_bytes=request.length * request.storage.value_bytes,
            barriers=stages + 1,
            stores_where_it_loads=True,
        )
    ]
