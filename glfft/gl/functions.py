"""The raw functions of a context's driver, and its errors.

moderngl leaves out a few things an FFT needs (shared-memory and image-unit limits, timestamp queries). Those are
reached through the function loader of moderngl's own context, which is private: `load_function` is the one place that
touches it, and a test fails loudly if it moves.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import moderngl

from glfft.errors import ContextError

_ERRORS_READ_AT_MOST = 64


def clear_errors(ctx: moderngl.Context) -> None:
    """Forget GL errors left by earlier calls, so that the next `check_errors` speaks of ours only."""
    for _ in range(_ERRORS_READ_AT_MOST):
        if ctx.error == "GL_NO_ERROR":
            return


def check_errors(ctx: moderngl.Context, doing: str) -> None:
    """Raise if GL has recorded an error.

    Args:
        doing: what was being done, such as "making textures", to complete "OpenGL reported GL_... while ...".

    Raises:
        ContextError: there was one.
    """
    error = ctx.error
    if error != "GL_NO_ERROR":
        clear_errors(ctx)
        if error == "GL_OUT_OF_MEMORY":
            raise ContextError(f"The device has not enough memory left for {doing}; choose a smaller size.")
        if error == "GL_CONTEXT_LOST":
            raise ContextError(
                f"The driver lost the context while {doing}, as when the device is reset; open a new one."
            )
        raise ContextError(f"OpenGL reported {error} while {doing}.")


@contextmanager
def errors_checked(ctx: moderngl.Context, doing: str) -> Iterator[None]:
    """Raise ContextError, as `check_errors` does, if GL records an error in this block: moderngl reports nothing if the
    device has no memory left.
    """
    clear_errors(ctx)
    yield
    check_errors(ctx, doing)


def load_function(ctx: moderngl.Context, name: str, result: Any, *arguments: Any) -> Any:
    """A raw GL function of this context, typed for ctypes. Raises ContextError where moderngl's private loader has
    moved, or the driver lacks the function.
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
