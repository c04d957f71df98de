"""Stockham autosort in one dispatch an axis: points in registers, exchanged through shared memory between stages.

There is one template, shaders/fft/stockham.glsl, which a `KernelConfig` sets up.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from glfft.algorithms import trigonometric
from glfft.algorithms.axis_request import AxisRequest, PaddedLines
from glfft.algorithms.lengths import is_power_of_two
from glfft.algorithms.pass_bindings import Slots
from glfft.algorithms.passes import BACKWARDS, PassSpec
from glfft.algorithms.regions import Points
from glfft.algorithms.stockham import choose, line_numbers
from glfft.algorithms.stockham.butterflies import stages_text
from glfft.algorithms.stockham.config import EXCHANGES, KernelConfig, PictureConfig
from glfft.algorithms.stockham.cost import SECTOR_TILE
from glfft.algorithms.storage import STORAGES, Storage
from glfft.algorithms.tables import Chirp, ChirpSpectrum, Factors, Roots, Table
from glfft.gl.source import Define

Defines = tuple[tuple[str, Define], ...]

# Up to so many points, the factors between two passes over parts have an entry each. Caches do not keep a longer table:
# the second of three passes over 2^24 points takes an NVIDIA H200 105 us so, 77 with products of two short tables'.
_LONGEST_TABLE = 1 << 16
_LONGEST_UNSHARED_TABLE = 1 << 11

# A group turns its lines if it has many for their length: 16 of 512 points gain an NVIDIA H200 a quarter, 8 lose 7 %.
_POINTS_A_TURNED_LINE = 32

# A dispatch has as many groups as share so much of a buffer, and there are as many dispatches as that takes.
_SLOTS_BYTES = 1 << 24
_OF_LINES = "fft/stockham.comp"
_CONVOLUTION = "fft/stockham_convolve.comp"


def kernel_pass(request: AxisRequest, config: KernelConfig) -> PassSpec:
    """The dispatch that does what is asked for, to all lines of an axis or to all parts of them, with a kernel."""
    config = suited(request, config)
    lines, missing = line_numbers.numbered(request, config)
    defines = ("LOADS_LINES", True), *missing
    if request.inverse_scale is not None:
        return _pass(_CONVOLUTION, request, config, lines, defines)
    if request.part is not None and request.couples_parts:
        couples = request.part.couples * request.shape[0]
        counts = ("LINE_COUNT", couples), ("ALL_PARTS", request.part.count)
        of_couples = (*counts, ("LINE_PAIRS", False), ("BLUESTEIN", False))
        return _pass("fft/stockham_real_parts.comp", request, config, 2 * couples, of_couples, mirrors=True)
    alone = request.real_pairs and config.staged and len(config.radices) == 1
    if alone or not (request.real_pairs or request.halved):
        return _pass(_OF_LINES, request, config, lines, defines)
    roots = 0 if request.computed_twiddles else config.length - 1
    points = ("TRANSFORM_POINTS", request.length), ("ROOTS_OFFSET", roots)
    of_reals = (("REAL_LINES", request.lines), ("BLUESTEIN", False), *points)
    shader = f"fft/stockham_real_{'forward' if request.direction < 0 else 'inverse'}.comp"
    lines = request.lines if request.halved else -(-request.lines // 2)
    return _pass(shader, request, config, lines, of_reals, mirrors=request.direction < 0)


def suited(request: AxisRequest, config: KernelConfig) -> KernelConfig:
    """The kernel without what a pass of this request cannot use. Parts in couples take two lines in place of each."""
    if request.mirrors:
        config = config.in_one_piece
    if config.exchange == "in a buffer" and not _has_room_in_buffer(request, config):
        shared = config.in_shared_memory(request.device.limits, request.storage)
        assert shared is not None, "it does not fit"
        config = shared
    whole_rows = choose.are_rows_of_buffer(request) and request.part is None
    config = replace(config, staged=config.staged and whole_rows and not request.both_axes)
    if request.couples_parts:
        return replace(config, lines=2 * config.lines, line_pairs=True)  # two lines in place of each
    one_by_one = request.real_pairs or request.halved or request.inverse_scale is not None
    # Two lines of a texture fill sectors.
    both = replace(config, line_pairs=False)
    fills = request.inverse_scale is not None and config.lines == 2 and not request.device.software
    if fills and both.fits(request.device.limits, request.storage):
        return both
    return config.line_by_line if one_by_one else config


def picture_pass(request: AxisRequest, config: PictureConfig) -> PassSpec:
    """The dispatch that does what is asked for to both axes of small pictures or planes: each is a group's line."""
    request = replace(request, axis=len(request.shape) - 1, real_pairs=False)
    shader = _OF_LINES if request.inverse_scale is None else _CONVOLUTION
    defines: Defines = (("BOTH_AXES", True), ("LOADS_LINES", True))
    return _pass(shader, request, config, math.prod(request.shape[:-2]) * (request.layers or 1), defines)


def fused(
    request: AxisRequest, config: KernelConfig, make: Callable[[AxisRequest, KernelConfig], PassSpec]
) -> PassSpec:
    """The dispatch that does cosine or sine transforms; `make` makes the kernel's dispatch for complex lines."""
    # A value is what a texel carries, and any position may be exchanged with its mirror image.
    config = replace(config.line_by_line.in_one_piece, staged=False)
    spec = make(request.complex_lines, config)
    # In the table, its factors follow those of the stages and the chirp.
    factors = trigonometric.tables(request)
    table_entries = spec.table_entries + sum(each.size for each in factors)
    assert request.kind is not None
    # In types 2 and 4 results are made of two points of the complex transform's, in type 3 inputs are. A GPU's threads
    # hand these on, and results: 1080 x 1920 points take an NVIDIA H200 29 us, and 41 if each thread loads both points.
    kind, components = request.kind.type, request.storage.components
    moves = kind == 3 and config.threads > 1 and not (spec.tables or request.device.software)
    barriers = config.mirror_barriers(components) if moves or kind in (2, 4) else 0
    barriers += config.barriers(components, config.exchanges + moves) - config.barriers(components, config.exchanges)
    defines: dict[str, Define] = {
        **dict(spec.defines),
        **trigonometric.constants(request, offset=spec.table_entries),
        "SCALE": request.scale,
        "BLUESTEIN": bool(spec.tables),
        "LOADS_LINES": False,
        "MOVES_POINTS": moves,
        "MIRRORED_POINTS": config.registers_up_to(request.length // 2),
    }
    return replace(
        spec,
        shader="fft/stockham_trigonometric.comp",
        request=request,
        defines=tuple(defines.items()),
        tables=(*spec.tables, *factors),
        # A texture has only so many columns.
        sampled_twiddles=spec.sampled_twiddles and table_entries <= request.device.limits.texture_size,
        barriers=spec.barriers + barriers,
        reads=Points.REAL,
        writes=Points.REAL,
        stores_where_it_loads=True,
    )


def _pass(
    shader: str, request: AxisRequest, config: KernelConfig, lines: int, defines: Defines, mirrors: bool = False
) -> PassSpec:
    """A dispatch of a shader for some lines, or pairs of real ones, a layer; forward, these need mirrored positions."""
    # Parts of lines can be more than fit one row.
    across, deep = request.device.limits.in_rows(-(-lines // config.lines))
    groups = across, 1 if request.both_axes else request.layers or 1, deep
    part, padded = request.part, request.padded
    table, tables = part_tables(request, config)
    offset = 0 if request.computed_twiddles else math.prod(table) - 1  # of `tables` in the table
    turned = _turns_lines(request, config)
    inside = _Turning.of(config) if turned else config
    slots = _slots(request, config, groups)
    generated = {"generated/stages.glsl": stages_text(inside, request.storage)}
    if padded is not None and request.inverse_scale is not None:
        generated["generated/multiply.glsl"] = '#include "fft/chirp_product.glsl"\n'
    puts_in_order = part is not None and part.last and padded is None
    of_picture = Points.COMPLEX if request.real_lines is None else Points.CARRIED
    return PassSpec(
        shader=shader,
        request=request,
        defines=(
            *line_constants(request, config, lines, groups),
            *stage_constants(request, inside),
            ("TURNS_LINES", turned),
            ("LINE_SLOTS", inside.line_slots(request.storage)),
            ("SLOTS_IN_BUFFER", slots is not None),
            ("slot_as_doubles", "dvec2" if config.line_pairs or request.storage.paired else "double"),
            *_scales(request, config),
            *part_constants(request, config, tables, offset),
            *defines,
        ),
        groups=groups,
        threads=config.invocations,
        generated=tuple(generated.items()),
        uniforms=(("glfft_first_line", padded.first),) if padded is not None and request.at_padded_end else (),
        radices=config.radices,
        table=table,
        tables=tables,
        # A texture has only so many columns, and no float64.
        sampled_twiddles=(
            config.sampled_twiddles
            and offset + sum(each.size for each in tables) < request.device.limits.texture_size
            and not request.storage.double
        ),
        prefers_image_loads=config.image_loads,
        shared_bytes=inside.shared_bytes(request.storage),
        slots=slots,
        barriers=_barriers(request, config, mirrors),
        stores_where_it_loads=not (request.real_pairs or request.halved or puts_in_order),
        turns_at_ends=shader == _OF_LINES,
        reads=of_picture if padded is None or padded.enters else Points.PADDED,
        writes=of_picture if padded is None or padded.leaves else Points.PADDED,
    )


def _has_room_in_buffer(request: AxisRequest, config: KernelConfig) -> bool:
    """Whether points may go through a buffer, with room for the work groups that are dispatched at once at least."""
    limits, storage = request.device.limits, request.storage
    _, deep = limits.in_rows(-(-request.lines // config.lines))
    values = deep * (request.layers or 1) * config.lines * config.line_slots(storage)
    has_room = values <= min(limits.buffer_texels, limits.buffer_bytes // storage.value_bytes)
    return has_room and choose.may_exchange_in_buffer(request)


def _slots(request: AxisRequest, config: KernelConfig, groups: tuple[int, int, int]) -> Slots | None:
    """The buffer that points go through, None where they do not."""
    if config.exchange != "in a buffer" or not config.exchanges:
        return None
    held = STORAGES["rgba32f" if request.storage.paired or config.line_pairs else "rg32f"]
    values = math.prod(groups[1:]) * (config.lines // config.lines_a_value) * config.line_slots(request.storage)
    at_once = min(_SLOTS_BYTES // held.texel_bytes, request.device.limits.buffer_texels) // values
    return Slots(values, min(max(at_once, 1), groups[0]), held)


def _scales(request: AxisRequest, config: KernelConfig) -> Defines:
    """The factors on results; where a pass transforms back too, the first is on the spectrum."""
    if request.inverse_scale is None:
        return (("SCALE", request.scale),)
    in_a_loop = ("IN_A_LOOP", _repeats_in_a_loop(request, config))
    return ("SCALE", request.inverse_scale), ("SPECTRUM_SCALE", request.scale), ("TWICE", True), in_a_loop


def _barriers(request: AxisRequest, config: KernelConfig, mirrors: bool) -> int:
    """Synchronisations of a work group; in a loop, one comes before the first exchange too."""
    components = request.storage.components
    exchanges = config.exchanges if request.inverse_scale is None else config.convolution_exchanges
    found = config.barriers(components, exchanges) + mirrors * config.mirror_barriers(components)
    return found + (_repeats_in_a_loop(request, config) and not config.staged)


def _repeats_in_a_loop(request: AxisRequest, config: KernelConfig) -> bool:
    """Whether a convolution's two transforms are the turns of a loop. Two complex numbers a value make long programs,
    of which an NVIDIA H200 keeps those of three passes only in part: a bloom takes 82 us that takes 52 pass by pass.
    """
    if request.inverse_scale is None or request.device.software or not request.storage.paired:
        return False
    return config.exchange != "alternate" and not config.goes_back_otherwise and config.exchanges > 0


def _turns_lines(request: AxisRequest, config: KernelConfig) -> bool:
    """Whether a pass loads along lines and stores across them: the last one over parts of rows in a buffer reads parts
    that are contiguous and lie apart, and writes the points of neighbouring parts side by side.
    """
    part = request.part
    if part is None or not part.last or request.padded is not None or request.inverse_scale is not None:
        return False
    if not (request.storage.buffer and request.along == "x" and config.side_by_side and config.exchanges):
        return False
    is_plain = config.exchange in EXCHANGES[:2] and config.pieces == 1 and not (config.line_pairs or config.swaps)
    # Bluestein's convolution, of another length, has products by position between its stages.
    if not is_plain or config.length != part.length or config.lines * _POINTS_A_TURNED_LINE < part.length:
        return False
    return _Turning.of(config).shared_bytes(request.storage) <= request.device.limits.shared_memory


class _Turning(KernelConfig):
    """A kernel that turns lines as its stages see it: no factors are read for the line before the first exchange."""

    @classmethod
    def of(cls, config: KernelConfig) -> KernelConfig:
        return cls(**{**vars(config), "side_by_side": False, "prefetch_twiddles": False})

    def line_slots(self, storage: Storage) -> int:
        return super().line_slots(storage) | 1  # so that the same points of neighbouring lines are in different banks


def part_tables(request: AxisRequest, config: KernelConfig) -> tuple[tuple[int, ...], tuple[Table, ...]]:
    """The radices of a pass's twiddle table and what is behind it, the factors between passes over parts."""
    part, chirps = request.part, _chirps(request)
    first, *others = config.factor_lists
    behind = tuple(Factors(math.prod(each[:stage]), each[stage]) for each in others for stage in range(len(each)))
    if request.halved:
        return first, (Factors(request.length, 2),)
    if request.of_halves and (request.couples_parts or (request.enters and request.direction > 0)):
        return first, (Roots(2 * request.shape[request.axis]),)
    if part is None or part.last:
        return first, (*behind, *chirps)
    points = part.length * part.after
    shared = request.device.software or (request.along != "x" and not is_power_of_two(points))
    if config.length == part.length and points <= (_LONGEST_TABLE if shared else _LONGEST_UNSHARED_TABLE):
        return (*config.radices, part.after), chirps
    return config.radices, (Roots(points), *chirps)


def _chirps(request: AxisRequest) -> tuple[Table, ...]:
    """What the lines of a picture, or the spectra of padded lines, are multiplied by."""
    padded, part = request.padded, request.part
    if padded is None or part is None:
        return ()
    chirp = Chirp(padded.whole.length)
    if part.last:
        return (ChirpSpectrum(chirp, request.shape[request.axis], (*part.before, part.length)),)
    return (chirp,) if request.at_padded_end else ()


# The constants of the shader; shaders/fft/stockham.glsl says what each of them is.
def line_constants(request: AxisRequest, config: KernelConfig, lines: int, groups: tuple[int, int, int]) -> Defines:
    """Which lines an invocation works on, and how it loads and stores their points."""
    across, layers, deep = groups
    one = "picture" if request.both_axes else "point" if request.part is None else "part"
    at_once = "pair" if config.line_pairs else one
    turned = "_turned" if request.both_axes and request.inverse_scale is None else ""
    meet = config.line_pairs and request.measured_axis == 0 and not (request.storage.buffer or request.device.software)
    return (
        *((("line_point", "vec4"),) * config.line_pairs),
        ("LOAD", f"load_{at_once}"),
        ("STORE", f"store_{at_once}{turned}"),
        ("LOAD_EACH", f"load_{one}"),
        ("STORE_EACH", f"store_{one}"),
        ("LINE_PAIRS", config.line_pairs),
        ("STORES_MEET", meet and config.lines // 2 * request.storage.texel_bytes < SECTOR_TILE[0]),
        ("LINE_COUNT", lines),
        ("LINES", config.lines // config.lines_a_value),
        ("EVERY_LINE_EXISTS", across * deep * config.lines == lines),
        ("LINES_SIDE_BY_SIDE", config.side_by_side),
        ("INVOCATIONS", config.invocations),
        ("GROUPS_ACROSS", across),
        ("GROUP_LAYERS", layers),
        ("GROUPS_DEEP", deep),
        (BACKWARDS, False),
    )


def stage_constants(request: AxisRequest, config: KernelConfig) -> Defines:
    """What a thread does in the stages and between them."""
    return (
        ("LENGTH", config.length),
        ("THREADS", config.threads),
        ("POINTS", config.points),
        ("FIRST_RADIX", config.radices[0]),
        ("LAST_RADIX", config.radices[-1]),
        ("END_RADIX", (config if request.inverse_scale is None else config.turned).radices[-1]),
        ("MIRRORED_POINTS", config.registers_up_to(config.length // 2)),
        ("EXCHANGES", config.exchanges),
        ("TWICE", False),
        ("MOVES_POINTS", False),
        ("STAGES_BACK", f"all_stages{'_back' * config.goes_back_otherwise}"),
        ("SECOND_FACTORS", 0 if request.computed_twiddles else math.prod(config.factor_lists[0]) - 1),
        ("LOADS_LINES", False),
        ("ENDS_AS_IT_BEGINS", config.ends_as_it_begins),
        ("IN_TURN", config.exchange == "in turn"),
        ("ALTERNATE", config.exchange == "alternate"),
        ("STAGED", config.staged),
        ("PIECES", config.pieces),
        ("SWAPS", config.swaps),
        ("FACTORS_GIVEN", config.factors_given),
        ("TWIDDLE_PRODUCTS", config.twiddle_products),
        ("DIRECTION", request.direction),
    )


def part_constants(request: AxisRequest, config: KernelConfig, tables: tuple[Table, ...], offset: int) -> Defines:
    """How fft/four_step.glsl finds the points of a part, and the factors between passes in a table's `tables`."""
    part, padded = request.part, request.padded
    together = line_numbers.together(request, config)
    if part is None:
        return (("PARTS", 1), ("ROWS_TOGETHER", together))
    roots = next((table for table in tables if isinstance(table, Roots)), None)
    chirp_offset = offset if roots is None or request.computed_twiddles else offset + roots.size
    real = request.picture_lines.real_lines if request.enters or request.leaves else None
    load = "load_two" if real is not None and request.enters else "load_point"
    store = "store_two" if real is not None and request.leaves else "store_point"
    parts = part.couples if request.couples_parts else part.count
    return (
        ("REAL_PAIRS", real is not None and not request.of_halves),
        ("HALVED", real is not None and request.of_halves),
        ("REAL_LINES", 0 if real is None else real.lines),
        ("PICTURE_LOAD", load),
        ("PICTURE_STORE", store),
        ("PARTS", parts),
        ("MULTIPLIES", not part.last),
        ("TOGETHER", together),
        ("PARTS_ACROSS", parts if request.along == "x" else request.lines // part.count),
        ("PART_POINTS", part.length),
        ("PARTS_AFTER", part.after),
        ("PUTS_IN_ORDER", part.last and padded is None),
        ("PASSES_BEFORE", len(part.before)),
        ("LENGTHS_BEFORE", f"int[{max(len(part.before), 1)}]({', '.join(map(str, part.before or (1,)))})"),
        ("PART_DIRECTION", request.direction),
        ("FACTORS_ON_INPUTS", padded is not None and request.direction > 0),
        ("PADDED", request.at_padded_end),
        ("LINE_LOAD", "load_padded" if request.at_padded_end else load),
        ("LINE_STORE", "store_padded" if request.at_padded_end else store),
        ("ROOT_ORDER", 0 if roots is None else roots.length),
        ("ROOT_OFFSET", offset),
        ("ROOT_FINE_BITS", 0 if roots is None else roots.fine_bits),
        *(() if padded is None else _padded_constants(padded, chirp_offset)),
    )


def _padded_constants(padded: PaddedLines, chirp_offset: int) -> Defines:
    """How fft/padded_lines.glsl finds the picture's lines, and their chirp in the table."""
    return (
        ("ENTERS", padded.enters),
        ("WHOLE_LINES", padded.whole.lines),
        ("CHIRP_POINTS", padded.whole.length),
        ("CHIRP_DIRECTION", padded.whole.direction),
        ("CHIRP_OFFSET", chirp_offset),
    )
