"""One dispatch as data: an algorithm's answer to a request."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.pass_bindings import ImageBinding, PassBindings, Place, Slots, TableBinding, UniformValue
from glfft.algorithms.regions import Points, Region, crossing_constants, end_constants, half_shape
from glfft.algorithms.storage import STORAGES, Storage
from glfft.algorithms.tables import Factors, Roots, Table
from glfft.gl import barriers, bindings
from glfft.gl.source import Define, Source, assemble

BACKWARDS = "BACKWARDS"  # the constant of shaders that can take their work groups in either order
AXES = {"x": 1, "y": 0, "z": -1}  # the constant AXIS of shaders, by the direction of lines

# A larger buffer whose lines are not its rows is read as shader storage: fetches of points far apart take longer.
_MOST_FETCHED_BYTES = 1 << 26

_SLOTS_BARRIERS = barriers.SHADER_STORAGE_BARRIER | barriers.SHADER_IMAGE_ACCESS_BARRIER


@dataclass(frozen=True)
class Choice:
    family: str  # name of the algorithm
    config: Hashable  # which of its kernels, in its own terms
    why: str = ""  # why this one, in a few words
    whole: bool = False  # timed within whole convolutions, so that times of passes alone do not replace it


@dataclass(frozen=True)
class PassSpec:
    shader: str  # entry point below shaders/
    request: AxisRequest  # the axis it works on
    defines: tuple[tuple[str, Define], ...]  # constants of the shader
    groups: tuple[int, int, int]  # work groups in x, y, z
    threads: int  # invocations a work group
    generated: tuple[tuple[str, str], ...] = ()  # Python-made texts the shader includes, by path
    # values set before each dispatch, where one program serves several passes
    uniforms: tuple[tuple[str, UniformValue], ...] = ()
    radices: tuple[int, ...] = ()  # of the stages done in this dispatch, in order
    table: tuple[int, ...] | None = None  # radices of the twiddle table it reads, where it is not that of `radices`
    tables: tuple[Table, ...] = ()  # what it reads behind that table
    sampled_twiddles: bool = False  # that table is a texture instead of a buffer
    prefers_image_loads: bool = False  # read a texture as an image, where its swizzle and the snippets allow it
    shared_bytes: int = 0  # shared memory a work group
    slots: Slots | None = None  # what takes its place
    barriers: int = 0  # synchronisations within a work group
    snippets: tuple[tuple[str, str], ...] = ()  # texts of the caller's the shader includes, by path
    choice: Choice | None = None  # what was chosen, where there was a choice; tuning measures such passes
    stores_where_it_loads: bool = False  # each line's points, once all are loaded, so that source and target may be one
    reads: Points = Points.COMPLEX  # what its source holds of the lines
    writes: Points = Points.COMPLEX  # what its target holds of the lines
    # The regions of the transform that its images hold, where they do not hold the whole lines that it works on
    source_region: Region | None = None
    target_region: Region | None = None
    boundary: str = "zero"  # what is read outside `source_region`
    # all that depends on its direction comes between `load_point` and `store_point`, see `in_either_direction`
    turns_at_ends: bool = False
    # its source, or its target, is a scratch buffer where the plan's images are textures
    reads_buffer: bool = False
    writes_buffer: bool = False
    ping_pong: bool = False  # its stages load from one of two images and store to the other, see fft/ping_pong.glsl

    @property
    def backwards(self) -> "PassSpec":
        """The same in the opposite order of work groups, if there is a choice: caches still have what came last."""
        return replace(self, defines=tuple((name, True if name == BACKWARDS else each) for name, each in self.defines))

    @property
    def fetching(self) -> "PassSpec":
        """The same with fetches in place of image loads."""
        return replace(self, prefers_image_loads=False) if self.prefers_image_loads else self

    @property
    def tables_read(self) -> tuple[tuple[int, ...], tuple[Table, ...]]:
        """What its table of twiddle factors has: the radices of stages, and what is behind them."""
        if not self.request.computed_twiddles:
            return self.radices if self.table is None else self.table, self.tables
        # Roots of unity are computed too. A chirp is not: float32 does not hold n^2.
        return (), tuple(table for table in self.tables if not isinstance(table, Factors | Roots))

    @property
    def table_entries(self) -> int:
        """How many numbers its table has."""
        radices, tables = self.tables_read
        return math.prod(radices) - 1 + sum(each.size for each in tables)

    @property
    def source_place(self) -> Place:
        if self.source_storage.buffer:
            return Place.BUFFER_TEXTURE if self.fetches_buffer else Place.STORAGE_BUFFER
        return Place.IMAGE if self.prefers_image_loads else Place.TEXTURE

    @cached_property
    def bindings(self) -> PassBindings:
        request, limits, held = self.request, self.request.device.limits, self.ping_pong_storage
        place, source_unit = self.source_place, bindings.source_texture_unit(limits)
        numbers = {Place.STORAGE_BUFFER: bindings.SOURCE_BUFFER_BINDING, Place.IMAGE: bindings.SOURCE_IMAGE_UNIT}
        twofold = self._reads_two or self._in_halves("load", self.reads, self.source_lines)
        read_as = request.storage if twofold else self.source_storage
        source = ImageBinding(place, numbers.get(place, source_unit), read_as, reads=True)
        target, in_buffer = self.target_storage, (Place.STORAGE_BUFFER, bindings.TARGET_BUFFER_BINDING)
        stores_at = in_buffer if target.buffer else (Place.IMAGE, bindings.TARGET_IMAGE_UNIT)
        radices, tables = self.tables_read
        table = (Place.STORAGE_BUFFER, bindings.TWIDDLE_BUFFER_BINDING)
        if self.sampled_twiddles and radices:  # else it has what is read even where the factors of stages are computed
            table = (Place.TEXTURE, bindings.twiddle_texture_unit(limits))
        units = bindings.PING_PONG_IMAGE_UNITS if self.ping_pong else ()
        # A pass must not store to images between its stages, to slots or scratch, before all that used them has ended.
        slots = _SLOTS_BARRIERS if self.slots is not None else 0
        images = barriers.SHADER_IMAGE_ACCESS_BARRIER if self.ping_pong else 0
        scratch = barriers.SHADER_STORAGE_BARRIER if request.padded is not None else 0
        return PassBindings(
            source,
            ImageBinding(*stores_at, target, writes=True),
            tuple(ImageBinding(Place.IMAGE, unit, held, reads=True, writes=True) for unit in units),
            () if self.slots is None else self.slots.bindings,
            TableBinding(*table, radices, tables, request.storage.double) if radices or tables else None,
            self.uniforms,
            self.groups,
            barrier=source.barrier | scratch | images | slots,
            first_barrier=(0 if source.place is Place.TEXTURE else source.barrier) | images | slots,
        )

    @property
    def fetches_buffer(self) -> bool:
        """Whether it fetches from a buffer, in less time than as shader storage: rows of 6144 points 44 us, not 54."""
        limits, owner = self.request.device.limits, self._owner(self.reads)
        texels = math.prod(self.source_lines.shape) * (owner.layers or 1)
        if self.request.measured_axis != 1 and texels * self.source_storage.texel_bytes > _MOST_FETCHED_BYTES:
            return False
        # No texel holds float64.
        return texels <= limits.buffer_texels and not self.source_storage.double

    @property
    def ping_pong_storage(self) -> Storage:
        """What a texel is of the two images between stages."""
        return STORAGES["rgba32f" if self.request.storage.paired else "rg32f"]

    @property
    def ping_pongs_in_target(self) -> bool:
        """Whether the first of the two images is its target: one that keeps every point as the stages leave it."""
        whole = self.writes is Points.COMPLEX and not self.target_lines.first and not self._has("store")
        return self.target_storage == self.ping_pong_storage and whole

    def _in_halves(self, snippet: str, points: Points, lines: Region) -> bool:
        """Whether one end holds real lines as the complex ones of half as many points that they go as."""
        return self.request.in_halves and points is Points.REAL and self._are_plain_rows(snippet, lines)

    @property
    def _reads_two(self) -> bool:
        """Whether each of its work groups, which stage real rows alone, begins at an even one of their points."""
        defines = dict(self.defines)
        if not (self.reads is Points.REAL and defines.get("STAGED") and defines["LOADS_LINES"]) or defines["EXCHANGES"]:
            return False
        even = all(int(count) * self.request.length % 2 == 0 for count in (defines["LINES"], self.request.whole.lines))
        return even and self._are_plain_rows("load", self.source_lines)

    def _are_plain_rows(self, snippet: str, lines: Region) -> bool:
        """Whether neighbouring numbers of lines at one end are neighbours in memory, with no snippet between."""
        storage, along_rows = self.request.storage, self.request.along == "x"
        return along_rows and storage.buffer and not (storage.paired or lines.first or self._has(snippet))

    def _has(self, snippet: str) -> bool:
        return f"generated/{snippet}.glsl" in dict(self.snippets)

    @property
    def source_lines(self) -> Region:
        return self._lines(self.reads, self.source_region)

    @property
    def target_lines(self) -> Region:
        return self._lines(self.writes, self.target_region)

    @property
    def source_storage(self) -> Storage:
        storage = self._owner(self.reads).storage
        return (storage.scratch if self.reads_buffer else storage).of(self.reads)

    @property
    def target_storage(self) -> Storage:
        storage = self._owner(self.writes).storage
        return (storage.scratch if self.writes_buffer else storage).of(self.writes)

    def _owner(self, points: Points) -> AxisRequest:
        """The request that says how an image of such points is made."""
        if points is Points.CARRIED and self.request.real_lines is None:
            return self.request.complex_lines
        return self.request if points in (Points.PADDED, Points.CARRIED) else self.request.whole

    def _lines(self, points: Points, region: Region | None) -> Region:
        request = self._owner(points)
        shape = half_shape(request.shape, request.axis) if points is Points.HERMITIAN else request.shape
        if region is None and request.crossing is not None:
            region = request.crossing.taking([request.axis], Region.whole(shape))
        return region or Region((), shape)

    @property
    def bytes_moved(self) -> int:
        """Bytes of picture read and written, and of images between stages; twiddles stay in cache."""
        image = self.request.points * self.ping_pong_storage.texel_bytes if self.ping_pong else 0
        return self.source_bytes + 2 * (len(self.radices) - 1) * image + self.target_bytes

    @property
    def source_bytes(self) -> int:
        lines, crossing, axis = self.source_lines, self.request.crossing, self.request.axis
        if lines.first and crossing is not None:  # lines that no target needs are not read
            lines = lines.taking([each for each in range(len(lines.shape)) if each != axis], lines.common(crossing))
        return self.source_storage.texel_bytes * self._points(self.reads, lines.shape)

    @property
    def target_bytes(self) -> int:
        return self.target_storage.texel_bytes * self._points(self.writes, self.target_lines.shape)

    def _points(self, points: Points, shape: tuple[int, ...]) -> int:
        """How many points a pass reads or writes, in all layers."""
        padded = self.request.padded
        if padded is None:
            return math.prod(shape) * (self.request.layers or 1)
        whole = padded.whole.lines * (padded.whole.layers or 1)
        end = min(padded.first + self.request.shape[1 - self.request.axis], whole)
        # Each of them may be two real lines of the picture.
        of = padded.whole if points is Points.PADDED else self.request.whole
        before, up_to_end = (count * of.lines // padded.whole.lines for count in (padded.first, end))
        return shape[self._owner(points).axis] * (up_to_end - before)

    @cached_property
    def source(self) -> Source:
        return self.source_with(self.bindings)

    def source_with(self, bound: PassBindings) -> Source:
        """The same with other numbers of units and bindings."""
        return assemble(self.shader, self.constants | _units(bound), self._included, self.request.storage.double)

    @property
    def constants(self) -> dict[str, Define]:
        """All constants that its text may name; it has those that it does name."""
        request, bound, snippets = self.request, self.bindings, bool(self.snippets)
        kind = "3D" if request.whole.is_volume else "2D" if request.whole.layers is None else "2DArray"
        loads_image = bound.source.place is Place.IMAGE
        constants: dict[str, Define] = {
            "value": "vec4" if request.storage.paired else "vec2",
            "line_point": "value",
            "EITHER_DIRECTION": False,
            "BOTH_AXES": False,
            "HALVED": request.halved,
            "SCALE_GIVEN": False,
            "AXIS_GIVEN": False,
            "ENDS_GIVEN": False,
            "ROWS_TOGETHER": 1,
            "LINES_MISSING": False,
            **self._line_constants,
            **dict(self.defines),
            "COMPLEX_PAIRS": request.storage.paired or "vec4" in dict(self.defines).values() or snippets,
            "PAIRED": request.storage.paired,
            "CHIRPS": bool(self.tables_read[1]),
            "TWIDDLES_COMPUTED": request.computed_twiddles,
            "TWIDDLES_SAMPLED": self.sampled_twiddles,
            **self.source_storage.constants("SOURCE"),
            **self.target_storage.constants("TARGET"),
            "value_as_doubles": "dvec2" if request.storage.paired else "double",
            "STORES_DOUBLES": request.device.stores_doubles and not request.storage.double,
            "FETCHES_BUFFER": bound.source.place is Place.BUFFER_TEXTURE,
            "IMAGE_LOADS": loads_image,
            "SOURCE_TYPE": f"{'image' if loads_image else 'sampler'}{kind}",
            "TARGET_TYPE": f"image{kind}",
            **_units(bound),
            "SNIPPETS": snippets,
            "LOAD_SNIPPET": self._has("load"),
            "STORE_SNIPPET": "generated/store.glsl" in dict(self.generated) or self._has("store"),
        }
        if self.ping_pong:
            constants["PING_PONG_FORMAT"] = self.ping_pong_storage.name
        if loads_image:
            constants["SOURCE_FORMAT"] = self.source_storage.name
        return constants

    @property
    def _line_constants(self) -> dict[str, Define]:
        request, whole = self.request, self.request.whole
        # Where both ends are in scratch, the lines are those there.
        lines = request if self.reads is self.writes is Points.PADDED else whole
        picture, reads, writes = whole.picture or whole.shape, self.source_lines, self.target_lines
        reads_halves = self._in_halves("load", self.reads, reads)
        writes_halves = self._in_halves("store", self.writes, writes)
        constants: dict[str, Define] = {
            "AXIS": AXES[lines.along],
            "LINE_POINTS": whole.shape[whole.axis],
            "ROWS": picture[-2],
            "COLUMNS": picture[-1],
            "LAYERS": whole.layers or 1,
            "LAYERED": whole.layers is not None,
            "SOURCE_ROWS": reads.shape[-2],
            "SOURCE_COLUMNS": reads.shape[-1] // (1 + reads_halves),
            "TARGET_ROWS": writes.shape[-2],
            "TARGET_COLUMNS": writes.shape[-1] // (1 + writes_halves),
            "READS_REAL": self.reads is Points.REAL and not (reads_halves or self._reads_two),
            "READS_TWO": self._reads_two,
            "READS_HERMITIAN": self.reads is Points.HERMITIAN,
            "WRITES_REAL": self.writes is Points.REAL and not writes_halves,
            "WRITES_HERMITIAN": self.writes is Points.HERMITIAN,
        }
        if lines.is_volume:
            constants["DEPTH"] = picture[0]  # a scratch buffer has no planes
            for name, each in (("SOURCE_DEPTH", reads), ("TARGET_DEPTH", writes)):
                constants[name] = each.shape[0] if len(each.shape) == 3 else picture[0]
            constants["LINES_ACROSS"] = (lines.crossing or lines).shape[-2 if lines.along == "x" else -1]
        return constants | self._region_constants(lines)

    def _region_constants(self, lines: AxisRequest) -> dict[str, Define]:
        """The constants that say which points the images hold, and which lines are transformed."""
        constants = crossing_constants(lines.crossing, lines.axis)
        for name, held, points, snippet, boundary in (
            ("SOURCE", self.source_lines, self.reads, "load", self.boundary),
            ("TARGET", self.target_lines, self.writes, "store", "zero"),
        ):
            worked_on = self._lines(points, None)
            asked = worked_on if worked_on.first else Region.whole(worked_on.shape)
            constants |= end_constants(name, held, asked, boundary, anywhere=self._has(snippet))
        return constants

    @property
    def _included(self) -> dict[str, str]:
        """The texts that the shader includes and that are in no file, by path."""
        ends = dict.fromkeys((*self.target_storage.shaders, self.source_storage.shaders[-1]))
        storage = "".join(f'#include "{path}"\n' for path in ends)
        return {"generated/storage.glsl": storage, **dict(self.generated), **dict(self.snippets)}


def _units(bound: PassBindings) -> dict[str, Define]:
    table = bindings.TWIDDLE_BUFFER_BINDING if bound.table is None else bound.table.index
    units: dict[str, Define] = {"TWIDDLE_UNIT": table, "SOURCE_UNIT": bound.source.index}
    units["TARGET_UNIT"] = bound.target.index
    if bound.slots:
        buffer, image = bound.slots
        units |= {"SLOTS_UNIT": buffer.index, "SLOTS_IMAGE_UNIT": image.index, "SLOTS_FORMAT": image.storage.name}
    return units | {"PING_PONG_UNIT": bound.between[0].index} if bound.between else units


def steps(specs: Sequence[PassSpec]) -> list[list[PassSpec]]:
    """The steps of passes in order: a pass, or all passes over padded lines, which go through scratch in turns."""
    found: list[list[PassSpec]] = []
    for spec in specs:
        padded = spec.request.padded
        if padded is None or (padded.enters and padded.first == 0):
            found.append([])
        found[-1].append(spec)
    return found


def readers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that read its source; others read what one before them has left in scratch."""
    return [spec for spec in step if spec.reads is not Points.PADDED]


def writers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that write its target, some of its lines each, rather than scratch."""
    return [spec for spec in step if spec.writes is not Points.PADDED]


def keep_places(step: Sequence[PassSpec]) -> bool:
    """Whether a step can work in place, the caller's snippets included."""
    moves = any(path in ("generated/load.glsl", "generated/store.glsl") for spec in step for path, _ in spec.snippets)
    stays = all(spec.stores_where_it_loads for spec in step)
    alike = step[0].reads is step[-1].writes and step[0].reads in (Points.COMPLEX, Points.REAL, Points.CARRIED)
    return stays and alike and not moves and same_region(step)


def same_region(step: Sequence[PassSpec]) -> bool:
    """Whether a step's source and target hold the same region; a picture is loaded whole before it is stored."""
    source, target = step[0].source_lines, step[-1].target_lines
    return source.shape == target.shape and (source.first == target.first or step[0].request.both_axes)


def in_either_direction(spec: PassSpec) -> PassSpec:
    """The pass with direction, scale and order of its groups as uniforms: the scale alone where lines are real or
    padded, or a family does not say more, and nothing with snippets, whose programs no other plan shares. What a pass
    with any axis reads and writes are uniforms too, where lines are real in textures of single values.
    """
    defines = dict(spec.defines)
    scale = defines.get("SCALE")
    if spec.snippets or not isinstance(scale, (int, float)):
        return spec
    uniforms: list[tuple[str, UniformValue]] = [("glfft_scale", float(scale))]
    constants: dict[str, Define] = {"SCALE": "glfft_scale", "SCALE_GIVEN": True}
    request, storage = spec.request, spec.request.storage
    given = "AXIS_GIVEN" in defines and not (storage.buffer or storage.paired) and (request.real or request.picture)
    if given:
        uniforms += [("glfft_reads", list(Points).index(spec.reads)), ("glfft_writes", list(Points).index(spec.writes))]
        either = "READS_REAL", "READS_HERMITIAN", "WRITES_REAL", "WRITES_HERMITIAN"
        constants |= dict.fromkeys(either, False) | {"ENDS_GIVEN": True}
    if spec.turns_at_ends and (given or spec.reads is spec.writes is Points.COMPLEX) and request.padded is None:
        uniforms.append(("glfft_inverse", int(request.direction > 0)))
        constants |= dict.fromkeys(("DIRECTION", "PART_DIRECTION", "CHIRP_DIRECTION"), -1) | {"EITHER_DIRECTION": True}
        if BACKWARDS in defines:
            uniforms.append(("glfft_backwards", int(bool(defines[BACKWARDS]))))
    return replace(spec, defines=tuple((defines | constants).items()), uniforms=(*spec.uniforms, *uniforms))
