"""Fast Fourier transforms in OpenGL compute shaders: textures in, textures out, inside the frame."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from glfft.gl import forks as _forks  # noqa: F401  has to know of every fork from here on

if TYPE_CHECKING:
    from glfft import interop, snippets
    from glfft.algorithms.registry import algorithm_names
    from glfft.arrays import *
    from glfft.arrays import scipy_backend
    from glfft.arrays.fast_lengths import next_fast_len
    from glfft.convolution import Convolution
    from glfft.convolution.deconvolution import Deconvolution, deconvolve
    from glfft.convolution.peaks import PeakFinder
    from glfft.convolution.phase import PhaseCorrelation, phase_correlation
    from glfft.convolution.signal import correlate, fftconvolve, oaconvolve
    from glfft.convolution.templates import TemplateMatch
    from glfft.errors import GlfftError
    from glfft.files import spectra as spectrum
    from glfft.gl.context import open_context
    from glfft.gl.large_buffers import large_buffer
    from glfft.plan import Plan
    from glfft.profiling.profiler import Profiler

__version__ = "0.1.0"

# fmt: off
__all__ = [
    "Convolution", "Deconvolution", "GlfftError", "PeakFinder", "PhaseCorrelation", "Plan", "Profiler", "TemplateMatch",
    "algorithm_names", "correlate", "dct", "dctn", "deconvolve", "dst", "dstn", "fft", "fft2", "fftconvolve", "fftn",
    "hfft", "hfft2", "hfftn", "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ihfft", "ihfft2", "ihfftn",
    "interop", "irfft", "irfft2", "irfftn", "large_buffer", "next_fast_len", "oaconvolve", "open_context",
    "phase_correlation", "rfft", "rfft2", "rfftn", "scipy_backend", "snippets", "spectrum",
]
# fmt: on

# Public names are imported when first used: the help of the command line loads neither numpy nor moderngl. Names that
# are not here are modules, or else functions of arrays.
_DEFINED_IN = {
    "Convolution": "convolution",
    **dict.fromkeys(("Deconvolution", "deconvolve"), "convolution.deconvolution"),
    "GlfftError": "errors",
    "PeakFinder": "convolution.peaks",
    **dict.fromkeys(("PhaseCorrelation", "phase_correlation"), "convolution.phase"),
    "Plan": "plan",
    "Profiler": "profiling.profiler",
    "TemplateMatch": "convolution.templates",
    "algorithm_names": "algorithms.registry",
    **dict.fromkeys(("correlate", "fftconvolve", "oaconvolve"), "convolution.signal"),
    "next_fast_len": "arrays.fast_lengths",
    "large_buffer": "gl.large_buffers",
    "open_context": "gl.context",
}
_MODULES = {"scipy_backend": "arrays.scipy_backend", "spectrum": "files.spectra"}


def __getattr__(name: str) -> Any:
    if name in __all__ and name not in (*_MODULES, "interop", "snippets"):
        value = getattr(import_module(f"{__name__}.{_DEFINED_IN.get(name, 'arrays')}"), name)
    else:
        from importlib.util import find_spec  # only here: it takes ten milliseconds to import

        module = f"{__name__}.{_MODULES.get(name, name)}"
        if name.startswith("_") or find_spec(module) is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = import_module(module)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
