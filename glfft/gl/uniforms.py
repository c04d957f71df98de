"""Uniforms set by name, whichever of them a driver's compiler has kept."""

import ctypes
from collections.abc import Mapping
from typing import Any

import moderngl

from glfft.gl.context import functions_of


def set_uniforms(program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, Any]) -> None:
    """Give a program of `glfft.gl.programs` the values of its uniforms, units of its textures among them; those that a
    compiler dropped are passed over. Raises KeyError where the program's text declares no uniform of a name.
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
    gl = functions_of(ctx)
    index, full_name = ctypes.c_uint(0), ctypes.create_string_buffer(len(name.encode()) + len("[0]") + 1)
    gl.glGetUniformIndices(program.glo, 1, (ctypes.c_char_p * 1)(name.encode()), ctypes.byref(index))
    gl.glGetActiveUniformName(program.glo, index, len(full_name), None, full_name)
    return full_name.value.endswith(b"[0]")
