"""The uniforms, samplers and images of a plan's snippets, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import moderngl

from glfft.errors import OptionError
from glfft.gl import Limits
from glfft.passes import TARGET_IMAGE_UNIT

# OpenGL's numbers of uniform types: samplers of any kind, and images of any kind (OpenGL 4.3 core, table 7.3).
_SAMPLERS = {*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DD9), 0x900C, 0x900D, 0x900E, 0x900F, *range(0x9108, 0x910E)}
_IMAGES = range(0x904C, 0x906D)

# Names a plan fills itself.
_OURS = {"source", "target", "twiddle_table", "stage", "direction", "scale"}


class Settings:
    """Finds the snippets' names in the programs of a plan, and binds their textures before each run.

    Units are handed out from just below the plan's own downwards, out of the way of the caller's.
    """

    def __init__(self, programs: Sequence[moderngl.ComputeShader], limits: Limits) -> None:
        self._uniforms: dict[str, list[Any]] = {}
        for program in programs:
            for name in program:
                member = program[name]
                if isinstance(member, moderngl.Uniform) and name not in _OURS:
                    self._uniforms.setdefault(name, []).append(member)
        self._next_texture_unit = limits.texture_units - 4
        self._next_image_unit = TARGET_IMAGE_UNIT - 1
        self._units: dict[str, int] = {}
        self._textures: dict[str, Any] = {}
        self._images: dict[str, Any] = {}

    def set(self, name: str, value: Any) -> None:
        """Give a name its value.

        Raises:
            OptionError: there is no such name, or the value does not fit it.
        """
        if name not in self._uniforms:
            known = ", ".join(sorted(self._uniforms)) or "none"
            raise OptionError(f"No snippet of this plan uses '{name}'; the names they use are: {known}.")
        kind = getattr(self._uniforms[name][0], "gl_type", 0)
        if kind in _SAMPLERS or kind in _IMAGES:
            if not hasattr(value, "use") or not hasattr(value, "mglo"):
                raise OptionError(f"'{name}' needs a texture, not {type(value).__name__}.")
            (self._images if kind in _IMAGES else self._textures)[name] = value
            self._assign(name, self._unit(name, kind in _IMAGES))
        else:
            self._assign(name, value)

    def bind(self) -> None:
        """Bind the textures and images set so far."""
        for name, texture in self._textures.items():
            texture.use(self._units[name])
        for name, texture in self._images.items():
            texture.bind_to_image(self._units[name], read=True, write=True)

    def _unit(self, name: str, image: bool) -> int:
        if name not in self._units:
            if image:
                self._units[name] = self._next_image_unit
                self._next_image_unit -= 1
            else:
                self._units[name] = self._next_texture_unit
                self._next_texture_unit -= 1
            if self._units[name] < 0:
                raise OptionError(f"'{name}' is one image too many: snippets can have {TARGET_IMAGE_UNIT} at most.")
        return self._units[name]

    def _assign(self, name: str, value: Any) -> None:
        try:
            for uniform in self._uniforms[name]:
                uniform.value = value
        except Exception as error:
            raise OptionError(f"'{name}' cannot take the value {value!r}: {error}.") from error
