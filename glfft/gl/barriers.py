"""What a plan's result is used for next, as the barrier that makes it visible there."""

import operator
from functools import reduce

from glfft.errors import OptionError, shown

# glMemoryBarrier bits (OpenGL 4.3 core specification, table 7.5 and section 7.12.2).
TEXTURE_FETCH_BARRIER = 0x00000008
VERTEX_ATTRIB_ARRAY_BARRIER = 0x00000001
ELEMENT_ARRAY_BARRIER = 0x00000002
UNIFORM_BARRIER = 0x00000004
SHADER_IMAGE_ACCESS_BARRIER = 0x00000020
COMMAND_BARRIER = 0x00000040
SHADER_STORAGE_BARRIER = 0x00002000
PIXEL_BUFFER_BARRIER = 0x00000080
TEXTURE_UPDATE_BARRIER = 0x00000100
BUFFER_UPDATE_BARRIER = 0x00000200
FRAMEBUFFER_BARRIER = 0x00000400

NEXT_USES = {
    "transform": TEXTURE_FETCH_BARRIER,
    "sample": TEXTURE_FETCH_BARRIER,
    "image": SHADER_IMAGE_ACCESS_BARRIER,
    "read": TEXTURE_UPDATE_BARRIER | PIXEL_BUFFER_BARRIER | BUFFER_UPDATE_BARRIER,
    "draw": FRAMEBUFFER_BARRIER,
}
BUFFER_NEXT_USES = {
    "transform": 0,  # a run of a plan on buffers begins with the barrier that it needs
    "storage": SHADER_STORAGE_BARRIER,
    "read": BUFFER_UPDATE_BARRIER,
    "draw": VERTEX_ATTRIB_ARRAY_BARRIER | ELEMENT_ARRAY_BARRIER | COMMAND_BARRIER,
    "uniform": UNIFORM_BARRIER,
    "pixels": PIXEL_BUFFER_BARRIER,
}
_ANY_USE, _ANY_BUFFER_USE = (reduce(operator.or_, uses.values()) for uses in (NEXT_USES, BUFFER_NEXT_USES))


def barrier_before(next_use: str | None, buffer: bool, snippet_stores: bool = False) -> int:
    """The bits of the barrier before a use, for None before any. Raises OptionError where there is no such use."""
    uses = BUFFER_NEXT_USES if buffer else NEXT_USES
    if next_use is None and snippet_stores:  # to textures and buffers alike
        return _ANY_USE | _ANY_BUFFER_USE
    if next_use is None:
        return _ANY_BUFFER_USE if buffer else _ANY_USE
    if isinstance(next_use, str) and next_use in uses:
        return uses[next_use]
    raise OptionError(f"next_use is {shown(next_use)} and must be one of {', '.join(uses)}, or None.")
