"""CUDA kernels run by a C++ compiler's threads: each thread of a block is one, and blocks run one after the other."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

COMPILER = shutil.which("g++")

_BEFORE = """
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>
struct float2 { float x, y; };
struct dim3 { unsigned x = 1, y = 1; };
inline float2 make_float2(float x, float y) { return {x, y}; }
inline unsigned __brev(unsigned number) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (number >> bit & 1u) << (31 - bit);
    return reversed;
}
static thread_local dim3 threadIdx;
static dim3 blockIdx, blockDim;
static std::barrier<>* block_barrier;
static float2* dynamic_memory;
#define __device__
#define __global__
#define __shared__ static
#define __syncthreads() block_barrier->arrive_and_wait()
"""

_AFTER = """
template <class Kernel> void launch(Kernel kernel, const unsigned* shape) {
    blockDim = {shape[2], shape[3]};
    std::vector<float2> memory(shape[4] / sizeof(float2) + 1);
    dynamic_memory = memory.data();
    for (blockIdx.y = 0; blockIdx.y < shape[1]; ++blockIdx.y) {
        for (blockIdx.x = 0; blockIdx.x < shape[0]; ++blockIdx.x) {
            std::barrier<> each(shape[2] * shape[3]);
            block_barrier = &each;
            std::vector<std::thread> threads;
            for (unsigned y = 0; y < shape[3]; ++y) {
                for (unsigned x = 0; x < shape[2]; ++x) {
                    threads.emplace_back([=] { threadIdx = {x, y}; kernel(); });
                }
            }
            for (auto& thread : threads) thread.join();
        }
    }
}
"""


def raw_kernels(source: str, signatures: dict[str, str], folder: Path) -> Callable[[str, str], Any]:
    """What stands in for `cupy.RawKernel`.

    Args:
        source: the kernels. Memory that is shared and has no size must be called `points`.
        signatures: the parameters of each kernel: "p" for an array of complex64 and "i" for an int, in order.
        folder: where it is compiled.
    """
    launchers = []
    for name, kinds in signatures.items():
        types = [{"p": "float2*", "i": "int"}[kind] for kind in kinds]
        parameters = ", ".join(f"{kind} a{index}" for index, kind in enumerate(types))
        values = ", ".join(f"a{index}" for index in range(len(types)))
        launchers.append(
            f'extern "C" void launch_{name}(const unsigned* shape, {parameters}) '
            f"{{ launch([=] {{ {name}({values}); }}, shape); }}"
        )
    source = source.replace("extern __shared__ float2 points[];", "float2* points = dynamic_memory;")
    (folder / "kernels.cpp").write_text("\n".join([_BEFORE, source, _AFTER, *launchers]))
    library = folder / "kernels.so"
    assert COMPILER is not None
    command = [COMPILER, "-std=c++20", "-O0", "-shared", "-fPIC", "-pthread", "-o", library, folder / "kernels.cpp"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))

    def raw_kernel(code: str, name: str) -> Any:
        def call(blocks: Any, threads: Any, arguments: Any, shared_mem: int = 0) -> None:
            shape = (ctypes.c_uint * 5)(*blocks, *(*threads, 1)[:2], shared_mem)
            given = [
                each.ctypes.data_as(ctypes.c_void_p) if isinstance(each, np.ndarray) else ctypes.c_int(each)
                for each in arguments
            ]
            assert len(given) == len(signatures[name])
            getattr(loaded, f"launch_{name}")(shape, *given)

        return call

    return raw_kernel
