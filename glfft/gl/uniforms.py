"""Uniforms set by name, whichever of them a driver's compiler has kept."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import moderngl

from glfft.gl.context import state_of
from glfft.gl.functions import load_function


def set_uniforms(program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, Any]) -> None:
    """Give a program of `glfft.gl.programs` the values of its uniforms, units of its textures among them.

    A compiler drops uniforms that have no effect, and each one finds others: those are passed over.

    Args:
        program: as that module compiled it.
        values: by name.

    Raises:
        KeyError: the program's text declares no uniform of a name.
    """
    for name, value in values.items():
        if name in program:
            program[name].value = value  # pyright: ignore[reportAttributeAccessIssue]
        elif name not in program.extra:
            raise KeyError(name)


def set_declared(program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, Any]) -> None:
    """`set_uniforms` with those of some values that the program declares: values for several programs alike."""
    set_uniforms(program, {name: value for name, value in values.items() if name in program.extra})


def is_array(ctx: moderngl.Context, program: moderngl.ComputeShader, name: str) -> bool:
    """Whether a uniform is an array, be it of a single element, which moderngl cannot tell."""
    number, integer, pointer = ctypes.c_uint, ctypes.c_int, ctypes.POINTER
    indices_of, name_of = state_of(ctx).cache(
        "glGetUniformIndices, glGetActiveUniformName",
        lambda: (
            load_function(ctx, "glGetUniformIndices", None, number, integer, pointer(ctypes.c_char_p), pointer(number)),
            load_function(
                ctx, "glGetActiveUniformName", None, number, number, integer, pointer(integer), ctypes.c_char_p
            ),
        ),
    )
    index, full_name = ctypes.c_uint(0), ctypes.create_string_buffer(len(name.encode()) + len("[0]") + 1)
    indices_of(program.glo, 1, (ctypes.c_char_p * 1)(name.encode()), ctypes.byref(index))
    name_of(program.glo, index, len(full_name), None, full_name)
    return full_name.value.endswith(b"[0]")
