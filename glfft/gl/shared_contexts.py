"""A second context beside a program's own, with the same buffers and fences: commands of both may run side by side."""

import ctypes

import moderngl

from glfft.errors import ContextError
from glfft.gl.context import REQUIRED_VERSION, state_of

_EGL_NONE = 0x3038
_EGL_CONFIG_ID = 0x3028
_EGL_CONTEXT_MAJOR_VERSION, _EGL_CONTEXT_MINOR_VERSION = 0x3098, 0x30FB

_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int


class SharedContext:
    """A second context that shares the objects of `ctx`, which is EGL's and current, and again after each `with` block.
    Calls in the block go to this one through the other's objects: buffers and fences have the same names in both.
    Raises ContextError for another window system's, or where EGL makes none, NotCurrentError.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        state_of(ctx).check.require()
        try:
            self._egl = egl = ctypes.CDLL("libEGL.so.1")
        except OSError as error:
            raise ContextError(f"A context that shares objects takes EGL, which is not installed ({error}).") from None
        for name in ("eglGetCurrentDisplay", "eglGetCurrentContext", "eglCreateContext"):
            getattr(egl, name).restype = _POINTER
        self._display, self._other = _POINTER(egl.eglGetCurrentDisplay()), _POINTER(egl.eglGetCurrentContext())
        if not self._other:
            raise ContextError("The context is not EGL's; open it with open_context(), so that another can share it.")
        major, minor = divmod(REQUIRED_VERSION // 10, 10)
        wanted = (_EGL_CONTEXT_MAJOR_VERSION, major, _EGL_CONTEXT_MINOR_VERSION, minor, _EGL_NONE)
        attributes = (_INTEGER * len(wanted))(*wanted)
        number, config, count = _INTEGER(0), _POINTER(), _INTEGER(0)
        egl.eglQueryContext(self._display, self._other, _EGL_CONFIG_ID, ctypes.byref(number))
        of_number = (_INTEGER * 3)(_EGL_CONFIG_ID, number.value, _EGL_NONE)
        egl.eglChooseConfig(self._display, of_number, ctypes.byref(config), 1, ctypes.byref(count))
        self._context = _POINTER(egl.eglCreateContext(self._display, config, self._other, attributes))
        if not self._context:
            raise ContextError("EGL made no second context that shares objects with this one; go on without it.")

    def release(self) -> None:
        """Free the context; what was made in it stays with the other one."""
        if self._context:
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = _POINTER()

    def __enter__(self) -> "SharedContext":
        self._make_current(self._context)
        return self

    def __exit__(self, *_: object) -> None:
        self._make_current(self._other)

    def _make_current(self, context: ctypes.c_void_p) -> None:
        if not self._egl.eglMakeCurrent(self._display, None, None, context):
            raise ContextError("EGL could not change the current context; it may be current in another thread.")
