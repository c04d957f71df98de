"""The uniforms, samplers and images of a plan's snippets, by name."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import moderngl
import numpy as np

from glfft.errors import OptionError, TextureError
from glfft.gl import Limits, is_array, load_function, state_of
from glfft.messages import shown
from glfft.passes import TARGET_IMAGE_UNIT, source_unit
from glfft.texture_queries import MIPMAP_FILTERS, has_mipmaps

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
_TEXTURE_TYPES = _SAMPLERS | _IMAGES

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

# How the names begin that a plan fills itself.
_OURS = "glfft_"


class Settings:
    """Finds the snippets' names in the programs of a plan, and binds their textures before each run.

    Units are handed out from just below the plan's own downwards, out of the way of the caller's.

    Args:
        ctx: the plan's.
        programs: the plan's.
        limits: of the device.
        formats: that images are declared with, by name, where that is known.

    Attributes:
        values: what has been set, by name.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        programs: Sequence[moderngl.ComputeShader],
        limits: Limits,
        formats: Mapping[str, str] | None = None,
    ) -> None:
        self._ctx = ctx
        self._formats = formats or {}
        self._blocks: set[str] = set()
        self._uniforms: dict[str, list[Any]] = {}
        self._programs: dict[str, list[moderngl.ComputeShader]] = {}
        for program in programs:
            for name in program:
                member = program[name]
                if isinstance(member, moderngl.Uniform) and not name.startswith(_OURS):
                    self._uniforms.setdefault(name, []).append(member)
                    self._programs.setdefault(name, []).append(program)
                elif isinstance(member, moderngl.UniformBlock | moderngl.StorageBlock):
                    self._blocks.add(name)
        self._scratch_unit = source_unit(limits)
        self._next_texture_unit = limits.texture_units - 4
        self._next_image_unit = TARGET_IMAGE_UNIT - 1
        self._units: dict[str, int] = {}
        self._textures: dict[str, Any] = {}
        self._images: set[str] = set()
        # Asked of the driver once, as an answer may take its time.
        self._mipmapped: weakref.WeakSet[Any] = weakref.WeakSet()
        self.values: dict[str, Any] = {}

    def set(self, name: str, value: Any) -> None:
        """Give a name its value.

        Raises:
            OptionError: there is no such name, or the value does not fit it.
            TextureError: the texture is released, another context's, or one that the sampler or image cannot use.
        """
        if name in self._blocks:
            raise OptionError(f"'{name}' is a block; give it a binding in GLSL and bind a buffer there before a run.")
        if name not in self._uniforms:
            known = ", ".join(sorted(self._uniforms)) or "none"
            raise OptionError(f"No snippet of this plan uses '{name}'; the names they use are: {known}.")
        kinds = self._kinds(name)
        if len(kinds) > 1:
            raise OptionError(f"'{name}' is declared with different types in load and store; name them differently.")
        (kind,) = kinds
        if kind in _TEXTURE_TYPES:
            self._check_texture(name, kind, value)
        self._give(name, kind, value)

    def take_over(self, before: Settings) -> None:
        """Give all names the values they have in the settings of other programs with the same snippets.

        A texture that has been released since is no error before a run wants it.
        """
        for name, value in before.values.items():
            if name in self._uniforms:
                self._give(name, self._kinds(name).pop(), value)

    def textures_of(self, programs: Sequence[moderngl.ComputeShader]) -> list[str]:
        """The names of the samplers and images of some of the programs."""
        return [
            name
            for name in self._uniforms
            if self._kinds(name) & _TEXTURE_TYPES and not set(programs).isdisjoint(self._programs[name])
        ]

    def any_is(self, carrier: Any, names: Sequence[str]) -> bool:
        """Whether one of these names has been set to a texture."""
        return any(self._textures.get(name) is carrier for name in names) if carrier is not None else False

    def bind(self, names: Sequence[str]) -> None:
        """Bind the textures and images of these names.

        Raises:
            TextureError: one of them has been released, or has not been set: OpenGL would take whatever is bound; or
                its filter asks for mipmaps that it has not: OpenGL would find zeros in it.
        """
        for name in names:
            if name in self._textures:
                _check_alive(name, self._textures[name])
        for name in names:
            if name not in self._textures:
                raise TextureError(f"No texture has been set for '{name}' of a snippet; call set({name}=...) first.")
            texture, unit = self._textures[name], self._units[name]
            if name in self._images:
                texture.bind_to_image(unit, read=True, write=True)
            else:
                self._check_complete(name, texture)
                texture.use(unit)

    def _kinds(self, name: str) -> set[int]:
        """OpenGL's numbers of the types a name is declared with."""
        return {getattr(uniform, "gl_type", 0) for uniform in self._uniforms[name]}

    def _give(self, name: str, kind: int, value: Any) -> None:
        if kind in _TEXTURE_TYPES:
            self._point(name, self._unit(name, kind in _IMAGES))
            self._textures[name] = value
            if kind in _IMAGES:
                self._images.add(name)
        else:
            self._assign(name, value)
        self.values[name] = value

    def _check_texture(self, name: str, kind: int, value: Any) -> None:
        """Refuse what the driver would read as zeros, or store nowhere, in silence."""
        if self._uniforms[name][0].array_length > 1:
            raise OptionError(f"'{name}' is an array of samplers or images; give each of them a name of its own.")
        wanted = _KINDS.get(kind)
        if wanted is None:
            raise OptionError(
                f"moderngl has no textures of the kind that '{name}' is declared for; use a 2-D or 3-D one."
            )
        if not isinstance(value, wanted):
            raise OptionError(f"'{name}' needs a moderngl.{wanted.__name__}, not {type(value).__name__}.")
        if value.ctx is not self._ctx:
            raise TextureError(f"The texture for '{name}' belongs to another context than the plan; make it there.")
        _check_alive(name, value)
        declared, held = _NUMBERS[_INTEGERS.get(kind, "f")], _NUMBERS.get(value.dtype[0], _NUMBERS["f"])
        if held != declared:
            raise TextureError(f"'{name}' is declared for {declared}; its texture holds {held} ('{value.dtype}').")
        multisampled = kind in _MULTISAMPLED
        if getattr(value, "samples", 0) and not multisampled:
            raise TextureError(f"The texture for '{name}' is multisampled; resolve it into another and set that.")
        if multisampled and not getattr(value, "samples", 0):
            raise TextureError(f"'{name}' is declared for a multisampled texture, and the one given is not.")
        if kind in _IMAGES:
            self._check_image(name, value)

    def _check_image(self, name: str, texture: Any) -> None:
        if texture.components == 3 or getattr(texture, "depth", False):
            what = "3 components" if texture.components == 3 else "depth"
            raise TextureError(f"The texture for '{name}' has {what}; OpenGL has images of 1, 2 or 4 components only.")
        declared, held = self._formats.get(name), _CHANNELS[texture.components] + _NUMBER_FORMATS[texture.dtype]
        if declared not in (None, held):
            raise TextureError(
                f"'{name}' is declared as {declared} and its texture is {held}; the two must be the same."
            )
        if not self._is_complete(texture):
            raise TextureError(
                f"The filter of the texture for '{name}' asks for mipmaps and it has none, so OpenGL would drop what "
                "is stored in it; call its build_mipmaps() first, or set another filter."
            )

    def _check_complete(self, name: str, texture: Any) -> None:
        # Not before a run, as mipmaps may be built after a texture is set.
        if not self._is_complete(texture):
            raise TextureError(
                f"The filter of the texture for '{name}' asks for mipmaps and it has none, so that fetches would find "
                "nothing in it; call its build_mipmaps() first, or set another filter."
            )

    def _is_complete(self, texture: Any) -> bool:
        """Whether a texture has the mipmaps its filter asks for (OpenGL 4.3, 8.17)."""
        is_2d = isinstance(texture, moderngl.Texture | moderngl.TextureArray) and not getattr(texture, "samples", 0)
        if not is_2d or texture.filter[0] not in MIPMAP_FILTERS or max(texture.size[:2]) == 1:
            return True
        if texture not in self._mipmapped and has_mipmaps(self._ctx, texture, self._scratch_unit):
            self._mipmapped.add(texture)
        return texture in self._mipmapped

    def _unit(self, name: str, image: bool) -> int:
        if name not in self._units:
            if (self._next_image_unit if image else self._next_texture_unit) < 0:
                what = "image" if image else "texture"
                raise OptionError(f"'{name}' is one {what} too many; OpenGL has no unit left for it.")
            if image:
                self._units[name] = self._next_image_unit
                self._next_image_unit -= 1
            else:
                self._units[name] = self._next_texture_unit
                self._next_texture_unit -= 1
        return self._units[name]

    def _point(self, name: str, unit: int) -> None:
        """Tell a sampler or image its unit; not through moderngl, which knows few kinds and drops the others."""
        number = ctypes.c_int
        set_integer = state_of(self._ctx).cache(
            "glProgramUniform1i",
            lambda: load_function(self._ctx, "glProgramUniform1i", None, ctypes.c_uint, number, number),
        )
        for program, uniform in zip(self._programs[name], self._uniforms[name], strict=True):
            set_integer(program.glo, uniform.location, unit)

    def _assign(self, name: str, value: Any) -> None:
        try:
            for program, uniform in zip(self._programs[name], self._uniforms[name], strict=True):
                uniform.value = self._elements_kept(program, uniform, value)
        except Exception as error:
            raise OptionError(f"'{name}' cannot take the value {shown(value)}: {error}.") from error

    def _elements_kept(self, program: moderngl.ComputeShader, uniform: Any, value: Any) -> Any:
        """The elements of an array that a program has: drivers drop those past the last one used.

        OpenGL ignores values for these (4.3 core, 7.6.1), which moderngl would refuse. An array of which one element is
        left is to moderngl no array.
        """
        if not _is_list(value):
            return value
        if uniform.array_length > 1:
            return value[: uniform.array_length]
        of_elements = uniform.dimension == 1 or _is_list(value[0])
        return value[0] if of_elements and is_array(self._ctx, program, uniform.name) else value


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray) and getattr(value, "ndim", 1) > 0 and len(value) > 0


def _check_alive(name: str, texture: Any) -> None:
    if isinstance(texture.mglo, moderngl.InvalidObject):
        raise TextureError(f"The texture for '{name}' has been released; set another one.")
