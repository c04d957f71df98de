"""Contexts, and what is kept of each: its device, its limits, and what is to be released with it."""

import os
import re
import sys
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import moderngl

from glfft.errors import ContextError, NotCurrentError, OptionError, require, shown, whole_number
from glfft.gl import current
from glfft.gl.device import Device, Limits
from glfft.gl.forks import after_fork, moderngls_default, refuse_forked
from glfft.gl.functions import Functions

REQUIRED_VERSION = 430

_GL_MAX_COMPUTE_SHARED_MEMORY_SIZE = 0x8262
_GL_MAX_IMAGE_UNITS = 0x8F38
_GL_MAX_TEXTURE_BUFFER_SIZE = 0x8C2B

SYSTEM_VARIABLE = "GLFFT_WINDOW_SYSTEM"

EGL, GLX = "egl", "glx"
_NOT_THE_DRIVER = re.compile(r"^\d[\d.]*|\(?\b(Core|Compatibility) Profile\b( Context)?\)?")


def open_context(device: int | None = None, system: str | None = None) -> moderngl.Context:
    """Open an OpenGL 4.3 context for programs that have no window.

    Args:
        device: index of the EGL device, or None for the default one. The environment variable
            GLCONTEXT_DEVICE_INDEX, where set, has the last word (as in moderngl).
        system: "egl", which needs no display, or "glx", which needs an X display and takes its device. None takes the
            one that the environment variable GLFFT_WINDOW_SYSTEM names, or EGL.

    Returns:
        A standalone `moderngl.Context`. It replaces the calling thread's current context. While it is current in one
        thread, no other thread can use it.

    Raises:
        OptionError: `device` is no whole number, `system` or GLFFT_WINDOW_SYSTEM none, or GLX is to find a device.
        ContextError: no OpenGL 4.3, no EGL library, no such device, no X display, a window's context is current in this
            thread and `system` is EGL, or the process was forked after OpenGL was used.
    """
    refuse_forked()
    system = _chosen_system(system)
    settings: dict[str, Any] = {"backend": EGL} if system == EGL else {}
    if device is not None:
        if system == GLX:
            raise OptionError("A GLX context is on the device of its display; leave out the device, or take EGL.")
        index = settings["device_index"] = whole_number(device)
        require(index is not None, "The device", device, "a whole number, or None")
        if index is not None and index < 0:
            raise ContextError(f"Device index {device} is negative: devices are counted from 0.")
    if system == EGL and not current.can_egl_be_current():
        # EGL would not make the new context current, moderngl would not say so, and calls would go to the window's.
        said = "The context of a window is current in this thread, and no headless one can be beside it"
        raise ContextError(f"{said}; use that one, or leave it first (in glfw with glfw.make_context_current(None)).")
    put_back = current.leave()
    try:
        ctx = moderngl.create_context(require=REQUIRED_VERSION, standalone=True, **settings)
        check = current.CurrentCheck(ctx)
    except Exception as error:
        put_back()
        raise ContextError(_why_no_context(error, device, system)) from error
    ctx.gc_mode = "auto"
    _forget_gone()
    _states[ctx] = ContextState(read_device(ctx), check, opened=(device, system))
    # moderngl asks for limits of tessellation too. Without it (softpipe) that is an error, which is nobody's.
    _ = ctx.error
    return ctx


def _chosen_system(asked: object) -> str:
    """EGL or GLX, as the caller or the environment says. Raises OptionError where neither one is named."""
    system = os.environ.get(SYSTEM_VARIABLE) or EGL if asked is None else asked
    if system not in (EGL, GLX):
        named = f"{SYSTEM_VARIABLE}={system}" if asked is None else f"The window system {shown(system)}"
        raise OptionError(f"{named} cannot open a context; there are '{EGL}' and '{GLX}'.")
    return str(system)


def stand_in_for(ctx: moderngl.Context | None) -> moderngl.Context:
    """A headless context, current in no thread, for calls that cannot have the one they ask for: on the device of one
    that `open_context` opened, or the default one. Raises NotCurrentError for others, and what `open_context` raises.
    """
    state = None if ctx is None else _states.get(ctx)
    opened = None if state is None else state.opened
    if ctx is not None and opened is None:
        raise NotCurrentError("The context is not current in this thread; leave out ctx=, or make it current before.")
    return _opened_aside(*(opened or (None, _chosen_system(None))))


@cache
def _opened_aside(device: int | None, system: str) -> moderngl.Context:
    default = moderngls_default()
    put_back = current.leave()
    try:
        ctx = open_context(device, system)
        # moderngl would free objects as they are collected, in whichever context is current then.
        ctx.gc_mode = None  # pyright: ignore[reportAttributeAccessIssue]
        current.leave()
    finally:
        put_back()
        # Private to moderngl. Were it gone, this context would become moderngl's default one, and nothing worse.
        if hasattr(moderngl, "_store"):
            moderngl._store.default_context = default  # pyright: ignore[reportAttributeAccessIssue]
    return ctx


def _why_no_context(error: Exception, device: int | None, system: str) -> str:
    text = " ".join(str(error).split())
    if system == GLX and "display" in text.lower():
        return f"A GLX context needs an X display, and there is none; set DISPLAY, use xvfb-run, or take EGL ({text})."
    override = os.environ.get("GLCONTEXT_DEVICE_INDEX")
    # An index may be beyond EGL's devices or the numbers of C, and that of the environment no number at all.
    of_the_index = "device" in text.lower() or isinstance(error, OverflowError) or "invalid literal" in text
    if of_the_index and (device is not None or override is not None):
        named = f"GLCONTEXT_DEVICE_INDEX={override}" if override is not None else f"device index {device}"
        return f"There is no EGL device for {named}; leave it out to take the default device ({text})."
    if "libEGL" in text or "libGL" in text or "not loaded" in text.lower():
        return f"The OpenGL libraries are missing; on Debian or Ubuntu run 'apt install libegl1 libgl1' ({text})."
    if system == EGL and "got version 0" in text:
        # libglvnd writes the first driver's addresses into the functions of OpenGL, and lets no other one be current.
        said = "EGL made no context current, as NVIDIA's does while a window's is current in another thread"
        return f"{said}; set __GLVND_DISALLOW_PATCHING=1 in the environment before the window opens ({text})."
    advice = "update the graphics driver, or install Mesa's software renderer with 'apt install libegl1 libgl1'"
    return f"No OpenGL 4.3 context could be opened; {advice} ({text})."


def require_context(ctx: moderngl.Context | None) -> moderngl.Context:
    """The given context, else the default one, else a new headless one. Raises ContextError for none."""
    if ctx is not None:
        _check_is_context(ctx)
        return ctx
    refuse_forked()
    found = default_context() or open_context()
    _refuse_old(found)
    return found


def default_context() -> moderngl.Context | None:
    """The thread's current context if it is known, else the one moderngl takes by default, or None if there is none."""
    for ctx, state in list(_states.items()):
        if state.check.is_current():
            return ctx
    # moderngl takes many milliseconds to find out that no context is current.
    if moderngls_default() is None and current.current_system() is None:
        return None
    with suppress(Exception):  # of several kinds
        return moderngl.get_context()
    return None


@dataclass
class ContextState:
    """What glfft keeps for one context: its device, caches of GPU objects, and objects waiting to be released."""

    device: Device  # names and limits
    check: current.CurrentCheck  # tells whether the context is the calling thread's current one
    # what `open_context` was asked for, index of the EGL device or None, and "egl" or "glx"; None where it was not
    opened: tuple[int | None, str] | None = None
    # Caches by purpose, filled by the module that owns the purpose ("programs", "twiddles", ...).
    caches: dict[str, Any] = field(default_factory=dict)
    # GPU objects of garbage-collected owners. A collector may run on any thread, and GL calls must not.
    dropped: list[Any] = field(default_factory=list)

    @property
    def limits(self) -> Limits:
        return self.device.limits

    def cache(self, purpose: str, make: Callable[[], Any]) -> Any:
        if purpose not in self.caches:
            self.caches[purpose] = make()
        return self.caches[purpose]

    def kept(self, purpose: str, key: Any, make: Callable[[], Any], too_many: Callable[[list[Any]], bool]) -> Any:
        """What was made for a key, now or earlier. If that is too much, what was used longest ago goes."""
        kept: dict[Any, Any] = self.cache(purpose, dict)  # an OrderedDict breaks where a signal interrupts a key's hash
        if (found := kept.pop(key, None)) is None:
            found = make()
            while kept and too_many([*kept.values(), found]):
                # moderngl frees it, given a gc_mode, after the last plan that holds it.
                gone = kept.pop(next(iter(kept)))
                weakref.finalize(gone, self.dropped.append, gone.mglo)
        kept[key] = found
        return found

    def release_dropped(self) -> None:
        """Release what garbage-collected owners left behind; call it with the context current."""
        while self.dropped:
            self.dropped.pop().release()

    def release_soon(self, items: Iterable[Any]) -> None:
        """Release objects now if the context is current, else when a plan is next made in it."""
        if self.check.is_current():
            for item in items:
                item.release()
        else:
            self.dropped.extend(items)


# A context that has been used stays here until it is gone. What is cached for it refers to it, and must not be
# collected: where gc_mode is "auto" moderngl would delete it by name, in whichever context is current then.
_states: dict[moderngl.Context, ContextState] = {}


def state_of(ctx: moderngl.Context) -> ContextState:
    """The state glfft keeps for a context. Raises ContextError where it is older than OpenGL 4.3, none of moderngl's or
    forked; ReleasedError where it is gone; NotCurrentError where it cannot be made current to read its limits.
    """
    _check_is_context(ctx)
    if ctx not in _states:
        refuse_forked()
        _refuse_old(ctx)
        current.refuse_released(ctx)
        # What cannot be entered may be the window's context that is current, if it is none of those known.
        if not current.can_be_entered(ctx) and any(state.check.is_current() for state in list(_states.values())):
            raise NotCurrentError(current.NOT_CURRENT)
        put_back = current.switch_to(ctx) if current.can_be_entered(ctx) else (lambda: None)
        _forget_gone()
        try:
            check = current.CurrentCheck(ctx)
            _states.setdefault(ctx, ContextState(read_device(ctx), check))
        finally:
            put_back()
    current.refuse_released(ctx)
    return _states[ctx]


def _forget_gone() -> None:
    """Let go of what is cached for contexts that are gone; call it where a context is current that is not known yet."""
    for ctx, state in list(_states.items()):
        state.check.forget_dead()
        if state.check.is_gone():
            # The driver has freed its objects. moderngl would free them by name in whichever context is current.
            ctx.gc_mode = None  # pyright: ignore[reportAttributeAccessIssue]
            del _states[ctx]


def _check_is_context(ctx: object) -> None:
    if not isinstance(ctx, moderngl.Context):
        raise ContextError(f"A moderngl.Context is needed, not {type(ctx).__name__}.")


def _refuse_old(ctx: moderngl.Context) -> None:
    if ctx.version_code >= REQUIRED_VERSION:
        return
    major, minor = divmod(ctx.version_code // 10, 10)
    have = f"This context has OpenGL {major}.{minor} and compute shaders need 4.3"
    if sys.platform == "darwin":
        raise ContextError(f"{have}, which macOS does not have: its OpenGL ends at 4.1.")
    raise ContextError(
        f"{have}; ask for it with moderngl.create_context(require=430), in moderngl-window with gl_version = (4, 3), "
        "in pygame with GL_CONTEXT_MAJOR_VERSION 4 and GL_CONTEXT_MINOR_VERSION 3 (pygame.display.gl_set_attribute), "
        "in glfw with CONTEXT_VERSION_MAJOR 4 and CONTEXT_VERSION_MINOR 3 (glfw.window_hint)."
    )


def _lose_contexts() -> bool:
    for ctx, state in _states.items():
        state.check.lose()
        # moderngl must not free in the child what is the parent's.
        ctx.gc_mode = None  # pyright: ignore[reportAttributeAccessIssue]
    return bool(_states)


after_fork(_lose_contexts)


def read_device(ctx: moderngl.Context) -> Device:
    """Read the device's names and limits; the context must be current, and of OpenGL 4.3 or later."""
    info = ctx.info
    read_integer = Functions(ctx).integer
    limits = Limits(
        texture_size=info["GL_MAX_TEXTURE_SIZE"],
        shared_memory=read_integer(_GL_MAX_COMPUTE_SHARED_MEMORY_SIZE),
        invocations=info["GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS"],
        group_size=info["GL_MAX_COMPUTE_WORK_GROUP_SIZE"],
        group_count=info["GL_MAX_COMPUTE_WORK_GROUP_COUNT"],
        image_units=read_integer(_GL_MAX_IMAGE_UNITS),
        texture_units=ctx.max_texture_units,
        buffer_bytes=info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"],
        array_layers=info["GL_MAX_ARRAY_TEXTURE_LAYERS"],
        float64="GL_ARB_gpu_shader_fp64" in ctx.extensions,  # which OpenGL 4.0 promises and some drivers leave out
        texture_3d_size=info["GL_MAX_3D_TEXTURE_SIZE"],
        buffer_texels=read_integer(_GL_MAX_TEXTURE_BUFFER_SIZE),
    )
    return Device(limits, str(info["GL_RENDERER"]), driver_of(ctx), _has_avx512())


def _has_avx512() -> bool:
    """Whether the first processor has AVX-512, by what Linux says of it in some 2000 characters; elsewhere False."""
    with suppress(OSError), open("/proc/cpuinfo", encoding="ascii", errors="replace") as processors:
        return "avx512f" in processors.read(4096)
    return False


def driver_of(ctx: moderngl.Context) -> str:
    """The driver and its version: GL_VERSION without the number and profile of the context asked for."""
    return _NOT_THE_DRIVER.sub("", str(ctx.info["GL_VERSION"])).strip(" -") or "unknown"


def functions_of(ctx: moderngl.Context) -> Functions:
    return state_of(ctx).cache("functions", lambda: Functions(ctx))


def is_software(ctx: moderngl.Context) -> bool:
    return state_of(ctx).device.software
