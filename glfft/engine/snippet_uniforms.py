"""The uniforms, samplers and images of a plan's snippets, by name."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import moderngl
import numpy as np

from glfft.engine.uniform_types import check_alive, check_suits, in_columns, is_image, is_texture, what_it_takes
from glfft.errors import OptionError, TextureError, shown
from glfft.gl.bindings import FIRST_SNIPPET_IMAGE_UNIT, first_snippet_texture_unit, source_texture_unit
from glfft.gl.context import kept_function, state_of
from glfft.gl.textures import Completeness, bytes_of
from glfft.gl.uniforms import is_array

# How the names begin that a plan fills itself.
_OURS = "glfft_"


class SnippetUniforms:
    """Finds the snippets' names in the programs of a plan, and binds their textures before each run.

    Units are handed out from just below the plan's own downwards, out of the way of the caller's.

    Args:
        formats: that images are declared with, by name, where that is known.
        first_image_unit: of images; the others come below it.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        programs: Sequence[moderngl.ComputeShader],
        formats: Mapping[str, str] | None = None,
        first_image_unit: int = FIRST_SNIPPET_IMAGE_UNIT,
    ) -> None:
        self._ctx = ctx
        limits = state_of(ctx).limits
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
        self._completeness = Completeness(ctx, source_texture_unit(limits))
        self._next_unit = {"texture": first_snippet_texture_unit(limits), "image": first_image_unit}
        self._units: dict[str, int] = {}
        self._textures: dict[str, Any] = {}
        self._images: set[str] = set()
        self.values: dict[str, Any] = {}  # what has been set, by name

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
        if is_texture(kind):
            self._check_texture(name, kind, value)
        self._give(name, kind, value)

    def take_over(self, before: SnippetUniforms) -> None:
        """Give all names the values they have in the uniforms of other programs with the same snippets.

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
            if any(map(is_texture, self._kinds(name))) and not set(programs).isdisjoint(self._programs[name])
        ]

    def any_is(self, image: Any, names: Sequence[str]) -> bool:
        """Whether one of these names has been set to a texture."""
        return any(self._textures.get(name) is image for name in names) if image is not None else False

    def bytes_of(self, names: Sequence[str]) -> int:
        """Bytes of the textures of these names, without mipmaps."""
        return bytes_of(*(self._textures[name] for name in names))

    def bind(self, names: Sequence[str]) -> None:
        """Bind the textures and images of these names. Raises TextureError where one of them has been released, or has
        not been set: OpenGL would take whatever is bound; or its filter asks for mipmaps that it has not: OpenGL would
        find zeros in it.
        """
        for name in names:
            if name in self._textures:
                check_alive(name, self._textures[name])
        for name in names:
            if name not in self._textures:
                raise TextureError(
                    f"No texture has been set for '{name}' of a snippet; call set_uniforms({name}=...) first."
                )
            texture, unit = self._textures[name], self._units[name]
            if name in self._images:
                texture.bind_to_image(unit, read=True, write=True)
            else:
                # Not before a run, as mipmaps may be built after a texture is set.
                if not self._completeness.of(texture):
                    raise TextureError(
                        f"The filter of the texture for '{name}' asks for mipmaps and it has none, so that fetches "
                        "would find nothing in it; call its build_mipmaps() first, or set another filter."
                    )
                texture.use(unit)

    def _kinds(self, name: str) -> set[int]:
        """OpenGL's numbers of the types a name is declared with."""
        return {getattr(uniform, "gl_type", 0) for uniform in self._uniforms[name]}

    def _give(self, name: str, kind: int, value: Any) -> None:
        if is_texture(kind):
            self._point(name, self._unit(name, is_image(kind)))
            self._textures[name] = value
            if is_image(kind):
                self._images.add(name)
        else:
            self._assign(name, value)
        self.values[name] = value

    def _check_texture(self, name: str, kind: int, value: Any) -> None:
        """Refuse what the driver would read as zeros, or store nowhere, in silence."""
        if self._uniforms[name][0].array_length > 1:
            raise OptionError(f"'{name}' is an array of samplers or images; give each of them a name of its own.")
        check_suits(name, kind, value, self._formats.get(name))
        if value.ctx is not self._ctx:
            raise TextureError(f"The texture for '{name}' belongs to another context than the plan; make it there.")
        if is_image(kind) and not self._completeness.of(value):
            raise TextureError(
                f"The filter of the texture for '{name}' asks for mipmaps and it has none, so OpenGL would drop what "
                "is stored in it; call its build_mipmaps() first, or set another filter."
            )
        if is_image(kind) and not self._completeness.takes_stores(value):
            raise TextureError(
                f"The texture for '{name}' is sRGB, which OpenGL has no images of; store into another format."
            )

    def _unit(self, name: str, image: bool) -> int:
        if name not in self._units:
            what = "image" if image else "texture"
            if self._next_unit[what] < 0:
                raise OptionError(f"'{name}' is one {what} too many; OpenGL has no unit left for it.")
            self._units[name] = self._next_unit[what]
            self._next_unit[what] -= 1
        return self._units[name]

    def _point(self, name: str, unit: int) -> None:
        """Tell a sampler or image its unit; not through moderngl, which knows few kinds and drops the others."""
        number = ctypes.c_int
        set_integer = kept_function(self._ctx, "glProgramUniform1i", None, ctypes.c_uint, number, number)
        for program, uniform in zip(self._programs[name], self._uniforms[name], strict=True):
            set_integer(program.glo, uniform.location, unit)

    def _assign(self, name: str, value: Any) -> None:
        uniform = self._uniforms[name][0]
        try:
            for program, uniform in zip(self._programs[name], self._uniforms[name], strict=True):
                kept = self._elements_kept(program, uniform, value)
                uniform.value = in_columns(uniform.gl_type, uniform.array_length > 1, kept)
        except Exception as error:
            array = is_array(self._ctx, self._programs[name][0], name)
            wanted = what_it_takes(uniform.gl_type, uniform.array_length if array else None)
            raise OptionError(f"'{name}' cannot take the value {shown(value)}; give it {wanted}.") from error

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
