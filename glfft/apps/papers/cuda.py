"""Transforms in CUDA, by the same dispatches, threads and tables as in GLSL: Soerman's `global-local`, and Mota's that
do a line in one dispatch.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.apps.bench.contender import OUT_OF_PLACE
from glfft.apps.bench.cufft import OnCuda, describe, open_cupy
from glfft.apps.bench.workload import Workload
from glfft.apps.papers import read_text
from glfft.errors import GlfftError, LimitError
from glfft.profiling.timing import Subject

# Threads of a block in Soerman's chapter, which are also the most that there can be.
THREADS = 1024
_TILE = 32

SOURCE = read_text("transforms.cu").replace("TILE", str(_TILE))


# Soerman's transforms reverse bits on reading shared memory, or on writing to the target.
GLOBAL_LOCAL = ("global-local", "global-local-on-writing")

# Kernels that do a line in one dispatch, each with its points a thread.
SINGLE_PASS = {
    "cooley-tukey": ("cooley_tukey", 2),
    "stockham-radix2": ("stockham_2", 2),
    "stockham-radix4": ("stockham_4", 4),
}
_KERNELS = ("global_stage", "local_stages", "transpose", *(kernel for kernel, _ in SINGLE_PASS.values()))


class _Dispatches(OnCuda):
    """The dispatches of a transform."""

    def __init__(self, cupy: Any, workload: Workload) -> None:
        super().__init__(cupy, workload)
        self._kernels = {name: cupy.RawKernel(SOURCE, name) for name in _KERNELS}
        (picture,) = workload.pictures
        self._source = cupy.asarray(picture)
        self._target, self._scratch = cupy.empty_like(self._source), cupy.empty_like(self._source)
        self._calls: list[Callable[[], Any]] = []

    def _roots(self, length: int, count: int) -> Any:
        return self._cupy.asarray(np.exp(-2j * np.pi / length * np.arange(count)).astype(np.complex64))

    def _add(self, name: str, blocks: tuple, threads: tuple, arguments: tuple, shared: int = 0) -> None:
        kernel = self._kernels[name]
        self._calls.append(lambda: kernel(blocks, threads, arguments, shared_mem=shared))

    def run(self) -> None:
        """Queue one transform."""
        for call in self._calls:
            call()

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: self._subject(self.run)}

    def snr_db(self) -> float:
        self.run()
        return self._workload.snr_db(self._cupy.asnumpy(self._target)[np.newaxis])


class _InParts(_Dispatches):
    """A dispatch for each stage while parts do not fit a block. Columns are rows between two transpositions."""

    def __init__(self, cupy: Any, workload: Workload, on_writing: bool) -> None:
        super().__init__(cupy, workload)
        self._on_writing = on_writing
        rows, columns = workload.case.shape
        if 1 not in workload.case.axes:
            self._transposed(rows, columns, self._source)
        else:
            self._lines(rows, columns, self._source, self._target)
            if 0 in workload.case.axes:
                self._transposed(rows, columns, self._target)

    def _transposed(self, rows: int, columns: int, source: Any) -> None:
        """The lines of the columns, as rows of the transposed picture."""
        across = self._cupy.empty_like(self._source)
        self._transpose(rows, columns, source, self._scratch)
        self._lines(columns, rows, self._scratch, across)
        self._transpose(columns, rows, across, self._target)

    def _lines(self, lines: int, length: int, source: Any, target: Any) -> None:
        roots = self._roots(length, length // 2)
        threads = min(THREADS, length // 2)
        stages_before = log2(length) - log2(2 * threads)
        blocks = (lines, 1 << stages_before)
        for stage in range(stages_before):
            arguments = (source, self._scratch, roots, np.int32(length), np.int32(stage))
            self._add("global_stage", blocks, (threads,), arguments)
            source = self._scratch
        numbers = (np.int32(stages_before), np.int32(log2(length) - stages_before), np.int32(self._on_writing))
        self._add("local_stages", blocks, (threads,), (source, target, roots, *numbers), 4 * threads * 8)

    def _transpose(self, rows: int, columns: int, source: Any, target: Any) -> None:
        blocks = (-(-columns // _TILE), -(-rows // _TILE))
        self._add("transpose", blocks, (_TILE, _TILE), (source, target, np.int32(rows), np.int32(columns)))


class _SinglePass(_Dispatches):
    """A dispatch for all rows and one for all columns."""

    def __init__(self, cupy: Any, workload: Workload, kernel: str, points: int) -> None:
        super().__init__(cupy, workload)
        rows, columns = workload.case.shape
        source = self._source
        for axis in (1, 0):
            if axis in workload.case.axes:
                length, step, lines, apart = (columns, 1, rows, columns) if axis == 1 else (rows, columns, columns, 1)
                places = (np.int32(log2(length)), np.int32(step), np.int32(apart))
                arguments = (source, self._target, self._roots(length, length), *places)
                self._add(kernel, (lines, 1), (length // points,), arguments, 8 * length)
                source = self._target


class CudaPeer:
    """A transform of Soerman's or Mota's as a peer; `algorithm` is its name in GLSL, of GLOBAL_LOCAL or SINGLE_PASS."""

    def __init__(self, algorithm: str) -> None:
        self.name = f"{algorithm}, CUDA"
        self._algorithm = algorithm
        self._cupy, _ = open_cupy(self.name)

    @property
    def description(self) -> str:
        return f"the CUDA of glfft.apps.papers.cuda beside {describe(self._cupy)}"

    def contender(self, workload: Workload) -> _Dispatches:
        case = workload.case
        lengths = [case.shape[axis] for axis in case.axes]
        if len(case.shape) != 2 or case.batch > 1 or min(lengths) < 2 or not all(map(is_power_of_two, lengths)):
            raise LimitError(f"{self.name} transforms one picture, along powers of two.")
        kernel, points = SINGLE_PASS.get(self._algorithm, ("", 0))
        if kernel and not points <= min(lengths) <= max(lengths) <= points * THREADS:
            raise LimitError(f"{self.name} transforms lines of {points} to {points * THREADS} points.")
        try:
            if kernel:
                made = _SinglePass(self._cupy, workload, kernel, points)
            else:
                made = _InParts(self._cupy, workload, self._algorithm == "global-local-on-writing")
            made.run()  # The first run compiles.
        except Exception as error:
            raise LimitError(f"CUDA cannot run it here ({' '.join(str(error).split())}).") from error
        return made


def cuda_peers(algorithms: Iterable[str]) -> list[CudaPeer]:
    """A paper's transforms in CUDA, or none where there is no CuPy or no GPU for it."""
    try:
        return [CudaPeer(algorithm) for algorithm in algorithms]
    except GlfftError:
        return []
