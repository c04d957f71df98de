"""The raw functions of a context's driver, and its errors.

moderngl leaves out limits, timestamp queries and more. The function loader of moderngl's context has them, which is
private: `load_function` is the one place that touches it, and a test fails loudly if it moves.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import moderngl

from glfft.errors import ContextError

_ERRORS_READ_AT_MOST = 64

_INT, _UINT, _SIZE, _ADDRESS, _TEXT = ctypes.c_int, ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_char_p
_BOOL, _LONG, _INTS, _UINTS = ctypes.c_ubyte, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(_UINT)
_NAMES = (None, _INT, _UINTS)

# Results and arguments of the functions that `Functions` gives (OpenGL 4.4).
_TYPES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("glBindBuffer", "glBindSampler", "glBindTexture", "glQueryCounter"), (None, _UINT, _UINT)),
    **dict.fromkeys(("glActiveTexture", "glBindProgramPipeline"), (None, _UINT)),
    **{f"gl{do}{what}": _NAMES for do in ("Gen", "Delete") for what in ("ProgramPipelines", "Queries", "Textures")},
    "glBindImageTexture": (None, _UINT, _UINT, _INT, _BOOL, _INT, _UINT, _UINT),
    "glBufferPageCommitmentARB": (None, _UINT, _SIZE, _SIZE, _BOOL),
    "glBufferStorage": (None, _UINT, _SIZE, _ADDRESS, _UINT), "glClientWaitSync": (_UINT, _ADDRESS, _UINT, _LONG),
    "glCopyImageSubData": (None, *(_UINT, _UINT, *[_INT] * 4) * 2, *[_INT] * 3), "glDeleteSync": (None, _ADDRESS),
    "glFenceSync": (_ADDRESS, _UINT, _UINT), "glGetActiveUniformName": (None, _UINT, _UINT, _INT, _INTS, _TEXT),
    "glGetInteger64v": (None, _UINT, ctypes.POINTER(ctypes.c_int64)), "glGetIntegerv": (None, _UINT, _INTS),
    "glGetQueryObjectui64v": (None, _UINT, _UINT, ctypes.POINTER(_LONG)),
    "glGetQueryObjectuiv": (None, _UINT, _UINT, _UINTS), "glGetString": (_TEXT, _UINT),
    "glGetTexLevelParameteriv": (None, _UINT, _INT, _UINT, _INTS), "glGetTexParameteriv": (None, _UINT, _UINT, _INTS),
    "glGetUniformIndices": (None, _UINT, _INT, ctypes.POINTER(_TEXT), _UINTS), "glIsProgramPipeline": (_BOOL, _UINT),
    "glMapBufferRange": (_ADDRESS, _UINT, _SIZE, _SIZE, _UINT), "glPixelStorei": (None, _UINT, _INT),
    "glPopDebugGroup": (None,), "glProgramUniform1i": (None, _UINT, _INT, _INT),
    "glPushDebugGroup": (None, _UINT, _UINT, _INT, _TEXT), "glTexBuffer": (None, _UINT, _UINT, _UINT),
    "glTexStorage2D": (None, _UINT, _INT, *[_UINT] * 3), "glTexStorage3D": (None, _UINT, _INT, *[_UINT] * 4),
    "glWaitSync": (None, _ADDRESS, _UINT, _LONG),
}  # fmt: skip


class Functions:
    """The raw functions of a context, which must be current, by OpenGL's names, each looked up when first used."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx

    def __getattr__(self, name: str) -> Any:
        function = load_function(self._ctx, name, *_TYPES[name])
        setattr(self, name, function)
        return function

    def number(self, function: str, *arguments: Any) -> int:
        """The number that a function writes to where its last argument points."""
        value = _TYPES[function][-1]._type_()
        getattr(self, function)(*arguments, ctypes.byref(value))
        return value.value

    def integer(self, name: int) -> int:
        """State of one integer, by OpenGL's number for it."""
        values = (ctypes.c_int * 4)()  # room for four: a name of more values must not write past the end
        self.glGetIntegerv(name, values)
        return int(values[0])


def clear_errors(ctx: moderngl.Context) -> None:
    """Forget GL errors left by earlier calls, so that the next `check_errors` speaks of ours only."""
    for _ in range(_ERRORS_READ_AT_MOST):
        if ctx.error == "GL_NO_ERROR":
            return


def check_errors(ctx: moderngl.Context, doing: str) -> None:
    """Raise ContextError if GL has recorded an error; `doing` completes "OpenGL reported GL_... while ..."."""
    error = ctx.error
    if error != "GL_NO_ERROR":
        clear_errors(ctx)
        if error == "GL_OUT_OF_MEMORY":
            raise ContextError(f"The device has not enough memory left for {doing}; choose a smaller size.")
        if error == "GL_CONTEXT_LOST":
            raise ContextError(f"The driver lost the context while {doing}, perhaps by a reset; open a new one.")
        raise ContextError(f"OpenGL reported {error} while {doing}.")


@contextmanager
def errors_checked(ctx: moderngl.Context, doing: str) -> Iterator[None]:
    """Raise ContextError if GL records an error in this block, as without memory, of which moderngl says nothing."""
    clear_errors(ctx)
    yield
    check_errors(ctx, doing)


def load_function(ctx: moderngl.Context, name: str, result: Any, *arguments: Any) -> Any:
    """A raw GL function, typed for ctypes. Raises ContextError where moderngl or the driver has none."""
    try:
        address = ctx.mglo._context.load_opengl_function(name)  # pyright: ignore[reportAttributeAccessIssue]
    except AttributeError as error:
        said = f"This moderngl ({version('moderngl')}) no longer gives access to raw GL functions"
        raise ContextError(f"{said}; install a version this glfft was tested with (5.12 or 5.13).") from error
    if not address:
        raise ContextError(f"The OpenGL driver has no function {name}.")
    return ctypes.CFUNCTYPE(result, *arguments)(address)
