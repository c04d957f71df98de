"""What to compare with, timed in the same run on the same data: scipy and the textbook transforms on the CPU, cuFFT on
NVIDIA."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from types import ModuleType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from glfft.errors import ContextError, MissingExtraError, OptionError
from glfft.reference import REFERENCES
from glfft.timing import QueuedCall, Subject, Timing, WallCall, time_in_turn


class Peer(Protocol):
    """A library that can do the same transform."""

    name: str

    @property
    def description(self) -> str:
        """Version and settings, for the record."""
        ...

    def time(self, data: npt.NDArray[np.complex64], samples: int) -> Timing:
        """Time the forward 2-D transform of complex64 data, out of place, plan and first call left out."""
        ...


class Scipy:
    """scipy.fft (pocketfft), complex64, on all cores this process may use."""

    name = "scipy"

    def __init__(self) -> None:
        self._fft = _import("scipy.fft", "pip install scipy", self.name)
        self._version = importlib.import_module("scipy").__version__
        self._workers = _cores()

    @property
    def description(self) -> str:
        return f"scipy.fft {self._version}, {self._workers} workers"

    def time(self, data: npt.NDArray[np.complex64], samples: int) -> Timing:
        return _time(WallCall(lambda: self._fft.fft2(data, workers=self._workers), "wall"), samples)


class Cufft:
    """cuFFT through CuPy, complex64, planned once, timed by CUDA events with the queue kept full."""

    name = "cufft"

    def __init__(self) -> None:
        self._cupy = _import("cupy", "pip install cupy-cuda12x (or the build for your CUDA)", self.name)
        self._fft = importlib.import_module("cupyx.scipy.fft")
        try:
            device = self._cupy.cuda.runtime.getDeviceProperties(self._cupy.cuda.Device().id)
        except Exception as error:
            raise ContextError(
                f"--against cufft needs an NVIDIA GPU that CuPy can use; leave it out here ({error})."
            ) from error
        self._device = device["name"].decode()

    @property
    def description(self) -> str:
        version = self._cupy.cuda.cufft.getVersion()
        return f"cuFFT {version} through CuPy {self._cupy.__version__} on {self._device}"

    def time(self, data: npt.NDArray[np.complex64], samples: int) -> Timing:
        source = self._cupy.asarray(data)
        target = self._cupy.empty_like(source)
        plan = self._fft.get_fft_plan(source, axes=(0, 1), value_type="C2C")
        forward = self._cupy.cuda.cufft.CUFFT_FORWARD
        queue = _CudaQueue(self._cupy)
        return _time(QueuedCall(lambda: plan.fft(source, target, forward), queue, "gpu events"), samples)


class Textbook:
    """A textbook transform of `glfft.reference`, complex128, line by line along both axes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._transform = REFERENCES[name]

    @property
    def description(self) -> str:
        return f"glfft.reference.{self.name} in numpy {np.__version__}, one line at a time"

    def time(self, data: npt.NDArray[np.complex64], samples: int) -> Timing:
        return _time(WallCall(lambda: self.transform(data), "wall"), samples)

    def transform(self, data: npt.NDArray[np.complex64]) -> npt.NDArray[np.complex128]:
        """The forward 2-D transform: rows, then columns."""
        rows = np.stack([self._transform(row) for row in data])
        return np.stack([self._transform(column) for column in rows.T]).T


PEERS: dict[str, Callable[[], Peer]] = {
    "scipy": Scipy,
    "cufft": Cufft,
    **{name: partial(Textbook, name) for name in REFERENCES},
}


def open_peers(names: Sequence[str]) -> list[Peer]:
    """Get libraries ready.

    Raises:
        OptionError: there is none of that name.
        MissingExtraError: it is not installed.
        ContextError: it has no device to run on.
    """
    for name in names:
        if name not in PEERS:
            near = get_close_matches(name, PEERS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(PEERS)}."
            raise OptionError(f"There is no library '{name}' to compare with; {hint}")
    return [PEERS[name]() for name in dict.fromkeys(names)]


def _import(module: str, how_to_install: str, peer: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"--against {peer} needs {package}, which cannot be imported; install it with: {how_to_install}."
        ) from error


def _time(subject: Subject, samples: int) -> Timing:
    (timing,) = time_in_turn([subject], samples)
    return timing


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Windows or macOS
        return os.cpu_count() or 1


class _CudaQueue:
    """The command queue of CUDA's current stream."""

    # A guess that only sets how long the busy kernel runs; whether that was enough is checked.
    _CYCLES_A_SECOND = 2e9

    def __init__(self, cupy: Any) -> None:
        self._cuda = cupy.cuda
        self._busy = cupy.RawKernel(
            'extern "C" __global__ void busy(long long cycles) {'
            " long long start = clock64(); while (clock64() - start < cycles) {} }",
            "busy",
        )

    def keep_busy(self, seconds: float) -> None:
        self._busy((1,), (1,), (np.int64(seconds * self._CYCLES_A_SECOND),))

    def stamp(self) -> Any:
        event = self._cuda.Event()
        event.record()
        return event

    def passed(self, stamp: Any) -> bool:
        return stamp.done

    def microseconds_between(self, first: Any, second: Any) -> float:
        second.synchronize()
        return self._cuda.get_elapsed_time(first, second) * 1e3

    def finish(self) -> None:
        self._cuda.Device().synchronize()
