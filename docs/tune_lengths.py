"""Finds kernels of many lengths for glfft/wisdom/devices: processes compile side by side and take turns at the GPU.

Run in a checkout: `PYTHONPATH=. python docs/tune_lengths.py FILE --lengths 17-64 [--axis rows|columns|depth]
[--storage rg32f] [--points 16777216] [--into glfft/wisdom/devices/nvidia-h200.json]`. On an H200 with 15 processes a
kernel takes 20 ms.

The kernels of a length are the default and those that are predicted to be the fastest. Complex and real lines count
alike, or with --reals only real ones do, forward and inverse. The best three are timed again, in turn with the default,
and the winner is written as wisdom if it gains 3 %.
"""

import argparse
import json
import math
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import moderngl
import numpy as np
from filelock import FileLock
from tqdm import tqdm

import glfft
from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import is_power_of_two, largest_prime_factor
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig
from glfft.algorithms.stockham.cost import predicted_us, work_of
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest
from glfft.errors import GlfftError
from glfft.gl.context import state_of
from glfft.gl.releasable import release_all
from glfft.profiling import timing
from glfft.profiling.timing import ContextTimer, Subject, Timing
from glfft.wisdom import entries, lookup

FAMILY = registry.family_of(choose.FAMILY)
MOST_ROWS = 16000  # of a texture; more go into layers
ROWS_OF_PAIRS = 4096  # of a layer
ALIGNED = 8  # lines along z are at least so many a work group, and twice as many in a row of them or a multiple
MOST_STAGES, MOST_POINTS = 3, 36  # of a kernel, and of its threads
ALIKE = 2  # kernels of the same radices and threads, staged or not
AGAIN = 3  # of the best kernels are timed again
LINES = (1, 2, 4, 8, 16, 32, 64, 128)
IDLE_WARM_UP, WARM_UP = 0.05, 0.004  # s: where processes have compiled and the GPU was idle, and between kernels


@dataclass(frozen=True)
class Lines:
    length: int
    axis: int  # 1 rows, 0 columns, 2 along z
    storage: str
    points: int  # about so many, all lines together
    reals: str = ""  # the kernel is for real rows that go "alone" or "in pairs", and for no others

    def request(self, real: bool) -> PlanRequest:
        lines = max(self.points // self.length, 1)
        if self.reals == "in pairs":
            rows = min(2 ** int(math.log2(lines)), ROWS_OF_PAIRS)
            return PlanRequest.of((rows, self.length), layers=-(-lines // rows), storage=self.storage, real=True)
        if self.axis == 2:
            columns = 2 * ALIGNED * max(round(math.sqrt(lines) / (2 * ALIGNED)), 1)
            return PlanRequest.of((self.length, -(-lines // columns), columns), (0,), storage=self.storage)
        layers = -(-lines // MOST_ROWS)
        shape = (lines // layers, self.length) if self.axis == 1 else (self.length, lines // layers)
        # A single picture's texture has no layers: with them, long lines in pieces take an H200 up to 1.5 times.
        many = None if layers == 1 else layers
        return PlanRequest.of(shape, (self.axis,), layers=many, storage=self.storage, real=real)


@dataclass(frozen=True)
class Pass:
    """A pass over lines, with the images that it goes from and to."""

    spec: PassSpec
    source: Image
    target: Image

    def compiled(self, ctx: moderngl.Context, kernel: KernelConfig) -> CompiledPass:
        (spec,) = FAMILY.passes(self.spec.request, kernel)
        ends = {name: getattr(self.spec, name) for name in ("choice", "reads", "writes")}
        return CompiledPass(ctx, replace(spec, **ends))


class Worker:
    """What a process has: a context, and its turn at the GPU."""

    def __init__(self, lock: str) -> None:
        timing.WARM_UP_SECONDS = WARM_UP
        self.ctx, self.turn = glfft.open_context(), FileLock(lock)
        self.device, self.timer = state_of(self.ctx).device, ContextTimer(self.ctx)

    def found(self, lines: Lines, count: int, gain: float) -> tuple[str, str] | None:
        """The winner as wisdom and in words, None where the default is as good."""
        with ExitStack() as stack:
            with self.turn:  # filling takes the memory's time
                passes = list(self._passes(lines))
            stack.callback(lambda: release_all([image for each in passes for image in (each.source, each.target)]))
            if not passes:
                return None
            first = passes[0].spec
            assert first.choice is not None
            assert isinstance(first.choice.config, KernelConfig)
            kernels = promising(first.request, first.choice.config, count)
            subjects = {kernel: [self._subject(each, kernel) for each in passes] for kernel in kernels}
            with self.turn:
                warm_up(subjects[kernels[0]][0])
                times = {kernel: mean(timed(each)) for kernel, each in subjects.items()}
            default, *others = kernels
            best = [default, *sorted(others, key=times.__getitem__)[:AGAIN]]
            with self.turn:
                rounds = [{kernel: timed(subjects[kernel]) for kernel in best} for _ in range(2)]
        final = {
            kernel: [min(pair) for pair in zip(*(each[kernel] for each in rounds), strict=True)] for kernel in best
        }
        winner = min(best, key=lambda kernel: mean(final[kernel]))
        share = mean(final[winner]) / mean(final[default])
        if share > 1 - gain:
            return None
        entry = entries.Entry.of(first.request, FAMILY.name, winner, final[winner][0]).for_others
        words = f"{lines.length}: {mean(final[default]):.1f} -> {mean(final[winner]):.1f} us, {FAMILY.describe(winner)}"
        return entries.to_json([entry]), words

    def _passes(self, lines: Lines) -> Iterator[Pass]:
        """Complex and real ones, if real lines take the kernels of as many points."""
        noise = np.random.default_rng(1).standard_normal(1 << 20).astype(np.float32)
        transforms = ((True, FORWARD), (True, INVERSE)) if lines.reals else ((False, FORWARD), (True, FORWARD))
        for real, direction in transforms:
            request, storage = lines.request(real), STORAGES[lines.storage]
            specs = plan_passes(request, direction, self.device)
            (spec, *more) = [each for each in specs if each.request.axis == lines.axis % 2]
            if more or spec.choice is None or spec.request.halved or (real and lines.axis != 1):
                continue
            ends = [(request.shape, storage.of_reals if real else storage), (request.spectrum_shape, storage)]
            (shape, held), target = ends if direction == FORWARD else ends[::-1]
            source = ImageSpec(self.ctx, shape, request.layers, held).make()
            numbers = math.prod(shape) * (request.layers or 1) * held.components
            source.write(np.resize(noise, numbers).astype(held.dtype).tobytes())
            yield Pass(spec, source, ImageSpec(self.ctx, target[0], request.layers, target[1]).make())
        self.ctx.finish()

    def _subject(self, each: Pass, kernel: KernelConfig) -> Subject:
        compiled = each.compiled(self.ctx, kernel)

        def run() -> None:
            compiled.run(each.source, each.target)
            self.ctx.memory_barrier(compiled.spec.bindings.source.barrier)

        run()  # what is left of compiling
        return self.timer.subject(run)


def warm_up(subject: Subject) -> None:
    """Raise the clock of a GPU that was idle: an H200's times more than double within a second without work."""
    timing.WARM_UP_SECONDS = IDLE_WARM_UP
    subject.prepare()
    timing.WARM_UP_SECONDS = WARM_UP


def timed(subjects: list[Subject]) -> list[float]:
    for each in subjects:
        each.prepare()
    return [Timing.of([each.sample() for _ in range(3)], each.timer).microseconds for each in subjects]


def mean(times: list[float]) -> float:
    return math.exp(sum(map(math.log, times)) / len(times))


def promising(request: AxisRequest, default: KernelConfig, count: int) -> list[KernelConfig]:
    """The default, then kernels by predicted time, few of them alike."""
    constants = lookup.constants_of(request.device)
    fewest = ALIGNED if request.is_volume else 1
    fitting = [each for each in variants(request.length) if each.lines >= fewest and FAMILY.is_worth_it(each, request)]
    assert constants is not None, "CPUs have no model"
    ranked = sorted(fitting, key=lambda kernel: predicted_us(work_of(request, kernel), constants.constants))
    found, alike = dict.fromkeys([default]), Counter[tuple[tuple[int, ...], int, bool]]()
    for kernel in ranked:
        key = kernel.radices, kernel.threads, kernel.staged
        alike[key] += 1
        if alike[key] <= ALIKE and len(found) < count:
            found.setdefault(kernel)
    return list(found)


def variants(length: int) -> Iterator[KernelConfig]:
    for radices in sorted(set(factorizations(length))):
        several = len(radices) > 1
        butterflies = {length // radix for radix in radices}
        counts = sorted(butterflies | {each // 2 for each in butterflies if each % 2 == 0}) if several else [1]
        exchanges = ("at once", "in turn") if several else ("at once",)
        paddings = (0,) if not several else (SWAPPED, BY_STRIDE) if is_power_of_two(length) else (BY_STRIDE,)
        for threads, lines, side_by_side in product(counts, LINES, (True, False)):
            for exchange, padding in product(exchanges, paddings):
                kernel = KernelConfig(
                    radices, threads, lines, side_by_side, exchange, padding, twiddle_products=several
                )
                if kernel.points <= MOST_POINTS and 16 <= kernel.invocations <= 512 and (lines > 1 or not side_by_side):
                    yield kernel
                    if exchange == "at once" and padding != SWAPPED and not side_by_side:
                        yield replace(kernel, staged=True)
                    if exchange == "in turn" and lines <= 4:  # `is_worth_it` keeps as many lines as fill sectors
                        yield from (replace(kernel, pieces=2, twiddle_products=products) for products in (True, False))


def factorizations(length: int, most: int = MOST_STAGES) -> Iterator[tuple[int, ...]]:
    if length in RADICES:
        yield (length,)
    for radix in RADICES if most > 1 else ():
        if length % radix == 0 and length > radix:
            yield from ((radix, *rest) for rest in factorizations(length // radix, most - 1))


_worker: list[Worker] = []


def begin(lock: str) -> None:
    _worker.append(Worker(lock))


def search(lines: Lines, count: int, gain: float) -> tuple[str, str] | None:
    with suppress(GlfftError):  # a kernel that the driver refuses
        return _worker[0].found(lines, count, gain)
    return None


def merged(path: Path, new: list[entries.Entry]) -> str:
    """A file of wisdom with entries in place of what it has about equal lines."""
    held = entries.read(path.read_text(encoding="utf-8"))
    kept = {entry.key: entry for entry in (*held.entries, *new)}
    return entries.to_json(kept.values(), held.unread, held.constants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lengths", default="17-64", help="such as 17-64,100,1000-1100")
    parser.add_argument("--largest-prime", type=int, default=31)
    parser.add_argument("--axis", choices=("columns", "rows", "depth"), default="rows")
    parser.add_argument("--storage", choices=[*STORAGES], default="rg32f")
    parser.add_argument("--reals", choices=["", "alone", "in pairs"], default="")
    parser.add_argument("--into", type=Path)
    for name, default in (("points", 1 << 24), ("kernels", 20), ("processes", 15)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--gain", type=float, default=0.03)
    given = parser.parse_args()
    ends = [[int(end) for end in each.split("-")] for each in given.lengths.split(",")]
    lengths = [length for each in ends for length in range(each[0], each[-1] + 1)]
    tasks = [
        Lines(length, ("columns", "rows", "depth").index(given.axis), given.storage, given.points, given.reals)
        for length in lengths
        if largest_prime_factor(length) <= given.largest_prime
    ]
    new: list[entries.Entry] = []
    spawning = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        spawning.Pool(given.processes, begin, (str(Path(folder, "turn")),)) as pool,
    ):
        results = pool.imap_unordered(partial(search, count=given.kernels, gain=given.gain), tasks)
        for found in tqdm(results, total=len(tasks)):
            if found is not None:
                new += entries.read(found[0]).entries
                tqdm.write(found[1])
                given.file.write_text(entries.to_json(new), encoding="utf-8")
    if given.into is not None:
        given.into.write_text(merged(given.into, new), encoding="utf-8")
    print(json.dumps({"lengths": len(tasks), "entries": len(new)}))


if __name__ == "__main__":
    main()
