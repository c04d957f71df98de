"""Finds kernels for glfft/wisdom/devices by timing whole transforms, or whole convolutions and their lengths. A pass
timed alone finds its data and instructions in the GPU's caches, where other passes would have replaced them.

Run in a checkout, on a GPU: `PYTHONPATH=. python docs/tune_pictures.py FILE --shapes 720x1280,1080x1920*12,64x64x64
[--convolutions | --real] [--storage rgba16f] [--into glfft/wisdom/devices/nvidia-h200.json]`. A shape may name layers
behind a star. Shapes of convolutions are those of their transforms; the picture takes 86 % of each side. Processes
compile side by side and take turns at the GPU: on an H200, 12 shapes take a minute.

Each axis is chosen with the best kernels of the axes before, then the first once more with neighbours of its best. A
transform's kernels are written where it gains 1.5 %, with the time of their pass. A convolution's are written with the
fastest shape of each length, also where the kernels in use win, as lengths are chosen by these times: see
`glfft.arrays.fast_lengths`. Run it with several shapes of each length.
"""

import argparse
import math
import multiprocessing
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from filelock import FileLock
from tqdm import tqdm
from tune_lengths import FAMILY, WARM_UP, merged, promising, warm_up

import glfft
import glfft.convolution
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig, RaderConfig
from glfft.algorithms.stockham.cost import predicted_us
from glfft.algorithms.stockham.rader import Rader, _work
from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.workload import read_copy
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.errors import GlfftError
from glfft.profiling import timing
from glfft.profiling.timing import ContextTimer, Timing
from glfft.wisdom import entries, lookup

CHANNELS = {"r32f": 1, "r16f": 1, "rg32f": 2, "rg16f": 2, "rgba32f": 4, "rgba16f": 4}
FILLED = 0.86  # of each side; the rest is half the kernel's
FIRST, BEST = 3, 4  # samples of each kernel, and how many of the best are timed again
GAIN = 0.985  # what a transform takes with kernels that are worth writing down, of its time with those in use
RADER, ITS_FAMILY = Rader(), "bluestein"  # of lines with a factor over 31, and the family that takes it
REGISTERS, THREADS = 65536, (64, 640)  # of a GPU's unit; of a work group of lines in pairs
PAIRED_LINES = (4, 2, 8, 16, 32)
Axis = tuple[int, int]  # an axis and its length
Kernels = tuple[KernelConfig, ...]  # of each pass


class Case:
    """What is timed, of one shape: kernels are given by axis and length."""

    is_convolution = False

    def made(self, chosen: dict[Axis, KernelConfig]) -> tuple[Any, list[AxisRequest]]:
        """The plan or convolution with these kernels, else those in use, and the requests of its passes."""
        asked: list[AxisRequest] = []
        choose = lookup.choose

        def instead(request: AxisRequest) -> list[tuple[AxisRequest, Choice]]:
            found = choose(request)
            if self.is_convolution and not request.convolution:
                return found
            if len(found) == 1 and (found[0][1].family == FAMILY.name or isinstance(found[0][1].config, RaderConfig)):
                asked.append(request)
                kernel = chosen.get((request.axis, request.length))
                return found if kernel is None else [(found[0][0], Choice(family_of(kernel), kernel, "to be timed"))]
            return found

        with replaced(lookup, "choose", instead):
            return self._made(), asked

    def _made(self) -> Any:
        raise NotImplementedError

    def run(self, made: Any, in_place: bool) -> None:
        raise NotImplementedError

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether it is run out of place, and in place."""
        return (False,)

    def result(self) -> np.ndarray:
        raise NotImplementedError

    def release(self) -> None:
        raise NotImplementedError


class Transform(Case):
    def __init__(
        self, ctx: moderngl.Context, shape: tuple[int, ...], layers: int | None, name: str, real: bool
    ) -> None:
        self._ctx, self._shape, self._layers, self._real, storage = ctx, shape, layers, real, STORAGES[name]
        self._options = {"layers": layers, "storage": name, "real": real, "norm": "ortho"}
        self._storage = storage
        held = storage.of_reals if real else storage
        columns = shape[-1] // 2 + 1 if real else shape[-1]
        self._source = ImageSpec(ctx, shape, layers, held).make()
        self.target = ImageSpec(ctx, (*shape[:-1], columns), layers, storage).make()
        noise = np.random.default_rng(1).standard_normal(1 << 20).astype(np.float32)
        for image, numbers in ((self._source, held), (self.target, storage)):
            count = math.prod(shape if image is self._source else (*shape[:-1], columns)) * (layers or 1)
            image.write(np.resize(noise, count * numbers.components).astype(numbers.dtype).tobytes())

    def _made(self) -> glfft.Plan:
        return glfft.Plan(self._ctx, self._shape, **self._options)

    @property
    def ways(self) -> tuple[bool, ...]:
        return (False,) if self._real else (False, True)

    def run(self, made: glfft.Plan, in_place: bool) -> None:
        made.forward(self.target if in_place else self._source, self.target, next_use="transform")

    def result(self) -> np.ndarray:
        self._ctx.memory_barrier()
        target = self.target
        data = read_copy(self._ctx, target) if isinstance(target, moderngl.Buffer) else target.read()
        return np.frombuffer(data, self._storage.dtype)[: 1 << 22].astype(np.float32)

    def pass_us(self, timer: ContextTimer, made: glfft.Plan) -> dict[Axis, float]:
        """How long the passes take one by one, by axis and length."""
        found = {}
        specs: list[PassSpec] = [each.spec for each in made._pipelines[-1].passes]
        source: Image = self._source
        for spec in specs:
            compiled = CompiledPass(self._ctx, spec)

            def run(compiled: CompiledPass = compiled, source: Image = source) -> None:
                compiled.run(source, self.target)
                self._ctx.memory_barrier(compiled.spec.bindings.source.barrier)

            found[spec.request.axis, spec.request.length] = timed(timer, run)
            source = self.target
        return found

    def release(self) -> None:
        self._source.release()
        self.target.release()


class Convolved(Case):
    is_convolution = True

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

    def _made(self) -> glfft.Convolution:
        def length(target: int, axis: int, *kind: object, ctx: moderngl.Context) -> int:
            return self._shape[axis]

        with replaced(glfft.convolution, "length_for_convolutions", length):
            made = glfft.Convolution(self._ctx, self.picture, self.kernel, storage=self._storage)
        made.set_kernel(self._values)
        return made

    def run(self, made: glfft.Convolution, in_place: bool) -> None:
        made.run(self._source, self._target, next_use="transform")

    def result(self) -> np.ndarray:
        return np.frombuffer(self._target.read(alignment=1), self._number).astype(np.float32)

    def release(self) -> None:
        self._source.release()
        self._target.release()


class Search:
    """The fastest kernels of a case, each timed beside the others with the GPU to itself."""

    def __init__(self, timer: ContextTimer, turn: FileLock, case: Case) -> None:
        self._timer, self._turn, self._case = timer, turn, case
        self._made: dict[Kernels, Any] = {}
        made, asked = case.made({})
        by_axis: dict[Axis, AxisRequest] = {}
        for each in sorted(asked, key=lambda each: each.inverse_scale is None):  # those that convolve come first
            if not each.halved:
                by_axis.setdefault((each.axis, each.length), each)
        self.passes = [by_axis[axis] for axis in sorted(by_axis)]
        self.in_use: Kernels = tuple(map(kernel_of, self.passes))
        with turn:
            case.run(made, in_place=False)
            self._wanted = case.result()
        self._made[self.in_use] = made

    def fastest(self, count: int) -> tuple[Kernels, float, float]:
        """The kernels, their microseconds, and those of the kernels in use."""
        best, tried = self.in_use, []
        for index, request in enumerate(self.passes):
            ranked = self._ranked([best, *(with_one(best, index, each) for each in kernels(request, count))])
            best, tried = ranked[0], [*tried, [each[index] for each in ranked[:BEST]]]
        owner = RADER if isinstance(best[0], RaderConfig) else FAMILY
        near = owner.neighbours(best[0], self.passes[0])[: count // 2]
        best_of_all = self._ranked([best, *(with_one(best, 0, each) for each in (*tried[0], *near))])[:BEST]
        times = self._times([*best_of_all, self.in_use], samples=2 * FIRST)
        winner = min(times, key=times.__getitem__)
        return winner, times[winner], times[self.in_use]

    def made_with(self, kernels: Kernels) -> Any:
        return self._made[kernels]

    def _ranked(self, wanted: Iterable[Kernels]) -> list[Kernels]:
        times = self._times(wanted)
        return sorted(times, key=times.__getitem__)

    def _times(self, wanted: Iterable[Kernels], samples: int = FIRST) -> dict[Kernels, float]:
        made = {each: found for each in dict.fromkeys(wanted) if (found := self._compiled(each)) is not None}
        times = dict.fromkeys(made, float("inf"))
        with self._turn:
            warm_up(self._timer.subject(partial(self._case.run, self._made[self.in_use], in_place=False)))
            for _ in range(2):
                for each, found in made.items():
                    for in_place in self._case.ways:
                        run = partial(self._case.run, found, in_place)
                        times[each] = min(times[each], timed(self._timer, run, samples))
        return times

    def _compiled(self, wanted: Kernels) -> Any:
        """The case with these kernels, None where the driver refuses it or its result is another."""
        if wanted not in self._made:
            self._made[wanted] = None
            axes = [(each.axis, each.length) for each in self.passes]
            with suppress(GlfftError):
                made, _ = self._case.made(dict(zip(axes, wanted, strict=True)))
                with self._turn:
                    self._case.run(made, in_place=False)
                    result = self._case.result()
                if np.abs(result - self._wanted).max() < 4e-3 * np.abs(self._wanted).max():
                    self._made[wanted] = made
                else:  # a fault in a driver or in glfft
                    tqdm.write(f"{axes} gives a different result with {' | '.join(map(FAMILY.describe, wanted))}")
        return self._made[wanted]

    def release(self) -> None:
        for each in self._made.values():
            if each is not None:
                each.release()


def timed(timer: ContextTimer, run: Any, samples: int = FIRST) -> float:
    subject = timer.subject(run)
    subject.prepare()
    return Timing.of([subject.sample() for _ in range(samples)], subject.timer).microseconds


def with_one(kernels: Kernels, index: int, kernel: KernelConfig) -> Kernels:
    return (*kernels[:index], kernel, *kernels[index + 1 :])


def kernel_of(request: AxisRequest) -> KernelConfig:
    """The kernel in use."""
    ((_, choice),) = lookup.choose(request)
    assert isinstance(choice.config, KernelConfig), "it goes in parts"
    return choice.config


def kernels(request: AxisRequest, count: int) -> list[KernelConfig]:
    """The kernel in use, winners of the same length elsewhere, promising ones, and these with their lines in pairs."""
    in_use = kernel_of(request)
    if isinstance(in_use, RaderConfig):
        return [in_use, *of_rader(request, count)]
    won = [each for each in lookup.winners(request, FAMILY) if each.components == request.storage.components]
    elsewhere = [each.config for each in won if isinstance(each.config, KernelConfig)][: count // 2]
    plain = request.complex_lines if request.real else replace(request.of_values, inverse_scale=None)
    plain = replace(plain, direction=-1, scale=1.0, loads_computed=False, convolution="")
    found = dict.fromkeys([in_use, *elsewhere, *promising(plain, in_use, count)])
    found |= {replace(each, prefetch_twiddles=not each.prefetch_twiddles): None for each in list(found)[:2]}
    worth = [each for each in found if FAMILY.is_worth_it(each, request)][: count + 2]
    in_pairs = [pair for each in worth[: count // 2] if each.pieces == 1 for pair in paired(each, request)]
    return list(dict.fromkeys([*worth, *in_pairs]))


def of_rader(request: AxisRequest, count: int) -> list[RaderConfig]:
    """Rader's kernels by predicted time, of each list of radices, threads and lines one that is dealt and one not."""
    constants = lookup.constants_of(request.device)
    assert constants is not None, "CPUs have no model"
    lines = replace(request, direction=-1, scale=1.0, inverse_scale=1.0, loads_computed=False, real=False)
    works = {kernel: _work(lines, kernel) for kernel in RADER.candidates(request, 1 << 20)}
    ranked = sorted(works, key=lambda kernel: predicted_us(works[kernel], constants.constants))
    found: dict[object, RaderConfig] = {}
    for kernel in ranked:
        found.setdefault((kernel.radices, kernel.threads, kernel.lines, kernel.dealt), kernel)
    return [*found.values()][:count]


def family_of(kernel: KernelConfig) -> str:
    return ITS_FAMILY if isinstance(kernel, RaderConfig) else FAMILY.name


def paired(kernel: KernelConfig, request: AxisRequest) -> list[KernelConfig]:
    """A kernel with its lines in pairs, in up to two sizes of work groups. The model does not rank these well."""
    if len(kernel.radices) == 1 or request.inverse_scale is not None or request.storage.components != 2:
        return []
    fewest, most = THREADS
    options = {"side_by_side": True, "exchange": "in turn", "padding": BY_STRIDE, "twiddle_products": True}
    options |= {"prefetch_twiddles": False, "sampled_twiddles": False, "staged": False, "line_pairs": True}
    found = [replace(kernel, lines=lines, **options) for lines in PAIRED_LINES]
    most = min(most, REGISTERS // (4 * kernel.points + 40))
    fits = [each for each in found if fewest <= each.invocations <= most and each.lines <= request.lines]
    return [each for each in fits if FAMILY.is_worth_it(each, request)][:2]


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
    timing.WARM_UP_SECONDS = WARM_UP
    _process.append((ContextTimer(glfft.open_context()), FileLock(lock)))


def search(shape: str, storage: str, count: int, convolutions: bool, real: bool) -> tuple[str, float, str]:
    """The winners as wisdom, microseconds a point, and both in words."""
    timer, turn = _process[0]
    sides, _, layers = shape.partition("*")
    size = tuple(map(int, sides.split("x")))
    with turn:  # filling takes the memory's time
        if convolutions:
            rows, columns = size
            case: Case = Convolved(timer.ctx, (rows, columns), storage)
        else:
            case = Transform(timer.ctx, size, int(layers) if layers else None, storage, real)
        timer.ctx.finish()
    found = Search(timer, turn, case)
    if not found.passes:
        return entries.to_json([]), math.inf, f"{shape}: no kernel to choose"
    winners, taken, before = found.fastest(count)
    times: dict[Axis, float] = {}
    if isinstance(case, Transform):
        with turn:
            times = case.pass_us(timer, found.made_with(winners)) if taken < GAIN * before else {}
    new = []
    for request, kernel, used in zip(found.passes, winners, found.in_use, strict=True):
        entry = entries.Entry.of(
            request, family_of(kernel), kernel, times.get((request.axis, request.length), taken)
        ).for_others
        if convolutions:
            new.append(replace(entry, convolution="real" if request.real else "complex"))
        elif times and kernel != used:
            new.append(entry)
    words = f"{shape}: {before:.1f} -> {taken:.1f} us, {' | '.join(map(FAMILY.describe, winners))}"
    found.release()
    case.release()
    return entries.to_json(new), taken / math.prod(size), words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--shapes", default="720x1280")
    parser.add_argument("--convolutions", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--storage", default="rg32f")
    parser.add_argument("--kernels", type=int, default=12)
    parser.add_argument("--processes", type=int, default=15)
    parser.add_argument("--into", type=Path)
    given = parser.parse_args()
    task = partial(search, storage=given.storage, count=given.kernels, convolutions=given.convolutions, real=given.real)
    best: dict[entries.Key, tuple[float, entries.Entry]] = {}
    shapes, spawning = given.shapes.split(","), multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        spawning.Pool(given.processes, begin, (str(Path(folder, "turn")),)) as pool,
    ):
        for text, a_point, words in tqdm(pool.imap_unordered(task, shapes), total=len(shapes)):
            tqdm.write(words)
            for entry in entries.read(text).entries:
                key = (entry.axis, entry.length) if given.convolutions else entry.key
                if key not in best or a_point < best[key][0]:
                    best[key] = a_point, entry
            given.file.write_text(entries.to_json(entry for _, entry in best.values()), encoding="utf-8")
    if given.into is not None:
        given.into.write_text(merged(given.into, [entry for _, entry in best.values()]), encoding="utf-8")


if __name__ == "__main__":
    main()
