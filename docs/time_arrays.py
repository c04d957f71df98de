"""Checks `glfft.interop` with torch and times it against copies through the host.

`python docs/time_arrays.py` prints a table for a picture of 1024 x 1024 complex numbers, or of the side given. It needs
torch; where that has no CUDA, or OpenGL runs elsewhere, both columns go through the host. It ends with an error where a
result is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import moderngl
import numpy as np
import torch  # pyright: ignore[reportMissingImports]

import glfft
from glfft.gl.cuda import cuda_of
from glfft.interop import array_from, texture_from

_CALLS = 50
_ROUNDS = 7
_DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def _noise(side: int) -> Any:
    return torch.randn(side, side, dtype=torch.complex64, device=_DEVICE)


def _finish(ctx: moderngl.Context) -> None:
    ctx.finish()
    if _DEVICE == "cuda":
        torch.cuda.synchronize()


def check_results(ctx: moderngl.Context, side: int) -> None:
    """Compare with torch.fft, on textures and buffers, complex and real."""
    tensor = _noise(side)
    exact = torch.fft.fft2(tensor)
    for storage in ("rg32f", "buffer"):
        with glfft.Plan(ctx, (side, side), storage=storage) as plan:
            found, back = torch.empty_like(tensor), torch.empty_like(tensor)
            plan.forward(tensor, found)
            plan.inverse(found, back)
            _expect(found, exact, f"forward, {storage}")
            _expect(back, tensor, f"inverse, {storage}")
        with glfft.Plan(ctx, (side, side), storage=storage, real=True) as plan:
            half = torch.empty_like(exact[:, : side // 2 + 1].contiguous())
            plan.forward(tensor.real, half)
            _expect(half, torch.fft.rfft2(tensor.real), f"real, {storage}")


def check_order(ctx: moderngl.Context, side: int) -> None:
    """Change and free tensors right after they were given away, on the usual stream and another one."""
    texture = ctx.texture((side, side), 2, dtype="f4")
    streams = [None] if _DEVICE == "cpu" else [None, torch.cuda.Stream()]
    for stream in streams:
        with torch.cuda.stream(stream):
            for number in range(100):
                tensor = torch.full((side, side), number + 1j, device=_DEVICE, dtype=torch.complex64)
                texture_from(tensor, texture)
                tensor.fill_(-1)
                del tensor
                found = array_from(texture, torch.empty(side, side, device=_DEVICE, dtype=torch.complex64))
                assert bool((found == number + 1j).all()), f"run {number} on {stream} has another run's numbers"
                taken = torch.as_tensor(array_from(texture), device=_DEVICE)
                assert bool((taken == found).all()), f"run {number} on {stream} gives another new array"
    texture.release()


def _expect(found: Any, exact: Any, what: str) -> None:
    error = float((found - exact).norm() / exact.norm())
    print(f"{what:24} relative error {error:.1e}")
    assert error < 1e-6, what


def microseconds(ctx: moderngl.Context, call: Callable[[], object]) -> float:
    """The time of one call, by the clock of the host: the median of rounds of calls that are finished together."""
    times = []
    for _ in range(_ROUNDS):
        _finish(ctx)
        began = perf_counter()
        for _ in range(_CALLS):
            call()
        _finish(ctx)
        times.append(1e6 * (perf_counter() - began) / _CALLS)
    return float(np.median(times))


def table(ctx: moderngl.Context, side: int) -> None:
    """Print what each copy and a transform take, in microseconds."""
    tensor, target = _noise(side), _noise(side)
    texture, spectrum = (ctx.texture((side, side), 2, dtype="f4") for _ in range(2))
    plan = glfft.Plan(ctx, (side, side))
    buffers = glfft.Plan(ctx, (side, side), storage="buffer")

    def write() -> None:
        texture.write(tensor.cpu().numpy().tobytes())

    def read() -> None:
        numbers = np.frombuffer(texture.read(), np.complex64).reshape(side, side)
        target.copy_(torch.from_numpy(numbers.copy()))

    def transform_by_host() -> None:
        write()
        plan.forward(texture, spectrum)
        read()

    rows: list[tuple[str, Callable[[], object], Callable[[], object] | None]] = [
        ("tensor to texture", lambda: texture_from(tensor, texture), write),
        ("texture to tensor", lambda: array_from(texture, target), read),
        ("there and back", lambda: array_from(texture_from(tensor, texture), target), lambda: (write(), read())),
        ("plan on tensors", lambda: plan.forward(tensor, target), transform_by_host),
        ("plan of buffers", lambda: buffers.forward(tensor, target), transform_by_host),
        ("plan on textures", lambda: plan.forward(texture, spectrum), None),
        ("torch.fft.fft2", lambda: torch.fft.fft2(tensor, out=target), None),
    ]
    print(f"\n{f'{side} x {side} complex64, us':28} {'glfft.interop':>14} {'by the host':>14}")
    for name, call, by_host in rows:
        ours, others = microseconds(ctx, call), "" if by_host is None else f"{microseconds(ctx, by_host):.1f}"
        print(f"{name:28} {ours:14.1f} {others:>14}", flush=True)


def main(side: int) -> None:
    """Check and time."""
    with glfft.open_context() as ctx:
        cuda = cuda_of(ctx)
        shared = "not shared with CUDA" if cuda is None else f"shared with CUDA's device {cuda.device}"
        named = torch.cuda.get_device_name() if _DEVICE == "cuda" else "the CPU"
        print(f"OpenGL: {ctx.info['GL_RENDERER']}, {ctx.info['GL_VERSION']}, {shared}")
        print(f"torch {torch.__version__} on {named}")
        check_results(ctx, side)
        check_order(ctx, side)
        table(ctx, side)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1024)
