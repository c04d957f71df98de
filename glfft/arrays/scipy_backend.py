"""A backend for scipy.fft: after `scipy.fft.set_backend(glfft.scipy_backend)`, glfft runs its transforms.

The module follows scipy's protocol (uarray). float16, float32 and complex64 are transformed in single precision, and
float64, complex128 and integers in double precision. Results have scipy's types. `workers=` and `overwrite_x=` change
nothing. Some calls go to scipy's next backend, by default scipy's own: in double precision where shaders have no
float64, of long doubles, lists and arrays of objects, of lengths that no algorithm can do on the device, after a fork
of a process that had used OpenGL, Hankel transforms, and invalid calls, so that the error is scipy's.
"""

import os
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from glfft import arrays
from glfft.errors import DataError, LimitError, OptionError, ShapeError, whole_number
from glfft.gl.forks import was_forked

__ua_domain__ = "numpy.scipy.fft"

_SINGLE = tuple(map(np.dtype, (np.float16, np.float32, np.complex64)))
_DOUBLE = tuple(map(np.dtype, (np.float64, np.complex128)))
_signature = cache(signature)


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a function of scipy.fft, or NotImplemented for scipy to ask its next backend."""
    # In scipy, the functions with a 2 in their name are those with an n, for two axes if none are given.
    function = getattr(arrays, method.__name__.replace("2", "n"), None)
    if function is None:
        return NotImplemented
    bound = _signature(method).bind(*args, **kwargs)
    bound.apply_defaults()
    given = bound.arguments
    x, workers, plan = given.pop("x"), given.pop("workers"), given.pop("plan", None)
    del given["overwrite_x"]
    precision, count = _precision(x), 1 if workers is None else whole_number(workers)
    # scipy refuses some counts of workers, and all plans, and says so.
    if not count or count < -(os.cpu_count() or 1) or plan is not None or precision is None or was_forked():
        return NotImplemented
    # Over no axes, scipy gives `x` itself. It passes over orthogonalize= where numbers are complex.
    none_given = any(given.get(name) is not None and np.size(given[name]) == 0 for name in ("axes", "s"))
    passed_over = given.get("orthogonalize") is not None and np.iscomplexobj(x)
    if passed_over or ("axes" in given and (np.ndim(x) == 0 or none_given)):
        return NotImplemented
    try:
        return function(x, **given, precision=precision)
    except (ShapeError, OptionError, DataError, LimitError):
        return NotImplemented


def _precision(x: Any) -> str | None:
    """The one in which scipy would transform it; None for what is not taken."""
    if not isinstance(x, np.ndarray) or isinstance(x, np.ma.MaskedArray | np.matrix):
        return None
    kind = x.dtype.newbyteorder("=")
    if kind in _SINGLE:
        return "single"
    return "double" if kind in _DOUBLE or kind.kind in "biu" else None  # and whole numbers
