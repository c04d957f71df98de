"""What a plan's result is used for next, as the barrier that makes it visible there."""

from __future__ import annotations

import operator
from functools import reduce

from glfft import gl
from glfft.errors import OptionError
from glfft.storage import Storage

NEXT_USES = {
    "sample": gl.TEXTURE_FETCH_BARRIER,
    "image": gl.SHADER_IMAGE_ACCESS_BARRIER,
    "read": gl.TEXTURE_UPDATE_BARRIER | gl.PIXEL_BUFFER_BARRIER | gl.BUFFER_UPDATE_BARRIER,
    "draw": gl.FRAMEBUFFER_BARRIER,
}
BUFFER_NEXT_USES = {
    "storage": gl.SHADER_STORAGE_BARRIER,
    "read": gl.BUFFER_UPDATE_BARRIER,
    "draw": gl.VERTEX_ATTRIB_ARRAY_BARRIER | gl.ELEMENT_ARRAY_BARRIER | gl.COMMAND_BARRIER,
    "uniform": gl.UNIFORM_BARRIER,
    "pixels": gl.PIXEL_BUFFER_BARRIER,
}
_ANY_USE, _ANY_BUFFER_USE = (reduce(operator.or_, uses.values()) for uses in (NEXT_USES, BUFFER_NEXT_USES))


def barrier_before(next_use: str | None, storage: Storage) -> int:
    """The bits of the barrier for one use, or for None those of all that a storage has.

    Raises:
        OptionError: it has no such use.
    """
    if next_use is None:
        return _ANY_BUFFER_USE if storage.buffer else _ANY_USE
    uses = BUFFER_NEXT_USES if storage.buffer else NEXT_USES
    if isinstance(next_use, str) and next_use in uses:
        return uses[next_use]
    raise OptionError(f"next_use is {next_use!r} and must be one of {', '.join(uses)}, or None.")
