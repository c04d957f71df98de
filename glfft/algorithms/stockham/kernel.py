"""Stockham autosort in one dispatch an axis: points in registers, exchanged through shared memory between stages.

There is one template, shaders/fft/stockham.glsl. A `KernelConfig` sets it up: the list of radices, threads a line,
lines a work group, and how points are exchanged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glfft.algorithms.lengths import product
from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import BACKWARDS, AxisRequest, PassSpec
from glfft.algorithms.storage import Storage
from glfft.algorithms.tables import Chirp, ChirpSpectrum, Roots, Table
from glfft.gl.device import Limits
from glfft.gl.source import Define

RADICES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 21, 24, 25, 32)
LARGEST_PRIME = 13
EXCHANGES = ("at once", "in turn", "alternate")
# A padding of its own for each exchange.
BY_STRIDE = -1
# Shared memory serves so many words of 4 bytes at once, each from a bank of its own, on NVIDIA's and AMD's GPUs.
_BANKS = 32

# Up to so many points, the factors between two passes over parts have an entry each.
_LONGEST_TABLE = 1 << 16

# The uniform of passes whose lines lie in scratch.
FIRST_LINE = "glfft_first_line"

_Defines = tuple[tuple[str, Define], ...]


@dataclass(frozen=True)
class KernelConfig:
    """How a line is divided into stages and threads.

    A thread does the butterflies thread, thread + threads, ... of each stage. Where those of a stage cannot be shared
    out evenly, some threads have one less.

    Attributes:
        radices: of the stages in order, each one of RADICES; their product is the length.
        threads: invocations a line.
        lines: lines a work group.
        side_by_side: neighbouring invocations work on neighbouring lines instead of on one.
        exchange: "at once", "in turn" or "alternate", see shaders/fft/exchange.glsl.
        padding: a free slot of shared memory every so many points; 0 for none; BY_STRIDE for as many in each exchange
            as keep what neighbouring threads store, and what they read, in different banks.
        sampled_twiddles: the twiddle table is a texture instead of a buffer.
        twiddle_products: only some twiddle factors are read, and the others are products of two of them.
        image_loads: a texture is read as an image instead of through a texture unit, in plans without snippets.
        line_pairs: a thread works on two of the lines at once, for texels of one complex number.
        prefetch_twiddles: the factors of all stages are read while a line's points are on their way.
    """

    radices: tuple[int, ...]
    threads: int
    lines: int = 1
    side_by_side: bool = False
    exchange: str = "at once"
    padding: int = 0
    sampled_twiddles: bool = False
    twiddle_products: bool = False
    image_loads: bool = False
    line_pairs: bool = False
    prefetch_twiddles: bool = False

    @property
    def length(self) -> int:
        """Points of a line."""
        return product(self.radices)

    def butterflies(self, radix: int) -> int:
        """Butterflies a thread has in a stage of a radix, at most."""
        return -(-self.length // radix // self.threads)

    def shares_evenly(self, radix: int) -> bool:
        """Whether every thread has as many."""
        return self.length // radix % self.threads == 0

    @property
    def points(self) -> int:
        """Points a thread keeps in registers."""
        return max(radix * self.butterflies(radix) for radix in self.radices)

    @property
    def invocations(self) -> int:
        """Invocations a work group."""
        return self.lines // self.lines_a_value * self.threads

    @property
    def lines_a_value(self) -> int:
        """Lines a thread works on at once."""
        return 2 if self.line_pairs else 1

    @property
    def line_by_line(self) -> KernelConfig:
        """The same with one line a thread, in half as many lines a work group."""
        return replace(self, lines=self.lines // 2, line_pairs=False) if self.line_pairs else self

    def shared_bytes(self, storage: Storage) -> int:
        """Shared memory a work group, for values of a storage."""
        if len(self.radices) == 1:
            return 0
        slots = self.lines // self.lines_a_value * self.line_slots(storage)
        return slots * self._slot_bytes(storage) * (2 if self.exchange == "alternate" else 1)

    def line_slots(self, storage: Storage) -> int:
        """Slots of shared memory a line, with those left free."""
        paddings = [self.padding_after(stage, storage) for stage in range(len(self.radices))]
        return self.length + max(self.length // period * free if period else 0 for period, free in paddings)

    def padding_after(self, stage: int, storage: Storage) -> tuple[int, int]:
        """After how many points, in the exchange behind a stage, how many slots are free: (0, 0) for none.

        By stride: after a stage of radix r that has covered `span` points, neighbouring threads store `span` points
        side by side, and the next ones r * span further. Where these come to the same banks again before all banks
        are taken, the points from there on are moved by `span` slots. Where `span` points are no even share of the
        banks, each next ones are moved so that they follow those before.
        """
        if self.padding != BY_STRIDE:
            return (self.padding, 1) if self.padding else (0, 0)
        words = self._slot_bytes(storage) // 4 * (self.lines // self.lines_a_value if self.side_by_side else 1)
        banks = 1 << max(_BANKS // max(words, 1), 1).bit_length() - 1
        span = product(self.radices[:stage])
        block = span * self.radices[stage]
        if banks % span == 0:
            common = math.gcd(block, banks)
            return (block // common * banks, span) if common > span else (0, 0)
        free = (span - block) % banks
        return (block, free) if free else (0, 0)

    def _slot_bytes(self, storage: Storage) -> int:
        """Bytes of shared memory that a point's slot takes."""
        return storage.number_bytes if self.exchange == "in turn" else storage.value_bytes * self.lines_a_value

    @property
    def ends_as_it_begins(self) -> bool:
        """Whether a thread has, after the last stage, the positions that it had before the first."""
        first, last = self.radices[0], self.radices[-1]
        return first == last or (self.shares_evenly(first) and self.shares_evenly(last))

    @property
    def factors_given(self) -> bool:
        """Whether the factors of a butterfly are read before it, or some of them made of others."""
        return self.prefetch_twiddles or self.twiddle_products

    @property
    def exchanges(self) -> int:
        """How often points go through shared memory."""
        return len(self.radices) - 1

    @property
    def convolution_exchanges(self) -> int:
        """The same for two transforms, one after the other."""
        return 2 * self.exchanges + (0 if self.ends_as_it_begins else 1)

    def barriers(self, components: int, exchanges: int) -> int:
        """Synchronisations of a work group, for values of so many components and so many exchanges."""
        if self.exchange == "alternate":
            return exchanges
        return max(2 * exchanges * self._rounds(components) - 1, 0)

    def mirror_barriers(self, components: int) -> int:
        """Synchronisations of the exchange with mirrored positions (shaders/fft/mirror.glsl)."""
        return 0 if self.threads == 1 else 2 * self._rounds(components)

    def _rounds(self, components: int) -> int:
        return components * self.lines_a_value if self.exchange == "in turn" else 1

    def registers_up_to(self, position: int) -> int:
        """Registers that hold a position up to that one after the last stage, in some thread."""
        radix = self.radices[-1]
        butterflies = self.butterflies(radix)
        firsts = (b * self.threads + i * (self.length // radix) for i in range(radix) for b in range(butterflies))
        return sum(first <= position for first in firsts)

    def fits(self, limits: Limits, storage: Storage) -> bool:
        """Whether a device can run it, for values of a storage."""
        return (
            self.shared_bytes(storage) <= limits.shared_memory
            and 1 <= self.invocations <= min(limits.invocations, limits.group_size[0])
            and 1 <= self.threads <= self.length // min(self.radices)
            and (not self.line_pairs or (storage.components == 2 and self.lines % 2 == 0))
        )


def kernel_pass(request: AxisRequest, config: KernelConfig) -> PassSpec:
    """The dispatch that does what is asked for, to all lines of an axis or to all parts of them, with a kernel."""
    if request.real_pairs or request.inverse_scale is not None:
        # There, a value is what a texel carries.
        config = config.line_by_line
    components = request.storage.components
    barriers = config.barriers(components, config.exchanges)
    if request.inverse_scale is not None:
        barriers = config.barriers(components, config.convolution_exchanges)
        scales = (("SCALE", request.inverse_scale), ("SPECTRUM_SCALE", request.scale), ("TWICE", True))
        return _pass("fft/stockham_convolve.comp", request, config, request.lines, barriers, scales)
    scales = (("SCALE", request.scale),)
    if not request.real_pairs:
        return _pass("fft/stockham.comp", request, config, request.lines, barriers, scales)
    pairs = -(-request.lines // 2)
    defines = (*scales, ("REAL_LINES", request.lines))
    if request.direction < 0:
        barriers += config.mirror_barriers(components)
        return _pass("fft/stockham_real_forward.comp", request, config, pairs, barriers, defines)
    return _pass("fft/stockham_real_inverse.comp", request, config, pairs, barriers, defines)


def _pass(
    shader: str,
    request: AxisRequest,
    config: KernelConfig,
    lines: int,
    barriers: int,
    defines: _Defines,
) -> PassSpec:
    """A dispatch of a shader for some lines, or pairs of real ones, a layer."""
    groups = _groups(request, config, lines)
    part, padded = request.part, request.padded
    table, tables = part_tables(request, config)
    offset = table_size(request, table)
    whole_lines = part is None or not part.last or padded is not None
    at_ends = padded is not None and (padded.enters or padded.leaves)
    return PassSpec(
        shader=shader,
        request=request,
        defines=(
            *_line_constants(request, config, lines, groups),
            *_stage_constants(request, config),
            *defines,
            *_parts(request, tables, offset),
            *_padded(request, tables, offset),
        ),
        groups=groups,
        threads=config.invocations,
        generated=(("generated/stages.glsl", stages_text(config, request.storage)), *_product(request)),
        uniforms=((FIRST_LINE, padded.first),) if padded is not None and at_ends else (),
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
        shared_bytes=config.shared_bytes(request.storage),
        barriers=barriers,
        stores_where_it_loads=not request.real_pairs and whole_lines,
        reads=Points.COMPLEX if padded is None or padded.enters else Points.PADDED,
        writes=Points.COMPLEX if padded is None or padded.leaves else Points.PADDED,
    )


def _groups(request: AxisRequest, config: KernelConfig, lines: int) -> tuple[int, int, int]:
    """Work groups across, in layers and deep: devices may allow no more than 65535 in a row, which parts of lines can
    exceed.
    """
    groups = -(-lines // config.lines)
    deep = -(-groups // request.device.limits.group_count[0])
    return -(-groups // deep), request.layers or 1, deep


def _line_constants(request: AxisRequest, config: KernelConfig, lines: int, groups: tuple[int, int, int]) -> _Defines:
    """Which lines an invocation works on, and how it loads and stores their points."""
    across, layers, deep = groups
    one = "part" if request.part is not None else "point"
    at_once = "pair" if config.line_pairs else one
    return (
        *((("line_point", "vec4"),) * config.line_pairs),
        ("LOAD", f"load_{at_once}"),
        ("STORE", f"store_{at_once}"),
        ("LOAD_EACH", f"load_{one}"),
        ("STORE_EACH", f"store_{one}"),
        ("LINE_PAIRS", config.line_pairs),
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


def _stage_constants(request: AxisRequest, config: KernelConfig) -> _Defines:
    """What a thread does in the stages and between them."""
    return (
        ("LENGTH", config.length),
        ("THREADS", config.threads),
        ("POINTS", config.points),
        ("FIRST_RADIX", config.radices[0]),
        ("LAST_RADIX", config.radices[-1]),
        ("MIRRORED_POINTS", config.registers_up_to(config.length // 2)),
        ("EXCHANGES", config.exchanges),
        ("TWICE", False),
        ("ENDS_AS_IT_BEGINS", config.ends_as_it_begins),
        ("IN_TURN", config.exchange == "in turn"),
        ("ALTERNATE", config.exchange == "alternate"),
        ("LINE_SLOTS", config.line_slots(request.storage)),
        ("FACTORS_GIVEN", config.factors_given),
        ("TWIDDLE_PRODUCTS", config.twiddle_products),
        ("DIRECTION", request.direction),
    )


def part_tables(request: AxisRequest, config: KernelConfig) -> tuple[tuple[int, ...], tuple[Table, ...]]:
    """The radices of a pass's twiddle table, and what is behind it: the factors between passes over parts.

    Those are the factors of one more stage, of a radix as large as what follows, or of many points in two levels.
    """
    part, chirps = request.part, _chirps(request)
    if part is None or part.last:
        return config.radices, chirps
    points = part.length * part.after
    if config.length == part.length and points <= _LONGEST_TABLE:
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
    return (chirp,) if padded.enters or padded.leaves else ()


def table_size(request: AxisRequest, radices: tuple[int, ...]) -> int:
    """Entries of a twiddle table."""
    return 0 if request.computed_twiddles else product(radices) - 1


def _product(request: AxisRequest) -> tuple[tuple[str, str], ...]:
    """What the spectra of padded lines are multiplied by, as the text that a convolution includes."""
    if request.padded is None or request.inverse_scale is None:
        return ()
    return (("generated/multiply.glsl", '#include "fft/chirp_product.glsl"\n'),)


def _padded(request: AxisRequest, tables: tuple[Table, ...], offset: int) -> _Defines:
    """How shaders/fft/padded_lines.glsl finds the lines of the picture, and the chirp."""
    padded = request.padded
    if padded is None:
        return ()
    roots = 0 if request.computed_twiddles else sum(each.size for each in tables if isinstance(each, Roots))
    return (
        ("ENTERS", padded.enters),
        ("WHOLE_LINES", padded.whole.lines),
        ("CHIRP_POINTS", padded.whole.length),
        ("CHIRP_DIRECTION", padded.whole.direction),
        ("CHIRP_OFFSET", offset + roots),
    )


def _parts(request: AxisRequest, tables: tuple[Table, ...], offset: int) -> _Defines:
    """How shaders/fft/four_step.glsl finds the points of a part."""
    part, padded = request.part, request.padded
    if part is None:
        return (("PARTS", 1),)
    roots = [table for table in tables if isinstance(table, Roots)]
    at_ends = padded is not None and (padded.enters or padded.leaves)
    return (
        ("PARTS", part.count),
        ("PART_POINTS", part.length),
        ("PARTS_AFTER", part.after),
        ("PUTS_IN_ORDER", part.last and padded is None),
        ("PASSES_BEFORE", len(part.before)),
        ("LENGTHS_BEFORE", f"int[{max(len(part.before), 1)}]({', '.join(map(str, part.before or (1,)))})"),
        ("PART_DIRECTION", request.direction),
        ("FACTORS_ON_INPUTS", padded is not None and request.direction > 0),
        ("PADDED", at_ends),
        ("LINE_LOAD", "load_padded" if at_ends else "load_point"),
        ("LINE_STORE", "store_padded" if at_ends else "store_point"),
        ("ROOT_ORDER", roots[0].length if roots else 0),
        ("ROOT_OFFSET", offset),
        ("ROOT_FINE_BITS", roots[0].fine_bits if roots else 0),
    )


def stages_text(config: KernelConfig, storage: Storage) -> str:
    """The list of stages as GLSL calls: the radices are Python's choice, what a stage does is written in GLSL."""
    prefetched: list[str] = []
    calls: list[str] = []
    paddings = [config.padding_after(stage, storage) for stage in range(len(config.radices))]
    padded = any(period for period, _ in paddings)

    def padding(stage: int) -> str:
        period, free = paddings[stage]
        return f", Padding({period}, {free})" if padded else ""

    span = 1
    for stage, radix in enumerate(config.radices):
        for b in range(config.butterflies(radix)):
            if stage == 0 or not config.factors_given:
                calls.append(f"    butterfly{radix}(v, {b}, place.thread, {span});")
                continue
            factors = f"factors_{stage}_{b}"
            (prefetched if config.prefetch_twiddles else calls).extend(
                (f"    complex {factors}[{radix}];", f"    read_factors({factors}, {b}, place.thread, {span});")
            )
            calls.append(f"    butterfly{radix}(v, {b}, {factors});")
        if stage < config.exchanges:
            number = f"exchanges_before + {stage}"
            calls.append(
                f"    exchange(v, place, {radix}, {span}, {config.radices[stage + 1]}, {number}{padding(stage)});"
            )
        span *= radix
    lines = [text for radix in sorted(set(config.radices)) for text in _butterfly_text(radix)]
    if config.exchanges:
        # A kernel of one stage exchanges nothing and must not take shared memory.
        lines.append(f'#include "fft/{"padded_" if padded else ""}exchange.glsl"')
    lines += [
        "",
        "void all_stages(inout line_point v[POINTS], Place place, int exchanges_before) {",
        *prefetched,
        *calls,
        "}",
        *_return_text(config, padding(config.exchanges)),
    ]
    return "\n".join(lines)


def _return_text(config: KernelConfig, padding: str) -> list[str]:
    """The exchange from the last stage to the first, for kernels that do the stages twice."""
    if config.ends_as_it_begins:
        return []
    first, last = config.radices[0], config.radices[-1]
    stages = f"{last}, {config.length // last}, {first}, {config.exchanges}"
    return [
        "#if TWICE",
        "",
        "void exchange_to_first_stage(inout line_point v[POINTS], Place place) {",
        f"    exchange(v, place, {stages}{padding});",
        "}",
        "#endif",
    ]


def _butterfly_text(radix: int) -> tuple[str, str]:
    """The butterfly of a radix: one template, put in once for each."""
    return (
        f'#include "fft/radix{radix}.glsl"',
        f'#include "fft/butterfly.template.glsl" with RADIX = {radix}, BUTTERFLY = butterfly{radix}',
    )
