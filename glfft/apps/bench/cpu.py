"""Peers on the CPU: scipy, FFTW and textbook Fourier transforms in numpy, which are simple code to read and test with.

The textbook's are those of Mota, High Performance Fourier Transforms on GPUs, chapter 2 and Table 2: of a 1-D sequence
whose length is a power of two, or else ShapeError (`dft` takes any length), to complex128 of the same length,
F[k] = sum over j of f[j] exp(-2 pi i j k / N). Array operations do all butterflies of a stage.
"""

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.algorithms.lengths import is_power_of_two
from glfft.apps.bench.suite import ConvolutionCase
from glfft.apps.bench.workload import OUT_OF_PLACE, Contender, Peer, Workload, import_library
from glfft.apps.picture_files import cores
from glfft.errors import LimitError, ShapeError
from glfft.profiling.timing import WallCall

ComplexArray = npt.NDArray[np.complex128]


def dft(sequence: npt.ArrayLike) -> ComplexArray:
    """The discrete Fourier transform by its definition: N sums of N products, for any length."""
    points = np.asarray(sequence, dtype=np.complex128)
    length = len(points)
    k = np.arange(length)
    # j k modulo N gives the same factor, and small angles keep sine and cosine accurate.
    return (_roots(length)[np.outer(k, k) % length] if length else np.zeros((0, 0))) @ points


def dit(sequence: npt.ArrayLike) -> ComplexArray:
    """Decimation in time: bit reversal first, then stages of growing span (Mota, algorithm 1)."""
    points, span = _checked(sequence), 2
    length = len(points)
    points = points[bit_reversal(length)]
    while span <= length:
        upper, lower = points.reshape(-1, 2, span // 2).swapaxes(0, 1)
        lower = lower * _roots(span)[: span // 2]
        points = np.stack((upper + lower, upper - lower), axis=1).reshape(length)
        span *= 2
    return points


def dif(sequence: npt.ArrayLike) -> ComplexArray:
    """Decimation in frequency: stages of shrinking span, bit reversal last (Mota, algorithm 2; Gentleman-Sande)."""
    points = _checked(sequence)
    length = span = len(points)
    while span >= 2:
        upper, lower = points.reshape(-1, 2, span // 2).swapaxes(0, 1)
        points = np.stack((upper + lower, (upper - lower) * _roots(span)[: span // 2]), axis=1).reshape(length)
        span //= 2
    return points[bit_reversal(length)]


def recursive(sequence: npt.ArrayLike) -> ComplexArray:
    """Decimation in time by recursion on the even and the odd elements, without bit reversal (Mota, section 3)."""
    points = _checked(sequence)
    length = len(points)
    if length == 1:
        return points.copy()
    even = recursive(points[0::2])
    odd = recursive(points[1::2]) * _roots(length)[: length // 2]
    return np.concatenate((even + odd, even - odd))


REFERENCES: dict[str, Callable[..., ComplexArray]] = {"dft": dft, "dit": dit, "dif": dif, "recursive": recursive}


def bit_reversal(length: int) -> npt.NDArray[np.intp]:
    """The permutation that reverses the bits of each index in [0, length), a power of two."""
    order = np.zeros(1, np.intp)
    while len(order) < length:
        order = np.concatenate((2 * order, 2 * order + 1))
    return order


def _roots(length: int) -> ComplexArray:
    return np.exp(-2j * np.pi * np.arange(length) / length)


def _checked(sequence: npt.ArrayLike) -> ComplexArray:
    points = np.asarray(sequence, dtype=np.complex128)
    if points.ndim != 1 or len(points) == 0 or not is_power_of_two(len(points)):
        raise ShapeError(f"A sequence of shape {points.shape} is given; its length must be a power of two.")
    return points


def _on_cpu(workload: Workload, transform: Callable[[], npt.NDArray[Any]], norm: str = "backward") -> Contender:
    """A transform out of place that returns [batch, rows, columns]; `norm` as in `Workload.snr_db`."""
    return Contender({OUT_OF_PLACE: WallCall(transform, "wall")}, lambda: workload.snr_db(transform(), norm))


def scipy() -> Peer:
    """scipy.fft, in the precision of the case, on all cores this process may use."""
    fft: Any = import_library("scipy.fft", "pip install scipy", "scipy")
    workers = cores()

    def contender(workload: Workload) -> Contender:
        case, pictures = workload.case, workload.pictures
        options = {"axes": workload.axes, "workers": workers}
        if isinstance(case, ConvolutionCase):
            return _on_cpu(workload, _convolved(fft, workload, workers), "ortho")
        if case.cosine:
            return _on_cpu(workload, partial(fft.dctn, pictures, norm="ortho", **options), "ortho")
        return _on_cpu(workload, partial(fft.rfftn if case.real else fft.fftn, pictures, **options))

    return Peer("scipy", f"scipy.fft {importlib.import_module('scipy').__version__}, {workers} workers", contender)


def _convolved(fft: Any, workload: Workload, workers: int) -> Callable[[], npt.NDArray[Any]]:
    """The convolution by scipy: fftconvolve for linear ones, transforms and a product for circular ones."""
    case, pictures = workload.case, workload.pictures
    assert isinstance(case, ConvolutionCase)
    if case.kernel is not None:
        signal, kernel = importlib.import_module("scipy.signal"), workload.kernel[np.newaxis]
        return lambda: signal.fftconvolve(pictures, kernel, "same", axes=(1, 2))
    spectra = workload.kernel_spectra

    def circular() -> npt.NDArray[Any]:
        spectrum = fft.fft2(pictures, workers=workers)
        spectrum *= spectra
        return fft.ifft2(spectrum, workers=workers, overwrite_x=True)

    return circular


def pyfftw() -> Peer:
    """FFTW through pyFFTW, planned by measuring (FFTW_MEASURE), on all cores this process may use."""
    fftw: Any = import_library("pyfftw", "pip install pyfftw", "pyfftw")
    threads = cores()

    def contender(workload: Workload) -> Contender:
        case, pictures = workload.case, workload.pictures
        if case.cosine or isinstance(case, ConvolutionCase):
            raise LimitError("pyFFTW is compared in Fourier transforms only.")
        source = fftw.empty_aligned(pictures.shape, str(pictures.dtype))
        target = fftw.empty_aligned((case.batch, *case.spectrum_shape), str(np.result_type(pictures, np.complex64)))
        plan = fftw.FFTW(source, target, axes=workload.axes, flags=("FFTW_MEASURE",), threads=threads)
        source[:] = pictures  # planning has written over it

        def transform() -> npt.NDArray[Any]:
            plan.execute()
            return target

        return _on_cpu(workload, transform)

    return Peer("pyfftw", f"{fftw.fftw_version} through pyFFTW {fftw.__version__}, {threads} threads", contender)


def textbook(name: str) -> Peer:
    """A textbook transform of `glfft.apps.bench.cpu`, complex128, line by line along each axis."""

    def contender(workload: Workload) -> Contender:
        if workload.case.real or workload.case.cosine or isinstance(workload.case, ConvolutionCase):
            raise LimitError(f"{name} transforms complex numbers only.")

        def transform() -> npt.NDArray[Any]:
            result: npt.NDArray[Any] = workload.pictures
            for axis in workload.axes:
                result = np.apply_along_axis(REFERENCES[name], axis, result)
            return result

        return _on_cpu(workload, transform)

    return Peer(name, f"glfft.apps.bench.cpu.{name} in numpy {np.__version__}, one line at a time", contender)
