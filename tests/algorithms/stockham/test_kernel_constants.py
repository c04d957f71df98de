"""Constants of a kernel's shader, from its request and its options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.requests import axis_request

from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import line_constants, stage_constants, suited
from glfft.algorithms.storage import STORAGES
from glfft.gl.source import Define


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


def test_what_fills_sectors_of_a_texture_only_together_is_stored_together() -> None:
    def meet(lines: int = 2, storage: str = "rg32f", axis: int = 0, renderer: str = "A GPU") -> Define:
        plain = axis_request((16, 16), axis=axis, storage=STORAGES[storage])
        kernel = KernelConfig((4, 4), 4, lines=lines, side_by_side=True, line_pairs=lines > 1)
        request = replace(plain, device=replace(plain.device, renderer=renderer))
        return dict(line_constants(request, kernel, 16, (16 // lines, 1, 1)))["STORES_MEET"]

    # A sector is as wide as two texels of rg32f, or four of rg16f.
    assert {meet(), meet(storage="rg16f"), meet(4, "rg16f")} == {True}
    assert {meet(4), meet(8, "rg16f"), meet(1), meet(axis=1)} == {False}
    assert {meet(storage="buffer"), meet(renderer="llvmpipe")} == {False}


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
