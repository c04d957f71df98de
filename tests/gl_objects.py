"""GL objects in existence, as the driver counts them: for tests that look for leaks."""

from __future__ import annotations

import ctypes

import moderngl

from glfft import gl

NAMES_BEYOND_THE_NEXT = 4096


def live_objects(ctx: moderngl.Context) -> dict[str, int]:
    """GL objects in existence, by kind."""
    counts = {}
    for kind in ("Texture", "Sampler", "Buffer", "Framebuffer", "Program", "Shader"):
        exists = gl.load_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)
        # Drivers count names up from 1; some never use a freed one again, others do, so that the next is not the last.
        names = range(1, next_name(ctx, kind) + NAMES_BEYOND_THE_NEXT)
        counts[kind] = sum(bool(exists(name)) for name in names)
    return counts


def next_name(ctx: moderngl.Context, kind: str) -> int:
    """The name an object made now gets."""
    if kind in ("Program", "Shader"):  # which share their names
        program = gl.load_function(ctx, "glCreateProgram", ctypes.c_uint)()
        gl.load_function(ctx, "glDeleteProgram", None, ctypes.c_uint)(program)
        return program
    names = (ctypes.c_uint * 1)()
    for verb in ("Gen", "Delete"):
        gl.load_function(ctx, f"gl{verb}{kind}s", None, ctypes.c_int, ctypes.POINTER(ctypes.c_uint))(1, names)
    return names[0]
