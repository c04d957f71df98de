"""The random suite: sizes of cameras, screens and others by a seed, as sizes that kernels were tuned for say little."""

import math
import random
from collections.abc import Iterator, Sequence

import moderngl

from glfft.algorithms.lengths import next_smooth
from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import FLOAT32, RANDOM, SMOOTH, Case, Suite, lines
from glfft.files import packaged_toml
from glfft.gl.context import is_software
from glfft.gl.functions import Functions

MOST_POINTS = 102_000_000  # cameras of 100 megapixels have a little more
SOFTWARE_POINTS = 1 << 20  # the same on software renderers, where fixed cases have up to `suite.SOFTWARE_POINTS`
REFERENCE_POINTS = 1 << 22  # numpy transforms more points in float64 in more than a second

# Source, target and scratch of glfft, five arrays of cuFFT, all complex, and as much again for what drivers keep.
_BYTES_A_POINT, _FEWEST_POINTS = 128, 1 << 12

_FREE_MEMORY = {"GL_NVX_gpu_memory_info": 0x9049, "GL_ATI_meminfo": 0x87FC}  # in KiB, by the extension

_LONGEST_SIDE = 16384  # every OpenGL 4.3 device has textures of so many rows and columns
_SHORTEST_LINE, _LONGEST_LINE, _MOST_LAYERS = 16, 1 << 20, 16  # the longest lines in buffers

_PICTURES = packaged_toml("glfft.apps.bench", "pictures.toml")
_CAMERAS, _SCREENS = ([tuple(size) for size in _PICTURES[kind]] for kind in ("cameras", "screens"))
_SOURCES = ("camera",) * 3 + ("screen",) * 3 + ("smooth",) * 2 + ("any",) * 2
_KINDS = ("complex",) * 4 + ("real",) * 3 + ("half", "layers", "lines")

_TRIES = 20  # of a size, where its case came before: with a low cap there are few screens


def random_suite(seed: int, count: int, most_points: int = MOST_POINTS) -> Suite:
    """`count` cases of at most `most_points` points. Equal arguments give equal cases, on every device."""
    drawn = _Draw(seed, most_points)
    cases: list[Case] = []
    for _ in range(count):
        kind = next(drawn.kinds)
        case, tries = drawn.case(kind), 0
        while case in cases and tries < _TRIES:
            case, tries = drawn.case(kind), tries + 1
        cases.append(case)
    title = f"{RANDOM}, {count} cases of seed {seed}, at most {most_points} points"
    return Suite(title, cases, times_only=True, most_compared=REFERENCE_POINTS)


def most_points(ctx: moderngl.Context) -> int:
    """How many points a case may have on a device: 102 million, fewer in little memory; on software renderers 2^20."""
    if is_software(ctx):
        return SOFTWARE_POINTS
    most, names = MOST_POINTS, [name for extension, name in _FREE_MEMORY.items() if extension in ctx.extensions]
    free = Functions(ctx).integer(names[0]) * 1024 if names else math.inf
    while most * _BYTES_A_POINT > free and most > SOFTWARE_POINTS:
        most //= 2
    return most


def _dealt(numbers: random.Random, cards: Sequence[str]) -> Iterator[str]:
    """Cards in random order, shuffled anew when all are dealt: so few draws have some of everything."""
    while True:
        left = list(cards)
        while left:
            yield left.pop(int(numbers.random() * len(left)))


class _Draw:
    """Draws cases. It takes only `random()` of Python's generator, whose sequence no version changes."""

    def __init__(self, seed: int, most_points: int) -> None:
        self._numbers = random.Random(seed)
        self._most = most_points
        self.kinds = _dealt(self._numbers, _KINDS)
        self._sources = _dealt(self._numbers, _SOURCES)

    def case(self, kind: str) -> Case:
        if kind == "lines":
            return self._lines()
        if kind == "layers":
            batch = int(self._between(2, _MOST_LAYERS + 1))
            return Case(self._picture(self._most // batch), batch, real=self._chance(0.5))
        if kind == "half":
            storage, batch = ("rgba16f", 2) if self._chance(0.5) else ("rg16f", 1)
            return Case(self._picture(self._most // 2), batch, storage=STORAGES[storage])
        return Case(self._picture(self._most), real=kind == "real")

    def _lines(self) -> Case:
        storage = FLOAT32.name if self._chance(0.5) else "buffer"
        longest = _LONGEST_SIDE if storage == FLOAT32.name else _LONGEST_LINE
        points = self._between(min(_FEWEST_POINTS, self._most / 4), self._most)
        length = int(self._between(_SHORTEST_LINE, min(longest, points)))
        if self._chance(0.5):
            length = min(next_smooth(length, SMOOTH), longest)
        return lines(length, max(1, int(points) // length), storage, real=self._chance(0.3))

    def _picture(self, most: int) -> tuple[int, int]:
        source = next(self._sources)
        known = {"camera": _CAMERAS, "screen": _SCREENS}.get(source, ())
        fitting = [shape for shape in known if math.prod(shape) <= most]
        if not fitting:
            return self._any_picture(most, source != "any")
        rows, columns = fitting[int(self._numbers.random() * len(fitting))]
        return (columns, rows) if self._chance(0.25) else (rows, columns)

    def _any_picture(self, most: int, smooth: bool) -> tuple[int, int]:
        while True:
            points = self._between(min(_FEWEST_POINTS, most / 4), most)
            aspect = self._between(0.5, 2.0)
            rows, columns = round(math.sqrt(points * aspect)), round(math.sqrt(points / aspect))
            if smooth:
                rows, columns = next_smooth(rows, SMOOTH), next_smooth(columns, SMOOTH)
            fits = rows * columns <= most and max(rows, columns) <= _LONGEST_SIDE
            if fits and smooth == Case((rows, columns)).smooth:
                return rows, columns

    def _between(self, least: float, most: float) -> float:
        """A number, each of its orders of magnitude as likely."""
        return least * (most / least) ** self._numbers.random()

    def _chance(self, share: float) -> bool:
        return self._numbers.random() < share
