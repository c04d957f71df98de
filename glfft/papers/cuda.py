"""Transforms in CUDA, by the same dispatches, threads and tables as in GLSL: Soerman's `global-local`, and Mota's that
do a line in one dispatch.
"""

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

# Threads of a block in Soerman's chapter, which are also the most that there can be.
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
// those of the whole line, in order. Bits are reversed in the places that are written, or in those of shared memory.
extern "C" __global__ void local_stages(
    const float2* source, float2* target, const float2* roots, int stages_before, int stages, int on_writing
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
        if (on_writing) {
            unsigned number = (blockIdx.y << stages) + position;
            target[line + bits_reversed(number, stages_before + stages)] = points[from + position];
        } else {
            target[place + (size_t)position * parts] = points[from + bits_reversed(position, stages)];
        }
    }
}

// What follows does a line in one block, in shared memory. From point to point of a line it is `step` places, from line
// to line `apart`.

// All stages of decimation in time, a butterfly a thread.
// roots[m] = exp(-2 pi i m / length), for the first half of a turn.
extern "C" __global__ void cooley_tukey(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x;
    size_t first = (size_t)blockIdx.x * apart;
    for (int position = thread; position < 2 * half; position += half) {
        points[bits_reversed(position, stages)] = source[first + (size_t)position * step];
    }
    for (int stage = 0; stage < stages; ++stage) {
        __syncthreads();
        int span = 1 << stage, k = thread & (span - 1), upper = 2 * (thread - k) + k;
        float2 a = points[upper], b = product(points[upper + span], roots[k << (stages - 1 - stage)]);
        points[upper] = sum(a, b);
        points[upper + span] = difference(a, b);
    }
    __syncthreads();
    for (int position = thread; position < 2 * half; position += half) {
        target[first + (size_t)position * step] = points[position];
    }
}

// Stockham's stages of radix 2, a butterfly a thread. roots has all of a turn.
extern "C" __global__ void stockham_2(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x;
    size_t first = (size_t)blockIdx.x * apart;
    float2 a = source[first + (size_t)thread * step], b = source[first + (size_t)(thread + half) * step];
    for (int stage = 0;; ++stage) {
        int span = 1 << stage, k = thread & (span - 1), place = 2 * (thread - k) + k;
        b = product(b, roots[k << (stages - 1 - stage)]);
        if (stage == stages - 1) {
            target[first + (size_t)place * step] = sum(a, b);
            target[first + (size_t)(place + span) * step] = difference(a, b);
            return;
        }
        points[place] = sum(a, b);
        points[place + span] = difference(a, b);
        __syncthreads();
        a = points[thread];
        b = points[thread + half];
        __syncthreads();
    }
}

// Stockham's stages of radix 4 and, for odd powers of two, a last one of radix 2: four points a thread.
extern "C" __global__ void stockham_4(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, quarter = blockDim.x, half = 2 * quarter, length = 2 * half;
    size_t first = (size_t)blockIdx.x * apart;
    float2 v[4];
    for (int r = 0; r < 4; ++r) {
        v[r] = source[first + (size_t)(thread + r * quarter) * step];
    }
    int span = 1;
    for (; 4 * span <= length; span *= 4) {
        int k = thread & (span - 1), place = 4 * (thread - k) + k;
        for (int r = 1; r < 4; ++r) {
            v[r] = product(v[r], roots[r * k * (length / (4 * span))]);
        }
        float2 even = sum(v[0], v[2]), odd = sum(v[1], v[3]);
        float2 low = difference(v[0], v[2]), high = difference(v[1], v[3]);
        high = make_float2(high.y, -high.x);
        v[0] = sum(even, odd);
        v[1] = sum(low, high);
        v[2] = difference(even, odd);
        v[3] = difference(low, high);
        if (4 * span == length) {
            for (int r = 0; r < 4; ++r) {
                target[first + (size_t)(place + r * span) * step] = v[r];
            }
            return;
        }
        for (int r = 0; r < 4; ++r) {
            points[place + r * span] = v[r];
        }
        __syncthreads();
        for (int r = 0; r < 4; ++r) {
            v[r] = points[thread + r * quarter];
        }
        __syncthreads();
    }
    for (int r = 0; r < 2; ++r) {
        int k = thread + r * quarter;
        float2 b = product(v[r + 2], roots[k]);
        target[first + (size_t)k * step] = sum(v[r], b);
        target[first + (size_t)(k + half) * step] = difference(v[r], b);
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
    """Soerman's transform as a peer.

    Args:
        algorithm: its name in GLSL, of GLOBAL_LOCAL.
    """

    def __init__(self, algorithm: str = "global-local") -> None:
        self.name = f"{algorithm}, CUDA"
        self._on_writing = algorithm == "global-local-on-writing"
        self._cupy, _ = open_cupy(self.name)

    @property
    def description(self) -> str:
        return f"the CUDA of glfft.papers.cuda beside {describe(self._cupy)}"

    def contender(self, workload: Workload) -> _OnCuda:
        case = workload.case
        lengths = [case.shape[axis] for axis in case.axes]
        if len(case.shape) != 2 or case.batch > 1 or min(lengths) < 2 or not all(map(is_power_of_two, lengths)):
            raise LimitError(f"{self.name} transforms one picture, along powers of two.")
        self._check(lengths)
        try:
            made = self._made(workload)
            made.run()  # The first run compiles.
        except Exception as error:
            raise LimitError(f"CUDA cannot run it here ({' '.join(str(error).split())}).") from error
        return made

    def _check(self, lengths: list[int]) -> None:
        """Raise LimitError where the transform cannot do lines of these lengths."""

    def _made(self, workload: Workload) -> _OnCuda:
        return _InParts(self._cupy, workload, self._on_writing)


class CudaSinglePass(CudaGlobalLocal):
    """One of Mota's transforms as a peer: a line to a block.

    Args:
        algorithm: its name in GLSL, of SINGLE_PASS.
    """

    def __init__(self, algorithm: str) -> None:
        self._kernel, self._points = SINGLE_PASS[algorithm]
        super().__init__(algorithm)

    def _check(self, lengths: list[int]) -> None:
        if not self._points <= min(lengths) <= max(lengths) <= self._points * THREADS:
            raise LimitError(f"{self.name} transforms lines of {self._points} to {self._points * THREADS} points.")

    def _made(self, workload: Workload) -> _OnCuda:
        return _SinglePass(self._cupy, workload, self._kernel, self._points)


# Soerman's transforms reverse bits on reading shared memory, or on writing to the target.
GLOBAL_LOCAL = ("global-local", "global-local-on-writing")

# Kernels that do a line in one dispatch, each with its points a thread.
SINGLE_PASS = {
    "cooley-tukey": ("cooley_tukey", 2),
    "stockham-radix2": ("stockham_2", 2),
    "stockham-radix4": ("stockham_4", 4),
}
_KERNELS = ("global_stage", "local_stages", "transpose", *(kernel for kernel, _ in SINGLE_PASS.values()))


class _OnCuda:
    """The dispatches of a transform."""

    def __init__(self, cupy: Any, workload: Workload) -> None:
        self._cupy = cupy
        self._workload = workload
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
        return {OUT_OF_PLACE: QueuedCall(self.run, CudaQueue(self._cupy), "gpu events")}

    def snr_db(self) -> float:
        self.run()
        return self._workload.snr_db(self._cupy.asnumpy(self._target)[np.newaxis])

    def release(self) -> None:
        self._calls.clear()
        del self._source, self._target, self._scratch
        self._cupy.get_default_memory_pool().free_all_blocks()


class _InParts(_OnCuda):
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


class _SinglePass(_OnCuda):
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
