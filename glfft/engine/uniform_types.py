"""What uniforms take by their types: numbers, matrices as moderngl takes them, and textures that suit samplers."""

from typing import Any

import moderngl
import numpy as np

from glfft.errors import OptionError, TextureError

# OpenGL's numbers of uniform types: samplers of any kind, and images of any kind (OpenGL 4.3 core, table 7.3). The gap
# after 0x8DC5 is that of the unsigned vectors.
_SAMPLERS = {
    *range(0x8B5D, 0x8B65),
    *range(0x8DC0, 0x8DC6),
    *range(0x8DC9, 0x8DD9),
    *range(0x900C, 0x9010),
    *range(0x9108, 0x910E),
}
_IMAGES = {*range(0x904C, 0x906D)}

_MULTISAMPLED = (0x9108, 0x9109, 0x910A, 0x9055, 0x9060, 0x906B)
# The kind of moderngl texture for those samplers and images that moderngl has one for: float, int and unsigned.
_KINDS: dict[int, type[Any]] = {
    **dict.fromkeys((0x8B5E, 0x8DCA, 0x8DD2, 0x8B62, 0x904D, 0x9058, 0x9063), moderngl.Texture),
    **dict.fromkeys((0x8DC1, 0x8DCF, 0x8DD7, 0x8DC4, 0x9053, 0x905E, 0x9069), moderngl.TextureArray),
    **dict.fromkeys((0x8B5F, 0x8DCB, 0x8DD3, 0x904E, 0x9059, 0x9064), moderngl.Texture3D),
    **dict.fromkeys((0x8B60, 0x8DCC, 0x8DD4, 0x8DC5, 0x9050, 0x905B, 0x9066), moderngl.TextureCube),
    **dict.fromkeys(_MULTISAMPLED, moderngl.Texture),
}

# How moderngl's textures are bound as images: r, rg or rgba and, by dtype, this.
_CHANNELS = {1: "r", 2: "rg", 4: "rgba"}
_NUMBER_FORMATS = dict(
    zip(
        ("f1", "f2", "f4", "nu1", "nu2", "ni1", "ni2", "u1", "u2", "u4", "i1", "i2", "i4"),
        ("8", "16f", "32f", "8", "16", "8_snorm", "16_snorm", "8ui", "16ui", "32ui", "8i", "16i", "32i"),
        strict=True,
    )
)

# What samplers and images hold that are not for floats, and how moderngl's dtypes for it begin.
_INTEGERS = {
    **dict.fromkeys((*range(0x8DC9, 0x8DD1), 0x900E, 0x9109, 0x910C, *range(0x9057, 0x9062)), "i"),
    **dict.fromkeys((*range(0x8DD1, 0x8DD9), 0x900F, 0x910A, 0x910D, *range(0x9062, 0x906D)), "u"),
}
_NUMBERS = {"f": "floats", "i": "integers", "u": "unsigned integers"}

# By OpenGL's numbers of uniform types (OpenGL 4.3 core, table 7.3): GLSL's name of a single number, and how many there
# are in a vector.
_VECTORS = {
    kind: (name, count)
    for name, kinds in {
        "float": (0x1406, 0x8B50, 0x8B51, 0x8B52),
        "double": (0x140A, 0x8FFC, 0x8FFD, 0x8FFE),
        "int": (0x1404, 0x8B53, 0x8B54, 0x8B55),
        "uint": (0x1405, 0x8DC6, 0x8DC7, 0x8DC8),
        "bool": (0x8B56, 0x8B57, 0x8B58, 0x8B59),
    }.items()
    for count, kind in enumerate(kinds, start=1)
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


def is_texture(kind: int) -> bool:
    """Whether OpenGL's number of a uniform's type is that of a sampler or an image."""
    return kind in _SAMPLERS or kind in _IMAGES


def is_image(kind: int) -> bool:
    """Whether it is that of an image."""
    return kind in _IMAGES


def check_alive(name: str, texture: Any) -> None:
    """Refuse a texture that is no more. Raises TextureError where it has been released."""
    if isinstance(texture.mglo, moderngl.InvalidObject):
        raise TextureError(f"The texture for '{name}' has been released; set another one.")


def check_suits(name: str, kind: int, value: Any, declared_format: str | None = None) -> None:
    """Refuse a value for a sampler or image of a type, OpenGL's number, that a driver would read as zeros, or store
    nowhere, in silence. The declared format of an image is such as "rgba16f", where that is known.

    Raises:
        OptionError: no texture, or one of another kind.
        TextureError: it is released, holds other numbers, or is multisampled where that is not declared or the other
            way round; or for images: has three components or depth, or another format.
    """
    wanted = _KINDS.get(kind)
    if wanted is None:
        raise OptionError(f"moderngl has no textures of the kind that '{name}' is declared for; use a 2-D or 3-D one.")
    if not isinstance(value, wanted):
        raise OptionError(f"'{name}' needs a moderngl.{wanted.__name__}, not {type(value).__name__}.")
    check_alive(name, value)
    declared, held = _NUMBERS[_INTEGERS.get(kind, "f")], _NUMBERS.get(value.dtype[0], _NUMBERS["f"])
    if held != declared:
        raise TextureError(f"'{name}' is declared for {declared}; its texture holds {held} ('{value.dtype}').")
    multisampled = kind in _MULTISAMPLED
    if getattr(value, "samples", 0) and not multisampled:
        raise TextureError(f"The texture for '{name}' is multisampled; resolve it into another and set that.")
    if multisampled and not getattr(value, "samples", 0):
        raise TextureError(f"'{name}' is declared for a multisampled texture, and the one given is not.")
    if is_image(kind):
        _check_image(name, value, declared_format)


def _check_image(name: str, texture: Any, declared_format: str | None) -> None:
    if texture.components == 3 or getattr(texture, "depth", False):
        what = "3 components" if texture.components == 3 else "depth"
        raise TextureError(f"The texture for '{name}' has {what}; OpenGL has images of 1, 2 or 4 components only.")
    held = _CHANNELS[texture.components] + _NUMBER_FORMATS[texture.dtype]
    if declared_format not in (None, held):
        raise TextureError(
            f"'{name}' is declared as {declared_format} and its texture is {held}; the two must be the same."
        )


def in_columns(kind: int, array: bool, value: Any) -> Any:
    """A value for a uniform, in which each matrix [row, column] is its numbers column by column, as OpenGL has them;
    what is no matrix stays as it is. Of an array, `kind` is OpenGL's number of its elements' type.
    """
    if kind not in _MATRICES:
        return value
    columns, rows = _MATRICES[kind]

    def numbers(element: Any) -> Any:
        given = np.asarray(element)
        return given.T.ravel().tolist() if given.shape == (rows, columns) else element

    return [numbers(element) for element in value] if array else numbers(value)


def what_it_takes(kind: int, elements: int | None) -> str:
    """What a uniform of a type, OpenGL's number, takes, to complete "give it ..."; `elements` is how many of an array
    are used, None for what is no array.
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
