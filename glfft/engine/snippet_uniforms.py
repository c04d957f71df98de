"""The uniforms, samplers and images of a plan's snippets, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import moderngl
import numpy as np

from glfft.errors import OptionError, TextureError, shown
from glfft.gl.bindings import FIRST_SNIPPET_IMAGE_UNIT, first_snippet_texture_unit, source_texture_unit
from glfft.gl.context import functions_of, state_of
from glfft.gl.programs import is_uniform_array
from glfft.gl.textures import Completeness, bytes_of, use_depths, use_texture

# OpenGL's numbers of the types of samplers and images (OpenGL 4.3 core, table 7.3) follow each other from these on:
# what their textures hold, floats, integers or unsigned ones, and for each of those the kinds of textures.
_IN_A_ROW = {
    0x8B5D: ("f", "1D 2D 3D Cube 1D 2D Rect Rect"),
    0x8DC0: ("f", "1DArray 2DArray Buffer 1DArray 2DArray Cube"),
    0x8DC9: ("iu", "1D 2D 3D Cube Rect 1DArray 2DArray Buffer"),
    0x900C: ("f", "CubeArray CubeArray"),
    0x900E: ("iu", "CubeArray"),
    0x904C: ("fiu", "1D 2D 3D Rect Cube Buffer 1DArray 2DArray CubeArray 2DMS 2DMSArray"),  # images
    0x9108: ("fiu", "2DMS"),
    0x910B: ("fiu", "2DMSArray"),
}
_TEXTURES = {first + place: each for first, (held, kinds) in _IN_A_ROW.items()
             for place, each in enumerate(product(held, kinds.split()))}  # fmt: skip
_IMAGES = range(0x904C, 0x906D)
_COMPARING = {0x8B61, 0x8B62, 0x8B64, 0x8DC3, 0x8DC4, 0x8DC5, 0x900D}  # sampler2DShadow and the like
# The kinds that moderngl has textures for.
_CLASSES: dict[str, type[Any]] = {"2D": moderngl.Texture, "2DArray": moderngl.TextureArray, "2DMS": moderngl.Texture}
_CLASSES |= {"3D": moderngl.Texture3D, "Cube": moderngl.TextureCube}

# How moderngl's textures are bound as images: r, rg or rgba and, by dtype, this.
_CHANNELS = {1: "r", 2: "rg", 4: "rgba"}
_NUMBER_FORMATS = {"f1": "8", "f2": "16f", "f4": "32f", "nu1": "8", "nu2": "16", "ni1": "8", "ni2": "16"}
_NUMBER_FORMATS |= {"u1": "8ui", "u2": "16ui", "u4": "32ui", "i1": "8i", "i2": "16i", "i4": "32i"}

# What textures hold, by how moderngl's dtypes for it begin.
_NUMBERS = {"f": "floats", "i": "integers", "u": "unsigned integers"}

# Columns and rows of matrices.
_SQUARES = ((2, 2), (3, 3), (4, 4))
_OBLONGS = ((2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3))
_MATRICES: dict[int, tuple[int, int]] = {
    **dict(enumerate(_SQUARES, 0x8B5A)),
    **dict(enumerate(_OBLONGS, 0x8B65)),
    **dict(enumerate((*_SQUARES, *_OBLONGS), 0x8F46)),
}
_BOOLS = range(0x8B56, 0x8B5A)
# What one and several numbers are, by how moderngl's formats of uniforms end.
_WORDS = {
    **dict.fromkeys("fd", ("a number", "numbers")),
    "i": ("a whole number of 32 bits", "whole numbers of 32 bits"),
    "I": ("a whole number of 32 bits, from 0 up", "whole numbers of 32 bits, from 0 up"),
}
_OURS = "glfft_"  # how the names begin that a plan fills itself


def check_alive(name: str, texture: Any) -> None:
    """Refuse a texture that is no more. Raises TextureError where it has been released."""
    if isinstance(texture.mglo, moderngl.InvalidObject):
        raise TextureError(f"The texture for '{name}' has been released; set another one.")


def in_columns(kind: int, array: bool, value: Any) -> Any:
    """A uniform's value with each matrix [row, column] column by column, as OpenGL has it, of an array or not."""
    if kind not in _MATRICES:
        return value
    columns, rows = _MATRICES[kind]

    def numbers(element: Any) -> Any:
        given = np.asarray(element)
        return given.T.ravel().tolist() if given.shape == (rows, columns) else element

    return [numbers(element) for element in value] if array else numbers(value)


def in_python(value: Any) -> Any:
    """A value in Python's numbers and in lists of its own: moderngl does not know numpy's True."""
    if isinstance(value, list | tuple):
        return [in_python(each) for each in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def what_it_takes(uniform: Any, elements: int | None) -> str:
    """What a uniform takes, to complete "give it ..."; `elements` of an array are used, None for no array."""
    if uniform.gl_type in _MATRICES:
        columns, rows = _MATRICES[uniform.gl_type]
        one = f"{rows} rows of {columns} numbers, or {rows * columns} numbers column by column"
    else:
        number, numbers = _WORDS[uniform.fmt[-1]]
        if uniform.gl_type in _BOOLS:
            number, numbers = "True or False", "values that are True or False"
        one = number if uniform.dimension == 1 else f"{uniform.dimension} {numbers}"
    if elements is None:
        return one
    return f"a list of {elements} element{'s' if elements > 1 else ''}, each {one}"


class SnippetUniforms:
    """Finds the snippets' names in the programs of a plan, and binds their textures before each run, to units from just
    below the plan's own downwards, for images from `first_image_unit`. `formats` tells the images' formats, by name.
    """

    def __init__(self, ctx: moderngl.Context, programs: Sequence[moderngl.ComputeShader],
                 formats: Mapping[str, str] | None = None,
                 first_image_unit: int = FIRST_SNIPPET_IMAGE_UNIT) -> None:  # fmt: skip
        self._ctx = ctx
        limits = state_of(ctx).limits
        self._formats = formats or {}
        self._blocks: set[str] = set()
        # By name, with the programs that have kept them: what one compiler drops, the next program's may not.
        self._uniforms: dict[str, list[tuple[moderngl.ComputeShader, Any]]] = {
            name: [] for program in programs for name in program.extra or () if not name.startswith(_OURS)
        }
        for program in programs:
            for name in program:
                member = program[name]
                if isinstance(member, moderngl.Uniform) and not name.startswith(_OURS):
                    self._uniforms.setdefault(name, []).append((program, member))
                elif isinstance(member, moderngl.UniformBlock | moderngl.StorageBlock):
                    self._blocks.add(name)
        # OpenGL's numbers of the types that each name has.
        self._kinds = {name: {each.gl_type for _, each in found} for name, found in self._uniforms.items()}
        self._completeness = Completeness(ctx, source_texture_unit(limits))
        self._next_unit = {"texture": first_snippet_texture_unit(limits), "image": first_image_unit}
        self._units: dict[str, int] = {}
        self._images = {name for name, kinds in self._kinds.items() if not kinds.isdisjoint(_IMAGES)}
        self.values: dict[str, Any] = {}  # what has been set, by name

    def set(self, values: Mapping[str, Any]) -> None:
        """Give names values. Raises OptionError where one does not fit, TextureError where OpenGL cannot use it."""
        for name, value in values.items():
            self._check(name, value)  # all before any is given: where a name or a texture is wrong, nothing changes
        for name, value in values.items():
            self._give(name, value)

    def _check(self, name: str, value: Any) -> None:
        if name in self._blocks:
            raise OptionError(f"'{name}' is a block; give it a binding in GLSL and bind a buffer there before a run.")
        if name not in self._uniforms:
            known = ", ".join(sorted(self._uniforms)) or "none"
            raise OptionError(f"No snippet of this plan uses '{name}'; the names they use are: {known}.")
        parts = [each for each in self._uniforms if each.startswith((f"{name}.", f"{name}["))]
        if parts:
            raise OptionError(f"'{name}' has no value itself; give each of its parts a value: {', '.join(parts)}.")
        kinds = self._kinds[name]
        if len(kinds) > 1:
            raise OptionError(f"'{name}' is declared with different types in load and store; name them differently.")
        for kind in kinds & _TEXTURES.keys():
            self._check_texture(name, kind, value)

    def take_over(self, before: SnippetUniforms) -> None:
        """Give all names their values in other programs; a texture released since is no error before a run wants it."""
        for name, value in before.values.items():
            if name in self._uniforms:
                self._give(name, value)

    def textures_of(self, program: moderngl.ComputeShader) -> list[str]:
        """The names of the samplers and images of one of the programs."""
        own = (name for name, found in self._uniforms.items() if any(each is program for each, _ in found))
        return [name for name in own if not self._kinds[name].isdisjoint(_TEXTURES)]

    def reach(self, names: Sequence[str], src: Any, dst: Any) -> bool:
        """Whether one of these names has the texture that a run stores to, or stores itself to what the run reads."""
        found = [(name, self.values[name]) for name in names if name in self.values]
        return any(value is dst or (value is src and name in self._images) for name, value in found)

    def bytes_of(self, names: Sequence[str]) -> int:
        return bytes_of(*(self.values[name] for name in names))

    def bind(self, names: Sequence[str]) -> None:
        """Bind these names' textures. Raises TextureError where one is not set, released or without its mipmaps."""
        for name in (each for each in names if each in self.values):
            check_alive(name, self.values[name])
        for name in names:
            if name not in self.values:
                raise TextureError(f"No texture has been set for '{name}' of a snippet; call set_uniforms({name}=...).")
            texture, unit = self.values[name], self._units[name]
            if name in self._images:
                texture.bind_to_image(unit, read=True, write=True)
            else:
                self._check_complete(name, texture)  # not before a run, as mipmaps may be built after a texture is set
                depths = getattr(texture, "depth", False) is True and self._kinds[name].isdisjoint(_COMPARING)
                (use_depths if depths else use_texture)(texture, unit)

    def _give(self, name: str, value: Any) -> None:
        kind = next(iter(self._kinds[name]), None)
        if kind in _TEXTURES and name not in self._units:
            what, point = "image" if kind in _IMAGES else "texture", functions_of(self._ctx).glProgramUniform1i
            if self._next_unit[what] < 0:
                raise OptionError(f"'{name}' is one {what} too many; OpenGL has no unit left for it.")
            self._units[name] = self._next_unit[what]
            self._next_unit[what] -= 1
            for program, uniform in self._uniforms[name]:  # not through moderngl, which knows few kinds
                point(program.glo, uniform.location, self._units[name])
        elif kind is not None and kind not in _TEXTURES:
            self._assign(name, value)
        self.values[name] = in_python(value)  # the caller may change it, and new programs take it over

    def _check_texture(self, name: str, kind: int, value: Any) -> None:
        if self._uniforms[name][0][1].array_length > 1:
            raise OptionError(f"'{name}' is an array of samplers or images; give each of them a name of its own.")
        number, shape = _TEXTURES[kind]
        wanted = _CLASSES.get(shape)
        if wanted is None:
            raise OptionError(f"moderngl has no textures of the kind that '{name}' is for; use a 2-D or 3-D one.")
        if not isinstance(value, wanted):
            raise OptionError(f"'{name}' needs a moderngl.{wanted.__name__}, not {type(value).__name__}.")
        check_alive(name, value)
        declared, held = _NUMBERS[number], _NUMBERS.get(value.dtype[0], _NUMBERS["f"])
        if held != declared:
            raise TextureError(f"'{name}' is declared for {declared}; its texture holds {held} ('{value.dtype}').")
        if bool(getattr(value, "samples", 0)) != (shape == "2DMS"):
            wanted = "multisampled texture; set one" if shape == "2DMS" else "texture not multisampled; resolve this"
            raise TextureError(f"'{name}' is declared for a {wanted}.")
        if value.ctx is not self._ctx:
            raise TextureError(f"The texture for '{name}' belongs to another context than the plan; make it there.")
        if kind in _IMAGES:
            self._check_image(name, value)

    def _check_image(self, name: str, texture: Any) -> None:
        if texture.components == 3 or getattr(texture, "depth", False) is True:  # a 3-D texture's is its planes
            what = "3 components" if texture.components == 3 else "depth"
            raise TextureError(f"The texture for '{name}' has {what}; OpenGL has images of 1, 2 or 4 components only.")
        declared, held = self._formats.get(name), _CHANNELS[texture.components] + _NUMBER_FORMATS[texture.dtype]
        if declared not in (None, held):
            raise TextureError(f"'{name}' is declared as {declared} and its texture is {held}; make them the same.")
        self._check_complete(name, texture)
        if not (self._completeness.takes_stores(texture) and self._completeness.begins_at_first(texture)):
            raise TextureError(f"The texture for '{name}' is sRGB or begins at a smaller mipmap; store into another.")

    def _check_complete(self, name: str, texture: Any) -> None:
        if not self._completeness.of(texture):
            wanted = f"The filter of the texture for '{name}' asks for mipmaps and it has none"
            raise TextureError(f"{wanted}; call its build_mipmaps() first, or set another filter.")

    def _assign(self, name: str, value: Any) -> None:
        first, uniform = self._uniforms[name][0]
        try:
            for program, uniform in self._uniforms[name]:
                kept = self._elements_kept(program, uniform, in_python(value))
                uniform.value = in_columns(uniform.gl_type, uniform.array_length > 1, kept)
        except Exception as error:
            wanted = what_it_takes(uniform, uniform.array_length if is_uniform_array(self._ctx, first, name) else None)
            raise OptionError(f"'{name}' cannot take the value {shown(value)}; give it {wanted}.") from error

    def _elements_kept(self, program: moderngl.ComputeShader, uniform: Any, value: Any) -> Any:
        """The elements that a program has of an array; moderngl refuses those that drivers drop after the last used."""
        if not isinstance(value, list):
            return value
        if uniform.array_length > 1:
            return value[: uniform.array_length]
        of_elements = bool(value) and (uniform.dimension == 1 or isinstance(value[0], list))
        return value[0] if of_elements and is_uniform_array(self._ctx, program, uniform.name) else value
