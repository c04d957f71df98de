"""The list of a kernel's stages: a butterfly for each, and an exchange between two."""

from __future__ import annotations

import itertools
import operator
import re

import pytest

from glfft.algorithms.stockham.butterflies import loops, stages_text
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


@pytest.mark.parametrize("radices", [(4, 4, 4), (2, 4, 4, 4, 3), (5, 5), (2, 3, 4)])
def test_stages_alike_are_a_loop_of_those_of_the_list(radices: tuple[int, ...]) -> None:
    kernel = KernelConfig(radices, 2)
    listed, looped = (stages_text(kernel, RG32F, each).split("void all_stages")[1] for each in (False, True))
    calls = re.compile(r"(butterfly|exchange)(.*);")

    def in_order(text: str) -> list[str]:
        """What is called, loops done."""
        found: list[str] = []
        lines = iter(text.splitlines())
        for line in lines:
            head = re.search(r"span = (\d+); span < (\d+) \+ nothing\(\); span \*= (\d+)", line)
            if head:
                first, end, radix = map(int, head.groups())
                body = list(itertools.takewhile(lambda each: each != "    }", lines))
                spans = itertools.takewhile(lambda span, end=end: span < end, (first * radix**n for n in range(9)))
                for span in spans:
                    made = (
                        re.sub(r"span / (\d+)", lambda by, span=span: str(span // int(by[1])), each) for each in body
                    )
                    found += [re.sub(r"\bspan\b", str(span), each) for each in made]
            else:
                found.append(line)
        # Of exchanges, it counts only which is the first.
        texts = (match[0] for line in found if (match := calls.search(line)))
        number = re.compile(r"exchanges_before \+ (\d+(?: - \d+)?)")
        return [number.sub(lambda given: "later" if _value(given[1]) else "first", text) for text in texts]

    assert in_order(looped) == in_order(listed)
    assert ("for (" in looped) == (len(set(radices)) < len(radices))


def _value(difference: str) -> int:
    first, *others = map(int, difference.split(" - "))
    return first - sum(others)


@pytest.mark.parametrize(
    "kernel",
    [
        KernelConfig((4, 4), 4, exchange="alternate"),
        KernelConfig((4, 4), 4, padding=4),
        KernelConfig((4, 4), 4, twiddle_products=True),
    ],
)
def test_stages_that_differ_in_more_than_their_span_are_no_loop(kernel: KernelConfig) -> None:
    assert not loops(kernel, RG32F)
    assert loops(KernelConfig((4, 4), 4, exchange="in turn"), RG32F)
