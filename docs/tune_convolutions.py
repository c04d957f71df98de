"""Finds lengths and kernels of convolutions for glfft/wisdom/devices, by timing whole ones: three passes that are timed
one by one find their instructions in the GPU's caches, which do not hold those of all three.

Run in a checkout, on a GPU: `PYTHONPATH=. python docs/tune_convolutions.py FILE --shapes 720x1280,1080x1920
[--storage rgba16f] [--into glfft/wisdom/devices/nvidia-h200.json]`. Shapes are those of the transform; the picture
takes 86 % of each side. Processes compile side by side and take turns at the GPU: on an H200, 12 shapes take a minute.

Columns are chosen with the rows in use, then rows with the best columns, then the best columns again with their
neighbours. Each length is written with its fastest shape, also where the kernels in use win, as lengths are chosen by
these times: see `glfft.arrays.fast_lengths`. Run it with several shapes of each length.
"""

import argparse
import multiprocessing
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import moderngl
import numpy as np
from filelock import FileLock
from tqdm import tqdm
from tune_lengths import FAMILY, merged, promising

import glfft
import glfft.convolution
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham.config import KernelConfig
from glfft.errors import GlfftError
from glfft.profiling import timing
from glfft.profiling.timing import ContextTimer, Timing
from glfft.wisdom import entries, lookup

CHANNELS = {"r32f": 1, "r16f": 1, "rg32f": 2, "rg16f": 2, "rgba32f": 4, "rgba16f": 4}
FILLED = 0.86  # of each side; the rest is half the kernel's
FIRST, BEST = 3, 4  # samples of each kernel, and how many of the best are timed again
Kernels = tuple[KernelConfig, KernelConfig]  # of columns, and of rows


class Case:
    """Convolutions of one shape, whose kernels are given."""

    def __init__(self, ctx: moderngl.Context, shape: tuple[int, int], storage: str) -> None:
        self._ctx, self._shape, self._storage = ctx, shape, storage
        (rows, columns), self.picture = shape, (round(FILLED * shape[0]), round(FILLED * shape[1]))
        self.kernel = 2 * (rows - self.picture[0]), 2 * (columns - self.picture[1])
        random, number = np.random.default_rng(1), "f2" if "16" in storage else "f4"
        size, channels = (self.picture[1], self.picture[0]), CHANNELS[storage]
        texels = random.random((*self.picture, channels)).astype(number)
        self._source = ctx.texture(size, channels, texels.tobytes(), alignment=1, dtype=number)
        self._target = ctx.texture(size, channels, alignment=1, dtype=number)
        self._values = (random.random(self.kernel) / np.prod(self.kernel)).astype(np.float32)
        self._number = number

    def made(self, chosen: dict[tuple[int, int], KernelConfig]) -> tuple[glfft.Convolution, list[AxisRequest]]:
        """A convolution with a kernel for each axis and length, or what is in use; and the requests of its passes."""
        asked: list[AxisRequest] = []
        choose = lookup.choose

        def instead(request: AxisRequest) -> list[tuple[AxisRequest, Choice]]:
            if not request.convolution:
                return choose(request)
            asked.append(request)
            kernel = chosen.get((request.axis, request.length))
            return choose(request) if kernel is None else [(request, Choice(FAMILY.name, kernel, "to be timed"))]

        def length(target: int, axis: int, *kind: object, ctx: moderngl.Context) -> int:
            return self._shape[axis]

        with replaced(lookup, "choose", instead), replaced(glfft.convolution, "length_for_convolutions", length):
            made = glfft.Convolution(self._ctx, self.picture, self.kernel, storage=self._storage)
        made.set_kernel(self._values)
        return made, asked

    def run(self, convolution: glfft.Convolution) -> None:
        convolution.run(self._source, self._target, next_use="transform")

    def result(self) -> np.ndarray:
        return np.frombuffer(self._target.read(alignment=1), self._number).astype(np.float32)

    def release(self) -> None:
        self._source.release()
        self._target.release()


class Search:
    """The fastest kernels of a case, each timed beside the others with the GPU to itself."""

    def __init__(self, timer: ContextTimer, turn: FileLock, case: Case) -> None:
        self._timer, self._turn, self._case = timer, turn, case
        self._made: dict[Kernels, glfft.Convolution | None] = {}
        convolution, asked = case.made({})
        self.columns = next(each for each in asked if each.inverse_scale is not None)
        self.rows = next(each for each in asked if each.axis == 1)
        with turn:
            case.run(convolution)
            self._wanted = case.result()
        convolution.release()

    def fastest(self, count: int) -> tuple[Kernels, float, float]:
        """The kernels, their microseconds, and those of the kernels in use."""
        in_use = kernel_of(self.columns), kernel_of(self.rows)
        by_columns = self._ranked((each, in_use[1]) for each in kernels(self.columns, count))
        by_rows = self._ranked([*((by_columns[0][0], each) for each in kernels(self.rows, count)), *by_columns[:2]])
        rows = by_rows[0][1]
        again = self._ranked([*((columns, rows) for columns, _ in by_columns[:BEST]), *by_rows[:2]])
        columns, rows = again[0]
        near = [(each, rows) for each in FAMILY.neighbours(columns, self.columns) if each.pieces == 1]
        best = self._ranked([*near[: count // 2], *again[:2]])[:BEST]
        times = self._times([*best, in_use], samples=2 * FIRST)
        winner = min(times, key=times.__getitem__)
        return winner, times[winner], times[in_use]

    def _ranked(self, wanted: Iterable[Kernels]) -> list[Kernels]:
        times = self._times(wanted)
        return sorted(times, key=times.__getitem__)

    def _times(self, wanted: Iterable[Kernels], samples: int = FIRST) -> dict[Kernels, float]:
        made = {each: found for each in dict.fromkeys(wanted) if (found := self._compiled(each)) is not None}
        subjects = {each: self._timer.subject(partial(self._case.run, found)) for each, found in made.items()}
        times = dict.fromkeys(made, float("inf"))
        with self._turn:
            for _ in range(2):
                for each, subject in subjects.items():
                    subject.prepare()
                    taken = Timing.of([subject.sample() for _ in range(samples)], subject.timer).microseconds
                    times[each] = min(times[each], taken)
        return times

    def _compiled(self, wanted: Kernels) -> glfft.Convolution | None:
        """The convolution with these kernels, None where the driver refuses it or its result is another."""
        if wanted not in self._made:
            self._made[wanted] = None
            axes = [(each.axis, each.length) for each in (self.columns, self.rows)]
            with suppress(GlfftError):
                convolution, _ = self._case.made(dict(zip(axes, wanted, strict=True)))
                with self._turn:
                    self._case.run(convolution)
                    result = self._case.result()
                if np.abs(result - self._wanted).max() < 4e-3 * np.abs(self._wanted).max():
                    self._made[wanted] = convolution
        return self._made[wanted]

    def release(self) -> None:
        for convolution in self._made.values():
            if convolution is not None:
                convolution.release()


def kernel_of(request: AxisRequest) -> KernelConfig:
    """The kernel in use."""
    ((_, choice),) = lookup.choose(request)
    assert isinstance(choice.config, KernelConfig), "it goes in parts"
    return choice.config


def kernels(request: AxisRequest, count: int) -> list[KernelConfig]:
    """The kernel in use, winners of the same length elsewhere, and promising ones."""
    in_use = kernel_of(request)
    won = [each for each in lookup.winners(request, [FAMILY]) if each.components == request.storage.components]
    elsewhere = [each.config for each in won if isinstance(each.config, KernelConfig)][: count // 2]
    plain = request.complex_lines if request.real else replace(request.of_values, inverse_scale=None)
    plain = replace(plain, direction=-1, scale=1.0, loads_computed=False, convolution="")
    found = dict.fromkeys([in_use, *elsewhere, *promising(plain, in_use, count)])
    found |= {replace(each, prefetch_twiddles=not each.prefetch_twiddles): None for each in list(found)[:2]}
    return [each for each in found if each.pieces == 1 and FAMILY.is_worth_it(each, request)][: count + 2]


@contextmanager
def replaced(module: object, name: str, value: object) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


_process: list[tuple[ContextTimer, FileLock]] = []


def begin(lock: str) -> None:
    timing.WARM_UP_SECONDS = 0.004  # the processes before have kept the clock up
    _process.append((ContextTimer(glfft.open_context()), FileLock(lock)))


def search(shape: tuple[int, int], storage: str, count: int) -> tuple[str, float, str]:
    """The winners as wisdom, microseconds a point, and both in words."""
    timer, turn = _process[0]
    case = Case(timer.ctx, shape, storage)
    found = Search(timer, turn, case)
    winners, taken, before = found.fastest(count)
    kind = "real" if found.rows.real else "complex"
    requests = zip((found.columns, found.rows), winners, strict=True)
    new = [entries.Entry.of(each, FAMILY.name, kernel, taken).for_others for each, kernel in requests]
    found.release()
    case.release()
    words = f"{shape[0]} x {shape[1]}: {before:.1f} -> {taken:.1f} us, {' | '.join(map(FAMILY.describe, winners))}"
    return entries.to_json(replace(each, convolution=kind) for each in new), taken / (shape[0] * shape[1]), words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--shapes", default="720x1280")
    parser.add_argument("--storage", choices=CHANNELS, default="rgba16f")
    parser.add_argument("--kernels", type=int, default=12)
    parser.add_argument("--processes", type=int, default=15)
    parser.add_argument("--into", type=Path)
    given = parser.parse_args()
    sides = [list(map(int, each.split("x"))) for each in given.shapes.split(",")]
    shapes = [(rows, columns) for rows, columns in sides]
    best: dict[tuple[int, int], tuple[float, entries.Entry]] = {}  # by axis and length
    spawning = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        spawning.Pool(given.processes, begin, (str(Path(folder, "turn")),)) as pool,
    ):
        results = pool.imap_unordered(partial(search, storage=given.storage, count=given.kernels), shapes)
        for text, a_point, words in tqdm(results, total=len(shapes)):
            tqdm.write(words)
            for entry in entries.read(text).entries:
                key = entry.axis, entry.length
                if key not in best or a_point < best[key][0]:
                    best[key] = a_point, entry
            given.file.write_text(entries.to_json(entry for _, entry in best.values()), encoding="utf-8")
    if given.into is not None:
        given.into.write_text(merged(given.into, [entry for _, entry in best.values()]), encoding="utf-8")


if __name__ == "__main__":
    main()
