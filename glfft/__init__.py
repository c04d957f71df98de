"""Fast Fourier transforms in OpenGL compute shaders: textures in, textures out, inside the frame."""

from glfft import snippets
from glfft.algorithms.registry import algorithms
from glfft.arrays import fft, fft2, ifft, ifft2, irfft, irfft2, rfft, rfft2
from glfft.errors import GlfftError
from glfft.gl.context import open_context
from glfft.plan import Plan
from glfft.profiling.profiler import Profiler

__version__ = "0.1.0"


__all__ = [
    "GlfftError",
    "Plan",
    "Profiler",
    "algorithms",
    "fft",
    "fft2",
    "ifft",
    "ifft2",
    "irfft",
    "irfft2",
    "open_context",
    "rfft",
    "rfft2",
    "snippets",
]
