"""The suite: the cases that performance is judged by, in groups with a mark to reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import FLOAT32, TRANSFORMS_A_TILE, Case, OceanCase

CUFFT = "cufft"

# A software renderer takes minutes for more.
SOFTWARE_POINTS = 1 << 22


@dataclass(frozen=True)
class Group:
    """Cases of the suite that share a mark: how many times as fast as `against` glfft is to be.

    Attributes:
        title: what they have in common.
        against: whose time is compared, a peer's name.
        cases: the cases.
        everywhere: the least ratio (their time / ours) for each of them, or None.
        somewhere: a ratio to be reached in `times` of them, or None.
        times: how many that is.
    """

    title: str
    against: str
    cases: tuple[Case, ...]
    everywhere: float | None = None
    somewhere: float | None = None
    times: int = 0


def _lines(length: int, count: int) -> Case:
    """So many lines as rows, in as few layers as the least texture limit of OpenGL 4.3 (16384) allows."""
    rows = min(count, 16384)
    return Case((rows, length), count // rows, axes=(1,))


def _square(side: int, batch: int = 1, storage: str = FLOAT32.name) -> Case:
    return Case((side, side), batch, storage=STORAGES[storage])


SUITE = (
    Group(
        "one 2-D transform",
        "cufft",
        tuple(_square(side) for side in (128, 256, 512, 1024, 2048, 4096)),
        everywhere=0.9,
        somewhere=1.0,
        times=2,
    ),
    Group(
        "2-D, many layers at once",
        "cufft",
        tuple(_square(*each) for each in ((512, 12), (1024, 12), (256, 256), (1024, 64), (2048, 16))),
        everywhere=1.0,
        somewhere=1.3,
        times=2,
    ),
    Group(
        "1-D, many lines at once",
        "cufft",
        tuple(_lines(*each) for each in ((16, 1 << 20), (512, 16384), (1024, 8192))),
        everywhere=1.0,
    ),
    Group(
        "2-D in half storage",
        FLOAT32.name,
        tuple(_square(1024, 12, storage) for storage in ("rg16f", "rgba16f")),
        somewhere=1.5,
        times=1,
    ),
    Group(
        "the ocean",
        "cufft",
        tuple(OceanCase((512, 512), 3 * TRANSFORMS_A_TILE, half=half) for half in (False, True)),
        everywhere=1.0,
    ),
)


def affordable(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """The cases a software renderer can do in bearable time, and a sentence on those that are left out."""
    kept = [case for case in cases if case.points <= SOFTWARE_POINTS]
    left_out = [case.title for case in cases if case not in kept]
    sentence = f"On a software renderer the suite leaves out cases of more than {SOFTWARE_POINTS} points: "
    return kept, [sentence + ", ".join(left_out) + "."] if left_out else []
