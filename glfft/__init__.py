"""Fast Fourier transforms in OpenGL compute shaders: textures in, textures out, inside the frame."""

from glfft import snippets
from glfft.algorithms.registry import algorithms
from glfft.arrays import fft, fft2, ifft, ifft2, irfft, irfft2, rfft, rfft2
from glfft.checkout import find_neighbours
from glfft.errors import GlfftError
from glfft.gl import open_context
from glfft.plan import Plan
from glfft.profiler import Profiler

__version__ = "0.1.0"

find_neighbours()

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
