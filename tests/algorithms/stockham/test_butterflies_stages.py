"""The list of a kernel's stages: a butterfly for each, and an exchange between two."""

from __future__ import annotations

import itertools
import operator
import re

import pytest

from glfft.algorithms.stockham.butterflies import stages_text
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import STORAGES

RG32F = STORAGES["rg32f"]


@pytest.mark.parametrize("kernel", [KernelConfig((8,), 1), KernelConfig((4, 2, 8), 8), KernelConfig((3, 5), 2)])
def test_each_stage_has_its_butterflies_and_an_exchange_before_the_next(kernel: KernelConfig) -> None:
    text = stages_text(kernel, RG32F)
    stages = text.split("void all_stages")[1].split("\n}")[0]
    wanted = [str(radix) for radix in kernel.radices for _ in range(kernel.butterflies(radix))]
    assert re.findall(r"butterfly(\d+)\(v", stages) == wanted
    exchanged = re.findall(r"exchange\(v, place, (\d+), (\d+), (\d+),", stages)
    spans = list(itertools.accumulate(kernel.radices[:-1], operator.mul, initial=1))[:-1]
    assert [(int(a), int(b)) for a, _, b in exchanged] == list(zip(kernel.radices, kernel.radices[1:], strict=False))
    assert [int(span) for _, span, _ in exchanged] == spans
    assert ("exchange.glsl" in text) == (len(kernel.radices) > 1)


def test_prefetched_factors_are_read_before_the_first_butterfly() -> None:
    text = stages_text(KernelConfig((4, 4), 4, prefetch_twiddles=True), RG32F)
    assert text.index("read_factors(") < text.index("butterfly4(v")
