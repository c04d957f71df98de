"""The suites: the cases that glfft's speed is judged by, in groups. Most groups have a mark: a speed to reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.cases import FLOAT32, TRANSFORMS_A_TILE, Case, OceanCase

CUFFT = "cufft"

# A software renderer takes minutes for a case of more points.
SOFTWARE_POINTS = 1 << 22


@dataclass(frozen=True)
class Group:
    """Cases of the suite that share a mark: how many times as fast as a peer glfft must be. Some are only measured.

    Attributes:
        title: what the cases have in common.
        against: the peer's name.
        cases: the cases.
        everywhere: the ratio (the peer's time / glfft's time) that each case must reach, or None.
        somewhere: the ratio that `times` of the cases must reach, or None.
        times: how many cases must reach `somewhere`.
    """

    title: str
    against: str
    cases: tuple[Case, ...]
    everywhere: float | None = None
    somewhere: float | None = None
    times: int = 0


def _lines(length: int, count: int, storage: str = FLOAT32.name) -> Case:
    """Lines as the rows of as few layers as possible: every OpenGL 4.3 device allows 16384 rows a texture."""
    layers = -(-count // 16384)
    return Case((count // layers, length), layers, axes=(1,), storage=STORAGES[storage])


def _cube(side: int, storage: str = FLOAT32.name) -> Case:
    return Case((side, side, side), storage=STORAGES[storage])


def _square(side: int, batch: int = 1, storage: str = FLOAT32.name) -> Case:
    return Case((side, side), batch, storage=STORAGES[storage])


_POWERS_OF_TWO = (
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


def _million_points(length: int) -> Case:
    """2^23 points in all, as lines of one length, one after the other in a buffer."""
    return _lines(length, (1 << 23) // length, "buffer")


_PICTURES = (
    ((720, 1280), 1),
    ((1080, 1920), 1),
    ((2160, 3840), 1),
    ((768, 768), 1),
    ((1000, 1000), 1),
    ((1536, 1536), 1),
    ((960, 960), 1),
    ((600, 800), 1),
    ((1350, 2187), 1),
    ((1080, 1920), 4),
    ((540, 960), 8),
)

# Marks against cuFFT; a second reference for some of them, VkFFT, is no peer.
_SIZES = (
    Group(
        "pictures of all sizes",
        "cufft",
        tuple(Case(*each) for each in _PICTURES),
        everywhere=1.0,
        somewhere=1.2,
        times=6,
    ),
    Group(
        "factors 7, 11 and 13",
        "cufft",
        (_square(343), _square(343, storage="buffer"), _square(1001)),
        somewhere=1.0,
        times=2,
    ),
    Group("prime lengths", "cufft", (_square(1021), *map(_million_points, (1021, 997, 2039))), everywhere=1.3),
    Group(
        "1-D, many lines at once",
        "cufft",
        tuple(map(_million_points, (243, 625, 1000, 1080, 1920, 3840, 3125, 4095, 6144))),
        everywhere=0.9,
    ),
    Group(
        "long lines",
        "cufft",
        (*(_lines(length, 1, "buffer") for length in (1 << 20, 1 << 24, 1000003)), Case((4896, 3264))),
    ),
    Group("real pictures", "cufft", tuple(Case(*each, real=True) for each in _PICTURES), everywhere=1.0),
    Group("cosine transforms", "scipy", tuple(Case(*each, cosine=True) for each in _PICTURES if each[1] == 1)),
    *(
        Group(f"3-D, in {kept}", "cufft", tuple(_cube(side, storage) for side in (64, 100, 128, 256)), everywhere=0.8)
        for storage, kept in ((FLOAT32.name, "textures"), ("buffer", "buffers"))
    ),
    Group(
        "squares in buffers",
        "cufft",
        tuple(_square(side, storage="buffer") for side in (256, 512, 1000, 1024, 2048, 4096)),
    ),
)

SUITES = {"powers-of-two": _POWERS_OF_TWO, "sizes": _SIZES}
DEFAULT_SUITE = "powers-of-two"


def affordable(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """The cases that a software renderer can do in seconds, and a sentence on those left out, if any."""
    kept = [case for case in cases if case.points <= SOFTWARE_POINTS]
    left_out = [case.title for case in cases if case not in kept]
    sentence = f"On a software renderer the suite leaves out cases of more than {SOFTWARE_POINTS} points: "
    return kept, [sentence + ", ".join(left_out) + "."] if left_out else []
