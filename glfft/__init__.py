"""Fast Fourier transforms in OpenGL compute shaders: textures in, textures out, inside the frame."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from glfft.gl import forks as _forks  # noqa: F401  has to know of every fork from here on

if TYPE_CHECKING:
    from glfft import scipy_backend, snippets
    from glfft.algorithms.registry import algorithm_names
    from glfft.arrays import (
        dct,
        dctn,
        dst,
        dstn,
        fft,
        fft2,
        fftn,
        hfft,
        hfft2,
        hfftn,
        idct,
        idctn,
        idst,
        idstn,
        ifft,
        ifft2,
        ifftn,
        ihfft,
        ihfft2,
        ihfftn,
        irfft,
        irfft2,
        irfftn,
        next_fast_len,
        rfft,
        rfft2,
        rfftn,
    )
    from glfft.errors import GlfftError
    from glfft.gl.context import open_context
    from glfft.plan import Plan
    from glfft.profiling.profiler import Profiler

__version__ = "0.1.0"


__all__ = [
    "GlfftError",
    "Plan",
    "Profiler",
    "algorithm_names",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftn",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "open_context",
    "rfft",
    "rfft2",
    "rfftn",
    "scipy_backend",
    "snippets",
]

# Where the public names that are no modules are defined. They are imported when first used: neither numpy nor moderngl
# is loaded for the help of the command line.
_DEFINED_IN = {
    "GlfftError": "errors",
    "Plan": "plan",
    "Profiler": "profiling.profiler",
    "algorithm_names": "algorithms.registry",
    "open_context": "gl.context",
} | dict.fromkeys(
    (
        "dct",
        "dctn",
        "dst",
        "dstn",
        "fft",
        "fft2",
        "fftn",
        "hfft",
        "hfft2",
        "hfftn",
        "idct",
        "idctn",
        "idst",
        "idstn",
        "ifft",
        "ifft2",
        "ifftn",
        "ihfft",
        "ihfft2",
        "ihfftn",
        "irfft",
        "irfft2",
        "irfftn",
        "next_fast_len",
        "rfft",
        "rfft2",
        "rfftn",
    ),
    "arrays",
)


def __getattr__(name: str) -> Any:
    if name in _DEFINED_IN:
        value = getattr(import_module(f"{__name__}.{_DEFINED_IN[name]}"), name)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        try:
            value = import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
