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
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

from glfft.errors import ContextError, NotCurrentError, ReleasedError
from glfft.gl.forks import refuse_forked

_EGL_DRAW = 0x3059
_EGL_READ = 0x305A
_GL_VERSION = 0x1F02
_GL_COPY_WRITE_BUFFER = 0x8F37  # also the name of its binding
_GL_BUFFER_SIZE = 0x8764
_GL_STATIC_READ = 0x88E5
_GL_PROGRAM_PIPELINE_BINDING = 0x825A

_ADDRESS = ctypes.c_void_p

NOT_CURRENT = (
    "The context is not the current one of this thread; make it current before ('with ctx:' does so for contexts "
    "without a window), and give each thread a context and plans of its own."
)


def _nothing() -> None:
    pass


class _Egl:
    """A window system, as far as current contexts go: `current` is the address of the calling thread's, or None."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.current = _function(library, "eglGetCurrentContext", _ADDRESS)
        self._display = _function(library, "eglGetCurrentDisplay", _ADDRESS)
        self._surface = _function(library, "eglGetCurrentSurface", _ADDRESS, ctypes.c_int)
        self._make_current = _function(library, "eglMakeCurrent", ctypes.c_uint, *[_ADDRESS] * 4)

    def leave(self) -> Callable[[], object]:
        """Make no context current in this thread. Returns a function that makes the present one current again."""
        display, context = self._display(), self.current()
        draw, read = self._surface(_EGL_DRAW), self._surface(_EGL_READ)
        self._make_current(display, None, None, None)
        return lambda: self._make_current(display, draw, read, context)


class _Glx:
    def __init__(self, library: ctypes.CDLL) -> None:
        drawable = ctypes.c_ulong
        self.current = _function(library, "glXGetCurrentContext", _ADDRESS)
        self._display = _function(library, "glXGetCurrentDisplay", _ADDRESS)
        self._draw = _function(library, "glXGetCurrentDrawable", drawable)
        self._read = _function(library, "glXGetCurrentReadDrawable", drawable)
        self._make_current = _function(
            library, "glXMakeContextCurrent", ctypes.c_int, _ADDRESS, drawable, drawable, _ADDRESS
        )

    def leave(self) -> Callable[[], object]:
        display, draw, read, context = self._display(), self._draw(), self._read(), self.current()
        self._make_current(display, 0, 0, None)
        return lambda: self._make_current(display, draw, read, context)


class _Wgl:
    def __init__(self, library: ctypes.CDLL) -> None:
        self.current = _function(library, "wglGetCurrentContext", _ADDRESS)
        self._device = _function(library, "wglGetCurrentDC", _ADDRESS)
        self._make_current = _function(library, "wglMakeCurrent", ctypes.c_int, _ADDRESS, _ADDRESS)

    def leave(self) -> Callable[[], object]:
        device, context = self._device(), self.current()
        self._make_current(None, None)
        return lambda: self._make_current(device, context)


def _function(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    # Libraries of the type PyDLL keep Python's global lock during a call; these functions return at once.
    found = library[name]
    found.restype, found.argtypes = result, arguments
    return found


WindowSystem = _Egl | _Glx | _Wgl

# By the libraries' names. GLX is in libGL too where there is no libGLX.
_KNOWN: dict[str, Callable[[ctypes.CDLL], WindowSystem]] = (
    {"opengl32": _Wgl} if sys.platform == "win32" else {"libEGL.so.1": _Egl, "libGLX.so.0": _Glx, "libGL.so.1": _Glx}
)
_loaded: dict[str, WindowSystem] = {}


def _systems() -> list[WindowSystem]:
    """The window systems whose libraries this process has loaded. No other one can have made a context."""
    for name, kind in _KNOWN.items():
        if name not in _loaded:
            try:
                library = ctypes.PyDLL(name, mode=getattr(os, "RTLD_NOLOAD", 0) | getattr(os, "RTLD_LAZY", 0))
                _loaded[name] = kind(library)
            except (OSError, AttributeError):
                continue
    return list(_loaded.values())


def current_system() -> WindowSystem | None:
    """The window system of the calling thread's current context; None if no context of a known one is current."""
    return next((system for system in _systems() if system.current()), None)


def leave() -> Callable[[], object]:
    """Make no context current in this thread. Returns a function that makes the present one current again."""
    system = current_system()
    return _nothing if system is None else system.leave()


def can_egl_be_current() -> bool:
    """Whether EGL can make a context current in this thread: not while a context of another window system is."""
    return isinstance(current_system(), _Egl | None)


def can_be_entered(ctx: moderngl.Context) -> bool:
    """Whether moderngl can make a context current in this thread, or at least fails without harm.

    moderngl cannot make a window library's context current. If a context of GLX is current in another thread, GLX makes
    it current in two threads or ends the process, depending on the driver; so it is done in the main thread only.
    """
    loader = getattr(ctx.mglo, "_context", None)
    system = type(loader).__module__
    return system == "egl" or (system in ("x11", "wgl") and threading.current_thread() is threading.main_thread())


def switch_to(ctx: moderngl.Context) -> Callable[[], object]:
    """Make a context current in this thread. Returns a function that makes the one before current again. Raises
    NotCurrentError where the context is current in another thread or belongs to a window library, and nothing has
    changed; ReleasedError where it has been released.
    """
    refuse_released(ctx)
    if not can_be_entered(ctx):
        raise NotCurrentError(NOT_CURRENT)
    before = current_system()
    address = before and before.current()
    # Were another context left current, it would stay so where entering fails, and the failure would not show.
    put_back = leave()
    ctx.__enter__()
    now = current_system()
    if now is None:
        put_back()
        raise NotCurrentError(
            "The context is current in another thread and cannot be used here; leave it there first "
            "(ctx.__exit__(None, None, None)), or use another context."
        )
    if now is before and now.current() == address:
        return _nothing

    def back() -> None:
        leave()
        put_back()

    return back


class CurrentCheck:
    """Tells whether a context is the calling thread's current one, by two quick calls.

    The window system tells the address of the current context. A later context may get the address of one that is gone,
    so a mark in the context itself must be there too. A context that shares objects with it is accepted as well: a
    program may draw several windows in turn.

    Args:
        ctx: the context, which must be current.
        load: gives a raw GL function by name, result and argument types.

    Raises:
        NotCurrentError: no context is current.
    """

    def __init__(self, ctx: moderngl.Context, load: Callable[..., Any]) -> None:
        self._ctx = ctx
        self._mglo = mglo = ctx.mglo
        system = current_system()
        if system is None and not load(ctx, "glGetString", ctypes.c_char_p, ctypes.c_uint)(_GL_VERSION):
            raise NotCurrentError(NOT_CURRENT)
        # An unknown window system cannot be asked, so any context with the mark is accepted.
        self._address = address = system.current if system is not None else lambda: None
        self._marks = marks = _Marks(ctx, load)
        self._is_marked = is_marked = marks.is_here
        # The marks of this context and of those that share objects with it, by address.
        self._accepted = accepted = {address(): marks.leave()}
        self._content = _SharedContent(ctx, load)

        def require() -> None:
            """Raise unless the context is current.

            Raises:
                NotCurrentError: it is not.
                ReleasedError: it has been released, closed with its window, or lost: where the driver has lost a
                    context, as when the device is reset, no object is found in it.
                ContextError: this process was forked from the one that opened it.
            """
            mark = accepted.get(address())
            if mark is None or not is_marked(mark) or ctx.mglo is not mglo:
                self._look_closer()

        # A closure, which is faster than a method: every run of a plan begins with this call.
        self.require = require

    def is_current(self) -> bool:
        """Whether the context is current; False if it has been released or was opened before a fork."""
        try:
            self.require()
        except (ContextError, ReleasedError):
            return False
        return True

    def is_here(self) -> bool:
        """Whether the current context is this one, or one that shares objects with it and was accepted before."""
        mark = self._accepted.get(self._address())
        return mark is not None and bool(self._is_marked(mark)) and self._ctx.mglo is self._mglo

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
        address = self._address()
        self.forget_dead()
        if not self._accepted:
            raise ReleasedError(
                "This context is gone: it was closed with its window, or the driver has lost it; use one that is open, "
                "and make plans in it."
            )
        if not address or not self._content.is_here():
            raise NotCurrentError(NOT_CURRENT)
        self._accepted[address] = self._marks.leave()


class _Marks:
    """Objects whose names tell the contexts of this process apart: program pipelines, which contexts never share.

    The name of a mark is one of the last thousand that contexts give out first. glfft and moderngl make no other
    program pipelines.

    The context must be current. `load` is as for `CurrentCheck`.
    """

    _CHOICE = 1024
    _count = itertools.count()

    def __init__(self, ctx: moderngl.Context, load: Callable[..., Any]) -> None:
        integer, count = ctypes.c_uint, ctypes.c_int
        self.is_here: Callable[[ctypes.c_uint], int] = load(ctx, "glIsProgramPipeline", ctypes.c_ubyte, integer)
        self._bind = load(ctx, "glBindProgramPipeline", None, integer)
        self._generate = load(ctx, "glGenProgramPipelines", None, count, ctypes.POINTER(integer))
        self._delete = load(ctx, "glDeleteProgramPipelines", None, count, ctypes.POINTER(integer))
        self._get_integer = load(ctx, "glGetIntegerv", None, integer, ctypes.POINTER(count))

    def leave(self) -> ctypes.c_uint:
        """Mark the current context with an object that no other context has, but one a thousand contexts before.
        Returns its name, as ctypes passes it on soonest.
        """
        names = (ctypes.c_uint * self._CHOICE)()
        self._generate(len(names), names)
        chosen = next(self._count) % len(names)
        mark = ctypes.c_uint(names[chosen])
        before = ctypes.c_int(0)
        self._get_integer(_GL_PROGRAM_PIPELINE_BINDING, ctypes.byref(before))
        # The object exists once its name was bound.
        self._bind(mark)
        self._bind(before.value)
        # OpenGL ignores zeros.
        names[chosen] = 0
        self._delete(len(names), names)
        return mark


class _SharedContent:
    """A buffer whose content tells its context, and those that share objects with it, from all others.

    Names of objects are the same in every context, on NVIDIA those of fences too; only contents differ.

    The context must be current. `load` is as for `CurrentCheck`.
    """

    def __init__(self, ctx: moderngl.Context, load: Callable[..., Any]) -> None:
        integer, size = ctypes.c_uint, ctypes.c_ssize_t
        self._bind = load(ctx, "glBindBuffer", None, integer, integer)
        self._get_integer = load(ctx, "glGetIntegerv", None, integer, ctypes.POINTER(ctypes.c_int))
        self._is_buffer = load(ctx, "glIsBuffer", ctypes.c_ubyte, integer)
        self._get_size = load(ctx, "glGetBufferParameteriv", None, integer, integer, ctypes.POINTER(ctypes.c_int))
        self._read = load(ctx, "glGetBufferSubData", None, integer, size, size, ctypes.c_char_p)
        generate = load(ctx, "glGenBuffers", None, ctypes.c_int, ctypes.POINTER(integer))
        write = load(ctx, "glBufferData", None, integer, size, ctypes.c_char_p, integer)
        self._content = uuid.uuid4().bytes
        name = integer(0)
        generate(1, ctypes.byref(name))
        self._name = name.value
        with self._bound():
            write(_GL_COPY_WRITE_BUFFER, len(self._content), self._content, _GL_STATIC_READ)
        # Another context may ask for it from another thread.
        load(ctx, "glFinish", None)()

    def is_here(self) -> bool:
        """Whether the current context has this buffer."""
        if not self._is_buffer(self._name):
            return False
        size, found = ctypes.c_int(0), ctypes.create_string_buffer(len(self._content))
        with self._bound():
            self._get_size(_GL_COPY_WRITE_BUFFER, _GL_BUFFER_SIZE, ctypes.byref(size))
            if size.value == len(self._content):
                self._read(_GL_COPY_WRITE_BUFFER, 0, len(found), found)
        return found.raw == self._content

    @contextmanager
    def _bound(self) -> Iterator[None]:
        before = ctypes.c_int(0)
        self._get_integer(_GL_COPY_WRITE_BUFFER, ctypes.byref(before))
        self._bind(_GL_COPY_WRITE_BUFFER, self._name)
        try:
            yield
        finally:
            self._bind(_GL_COPY_WRITE_BUFFER, before.value)


def refuse_released(ctx: moderngl.Context) -> None:
    """Refuse a context that can no longer be used. Raises ReleasedError where it has been released."""
    if isinstance(ctx.mglo, moderngl.InvalidObject):
        raise ReleasedError("This context has been released; open a new one.")
