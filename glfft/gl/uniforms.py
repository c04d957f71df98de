"""Uniforms set by name, whichever of them a driver's compiler has kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import moderngl


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
