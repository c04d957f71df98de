"""Numbers for uniforms: what each type of GLSL takes, and matrices as moderngl takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

# By OpenGL's numbers of uniform types (OpenGL 4.3 core, table 7.3): GLSL's name of a single number, and how many there
# are in a vector.
_VECTORS: dict[int, tuple[str, int]] = {
    0x1406: ("float", 1),
    0x140A: ("double", 1),
    0x1404: ("int", 1),
    0x1405: ("uint", 1),
    0x8B56: ("bool", 1),
    0x8B50: ("float", 2),
    0x8B51: ("float", 3),
    0x8B52: ("float", 4),
    0x8FFC: ("double", 2),
    0x8FFD: ("double", 3),
    0x8FFE: ("double", 4),
    0x8B53: ("int", 2),
    0x8B54: ("int", 3),
    0x8B55: ("int", 4),
    0x8DC6: ("uint", 2),
    0x8DC7: ("uint", 3),
    0x8DC8: ("uint", 4),
    0x8B57: ("bool", 2),
    0x8B58: ("bool", 3),
    0x8B59: ("bool", 4),
}
# Columns and rows of matrices.
_SQUARES = ((2, 2), (3, 3), (4, 4))
_OBLONGS = ((2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3))
_MATRICES: dict[int, tuple[int, int]] = {
    **dict(enumerate(_SQUARES, 0x8B5A)),
    **dict(enumerate(_OBLONGS, 0x8B65)),
    **dict(enumerate((*_SQUARES, *_OBLONGS), 0x8F46)),
}
# One of them, and several.
_WORDS = {
    "float": ("a number", "numbers"),
    "double": ("a number", "numbers"),
    "int": ("a whole number of 32 bits", "whole numbers of 32 bits"),
    "uint": ("a whole number of 32 bits, from 0 up", "whole numbers of 32 bits, from 0 up"),
    "bool": ("True or False", "values that are True or False"),
}


def in_columns(kind: int, array: bool, value: Any) -> Any:
    """A value for a uniform, in which each matrix [row, column] is its numbers column by column, as OpenGL has them.

    Args:
        kind: OpenGL's number of the uniform's type; of an array, of its elements' type.
        array: whether the value is a list of elements.
        value: what the caller has given. What is no matrix stays as it is.
    """
    if kind not in _MATRICES:
        return value
    columns, rows = _MATRICES[kind]

    def numbers(element: Any) -> Any:
        given = np.asarray(element)
        return given.T.ravel().tolist() if given.shape == (rows, columns) else element

    return [numbers(element) for element in value] if array else numbers(value)


def what_it_takes(kind: int, elements: int | None) -> str:
    """What a uniform takes, to complete "give it ...".

    Args:
        kind: OpenGL's number of its type.
        elements: how many of an array are used; None for what is no array.
    """
    if kind in _MATRICES:
        columns, rows = _MATRICES[kind]
        one = f"{rows} rows of {columns} numbers, or {rows * columns} numbers column by column"
    elif kind in _VECTORS:
        name, count = _VECTORS[kind]
        one = _WORDS[name][0] if count == 1 else f"{count} {_WORDS[name][1]}"
    else:
        one = "a value of its type"
    if elements is None:
        return one
    return f"a list of {elements} element{'s' if elements > 1 else ''}, each {one}"
