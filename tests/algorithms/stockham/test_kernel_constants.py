"""Constants of a kernel's shader, from its request and its options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.requests import axis_request

from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import line_constants, stage_constants, suited


@pytest.mark.parametrize(("lines", "full"), [(12, True), (11, False)])
def test_groups_say_whether_they_have_lines_for_all(lines: int, full: bool) -> None:
    found = dict(line_constants(axis_request((lines, 16)), KernelConfig((4, 4), 4, lines=4), lines, (3, 1, 1)))
    assert found["EVERY_LINE_EXISTS"] is full
    assert (found["LINE_COUNT"], found["LINES"], found["INVOCATIONS"]) == (lines, 4, 16)
    assert found["LOAD"] == found["LOAD_EACH"]


def test_pairs_are_loaded_at_once() -> None:
    kernel = KernelConfig((4, 4), 4, lines=4, line_pairs=True)
    found = dict(line_constants(axis_request((4, 16)), kernel, 4, (1, 1, 1)))
    assert (found["LOAD"], found["LOAD_EACH"], found["line_point"]) == ("load_pair", "load_point", "vec4")
    assert found["LINES"] == 2


def test_convolutions_have_a_line_a_thread_and_on_gpus_two_a_work_group() -> None:
    plain = axis_request((4, 16))
    gpu, cpu = (replace(plain, device=replace(plain.device, renderer=name)) for name in ("A GPU", "llvmpipe"))
    for lines, on_gpu, on_cpu in ((2, 2, 1), (4, 2, 2)):
        kernel = KernelConfig((4, 4), 4, lines=lines, line_pairs=True)
        assert suited(gpu, kernel) == suited(cpu, kernel) == kernel
        for request, left in ((gpu, on_gpu), (cpu, on_cpu)):
            assert suited(replace(request, inverse_scale=1.0), kernel) == replace(kernel, lines=left, line_pairs=False)
        assert suited(replace(gpu, real_pairs=True), kernel) == kernel.line_by_line


@pytest.mark.parametrize("exchange", ["at once", "in turn", "alternate"])
def test_stages_and_exchanges_are_those_of_the_kernel(exchange: str) -> None:
    found = dict(stage_constants(axis_request((1, 32), direction=+1), KernelConfig((8, 4), 4, exchange=exchange)))
    assert (found["LENGTH"], found["THREADS"], found["POINTS"], found["DIRECTION"]) == (32, 4, 8, +1)
    assert (found["FIRST_RADIX"], found["LAST_RADIX"], found["EXCHANGES"]) == (8, 4, 1)
    assert (found["IN_TURN"], found["ALTERNATE"]) == (exchange == "in turn", exchange == "alternate")
