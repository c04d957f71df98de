"""What a pass binds, as data. Dispatching, `explain()`, the checks of snippets and exports read it."""

from dataclasses import dataclass, replace
from enum import Enum

from glfft.algorithms.storage import Storage
from glfft.algorithms.tables import Table
from glfft.gl import barriers, bindings


class Place(Enum):
    """What something is bound to; each has numbers of its own."""

    TEXTURE = "texture unit"
    BUFFER_TEXTURE = "texture unit, for a buffer"  # texelFetch from it
    IMAGE = "image unit"
    STORAGE_BUFFER = "storage buffer binding"


UniformValue = int | float | tuple[tuple[float, float], ...]  # a number, or an array of pairs

_BARRIERS = {Place.IMAGE: barriers.SHADER_IMAGE_ACCESS_BARRIER, Place.STORAGE_BUFFER: barriers.SHADER_STORAGE_BARRIER}
# The storage buffer bindings that the passes of plans take for themselves, whichever of them a pass needs.
RESERVED = (bindings.TWIDDLE_BUFFER_BINDING, bindings.SOURCE_BUFFER_BINDING, bindings.TARGET_BUFFER_BINDING)


@dataclass(frozen=True)
class ImageBinding:
    """A texture or buffer of a pass."""

    place: Place  # place, index: where it is bound
    index: int
    storage: Storage  # what a texel or an element of it is
    reads: bool = False  # reads, writes: what the pass does with it
    writes: bool = False

    @property
    def barrier(self) -> int:
        """The glMemoryBarrier bits with which a read there sees what was stored before."""
        return _BARRIERS.get(self.place, barriers.TEXTURE_FETCH_BARRIER)


@dataclass(frozen=True)
class Slots:
    """A buffer in place of shared memory, for some of a pass's work groups at a time."""

    values: int  # of all groups with one place in x
    groups: int  # in x, of a dispatch
    storage: Storage  # what a value is

    @property
    def bytes(self) -> int:
        return self.values * self.groups * self.storage.texel_bytes

    @property
    def bindings(self) -> tuple[ImageBinding, ...]:
        """The buffer to write, and the image over it to read."""
        written = ImageBinding(Place.STORAGE_BUFFER, bindings.SLOTS_BUFFER_BINDING, self.storage, writes=True)
        return written, ImageBinding(Place.IMAGE, bindings.SLOTS_IMAGE_UNIT, self.storage, reads=True)


@dataclass(frozen=True)
class TableBinding:
    """The table of factors that a pass reads."""

    place: Place  # place, index: where it is bound
    index: int
    radices: tuple[int, ...]  # of the stages whose factors it begins with
    tables: tuple[Table, ...]  # what follows them
    double: bool  # it holds float64


@dataclass(frozen=True)
class PassBindings:
    """All that a dispatch needs beside its program."""

    source: ImageBinding  # source, target: what it reads and what it writes
    target: ImageBinding
    between: tuple[ImageBinding, ...]  # the two images between its stages, if it has them
    slots: tuple[ImageBinding, ...]  # a buffer in place of shared memory, to write and to read, where there is one
    table: TableBinding | None  # its factors; None where it reads none
    uniforms: tuple[tuple[str, UniformValue], ...]  # values set before the dispatch, by name
    groups: tuple[int, int, int]  # work groups in x, y, z
    barrier: int  # glMemoryBarrier bits before it, after the pass that has stored its source
    first_barrier: int  # the bits before it where it is the first: of textures the caller has made fetches safe

    @property
    def lowest(self) -> "PassBindings":
        """The same with numbers below 4, all that OpenGL ES 3.1 has, and each once: Vulkan counts all together."""
        return replace(
            self,
            source=replace(self.source, index=0),
            target=replace(self.target, index=1),
            # In Vulkan the two, an array in GLSL, have the first one's number.
            between=tuple(replace(each, index=2 + number) for number, each in enumerate(self.between)),
            table=None if self.table is None else replace(self.table, index=3),
        )
