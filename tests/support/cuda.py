"""A pretend CuPy and a pretend CUDA driver that compute by numpy and remember what was asked of them."""

from __future__ import annotations

import ctypes
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest

from support.cuda_driver import PretendDriver

MODULES = ("cupy", "cupyx", "cupyx.scipy.fft")


class OutOfMemory(Exception):
    """What the pretend CuPy raises where memory runs out."""


class CudaError(Exception):
    """What the pretend CuPy raises where a call fails."""


class PretendArray(np.ndarray):
    """An array on the pretend GPU: its address is that of the numpy array."""

    @property
    def data(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
        return SimpleNamespace(ptr=self.ctypes.data)


class PretendPlan:
    """An unscaled transform in float32, as cuFFT does.

    Attributes:
        in_place: for each call, whether it was in place.
        finite: whether all results were finite and none was too small for float32.
    """

    def __init__(self, cuda: PretendCuda, axes: tuple[int, ...]) -> None:
        self.axes = axes
        self.in_place: list[bool] = []
        self.finite = True
        self._cuda = cuda

    def fft(self, source: Any, target: Any, direction: int) -> None:
        assert direction == -1
        self._cuda.calls.append("fft")
        self.in_place.append(source is target)
        with np.errstate(over="ignore", invalid="ignore"):
            target[...] = np.fft.fftn(source.astype(np.complex128), axes=self.axes)
        self.finite = self.finite and bool(np.isfinite(target).all()) and bool(np.abs(target).max() > 1e-36)


class PretendCuda:
    """CuPy and the driver's library.

    Args:
        ctx: whose textures can be mapped; None where no test maps any.

    Attributes:
        calls: the names of the calls made, in order.
        registered: flags by texture, of those that are registered.
        plans: those made so far.
    """

    STREAM = 77

    def __init__(self, ctx: moderngl.Context | None = None) -> None:
        self._driver = PretendDriver(ctx, [self.STREAM])
        self.calls = self._driver.calls
        self.registered = self._driver.registered
        self.plans: list[PretendPlan] = []
        self._ctx = ctx

    @property
    def failing(self) -> set[str]:
        """Calls that are to fail."""
        return self._driver.failing

    @failing.setter
    def failing(self, names: set[str]) -> None:
        self._driver.failing = names

    @property
    def mapped(self) -> int:
        """How many resources are mapped."""
        return len(self._driver.mapped)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make it what `import cupy` and the loading of the driver's library find."""
        cuda = self

        class Event:
            """A stamp of a queue that is always full; each call takes a microsecond."""

            done = False
            at = 0

            def record(self) -> None:
                self.at = sum(len(plan.in_place) for plan in cuda.plans)

            def synchronize(self) -> None:
                pass

        def get_fft_plan(array: Any, axes: tuple[int, ...], value_type: str) -> PretendPlan:
            assert value_type == "C2C"
            self.plans.append(PretendPlan(self, axes))
            return self.plans[-1]

        stream = SimpleNamespace(ptr=self.STREAM, synchronize=lambda: self.calls.append("synchronize"))
        cupy = ModuleType("cupy")
        cupy.__dict__.update(
            __version__="0",
            asarray=np.array,
            asnumpy=np.asarray,
            empty=lambda shape, dtype: np.empty(shape, dtype).view(PretendArray),
            empty_like=np.empty_like,
            copyto=np.copyto,
            RawKernel=lambda code, name: lambda blocks, threads, arguments: None,
            get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None),
            cuda=SimpleNamespace(
                Device=lambda: SimpleNamespace(id=0, synchronize=lambda: None),
                Event=Event,
                cufft=SimpleNamespace(CUFFT_FORWARD=-1, CuFFTError=ZeroDivisionError, getVersion=lambda: 11000),
                get_current_stream=lambda: stream,
                get_elapsed_time=lambda first, second: (second.at - first.at) * 1e-3,
                memory=SimpleNamespace(OutOfMemoryError=OutOfMemory),
                runtime=SimpleNamespace(
                    CUDARuntimeError=CudaError,
                    getDeviceProperties=lambda device: {"name": b"a pretend GPU"},
                    memcpyDeviceToDevice=3,
                    memcpy2DFromArrayAsync=self._from_array,
                    memcpy2DToArrayAsync=self._to_array,
                ),
            ),
        )
        fft = ModuleType("cupyx.scipy.fft")
        fft.__dict__["get_fft_plan"] = get_fft_plan
        for name, module in zip(MODULES, (cupy, ModuleType("cupyx"), fft), strict=True):
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(ctypes, "CDLL", lambda name: self.driver())

    def driver(self) -> Any:
        """The driver's library."""
        return self._driver.library()

    def _from_array(self, memory: int, pitch: int, array: int, *rest: int) -> None:
        self._copy("copy from array", pitch, *rest)
        data = self._texture(array, pitch, rest[3]).read()
        ctypes.memmove(memory, data, len(data))

    def _to_array(self, array: int, left: int, top: int, memory: int, pitch: int, *rest: int) -> None:
        self._copy("copy to array", pitch, left, top, *rest)
        self._texture(array, pitch, rest[1]).write(ctypes.string_at(memory, pitch * rest[1]))

    def _copy(
        self, name: str, pitch: int, left: int, top: int, width: int, height: int, kind: int, stream: int
    ) -> None:
        assert (left, top, width, kind, stream) == (0, 0, pitch, 3, self.STREAM)
        assert self.mapped == 2
        self.calls.append(name)
        if name in self.failing:
            raise CudaError("no copy")

    def _texture(self, array: int, pitch: int, rows: int) -> moderngl.Texture:
        assert self._ctx is not None
        return self._ctx.external_texture(array - 2000, (pitch // 8, rows), 2, 0, "f4")
