"""One window with an OpenGL 4.3 context: GLFW for the window and its input, moderngl for the context."""

import contextlib
import ctypes
import itertools
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Self

import glfw
import moderngl

from glfft.errors import ContextError, DisplayError
from glfft.gl.context import state_of
from glfft.gl.timed import waiting
from glfft.ui.widgets import printable

_PAUSE = 0.1  # how long a loop pauses where nothing of its window can be seen, s; an event ends the pause
_FRAME = (16, 48)  # screen units that a window's frame and title may take, across and down
_kept: list[Any] = []  # callbacks: Xlib has their addresses only; Python would free them
_open: list[Any] = []  # the windows that are open, the newest last
KeyCallback = Callable[[int, int], None]  # a key callback receives the GLFW key code and the GLFW modifier bits


class Window:
    """A visible window and the moderngl context that draws into it, both open within its `with` block.

        with Window("glfft", (1280, 720)) as window:
            for _ in window.frames():
                ...draw into window.ctx.screen...

    The size is width and height in screen units (on a dense display a unit is several pixels), less where the screen
    is smaller; the window's own framebuffer has `samples` a pixel, 0 for no multisampling. `handle` is the
    GLFW window, for code that uses GLFW itself. The beginning of the block raises DisplayError if no display can be
    reached, ContextError if the display has no OpenGL 4.3. If the X server goes, or a user kills the window there, the
    process ends with a sentence and exit code 1: Xlib lets no program go on.
    """

    def __init__(self, title: str, size: tuple[int, int], samples: int = 0) -> None:
        self._wanted = title, size, samples
        self.handle: Any = None
        self._ctx: moderngl.Context | None = None
        self._key_callbacks: list[KeyCallback] = []
        self._windowed = (0, 0, *size)  # place and size before full screen
        self._opened = contextlib.ExitStack()

    def __enter__(self) -> Self:
        _start_glfw()
        with contextlib.ExitStack() as stack:
            _open.append(self)
            stack.callback(self._end)
            _end_with_a_sentence_if_lost(self._wanted[0])
            self.handle = _make_handle(*self._wanted)
            stack.callback(glfw.destroy_window, self.handle)
            glfw.make_context_current(self.handle)
            glfw.swap_interval(1)
            ctx = self._ctx = _wrap_current_context()
            stack.callback(ctx.release)
            glfw.set_key_callback(self.handle, self._on_key)
            self._opened = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self.handle = self._ctx = None

    def _end(self) -> None:
        _open.remove(self)
        if _open:  # which the end of GLFW would close
            glfw.make_context_current(_open[-1].handle)
        else:
            glfw.terminate()

    @property
    def ctx(self) -> moderngl.Context:
        """The moderngl context, current once the `with` block begins."""
        if self._ctx is None:
            raise ContextError("The window is not open; use it as 'with Window(...) as window:'.")
        return self._ctx

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the framebuffer in pixels; (0, 0) while minimised on some systems."""
        return glfw.get_framebuffer_size(self.handle)

    @property
    def hidden(self) -> bool:
        """Whether the window is minimised, so that nothing drawn is visible."""
        return min(self.size) == 0 or bool(glfw.get_window_attrib(self.handle, glfw.ICONIFIED))

    @property
    def content_scale(self) -> float:
        """The display's scale: 1 on ordinary displays, often 2 on dense ones."""
        return glfw.get_window_content_scale(self.handle)[0] or 1.0  # some systems say 0

    @property
    def should_close(self) -> bool:
        """Whether the user or `close` has asked to close the window."""
        return bool(glfw.window_should_close(self.handle))

    def close(self) -> None:
        """Make `should_close` true, so that the program's loop ends."""
        glfw.set_window_should_close(self.handle, True)

    def poll(self) -> None:
        """Handle key, mouse and window events; key callbacks are called from here."""
        glfw.poll_events()

    def swap(self) -> None:
        """Show what was drawn, and free what was dropped. A hidden window has no refresh: wait a little instead."""
        while self.ctx.objects and state_of(self.ctx).check.is_current():
            dropped = self.ctx.objects.popleft()
            if not isinstance(dropped, moderngl.InvalidObject):  # released before: moderngl's own gc() stops there
                dropped.release()
        if self.hidden:
            glfw.wait_events_timeout(_PAUSE)
        else:
            with waiting(self.ctx, "swap"):
                glfw.swap_buffers(self.handle)

    def frames(self, most: int | None = None) -> Iterator[None]:
        """Each frame until the window is closed, or so many: events are handled before it, and it is shown after it."""
        for _ in itertools.count() if most is None else range(most):
            if self.should_close:
                return
            self.poll()
            yield
            self.swap()

    def set_title(self, title: str) -> None:
        """Change the title bar; what is no text, as names of files may be, is escaped."""
        glfw.set_window_title(self.handle, printable(title))

    def toggle_full_screen(self) -> None:
        """Fill the monitor that shows most of the window, or go back to the earlier window."""
        if glfw.get_window_monitor(self.handle):
            nowhere: Any = None
            glfw.set_window_monitor(self.handle, nowhere, *self._windowed, glfw.DONT_CARE)
            return
        left, top, width, height = *glfw.get_window_pos(self.handle), *glfw.get_window_size(self.handle)

        def shared(monitor: Any) -> int:
            x, y = glfw.get_monitor_pos(monitor)
            mode = glfw.get_video_mode(monitor)
            across = min(left + width, x + mode.size.width) - max(left, x)
            down = min(top + height, y + mode.size.height) - max(top, y)
            return max(0, across) * max(0, down)

        monitor = max(glfw.get_monitors(), key=shared, default=None)
        if monitor is not None:
            self._windowed = (left, top, width, height)
            mode = glfw.get_video_mode(monitor)
            glfw.set_window_monitor(self.handle, monitor, 0, 0, mode.size.width, mode.size.height, mode.refresh_rate)

    def on_key(self, callback: KeyCallback) -> None:
        """Call `callback(key, modifiers)` whenever a key is pressed (not for repeats)."""
        self._key_callbacks.append(callback)

    def is_down(self, key: int) -> bool:
        """Whether a key, given by its GLFW code, is held down."""
        return glfw.get_key(self.handle, key) == glfw.PRESS

    def is_mouse_down(self, button: int) -> bool:
        """Whether a mouse button, given by its GLFW code, is held down."""
        return glfw.get_mouse_button(self.handle, button) == glfw.PRESS

    @property
    def cursor(self) -> tuple[float, float]:
        """The mouse position in screen units from the top left corner of the window."""
        return glfw.get_cursor_pos(self.handle)

    def _on_key(self, _handle: Any, key: int, _scancode: int, action: int, modifiers: int) -> None:
        if action == glfw.PRESS:
            for callback in self._key_callbacks:
                callback(key, modifiers)


def has_display() -> bool:
    """Whether GLFW can reach a display. Nothing is left open."""
    try:
        _start_glfw()
    except DisplayError:
        return False
    if not _open:
        glfw.terminate()
    return True


def _start_glfw() -> None:
    # For a missing display, glfw gives a Python warning; the sentence below replaces it.
    with warnings.catch_warnings(action="ignore"):
        if glfw.init():
            return
    raise DisplayError("No display can be reached, so no window opens; set DISPLAY, or run without one (--headless).")


def _end_with_a_sentence_if_lost(title: str) -> None:
    """Replace the report that Xlib writes when the connection is lost, after which it ends the process."""
    if not sys.platform.startswith("linux") or glfw.get_platform() != glfw.PLATFORM_X11:
        return

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    def lost(_display: int | None) -> int:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        with contextlib.suppress(OSError, ValueError):
            print(f"{title}: The display was lost, and the window with it.", file=sys.stderr, flush=True)
        os._exit(1)  # nothing that is left may wait for the display: neither Xlib's own end nor what drivers do at exit

    with contextlib.suppress(OSError, AttributeError):
        set_handler = ctypes.CDLL("libX11.so.6").XSetIOErrorHandler
        set_handler.restype = ctypes.c_void_p
        set_handler(lost)
        _kept.append(lost)


def _make_handle(title: str, size: tuple[int, int], samples: int) -> Any:
    glfw.default_window_hints()
    hints = {
        glfw.CONTEXT_VERSION_MAJOR: 4, glfw.CONTEXT_VERSION_MINOR: 3, glfw.OPENGL_PROFILE: glfw.OPENGL_CORE_PROFILE,
        glfw.OPENGL_FORWARD_COMPAT: True, glfw.SAMPLES: samples, glfw.SCALE_TO_MONITOR: True,
    }  # fmt: skip
    for hint, value in hints.items():
        glfw.window_hint(hint, value)
    with warnings.catch_warnings(action="ignore"):
        handle = glfw.create_window(*_fitting(size), title, None, None)
    if not handle:
        raise ContextError("The display has no OpenGL 4.3 for windows; update the graphics driver, or use --headless.")
    return handle


def _fitting(size: tuple[int, int]) -> tuple[int, int]:
    """A size in screen units, made smaller where the first monitor has no room for it and the window's frame."""
    monitor = glfw.get_primary_monitor()
    if not monitor:
        return size
    _, _, width, height = glfw.get_monitor_workarea(monitor)
    # The window is as much larger in screen units as SCALE_TO_MONITOR makes it.
    scale = max(glfw.get_monitor_content_scale(monitor)[0], 1.0)
    most = (int((width - _FRAME[0]) / scale), int((height - _FRAME[1]) / scale))
    return (min(size[0], most[0]), min(size[1], most[1])) if min(most) > 0 else size


def _wrap_current_context() -> moderngl.Context:
    # On Wayland, GLFW makes its context through EGL, so moderngl must look for it there.
    on_wayland = sys.platform.startswith("linux") and glfw.get_platform() == glfw.PLATFORM_WAYLAND
    settings: dict[str, Any] = {"backend": "egl"} if on_wayland else {}
    try:
        ctx = moderngl.create_context(require=430, **settings)
    except Exception as error:
        why, update = " ".join(str(error).split()), "update the graphics driver, or run with --headless"
        raise ContextError(f"The window's OpenGL context cannot be used ({why}); {update}.") from error
    ctx.gc_mode = "context_gc"
    return ctx
