"""Transforms in CUDA, by the same dispatches, threads and tables as in GLSL: Soerman's and Mota's."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.apps.bench.cufft import describe, on_cuda, open_cupy
from glfft.apps.bench.workload import Contender, Peer, Workload
from glfft.apps.papers.chapter import read_text
from glfft.errors import GlfftError, LimitError

THREADS = 1024  # of a block in Soerman's chapter, which are also the most that there can be
_TILE = 32

SOURCE = read_text("transforms.cu").replace("TILE", str(_TILE))

# Soerman's transforms reverse bits on reading shared memory, or on writing to the target.
GLOBAL_LOCAL = ("global-local", "global-local-on-writing")

# Kernels that do a line in one dispatch, each with its points a thread.
SINGLE_PASS = {
    "cooley-tukey": ("cooley_tukey", 2), "stockham-radix2": ("stockham_2", 2), "stockham-radix4": ("stockham_4", 4),
}  # fmt: skip


class _Dispatches:
    """The dispatches of a transform by an algorithm of GLOBAL_LOCAL or SINGLE_PASS."""

    def __init__(self, cupy: Any, workload: Workload, algorithm: str) -> None:
        self._cupy = cupy
        (picture,) = workload.pictures
        self._source = cupy.asarray(picture)
        self._target, self._scratch = cupy.empty_like(self._source), cupy.empty_like(self._source)
        self._calls: list[Callable[[], Any]] = []
        (rows, columns), axes = workload.case.shape, workload.case.axes
        if algorithm in SINGLE_PASS:
            self._single_passes(*SINGLE_PASS[algorithm], rows, columns, axes)
            return
        # A dispatch for each stage while parts do not fit a block. Columns are rows between two transpositions.
        self._on_writing = algorithm == "global-local-on-writing"
        if 1 in axes:
            self._lines(rows, columns, self._source, self._target)
        if 0 in axes:
            across = cupy.empty_like(self._source)
            self._transpose(rows, columns, self._target if 1 in axes else self._source, self._scratch)
            self._lines(columns, rows, self._scratch, across)
            self._transpose(columns, rows, across, self._target)

    def _add(self, name: str, blocks: tuple, threads: tuple, *arguments: Any, shared: int = 0) -> None:
        kernel = self._cupy.RawKernel(SOURCE, name)
        given = tuple(np.int32(each) if isinstance(each, int) else each for each in arguments)
        self._calls.append(partial(kernel, blocks, threads, given, shared_mem=shared))

    def run(self) -> Any:
        """Queue one transform; returns its result [1, rows, columns]."""
        for call in self._calls:
            call()
        return self._target[np.newaxis]

    def _roots(self, length: int, count: int) -> Any:
        return self._cupy.asarray(np.exp(-2j * np.pi / length * np.arange(count)).astype(np.complex64))

    def _lines(self, lines: int, length: int, source: Any, target: Any) -> None:
        roots = self._roots(length, length // 2)
        threads = min(THREADS, length // 2)
        stages_before = log2(length) - log2(2 * threads)
        blocks = (lines, 1 << stages_before)
        for stage in range(stages_before):
            self._add("global_stage", blocks, (threads,), source, self._scratch, roots, length, stage)
            source = self._scratch
        numbers = (stages_before, log2(length) - stages_before, self._on_writing)
        self._add("local_stages", blocks, (threads,), source, target, roots, *numbers, shared=4 * threads * 8)

    def _transpose(self, rows: int, columns: int, source: Any, target: Any) -> None:
        blocks = (-(-columns // _TILE), -(-rows // _TILE))
        self._add("transpose", blocks, (_TILE, _TILE), source, target, rows, columns)

    def _single_passes(self, kernel: str, points: int, rows: int, columns: int, axes: tuple[int, ...]) -> None:
        source = self._source
        for axis, length, step, lines, apart in ((1, columns, 1, rows, columns), (0, rows, columns, columns, 1)):
            if axis in axes:
                given = (source, self._target, self._roots(length, length), log2(length), step, apart)
                self._add(kernel, (lines, 1), (length // points,), *given, shared=8 * length)
                source = self._target


def cuda_peers(algorithms: Iterable[str]) -> list[Peer]:
    """A paper's transforms in CUDA by their names in GLSL, or none where there is no CuPy or no GPU for it."""
    try:
        cupy, _ = open_cupy("CUDA")
    except GlfftError:
        return []
    description = f"the CUDA of glfft.apps.papers.cuda beside {describe(cupy)}"
    return [Peer(f"{name}, CUDA", description, partial(_contender, cupy, name)) for name in algorithms]


def _contender(cupy: Any, algorithm: str, workload: Workload) -> Contender:
    case = workload.case
    lengths = [case.shape[axis] for axis in case.axes]
    if len(case.shape) != 2 or case.batch > 1 or min(lengths) < 2 or not all(map(is_power_of_two, lengths)):
        raise LimitError(f"{algorithm}, CUDA transforms one picture, along powers of two.")
    _, points = SINGLE_PASS.get(algorithm, ("", 0))
    if points and not points <= min(lengths) <= max(lengths) <= points * THREADS:
        raise LimitError(f"{algorithm}, CUDA transforms lines of {points} to {points * THREADS} points.")
    try:
        dispatches = _Dispatches(cupy, workload, algorithm)
        dispatches.run()  # The first run compiles.
    except Exception as error:
        raise LimitError(f"CUDA cannot run it here ({' '.join(str(error).split())}).") from error
    return on_cuda(cupy, workload, dispatches.run)
