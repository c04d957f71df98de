"""What samplers and images are declared for, and which of moderngl's textures suit them."""

from __future__ import annotations

from typing import Any

import moderngl

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

# The kind of moderngl texture for those samplers and images that moderngl has one for: float, int and unsigned.
_KINDS: dict[int, type[Any]] = {
    **dict.fromkeys((0x8B5E, 0x8DCA, 0x8DD2, 0x8B62, 0x904D, 0x9058, 0x9063), moderngl.Texture),
    **dict.fromkeys((0x8DC1, 0x8DCF, 0x8DD7, 0x8DC4, 0x9053, 0x905E, 0x9069), moderngl.TextureArray),
    **dict.fromkeys((0x8B5F, 0x8DCB, 0x8DD3, 0x904E, 0x9059, 0x9064), moderngl.Texture3D),
    **dict.fromkeys((0x8B60, 0x8DCC, 0x8DD4, 0x8DC5, 0x9050, 0x905B, 0x9066), moderngl.TextureCube),
    **dict.fromkeys((0x9108, 0x9109, 0x910A, 0x9055, 0x9060, 0x906B), moderngl.Texture),
}
_MULTISAMPLED = (0x9108, 0x9109, 0x910A, 0x9055, 0x9060, 0x906B)

# How moderngl's textures are bound as images: r, rg or rgba and, by dtype, this.
_CHANNELS = {1: "r", 2: "rg", 4: "rgba"}
_NUMBER_FORMATS = {
    "f1": "8",
    "f2": "16f",
    "f4": "32f",
    "nu1": "8",
    "nu2": "16",
    "ni1": "8_snorm",
    "ni2": "16_snorm",
    "u1": "8ui",
    "u2": "16ui",
    "u4": "32ui",
    "i1": "8i",
    "i2": "16i",
    "i4": "32i",
}

# What samplers and images hold that are not for floats, and how moderngl's dtypes for it begin.
_INTEGERS = {
    **dict.fromkeys((*range(0x8DC9, 0x8DD1), 0x900E, 0x9109, 0x910C, *range(0x9057, 0x9062)), "i"),
    **dict.fromkeys((*range(0x8DD1, 0x8DD9), 0x900F, 0x910A, 0x910D, *range(0x9062, 0x906D)), "u"),
}
_NUMBERS = {"f": "floats", "i": "integers", "u": "unsigned integers"}


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
    """Refuse what a driver would read as zeros, or store nowhere, in silence.

    Args:
        name: of the sampler or image.
        kind: OpenGL's number of its type.
        value: what it is to be given.
        declared_format: of an image, such as "rgba16f", where that is known.

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
