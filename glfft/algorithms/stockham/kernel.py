"""Stockham autosort in one dispatch an axis: points in registers, exchanged through shared memory between stages.

One template, shaders/fft/stockham.glsl, and a `Kernel` that says how it is cut: the list of radices, points a thread,
lines a work group, and how points are exchanged. `stockham-radix2` and `-radix4` are Mota's cuts; others are found by
measurement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glfft.algorithms import lines
from glfft.algorithms.passes import BACKWARDS, AxisRequest, Part, PassSpec
from glfft.gl.device import Limits
from glfft.gl.source import Define

RADICES = (2, 4, 8, 16, 32)
EXCHANGES = ("at once", "in turn", "alternate")

_COMPLEX_BYTES = 8

_Defines = tuple[tuple[str, Define], ...]

max_length = lines.max_length
limit = lines.limit


@dataclass(frozen=True)
class Kernel:
    """How a line is cut into threads and stages.

    Attributes:
        radices: of the stages in order, each 2, 4, 8, 16 or 32; their product is the length.
        points: points a thread keeps in registers, a multiple of every radix.
        lines: lines a work group.
        side_by_side: neighbouring invocations work on neighbouring lines instead of on one.
        exchange: "at once", "in turn" or "alternate", see shaders/fft/exchange.glsl.
        padding: a free slot of shared memory every so many points, 0 for none.
        sampled_twiddles: the twiddle table is a texture instead of a buffer.
        twiddle_products: only some twiddle factors are read, and the others are products of two of them.
        image_loads: a texture is read as an image instead of through a texture unit, in plans without snippets.
        line_pairs: a thread works on two of the lines at once, for texels of one complex number.
        early_twiddles: the factors of all stages are read while a line's points are on their way.
    """

    radices: tuple[int, ...]
    points: int
    lines: int = 1
    side_by_side: bool = False
    exchange: str = "at once"
    padding: int = 0
    sampled_twiddles: bool = False
    twiddle_products: bool = False
    image_loads: bool = False
    line_pairs: bool = False
    early_twiddles: bool = False

    @property
    def length(self) -> int:
        """Points of a line."""
        return math.prod(self.radices)

    @property
    def threads(self) -> int:
        """Invocations a work group."""
        return self.lines // self.lines_a_value * (self.length // self.points)

    @property
    def lines_a_value(self) -> int:
        """Lines a thread works on at once."""
        return 2 if self.line_pairs else 1

    @property
    def line_by_line(self) -> Kernel:
        """The same with one line a thread, in half as many lines a work group."""
        return replace(self, lines=self.lines // 2, line_pairs=False) if self.line_pairs else self

    def shared_bytes(self, value_bytes: int) -> int:
        """Shared memory a work group, for values of so many bytes."""
        if len(self.radices) == 1:
            return 0
        slots = self.length + (self.length // self.padding if self.padding else 0)
        value_bytes *= self.lines_a_value
        slot_bytes = {"at once": value_bytes, "in turn": 4, "alternate": 2 * value_bytes}[self.exchange]
        return self.lines // self.lines_a_value * slots * slot_bytes

    @property
    def exchanges(self) -> int:
        """How often points go through shared memory."""
        return len(self.radices) - 1

    def barriers(self, components: int, transforms: int = 1) -> int:
        """Synchronisations of a work group, for values of so many components, over transforms one after the other."""
        exchanges = transforms * self.exchanges
        if self.exchange == "alternate":
            return exchanges
        return max(2 * exchanges * self._rounds(components) - 1, 0)

    def mirror_barriers(self, components: int) -> int:
        """Synchronisations of the exchange with mirrored positions (shaders/fft/mirror.glsl)."""
        return 0 if self.points == self.length else 2 * self._rounds(components)

    def _rounds(self, components: int) -> int:
        return components * self.lines_a_value if self.exchange == "in turn" else 1

    def fits(self, limits: Limits, value_bytes: int) -> bool:
        """Whether a device can run it."""
        return (
            self.shared_bytes(value_bytes) <= limits.shared_memory
            and self.threads <= min(limits.invocations, limits.group_size[0])
            and self.length % self.points == 0
            and all(self.points % radix == 0 for radix in self.radices)
            and (not self.line_pairs or (value_bytes == _COMPLEX_BYTES and self.lines % 2 == 0))
        )


def radix2(request: AxisRequest) -> list[PassSpec]:
    """Radix-2 stages only, one line a work group."""
    return [kernel_pass(request, _mota_kernel(request, (2,) * (request.length.bit_length() - 1)))]


def radix4(request: AxisRequest) -> list[PassSpec]:
    """Radix-4 stages, and a last one of radix 2 where log2 of the length is odd; one line a work group."""
    stages = request.length.bit_length() - 1
    return [kernel_pass(request, _mota_kernel(request, (4,) * (stages // 2) + (2,) * (stages % 2)))]


def goes_back(request: AxisRequest) -> bool:
    """Whether one pass can transform, multiply and transform back: it can for every line that fits."""
    return True


def _mota_kernel(request: AxisRequest, radices: tuple[int, ...]) -> Kernel:
    threads = lines.threads(request, points=max(radices))
    return Kernel(radices, points=request.length // threads)


def kernel_pass(request: AxisRequest, kernel: Kernel) -> PassSpec:
    """The dispatch that does what is asked for, to all lines of an axis or to all parts of them, with a kernel."""
    if request.real_pairs or request.back_scale is not None:
        # There, a value is what a texel carries.
        kernel = kernel.line_by_line
    components = request.storage.components
    barriers = kernel.barriers(components)
    if request.back_scale is not None:
        barriers = kernel.barriers(components, transforms=2)
        scales = (("SCALE", request.back_scale), ("SPECTRUM_SCALE", request.scale))
        return _pass("fft/stockham_convolve.comp", request, kernel, request.lines, barriers, scales)
    scales = (("SCALE", request.scale),)
    if not request.real_pairs:
        return _pass("fft/stockham.comp", request, kernel, request.lines, barriers, scales)
    pairs = -(-request.lines // 2)
    defines = (*scales, ("REAL_LINES", request.lines))
    if request.direction < 0:
        barriers += kernel.mirror_barriers(components)
        return _pass("fft/stockham_real_forward.comp", request, kernel, pairs, barriers, defines)
    return _pass("fft/stockham_real_inverse.comp", request, kernel, pairs, barriers, defines)


def _pass(
    shader: str,
    request: AxisRequest,
    kernel: Kernel,
    lines: int,
    barriers: int,
    defines: _Defines,
) -> PassSpec:
    part = request.part
    groups = -(-lines // kernel.lines)
    # Devices may allow no more than 65535 groups in a row, which parts of lines can exceed.
    deep = -(-groups // request.limits.group_count[0])
    across = -(-groups // deep)
    return PassSpec(
        shader=shader,
        request=request,
        defines=(
            ("LENGTH", request.length),
            ("LINE_COUNT", lines),
            ("THREADS", kernel.length // kernel.points),
            ("POINTS", kernel.points),
            ("LINES", kernel.lines // kernel.lines_a_value),
            ("LINE_PAIRS", kernel.line_pairs),
            ("INVOCATIONS", kernel.threads),
            ("GROUPS_ACROSS", across),
            ("GROUPS_DEEP", deep),
            (BACKWARDS, "false"),
            ("EVERY_LINE_EXISTS", "true" if across * deep * kernel.lines == lines else "false"),
            ("LINES_SIDE_BY_SIDE", "true" if kernel.side_by_side else "false"),
            ("EXCHANGE", kernel.exchange.replace(" ", "_").upper()),
            ("PADDING", kernel.padding),
            ("PADDING_BITS", max(kernel.padding.bit_length() - 1, 0)),
            ("TWIDDLE_PRODUCTS", "true" if kernel.twiddle_products else "false"),
            ("DIRECTION", request.direction),
            *defines,
            *_parts(part),
        ),
        groups=(across, request.layers or 1, deep),
        threads=kernel.threads,
        generated=(("generated/stages.glsl", stages_text(kernel)),),
        radices=kernel.radices,
        # The factors between the two passes are those of one more stage, of a radix as large as there are parts.
        table=kernel.radices if part is None or not part.first else (*kernel.radices, part.count),
        sampled_twiddles=kernel.sampled_twiddles,
        image_loads=kernel.image_loads and not request.storage.buffer,
        shared_bytes=kernel.shared_bytes(request.storage.value_bytes),
        barriers=barriers,
        stores_where_it_loads=not request.real_pairs and (part is None or part.first),
    )


def _parts(part: Part | None) -> _Defines:
    """How shaders/fft/parts.glsl finds the points of a part."""
    if part is None:
        count, load, store = 1, (1, 0), (1, 0)
    elif part.first:
        count, load, store = part.count, (part.count, 1), (part.count, 1)
    else:
        count, load, store = part.count, (1, part.length), (part.count, 1)
    return (
        ("PARTS", count),
        ("LOAD_STEP", load[0]),
        ("LOAD_APART", load[1]),
        ("STORE_STEP", store[0]),
        ("STORE_APART", store[1]),
        ("PART_TWIDDLES", "true" if part is not None and part.first else "false"),
    )


def stages_text(kernel: Kernel) -> str:
    """The list of stages as GLSL calls: the radices are Python's choice, what a stage does is written in GLSL."""
    early: list[str] = []
    calls: list[str] = []
    # A kernel of one stage exchanges nothing and must not take shared memory.
    head = ['#include "fft/exchange.glsl"'] if len(kernel.radices) > 1 else []
    span = 1
    for stage, radix in enumerate(kernel.radices):
        for b in range(kernel.points // radix):
            if stage == 0 or not (kernel.early_twiddles or kernel.twiddle_products):
                calls.append(f"    butterfly{radix}(v, {b}, at.thread, {span});")
                continue
            factors = f"factors_{stage}_{b}"
            (early if kernel.early_twiddles else calls).extend(
                (f"    complex {factors}[{radix}];", f"    read_factors({factors}, {b}, at.thread, {span});")
            )
            calls.append(f"    butterfly{radix}(v, {b}, {factors});")
        if stage < kernel.exchanges:
            calls.append(f"    exchange(v, at.thread, at.line_in_group, {radix}, {span}, exchanges_before + {stage});")
        span *= radix
    signature = "void all_stages(inout value v[POINTS], Place at, int exchanges_before) {"
    return "\n".join([*head, f"const int EXCHANGES = {kernel.exchanges};", signature, *early, *calls, "}"])
