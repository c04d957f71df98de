"""Raw functions of a context's driver, for what moderngl leaves out: limits, timestamp queries, fences, mapped buffers.

The function loader of moderngl's own context is private. `load_function` is the one place that touches it, and a test
fails if it moves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import moderngl

from glfft.errors import ContextError


def load_function(ctx: moderngl.Context, name: str, result: Any, *arguments: Any) -> Any:
    """A raw GL function of this context, typed for ctypes.

    Raises:
        ContextError: moderngl's private loader has moved, or the driver lacks the function.
    """
    try:
        address = ctx.mglo._context.load_opengl_function(name)  # pyright: ignore[reportAttributeAccessIssue]
    except AttributeError as error:
        raise ContextError(
            f"This moderngl ({version('moderngl')}) no longer gives access to raw GL functions; "
            "install a version this glfft was tested with (5.12 or 5.13)."
        ) from error
    if not address:
        raise ContextError(f"The OpenGL driver has no function {name}.")
    return ctypes.CFUNCTYPE(result, *arguments)(address)


def integer_reader(ctx: moderngl.Context) -> Callable[[int], int]:
    """A function that reads state of one integer by OpenGL's number for it (glGetIntegerv)."""
    get = load_function(ctx, "glGetIntegerv", None, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))

    def read(name: int) -> int:
        # Room for four: a name of more values must not write past the end.
        values = (ctypes.c_int * 4)()
        get(name, values)
        return int(values[0])

    return read
