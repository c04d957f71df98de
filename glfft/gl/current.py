"""Which context is current in the calling thread: ask, change and restore it.

Every GL call goes to the calling thread's current context, whichever object it is made through. A context can be
current in one thread at a time. moderngl tells neither which context is current nor whether making one current has
worked, so this module asks the window system: EGL, GLX or WGL.
"""

import ctypes
import itertools
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import moderngl

from glfft.errors import ContextError, NotCurrentError, ReleasedError
from glfft.gl.forks import refuse_forked
from glfft.gl.functions import Functions

_GL_VERSION = 0x1F02
_GL_PROGRAM_PIPELINE_BINDING = 0x825A

NOT_CURRENT = (
    "The context is not the current one of this thread; make it current before ('with ctx:' does so for contexts "
    "without a window), and give each thread a context and plans of its own."
)

# What tells the current context, what makes one current, and what tells the arguments of that before the context.
_EGL_SURFACES = (("eglGetCurrentSurface", 0x3059), ("eglGetCurrentSurface", 0x305A))  # to draw to, and to read from
_EGL = ("eglGetCurrentContext", "eglMakeCurrent", ("eglGetCurrentDisplay",), *_EGL_SURFACES)
_GLX_DRAWABLES = (("glXGetCurrentDrawable",), ("glXGetCurrentReadDrawable",))
_GLX = ("glXGetCurrentContext", "glXMakeContextCurrent", ("glXGetCurrentDisplay",), *_GLX_DRAWABLES)
_WGL = ("wglGetCurrentContext", "wglMakeCurrent", ("wglGetCurrentDC",))
_marked = itertools.count()


class WindowSystem:
    """A window system, as far as current contexts go: `current` is the address of the calling thread's, or None."""

    def __init__(self, library: ctypes.CDLL, current: str, make_current: str, *others: tuple[Any, ...]) -> None:
        # Libraries of the type PyDLL keep Python's global lock during a call; these functions return at once.
        for name in (current, make_current, *(name for name, *_ in others)):
            getattr(library, name).restype = ctypes.c_void_p
        self.is_egl = current == _EGL[0]
        self.current: Callable[[], int | None] = getattr(library, current)
        self._others = [(getattr(library, name), given) for name, *given in others]
        self._make_current = getattr(library, make_current)
        self._make_current.restype, self._make_current.argtypes = ctypes.c_int, [ctypes.c_void_p] * (len(others) + 1)

    def ways_back(self) -> tuple[Callable[[], object], Callable[[], object]]:
        """Two functions: the first, for one call, makes the present context current again, or none if it is gone (`any`
        calls until one succeeds); the second makes none current. Both are in C, where no interrupt comes in between.
        """
        before = [*(function(*given) for function, given in self._others), self.current()]
        make_none = partial(self._make_current, before[0], *[None] * len(self._others))  # of a display or device
        return partial(any, map(partial.__call__, (partial(self._make_current, *before), make_none))), make_none


# By the libraries' names. GLX is in libGL too where there is no libGLX.
_KNOWN: dict[str, tuple[Any, ...]] = (
    {"opengl32": _WGL} if sys.platform == "win32" else {"libEGL.so.1": _EGL, "libGLX.so.0": _GLX, "libGL.so.1": _GLX}
)
_loaded: dict[str, WindowSystem] = {}


def current_system() -> WindowSystem | None:
    """The window system of the calling thread's current context; None if no context of a known one is current."""
    # Whose library this process has not loaded cannot have made a context.
    for name in _KNOWN.keys() - _loaded.keys():
        with suppress(OSError, AttributeError):
            library = ctypes.PyDLL(name, mode=getattr(os, "RTLD_NOLOAD", 0) | getattr(os, "RTLD_LAZY", 0))
            _loaded[name] = WindowSystem(library, *_KNOWN[name])
    return next((_loaded[name] for name in _KNOWN if name in _loaded and _loaded[name].current()), None)


def leave() -> Callable[[], object]:
    """Make no context current in this thread. Returns a function that makes the present one current again."""
    system = current_system()
    if system is None:
        return lambda: None
    put_back, make_none = system.ways_back()
    make_none()
    return put_back


def can_egl_be_current() -> bool:
    """Whether EGL can make a context current in this thread: not while a context of another window system is."""
    system = current_system()
    return system is None or system.is_egl


def can_be_entered(ctx: moderngl.Context) -> bool:
    """Whether moderngl can make a context current in this thread, or fails without harm: not a window library's. If one
    of GLX is current in another thread, GLX makes it current in two or ends the process, so only in the main thread.
    """
    system = type(getattr(ctx.mglo, "_context", None)).__module__
    return system == "egl" or (system in ("x11", "wgl") and threading.current_thread() is threading.main_thread())


def switch_to(ctx: moderngl.Context) -> Callable[[], object]:
    """Make a context current in this thread. Returns a function that makes the one before current again. Raises, and
    changes nothing: NotCurrentError, if current in another thread or a window library's; ReleasedError, if released.
    """
    refuse_released(ctx)
    if not can_be_entered(ctx):
        raise NotCurrentError(NOT_CURRENT)
    before = current_system()
    put_back = (lambda: None) if before is None else before.ways_back()[0]
    try:
        # Were another context left current, it would stay so where entering fails, and the failure would not show.
        leave()
        ctx.__enter__()
        now = current_system()
        if now is None:
            advice = "leave it there first (ctx.__exit__(None, None, None)), or use another context"
            raise NotCurrentError(f"The context is current in another thread and cannot be used here; {advice}.")
        make_none = now.ways_back()[1]
    except BaseException:  # Ctrl-C too
        leave()
        put_back()
        raise
    if before is None:
        return make_none
    return put_back if now is before else lambda: (make_none(), put_back())


class CurrentCheck:
    """Tells whether a context, now current, is the calling thread's current one, by two quick calls: the window system
    tells the current one's address, a mark in it tells it from a later one there. Raises NotCurrentError without one.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx, gl = ctx, Functions(ctx)
        mglo = ctx.mglo
        system = current_system()
        if system is None and not gl.glGetString(_GL_VERSION):
            raise NotCurrentError(NOT_CURRENT)
        # An unknown window system cannot be asked, so any context with the mark is accepted.
        self._address = address = system.current if system is not None else lambda: None
        self._is_marked = is_marked = gl.glIsProgramPipeline
        # The context's mark by its address; nothing once it is gone.
        self._accepted = accepted = {address(): _leave_mark(gl)}

        def require() -> None:
            """Raise NotCurrentError unless the context is current, ReleasedError if gone, ContextError if forked."""
            mark = accepted.get(address())
            if mark is None or not is_marked(mark) or ctx.mglo is not mglo:
                self._look_closer()

        self.require = require  # a closure, which is faster than a method: every run of a plan begins with this call

    def is_current(self) -> bool:
        """Whether the context is current; False if it has been released or was opened before a fork."""
        try:
            self.require()
        except (ContextError, ReleasedError):
            return False
        return True

    def is_gone(self) -> bool:
        """Whether the context has been released, or another one was found at its address."""
        return not self._accepted or isinstance(self._ctx.mglo, moderngl.InvalidObject)

    def lose(self) -> None:
        """Accept no context any more, as in a forked child."""
        self._accepted.clear()

    def forget_dead(self) -> None:
        """Forget the address of the current context where another one had it before."""
        mark = self._accepted.get(self._address())
        if mark is not None and not self._is_marked(mark):
            del self._accepted[self._address()]

    def _look_closer(self) -> None:
        refuse_forked()
        refuse_released(self._ctx)
        self.forget_dead()
        if not self._accepted:
            raise ReleasedError("This context is gone: its window was closed, or the driver lost it; use an open one.")
        raise NotCurrentError(NOT_CURRENT)


def _leave_mark(gl: Functions) -> ctypes.c_uint:
    """Mark the current context by a program pipeline, which contexts never share, of a name that no recent one has."""
    names = (ctypes.c_uint * 1024)()
    gl.glGenProgramPipelines(len(names), names)
    chosen = next(_marked) % len(names)
    mark = ctypes.c_uint(names[chosen])
    before = gl.integer(_GL_PROGRAM_PIPELINE_BINDING)
    gl.glBindProgramPipeline(mark)  # the object exists once its name was bound
    gl.glBindProgramPipeline(before)
    names[chosen] = 0  # OpenGL ignores zeros
    gl.glDeleteProgramPipelines(len(names), names)
    return mark


def refuse_released(ctx: moderngl.Context) -> None:
    """Refuse a context that can no longer be used. Raises ReleasedError where it has been released."""
    if isinstance(ctx.mglo, moderngl.InvalidObject):
        raise ReleasedError("This context has been released; open a new one.")
