"""Peers on the CPU: scipy, FFTW and the textbook transforms."""

import importlib
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.apps.bench.cases import ConvolutionCase
from glfft.apps.bench.contender import OUT_OF_PLACE, Contender, import_library
from glfft.apps.bench.convolutions import by_scipy
from glfft.apps.bench.reference import REFERENCES
from glfft.apps.bench.workload import Workload
from glfft.errors import LimitError
from glfft.profiling.timing import Subject, WallCall


class OnCpu:
    """A transform on the CPU, out of place, as a contender: what it returns is [batch, rows, columns], and its `norm`
    as in `Workload.snr_db`.
    """

    def __init__(self, workload: Workload, transform: Callable[[], npt.NDArray[Any]], norm: str = "backward") -> None:
        self._norm = norm
        self._workload = workload
        self._transform = transform

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: WallCall(self._transform, "wall")}

    def snr_db(self) -> float:
        return self._workload.snr_db(self._transform(), self._norm)

    def release(self) -> None:
        """There is nothing to free."""


class Scipy:
    """scipy.fft, in the precision of the case, on all cores this process may use."""

    name = "scipy"

    def __init__(self) -> None:
        self._fft = import_library("scipy.fft", "pip install scipy", self.name)
        self._version = importlib.import_module("scipy").__version__
        self._workers = cores()

    @property
    def description(self) -> str:
        return f"scipy.fft {self._version}, {self._workers} workers"

    def contender(self, workload: Workload) -> Contender:
        def transform() -> npt.NDArray[Any]:
            transform = self._fft.rfftn if workload.case.real else self._fft.fftn
            return transform(workload.pictures, axes=workload.axes, workers=self._workers)

        def cosines() -> npt.NDArray[Any]:
            return self._fft.dctn(workload.pictures, axes=workload.axes, norm="ortho", workers=self._workers)

        if isinstance(workload.case, ConvolutionCase):
            return OnCpu(workload, by_scipy(workload, self._workers), "ortho")
        return OnCpu(workload, cosines, "ortho") if workload.case.cosine else OnCpu(workload, transform)


class Pyfftw:
    """FFTW through pyFFTW, planned by measuring (FFTW_MEASURE), on all cores this process may use."""

    name = "pyfftw"

    def __init__(self) -> None:
        self._pyfftw = import_library("pyfftw", "pip install pyfftw", self.name)
        self._threads = cores()

    @property
    def description(self) -> str:
        return f"{self._pyfftw.fftw_version} through pyFFTW {self._pyfftw.__version__}, {self._threads} threads"

    def contender(self, workload: Workload) -> Contender:
        pictures = workload.pictures
        case = workload.case
        if case.cosine or isinstance(case, ConvolutionCase):
            raise LimitError("pyFFTW is compared in Fourier transforms only.")
        complex_type = str(np.result_type(pictures, np.complex64))
        source = self._pyfftw.empty_aligned(pictures.shape, str(pictures.dtype))
        target = self._pyfftw.empty_aligned((case.batch, *case.spectrum_shape), complex_type)
        plan = self._pyfftw.FFTW(source, target, axes=workload.axes, flags=("FFTW_MEASURE",), threads=self._threads)
        source[:] = pictures  # planning has written over it

        def transform() -> npt.NDArray[Any]:
            plan.execute()
            return target

        return OnCpu(workload, transform)


class Textbook:
    """A textbook transform of `glfft.apps.bench.reference`, complex128, line by line along each axis."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._transform = REFERENCES[name]

    @property
    def description(self) -> str:
        return f"glfft.apps.bench.reference.{self.name} in numpy {np.__version__}, one line at a time"

    def contender(self, workload: Workload) -> Contender:
        if workload.case.real or workload.case.cosine or isinstance(workload.case, ConvolutionCase):
            raise LimitError(f"{self.name} transforms complex numbers only.")

        def transform() -> npt.NDArray[Any]:
            result: npt.NDArray[Any] = workload.pictures
            for axis in workload.axes:
                result = np.apply_along_axis(self._transform, axis, result)
            return result

        return OnCpu(workload, transform)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Windows or macOS
        return os.cpu_count() or 1
