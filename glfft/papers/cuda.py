"""Soerman's transform in CUDA, by the same dispatches, threads and tables as `global-local` in GLSL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.bench.contender import OUT_OF_PLACE
from glfft.bench.cufft import CudaQueue, describe, open_cupy
from glfft.bench.workload import Workload
from glfft.errors import LimitError
from glfft.tuning.timing import QueuedCall, Subject

# Of a block, as in the paper.
THREADS = 1024
_TILE = 32

SOURCE = (
    r"""
__device__ float2 product(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ float2 sum(float2 a, float2 b) {
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ float2 difference(float2 a, float2 b) {
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ unsigned bits_reversed(unsigned number, int bits) {
    return bits == 0 ? 0 : __brev(number) >> (32 - bits);
}

// A stage of decimation in frequency over whole lines: a butterfly a thread, a line to blockIdx.x.
// roots[m] = exp(-2 pi i m / length), for the first half of a turn.
extern "C" __global__ void global_stage(
    const float2* source, float2* target, const float2* roots, int length, int stage
) {
    int butterfly = blockIdx.y * blockDim.x + threadIdx.x;
    int half = length >> (stage + 1);
    size_t low = (size_t)blockIdx.x * length + butterfly + (butterfly & ~(half - 1));
    float2 a = source[low], b = source[low + half];
    target[low] = sum(a, b);
    target[low + half] = product(difference(a, b), roots[(butterfly & (half - 1)) << stage]);
}

// All stages of a part of a line, of 2 blockDim.x points, in constant geometry; a part to blockIdx.y. The results are
// those of the whole line, in order.
extern "C" __global__ void local_stages(
    const float2* source, float2* target, const float2* roots, int stages_before, int stages
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x, parts = 1 << stages_before;
    size_t line = (size_t)blockIdx.x << (stages_before + stages);
    size_t first = line + ((size_t)blockIdx.y << stages);
    points[thread] = source[first + thread];
    points[thread + half] = source[first + thread + half];
    int from = 0, to = 2 * half;
    for (int stage = 0; stage < stages; ++stage) {
        __syncthreads();
        float2 a = points[from + thread], b = points[from + thread + half];
        float2 root = roots[((thread >> stage) << stage) << stages_before];
        points[to + 2 * thread] = sum(a, b);
        points[to + 2 * thread + 1] = product(difference(a, b), root);
        int before = from;
        from = to;
        to = before;
    }
    __syncthreads();
    size_t place = line + bits_reversed(blockIdx.y, stages_before);
    for (int position = thread; position < 2 * half; position += half) {
        target[place + (size_t)position * parts] = points[from + bits_reversed(position, stages)];
    }
}

extern "C" __global__ void transpose(const float2* source, float2* target, int rows, int columns) {
    __shared__ float2 tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    if (row + threadIdx.y < rows && column + threadIdx.x < columns) {
        tile[threadIdx.y][threadIdx.x] = source[(size_t)(row + threadIdx.y) * columns + column + threadIdx.x];
    }
    __syncthreads();
    if (column + threadIdx.y < columns && row + threadIdx.x < rows) {
        target[(size_t)(column + threadIdx.y) * rows + row + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    }
}
"""
).replace("TILE", str(_TILE))


class CudaGlobalLocal:
    """The transform as a peer."""

    name = "global-local, CUDA"

    def __init__(self) -> None:
        self._cupy, _ = open_cupy(self.name)

    @property
    def description(self) -> str:
        return f"the CUDA of glfft.papers.cuda beside {describe(self._cupy)}"

    def contender(self, workload: Workload) -> _OnCuda:
        case = workload.case
        lengths = [case.shape[axis] for axis in case.axes]
        if len(case.shape) != 2 or case.batch > 1 or min(lengths) < 2 or not all(map(is_power_of_two, lengths)):
            raise LimitError(f"{self.name} transforms one picture, along powers of two.")
        try:
            made = _OnCuda(self._cupy, workload)
            made.run()  # compiles
        except Exception as error:
            raise LimitError(f"CUDA cannot run it here ({' '.join(str(error).split())}).") from error
        return made


class _OnCuda:
    def __init__(self, cupy: Any, workload: Workload) -> None:
        self._cupy = cupy
        self._workload = workload
        self._kernels = {name: cupy.RawKernel(SOURCE, name) for name in ("global_stage", "local_stages", "transpose")}
        (picture,) = workload.pictures
        self._source = cupy.asarray(picture)
        self._target, self._scratch = cupy.empty_like(self._source), cupy.empty_like(self._source)
        self._calls: list[Callable[[], Any]] = []
        rows, columns = picture.shape
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
        roots = self._cupy.asarray(np.exp(-2j * np.pi / length * np.arange(length // 2)).astype(np.complex64))
        threads = min(THREADS, length // 2)
        stages_before = log2(length) - log2(2 * threads)
        blocks = (lines, 1 << stages_before)
        for stage in range(stages_before):
            arguments = (source, self._scratch, roots, np.int32(length), np.int32(stage))
            self._add("global_stage", blocks, (threads,), arguments)
            source = self._scratch
        numbers = (np.int32(stages_before), np.int32(log2(length) - stages_before))
        self._add("local_stages", blocks, (threads,), (source, target, roots, *numbers), 4 * threads * 8)

    def _transpose(self, rows: int, columns: int, source: Any, target: Any) -> None:
        blocks = (-(-columns // _TILE), -(-rows // _TILE))
        self._add("transpose", blocks, (_TILE, _TILE), (source, target, np.int32(rows), np.int32(columns)))

    def _add(self, name: str, blocks: tuple, threads: tuple, arguments: tuple, shared: int = 0) -> None:
        kernel = self._kernels[name]
        self._calls.append(lambda: kernel(blocks, threads, arguments, shared_mem=shared))

    def run(self) -> None:
        """Queue one transform."""
        for call in self._calls:
            call()

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: QueuedCall(self.run, CudaQueue(self._cupy), "gpu events")}

    def snr_db(self) -> float:
        self.run()
        return self._workload.snr_db(self._cupy.asnumpy(self._target)[np.newaxis])

    def release(self) -> None:
        self._calls.clear()
        del self._source, self._target, self._scratch
        self._cupy.get_default_memory_pool().free_all_blocks()
