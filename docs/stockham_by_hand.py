"""Stockham's transform of 16 points, step by step: where each point is read, turned and written.

The rule is the one of shaders/fft/stockham.comp. `how-it-works.md` shows these tables; `make_pages.py` puts them there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LENGTH = 16

RADIX_4 = (4, 4)
RADIX_2 = (2, 2, 2, 2)


@dataclass(frozen=True)
class Butterfly:
    """One small transform of a stage.

    Attributes:
        j: its number in the stage.
        reads: the positions of its inputs.
        exponents: each input is multiplied by exp(-2 pi i e / LENGTH) with its e from here.
        writes: the positions of its outputs.
    """

    j: int
    reads: tuple[int, ...]
    exponents: tuple[int, ...]
    writes: tuple[int, ...]


def stage(radix: int, span: int) -> list[Butterfly]:
    """The butterflies of a stage of this radix, after stages whose radices multiply to `span`."""
    apart = LENGTH // radix
    inputs = range(radix)
    found = []
    for j in range(apart):
        k = j % span
        found.append(
            Butterfly(
                j,
                tuple(j + i * apart for i in inputs),
                tuple(k * i * LENGTH // (radix * span) for i in inputs),
                tuple((j - k) * radix + k + i * span for i in inputs),
            )
        )
    return found


def stages(radices: tuple[int, ...]) -> list[list[Butterfly]]:
    """All stages of a transform."""
    spans = np.cumprod((1, *radices[:-1]))
    return [stage(radix, int(span)) for radix, span in zip(radices, spans, strict=True)]


def trace(points: NDArray[np.complex128], radices: tuple[int, ...]) -> list[NDArray[np.complex128]]:
    """The sixteen values before the first stage and after each one."""
    states = [np.asarray(points, np.complex128)]
    for butterflies in stages(radices):
        after = np.empty(LENGTH, np.complex128)
        for each in butterflies:
            turned = states[-1][list(each.reads)] * np.exp(-2j * np.pi * np.array(each.exponents) / LENGTH)
            after[list(each.writes)] = np.fft.fft(turned)  # of 2 or 4 points: sums and differences only
        states.append(after)
    return states


def stages_table(radices: tuple[int, ...]) -> str:
    """A row a butterfly: its reads, which are the same in every stage, then the twiddles and writes of each stage."""
    found = stages(radices)
    heads = ["j", "reads"]
    for number in range(1, len(found) + 1):
        heads += [f"stage {number}: twiddles", "writes"]
    rows = []
    for each in zip(*found, strict=True):
        row = [str(each[0].j), _numbers(each[0].reads)]
        for butterfly in each:
            row += [", ".join(_power(e) for e in butterfly.exponents), _numbers(butterfly.writes)]
        rows.append(row)
    return _markdown(heads, rows)


TABLES = {
    "radix-4 stages": lambda: stages_table(RADIX_4),
}


def _power(exponent: int) -> str:
    digits = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return {0: "1", 1: "w"}.get(exponent, f"w{digits}")


def _numbers(values: tuple[int, ...]) -> str:
    return ", ".join(str(value) for value in values)


def _markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---:" if head == "j" else "---" for head in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
