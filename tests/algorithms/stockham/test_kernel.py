"""Stockham kernels: however a line is divided, the transform is the same, and the device's limits hold."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support import images
from support.images import random_values, release
from support.kernels import EXCHANGES, INVERSE_SCALE, KINDS, WAYS, kernels, pass_of_kind, request
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close

from glfft.algorithms.axis_request import AxisRequest, FourStepPart
from glfft.algorithms.lengths import is_power_of_two
from glfft.algorithms.regions import Points
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.butterflies import RADICES, stages_text
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.barriers import (
    BUFFER_UPDATE_BARRIER,
    TEXTURE_UPDATE_BARRIER,
)
from glfft.gl.context import state_of
from glfft.gl.device import Limits

# What OpenGL 4.3 promises on every device: what fits it fits all.
DEVICE = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)

LENGTHS = [2**exponent for exponent in range(1, 13)]
OTHER_LENGTHS = [3, 10, 35, 84, 99, 120, 169, 360, 1000, 1155]
# Two of each short length, whose programs take less time.
SAMPLE = list(kernels(DEVICE, [*LENGTHS, *LENGTHS[:8], *OTHER_LENGTHS], seed=310))
# What plans make of a kernel differs at the ends of its lines: short ones have those, too.
SHORT_SAMPLE = [(kernel, storage) for kernel, storage in SAMPLE if kernel.length <= 360]
SMALL_SAMPLE = [
    (kernel, storage)
    for kernel, storage in kernels(DEVICE, [4, 16, 64, 128, 256] * 3, seed=1, heaviest=48)
    if not storage.buffer
]


def of_kinds(sample: list[tuple[KernelConfig, Storage]]) -> list[tuple[KernelConfig, Storage, str]]:
    """Each kernel of a sample as one of `KINDS`, chosen so that those of one length are different ones."""
    found: list[tuple[KernelConfig, Storage, str]] = []
    for index, each in enumerate(sample):
        way = WAYS[(2 * index + index // 9) % len(WAYS)]
        of_way = [kind for kind in KINDS if kind.endswith(way)]
        found.append((*each, of_way[sum(kind in of_way for *_, kind in found) % len(of_way)]))
    return found


def name(case: Any) -> str:
    """A kernel as the name of a test."""
    if isinstance(case, str):
        return case.replace(" ", "-")
    if not isinstance(case, KernelConfig):
        return case.name
    radices = "x".join(map(str, case.radices))
    side = "-side" if case.side_by_side else ""
    exchange = case.exchange.replace(" ", "-")
    marks = {"products": case.twiddle_products, "images": case.image_loads, "pairs": case.line_pairs}
    more = "".join(f"-{mark}" for mark, marked in marks.items() if marked)
    return f"{radices}-threads{case.threads}-lines{case.lines}{side}-{exchange}-padding{case.padding}{more}"


def dispatched(ctx: moderngl.Context, each: CompiledPass, wanted: AxisRequest, values: npt.NDArray[Any]) -> Any:
    """What a pass makes of values."""
    source = images.upload(ctx, values, held(each.spec.reads, wanted), wanted.layers)
    target_storage, target_shape = held(each.spec.writes, wanted), each.spec.target_lines.shape
    target = images.blank(ctx, target_shape, target_storage, wanted.layers)
    each.run(source, target)
    ctx.memory_barrier(TEXTURE_UPDATE_BARRIER | BUFFER_UPDATE_BARRIER)
    try:
        return images.download(target, target_storage, target_shape, wanted.layers)
    finally:
        release(source, target)


def held(points: Points, wanted: AxisRequest) -> Storage:
    """The storage of what a pass reads or writes."""
    return wanted.storage.of(points)


def assert_transforms(ctx: moderngl.Context, kernel: KernelConfig, wanted: AxisRequest) -> None:
    """Fail unless a kernel computes what is wanted, as float64 numpy does."""
    values = random_values(wanted.storage, wanted.shape, wanted.layers, seed=wanted.length)
    transform = np.fft.fft if wanted.direction < 0 else np.fft.ifft
    exact = transform(
        values.astype(np.complex128), axis=wanted.axis - 2, norm="backward" if wanted.direction < 0 else "forward"
    )
    result = dispatched(ctx, CompiledPass(ctx, kernel_pass(wanted, kernel)), wanted, values)
    assert_close(result, exact * wanted.scale)


def varied(ctx: moderngl.Context, kernel: KernelConfig, storage: Storage) -> AxisRequest:
    """A request for a kernel of the sample: over the sample, all options in turn."""
    # Odd counts: the last work group of a kernel with several lines has some too many.
    index = SAMPLE.index((kernel, storage))
    return request(
        state_of(ctx).limits,
        kernel,
        storage,
        axis=index % 2,
        lines=(5, 3, 11)[index % 3],
        layers=(None, 2)[index // 2 % 2],
        direction=(-1, 1)[index // 3 % 2],
        scale=0.375,
    )


@pytest.mark.parametrize(("kernel", "storage"), SAMPLE, ids=name)
def test_agrees_with_float64_numpy(ctx: moderngl.Context, kernel: KernelConfig, storage: Storage) -> None:
    assert_transforms(ctx, kernel, varied(ctx, kernel, storage))


def exact_of_kind(kind: str, wanted: AxisRequest, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What numpy makes of values in float64, with the factors of the kind."""
    axis = wanted.axis - 2
    if kind.endswith("forward"):
        return wanted.scale * np.fft.rfft(values.astype(np.float64), axis=axis)
    if kind.endswith("inverse"):
        length = wanted.length * (2 if kind.startswith("halved") else 1)
        return wanted.scale * np.fft.irfft(values.astype(np.complex128), length, axis, norm="forward")
    spectrum = wanted.scale * np.fft.fft(values.astype(np.complex128), axis=axis)
    layer, row, column = np.indices(values[:, 0].shape)[:, :, np.newaxis]
    product = spectrum * (1 + column + 0.5j * (row + 2 * layer))
    return INVERSE_SCALE * np.fft.ifft(product, axis=axis, norm="forward")


def assert_is_of_kind(ctx: moderngl.Context, kind: str, kernel: KernelConfig, wanted: AxisRequest) -> None:
    """Fail unless what plans make of a kernel computes what is wanted, as float64 numpy does."""
    spec = pass_of_kind(kind, wanted, kernel)
    values = random_values(held(spec.reads, wanted), spec.source_lines.shape, wanted.layers, seed=wanted.length)
    each = CompiledPass(ctx, spec)
    # A convolution is two transforms.
    floor = COMPOSED_DB if kind == "convolving" else TABLE_DB
    assert_close(dispatched(ctx, each, wanted, values), exact_of_kind(kind, wanted, values), floor)
    if spec.snippets:
        each.program.release()


@pytest.mark.parametrize(("kernel", "storage", "kind"), of_kinds(SHORT_SAMPLE), ids=name)
def test_what_plans_make_of_a_kernel_agrees_with_float64_numpy(
    ctx: moderngl.Context, kernel: KernelConfig, storage: Storage, kind: str
) -> None:
    assert_is_of_kind(ctx, kind, kernel, varied(ctx, kernel, storage))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("side_by_side", [False, True])
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_every_exchange_and_arrangement_on_both_axes(
    ctx: moderngl.Context, exchange: str, side_by_side: bool, axis: int
) -> None:
    # Any two values of the exchange, arrangement, axis, padding and storage meet.
    padding = (0, 4, BY_STRIDE)[(EXCHANGES.index(exchange) + side_by_side + 2 * axis) % 3]
    storage = ("rg32f", "rgba32f")[(side_by_side + axis) % 2]
    kernel = KernelConfig((2, 4, 2), 4, 3, side_by_side, exchange, padding)
    wanted = request(state_of(ctx).limits, kernel, STORAGES[storage], axis=axis, lines=7, layers=2)
    assert_transforms(ctx, kernel, wanted)


@pytest.mark.parametrize("exchange", EXCHANGES)
@pytest.mark.parametrize(
    ("lines", "axis", "a_group"),
    [
        pytest.param(8, 0, 4, id="all pairs whole"),
        pytest.param(7, 1, 4, id="a pair with one line"),
        pytest.param(5, 0, 4, id="a pair with none, too"),
        pytest.param(6, 0, 2, id="pairs that fill sectors together"),
        pytest.param(5, 0, 2, id="and one that does not"),
    ],
)
def test_pairs_of_lines(ctx: moderngl.Context, lines: int, axis: int, a_group: int, exchange: str) -> None:
    kernel = KernelConfig((2, 4, 2), 4, a_group, lines > 5, exchange, line_pairs=True)
    wanted = request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=axis, lines=lines, layers=2)
    assert_transforms(ctx, kernel, wanted)


IN_PIECES = [
    KernelConfig((4, 2, 8), 8, 2, True, "in turn", BY_STRIDE, pieces=2),
    KernelConfig((3, 5, 4), 15, 2, False, "in turn", 0, twiddle_products=True, pieces=2),
    KernelConfig((4, 3, 5), 4, 3, True, "in turn", 6, prefetch_twiddles=True, pieces=4),
    KernelConfig((8, 6), 5, 2, True, "in turn", BY_STRIDE, pieces=3),
    KernelConfig((4, 6, 3), 9, exchange="in turn", padding=BY_STRIDE, pieces=2),
    KernelConfig((4, 6, 3), 12, 2, True, "in turn", BY_STRIDE, line_pairs=True, pieces=2),
    KernelConfig((8, 2, 4), 8, 2, True, "in turn", SWAPPED, pieces=2),
    KernelConfig((2, 8, 4), 8, exchange="in turn", padding=SWAPPED, pieces=4),
]


# Each kernel and each kind; of the kernels some, and of the kinds some, with texels of two numbers and of four.
@pytest.mark.parametrize(
    ("kernel", "kind", "storage"),
    [
        *((kernel, None, ("rg32f", "rgba32f")[index // 2 % 2]) for index, kernel in enumerate(IN_PIECES)),
        *((kernel, None, "buffer") for kernel in IN_PIECES),
        *((IN_PIECES[(index + 2) % 4], kind, ("rg32f", "rgba32f")[index % 2]) for index, kind in enumerate(KINDS)),
        # Between the transforms there and back of these, a butterfly's outputs are in several pieces.
        *((IN_PIECES[index], "convolving", "rg32f") for index in (0, 2, 3, 6, 7)),
    ],
    ids=str,
)
def test_positions_are_exchanged_in_pieces(
    ctx: moderngl.Context, kernel: KernelConfig, kind: str | None, storage: str
) -> None:
    """Piece by piece, in less shared memory; what needs mirrored positions exchanges them at once."""
    index, kept = IN_PIECES.index(kernel), STORAGES[storage]
    wanted = request(state_of(ctx).limits, kernel, kept, axis=index % 2, lines=5, layers=2)
    assert kernel.shared_bytes(kept) < replace(kernel, pieces=1).shared_bytes(kept)
    if kind is None:
        assert_transforms(ctx, kernel, wanted)
    else:
        assert_is_of_kind(ctx, kind, kernel, wanted)


STAGED = [
    KernelConfig((6,), 1, 3, staged=True),
    KernelConfig((11,), 1, 4, staged=True),
    KernelConfig((4, 2, 3), 5, 2, padding=BY_STRIDE, twiddle_products=True, staged=True),
    KernelConfig((3, 5), 5, 4, prefetch_twiddles=True, staged=True),
]


@pytest.mark.parametrize("storage", ["buffer", "buffer_pairs"])
@pytest.mark.parametrize("kind", [None, *KINDS])
@pytest.mark.parametrize("kernel", STAGED, ids=str)
def test_rows_of_a_buffer_are_loaded_and_stored_together(
    ctx: moderngl.Context, kernel: KernelConfig, kind: str | None, storage: str
) -> None:
    """As one sequence of points, through shared memory, where lines are rows of a buffer; else as without."""
    kept = STORAGES[storage]
    wanted = request(state_of(ctx).limits, kernel, kept, axis=1, lines=7, layers=2)
    if kind is None:
        assert_transforms(ctx, kernel, wanted)
    else:
        assert_is_of_kind(ctx, kind, kernel, wanted)
    each, apart = (
        kernel_pass(wanted, one) if kind is None else pass_of_kind(kind, wanted, one)
        for one in (kernel, replace(kernel, staged=False))
    )
    assert each.shared_bytes == kernel.shared_bytes(kept) > 0
    assert each.barriers > apart.barriers
    columns = request(DEVICE, kernel, kept, axis=0, lines=7)
    assert kernel_pass(columns, kernel).source == kernel_pass(columns, replace(kernel, staged=False)).source


@pytest.mark.parametrize("direction", [-1, 1], ids=["forward", "inverse"])
@pytest.mark.parametrize("pairs", [False, True], ids=["alone", "in-pairs"])
@pytest.mark.parametrize("storage", ["buffer", "buffer_pairs"])
@pytest.mark.parametrize("kernel", [*STAGED, KernelConfig((17,), 1, 5, staged=True)], ids=str)
def test_real_rows_of_a_buffer_are_staged(
    ctx: moderngl.Context, kernel: KernelConfig, storage: str, pairs: bool, direction: int
) -> None:
    """As rows of real numbers and as their spectra, in which the imaginary parts of real points are ignored."""
    wanted = request(
        state_of(ctx).limits, kernel, STORAGES[storage], axis=1, lines=7, layers=2, direction=direction, scale=0.5
    )
    wanted = replace(wanted, real=True, real_pairs=pairs)
    spectrum = wanted.shape[0], kernel.length // 2 + 1
    if direction < 0:
        reads, writes = Points.REAL, Points.HERMITIAN
        values = random_values(held(reads, wanted), wanted.shape, 2)
        exact = np.fft.rfft(values.astype(np.float64))
    else:
        reads, writes = Points.HERMITIAN, Points.REAL
        values = random_values(wanted.storage, spectrum, 2)
        exact = np.fft.irfft(values.astype(np.complex128), kernel.length, norm="forward")
    spec = replace(kernel_pass(wanted, kernel), reads=reads, writes=writes)
    assert_close(dispatched(ctx, CompiledPass(ctx, spec), wanted, values), exact * wanted.scale)


# Threads that do not divide the butterflies of every stage: some have one less than the others, or none.
UNEVEN = [((8, 4), 3), ((8, 4), 5), ((4, 8), 5), ((2, 16), 7), ((4, 2, 8), 6)]


def uneven(case: int, turn: int, **options: Any) -> KernelConfig:
    """A kernel for one of `UNEVEN`: over the turns, with each of the exchanges."""
    radices, threads = UNEVEN[case]
    exchange = EXCHANGES[(case + turn) % len(EXCHANGES)]
    return KernelConfig(radices, threads, 2, (case + turn) % 2 == 1, exchange, **options)


# Every turn has each of the exchanges.
CASES_AND_TURNS = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 2), (4, 1)]

each_uneven = pytest.mark.parametrize("case", range(len(UNEVEN)), ids=map(str, UNEVEN))


def test_the_uneven_kernels_are_uneven() -> None:
    for radices, threads in UNEVEN:
        kernel = KernelConfig(radices, threads)
        assert sum(not kernel.shares_evenly(radix) for radix in radices) >= 2


@pytest.mark.parametrize(("case", "turn"), CASES_AND_TURNS)
def test_butterflies_that_cannot_be_shared_evenly(ctx: moderngl.Context, case: int, turn: int) -> None:
    padding, direction = (0, 4, BY_STRIDE)[(case + turn) % 3], (-1, 1)[(case + turn) % 2]
    kernel = uneven(case, turn, padding=padding, twiddle_products=turn == 1, prefetch_twiddles=turn == 2)
    wanted = request(
        state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=turn % 2, lines=5, layers=2, direction=direction
    )
    assert_transforms(ctx, kernel, wanted)


@each_uneven
def test_pairs_of_lines_whose_butterflies_cannot_be_shared_evenly(ctx: moderngl.Context, case: int) -> None:
    kernel = replace(uneven(case, 1, padding=(0, 4, BY_STRIDE)[case % 3], line_pairs=True), lines=4)
    wanted = request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=case % 2, lines=7)
    assert_transforms(ctx, kernel, wanted)


@pytest.mark.parametrize(
    ("case", "kind"), [(case, KINDS[(turn + 2 * case) % len(KINDS)]) for case, turn in CASES_AND_TURNS]
)
def test_what_plans_make_of_butterflies_that_cannot_be_shared_evenly(
    ctx: moderngl.Context, case: int, kind: str
) -> None:
    turn = KINDS.index(kind)
    kernel = uneven(case, turn, padding=(4, 0, BY_STRIDE)[(case + turn) % 3])
    wanted = request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=case % 2, lines=5, scale=0.375)
    assert_is_of_kind(ctx, kind, kernel, wanted)


@pytest.mark.parametrize(
    ("radix", "direction"),
    # Butterflies of more than 16 points take long to compile, and large primes longest: they differ from 17, 19 and 23
    # in their constants alone, which test_butterflies.py has for each.
    [
        (radix, direction)
        for radix in RADICES
        if radix not in (29, 31, 37, 41, 43, 47, 53)
        for direction in ((-1, 1) if radix <= 16 else ((-1) ** (radix // 2),))
    ],
)
def test_every_radix_first_and_last(ctx: moderngl.Context, radix: int, direction: int) -> None:
    limits, storage = state_of(ctx).limits, STORAGES["rg32f"]
    # Products of twiddles are those of the second stage. Each radix comes last with them in one direction, and first in
    # the other.
    products = (RADICES.index(radix) % 2 == 0) == (direction > 0)
    kernel = KernelConfig((2, radix) if products else (radix, 2), 2, twiddle_products=products)
    assert_transforms(ctx, kernel, request(limits, kernel, storage, axis=1, lines=3, direction=direction))


@pytest.mark.parametrize("twiddle_products", [False, True])
def test_prefetch_twiddles_are_read_before_the_first_exchange(ctx: moderngl.Context, twiddle_products: bool) -> None:
    late = KernelConfig((4, 2, 8), 8, lines=2, twiddle_products=twiddle_products)
    for kernel in (late, replace(late, prefetch_twiddles=True)):
        assert_transforms(ctx, kernel, request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=1, lines=2))
    after = [
        stages_text(replace(late, prefetch_twiddles=early), STORAGES["rg32f"]).partition("exchange(v")[2]
        for early in (False, True)
    ]
    reads = [[line for line in text.splitlines()[1:] if "thread" in line and "exchange(" not in line] for text in after]
    assert reads[0]
    assert not reads[1]


@pytest.mark.parametrize("twiddle_products", [False, True])
def test_products_of_twiddles_read_fewer(ctx: moderngl.Context, twiddle_products: bool) -> None:
    kernel = KernelConfig((2, 16), 2, twiddle_products=twiddle_products)
    wanted = request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=1, lines=1)
    spec = kernel_pass(wanted, kernel)
    head = "complex twiddle(int i, int k, int span, int radix) {"
    poisoned = f"{head} if (i > 4 && i % 4 != 0) return complex(uintBitsToFloat(0x7fc00000u));"
    assert spec.source.text.count(head) == 1
    each = CompiledPass(ctx, spec, ctx.compute_shader(spec.source.text.replace(head, poisoned)))
    result = dispatched(ctx, each, wanted, random_values(wanted.storage, wanted.shape, None))
    each.program.release()
    assert np.isfinite(result).all() == twiddle_products


@pytest.mark.parametrize("part", [None, FourStepPart(16, (), 8), FourStepPart(16, (8,), 1)], ids=str)
def test_a_table_that_no_texture_holds_is_a_buffer(part: FourStepPart | None) -> None:
    kernel = KernelConfig((4, 4), 4, sampled_twiddles=True)
    of_whole_line = part is not None and not part.last
    for most, sampled in ((16 * 8, True), (16 * 8 - 1, not of_whole_line), (15, False)):
        wanted = request(replace(DEVICE, texture_size=most), kernel, STORAGES["buffer"], axis=1, lines=1)
        assert kernel_pass(replace(wanted, part=part), kernel).sampled_twiddles == sampled


@pytest.mark.parametrize("layers", [None, 2])
@pytest.mark.parametrize("image_loads", [False, True])
def test_a_swizzle_is_seen(ctx: moderngl.Context, image_loads: bool, layers: int | None) -> None:
    kernel = KernelConfig((4, 2), 2, image_loads=image_loads)
    wanted = request(state_of(ctx).limits, kernel, STORAGES["rg32f"], axis=1, lines=3, layers=layers)
    each = CompiledPass(ctx, kernel_pass(wanted, kernel))
    values = random_values(wanted.storage, wanted.shape, layers)
    source = images.upload(ctx, values, wanted.storage, layers)
    target = images.blank(ctx, wanted.shape, wanted.storage, layers)
    assert not isinstance(source, moderngl.Buffer)
    for swizzle, seen in (("RGBA", values), ("GRBA", 1j * np.conj(values)), ("RGBA", values)):
        source.swizzle = swizzle
        each.run(source, target)
        ctx.memory_barrier(TEXTURE_UPDATE_BARRIER)
        result = images.download(target, wanted.storage, wanted.shape, layers)
        assert_close(result, np.fft.fft(np.asarray(seen, np.complex128)))
    release(source, target)


@pytest.mark.parametrize("line_pairs", [False, True])
def test_lines_past_the_last_write_nothing(ctx: moderngl.Context, line_pairs: bool) -> None:
    # Five lines, eight a group: what the other three compute must not reach the next layer, nor the end of the buffer.
    storage = STORAGES["buffer"]
    kernel = KernelConfig((4, 2), 2, lines=8, line_pairs=line_pairs)
    for axis in (0, 1):
        wanted = request(state_of(ctx).limits, kernel, storage, axis=axis, lines=5)
        values = random_values(storage, wanted.shape, 2)
        source, target = images.upload(ctx, values, storage, 2), images.blank(ctx, wanted.shape, storage, 2)
        CompiledPass(ctx, kernel_pass(wanted, kernel)).run(source, target)
        ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
        first, second = images.download(target, storage, wanted.shape, 2)
        assert np.isfinite(first).all()
        assert np.isnan(second).all()
        release(source, target)


# Put where the results are known and the stores follow: what the kernel's figures say, as the shader has it.
_COUNTED = """
int floats_in(float slot) { return 1; }
int floats_in(vec2 slot) { return 2; }
int floats_in(vec4 slot) { return 4; }
vec2 counts(vec2 both, vec2 v) { return both; }
vec4 counts(vec2 both, vec4 v) { return both.xyxy; }
"""
_BYTES = "float(4 * floats_in(slots[0]) * slots.length() * (FITS ? 1 : -1))"


def counting(text: str) -> str:
    """A kernel's source, changed to store the synchronisations of each invocation and the bytes of shared memory.

    They take the place of the real and the imaginary part; of real lines, those of the first line of a pair and of the
    second, or of even points and odd ones, or of the lower half of a spectrum and the upper one. The bytes come out
    negative if the last point of the last line had no slot.
    """
    paddings = set(re.findall(r"\bPadding\(\d+, \d+\)", text.split("void all_stages")[-1]))
    lasts = [f"padded(LENGTH - 1, {each})" for each in sorted(paddings)] or ["LENGTH - 1"]
    fits = " && ".join(f"slot({last}, LINES - 1) < slots.length()" for last in lasts)
    shared_bytes = _BYTES.replace("FITS", fits) if "\nshared " in text else "0.0"
    firsts = ("bool second_exists(", "complex line_root(", "void main() {")
    first_use = next(each for each in firsts if each in text)
    changes = {
        "layout(local_size_x": "int synchronisations = 0;\nlayout(local_size_x",
        first_use: f"{_COUNTED}{first_use}",
    }
    if first_use != firsts[-1]:

        def store(found: re.Match[str]) -> str:
            count = shared_bytes if re.search(r"\+ 1|- k", found[1]) else "SYNCHRONISATIONS"
            return f"{found[1]}, layer, value({count}));"

        text = re.sub(r"(store_point\((?!int).*), layer, .*\);", store, text)
    else:
        changes["    store_line(v, place);\n"] = (
            "    for (int m = 0; m < POINTS; ++m) {\n"
            f"        v[m] = counts(vec2(SYNCHRONISATIONS, {shared_bytes}), v[m]);\n"
            "    }\n"
            "    store_line(v, place);\n"
        )
    for before, after in changes.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    text = text.replace("barrier();", "{ barrier(); ++synchronisations; }")
    return text.replace("SYNCHRONISATIONS", "float(synchronisations)")


@pytest.mark.parametrize(("kernel", "storage"), SMALL_SAMPLE, ids=name)
def test_barriers_and_shared_bytes_are_those_of_the_shader(
    ctx: moderngl.Context, kernel: KernelConfig, storage: Storage
) -> None:
    wanted = request(state_of(ctx).limits, kernel, storage, axis=1, lines=kernel.lines)
    spec = kernel_pass(wanted, kernel)
    each = CompiledPass(ctx, spec, ctx.compute_shader(counting(spec.source.text)))
    counted = dispatched(ctx, each, wanted, random_values(storage, wanted.shape, None))
    each.program.release()
    assert (counted.real == kernel.barriers(storage.components, kernel.exchanges)).all()
    assert (counted.imag == kernel.shared_bytes(storage)).all()
    assert (spec.barriers, spec.shared_bytes) == (counted.real.flat[0], counted.imag.flat[0])


@pytest.mark.parametrize(("kernel", "storage", "kind"), of_kinds(SMALL_SAMPLE), ids=name)
def test_barriers_and_shared_bytes_of_what_plans_make_of_a_kernel(
    ctx: moderngl.Context, kernel: KernelConfig, storage: Storage, kind: str
) -> None:
    wanted = request(state_of(ctx).limits, kernel, storage, axis=1, lines=2 * kernel.lines)
    spec = pass_of_kind(kind, wanted, kernel)
    each = CompiledPass(ctx, spec, ctx.compute_shader(counting(spec.source.text)))
    values = random_values(held(spec.reads, wanted), spec.source_lines.shape, None)
    counted = dispatched(ctx, each, wanted, values)
    each.program.release()
    if kind == "convolving":
        barriers, shared_bytes = counted.real / INVERSE_SCALE, counted.imag / INVERSE_SCALE
    elif kind == "halved forward":
        barriers, shared_bytes = np.split(counted.real, [wanted.length // 2 + 1], axis=-1)
    elif kind == "halved inverse":
        barriers, shared_bytes = counted.real[..., ::2], counted.real[..., 1::2]
    else:
        barriers, shared_bytes = counted.real[..., ::2, :], counted.real[..., 1::2, :]
    assert (barriers == spec.barriers).all()
    assert (shared_bytes == spec.shared_bytes).all()


@pytest.mark.parametrize("direction", [-1, 1])
@pytest.mark.parametrize(
    "kernel",
    [
        KernelConfig((4, 4), 4, 8, True, "in turn", BY_STRIDE, prefetch_twiddles=True),
        KernelConfig((2, 4, 3), 6, 4, True, "at once", 0),
        KernelConfig((5, 6), 5, 16, True, "in turn", 8),
    ],
    ids=name,
)
def test_the_last_pass_over_parts_of_rows_of_a_buffer_turns_lines(
    ctx: moderngl.Context, kernel: KernelConfig, direction: int
) -> None:
    buffer, parts = STORAGES["buffer"], 21  # three lines of 21 parts: work groups are not full
    shape = (3, parts * kernel.length)
    wanted = AxisRequest(shape, 1, direction, 1.0, False, None, buffer, state_of(ctx).device)
    first, last = choose.in_passes(wanted, (parts, kernel.length))
    specs = [kernel_pass(first, choose.default(first)), kernel_pass(last, kernel)]
    assert [bool(dict(spec.defines)["TURNS_LINES"]) for spec in specs] == [False, True]
    along = kernel_pass(last, replace(kernel, side_by_side=False))
    assert not dict(along.defines)["TURNS_LINES"]
    passes = [CompiledPass(ctx, spec) for spec in specs]
    values = random_values(buffer, shape, None)
    between = dispatched(ctx, passes[0], wanted, values)
    exact = np.fft.fft(values.astype(np.complex128), axis=-1)
    exact = exact if direction < 0 else np.fft.ifft(values.astype(np.complex128), axis=-1) * shape[1]
    assert_close(dispatched(ctx, passes[1], wanted, between), exact)


@pytest.mark.parametrize(("kernel", "storage"), SAMPLE, ids=name)
def test_a_kernel_fits_up_to_each_limit_and_no_further(kernel: KernelConfig, storage: Storage) -> None:
    tight = replace(
        DEVICE,
        shared_memory=kernel.shared_bytes(storage),
        invocations=kernel.invocations,
        group_size=(kernel.invocations, 1, 1),
    )
    assert kernel.fits(tight, storage)
    if kernel.shared_bytes(storage):
        assert not kernel.fits(replace(tight, shared_memory=tight.shared_memory - 1), storage)
    assert not kernel.fits(replace(tight, invocations=kernel.invocations - 1), storage)
    assert not kernel.fits(replace(tight, group_size=(kernel.invocations - 1, 1024, 64)), storage)


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(KernelConfig((4, 8), 9), id="a thread with no butterfly in any stage"),
        pytest.param(KernelConfig((2, 8), 2, lines=3, line_pairs=True), id="half a pair of lines"),
        pytest.param(KernelConfig((2, 8), 2, lines=0), id="no lines"),
    ],
)
def test_what_cannot_be_cut_so_fits_nowhere(kernel: KernelConfig) -> None:
    assert not kernel.fits(DEVICE, STORAGES["rg32f"])


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(KernelConfig((4,) * 6, 1024), id="one line, all threads, all memory"),
        pytest.param(KernelConfig((16, 16), 16, lines=16), id="many lines, all memory"),
        pytest.param(KernelConfig((4, 4), 4, lines=256, exchange="in turn"), id="many lines, all threads"),
        pytest.param(KernelConfig((16,), 1, lines=1024), id="all threads, no memory"),
    ],
)
def test_what_just_fits_runs(ctx: moderngl.Context, kernel: KernelConfig) -> None:
    storage = STORAGES["rg32f"]
    assert kernel.fits(DEVICE, storage)
    assert DEVICE.invocations in (kernel.invocations, 4 * kernel.invocations)
    for axis in (0, 1):
        lines = kernel.lines + 1
        assert_transforms(ctx, kernel, request(state_of(ctx).limits, kernel, storage, axis=axis, lines=lines))


def test_the_sample_has_every_option() -> None:
    sample = [kernel for kernel, _ in SAMPLE]
    assert {radix for kernel in sample for radix in kernel.radices} >= {2, 4, 8, 16, 32}
    assert {radix for kernel in sample for radix in kernel.radices} >= {3, 5, 7, 9, 11, 13}
    assert {kernel.exchange for kernel in sample} == set(EXCHANGES)
    assert {kernel.length for kernel in sample} == {*LENGTHS, *OTHER_LENGTHS}
    assert {kernel.side_by_side for kernel in sample} == {False, True}
    assert {bool(kernel.padding) for kernel in sample} == {False, True}
    assert any(kernel.padding > 0 and not is_power_of_two(kernel.padding) for kernel in sample)
    assert any(kernel.padding == BY_STRIDE for kernel in sample)
    assert {kernel.twiddle_products for kernel in sample} == {False, True}
    assert {kernel.image_loads for kernel in sample} == {False, True}
    assert {kernel.line_pairs for kernel in sample} == {False, True}
    assert {kernel.prefetch_twiddles for kernel in sample} == {False, True}
    assert {storage.name for _, storage in SAMPLE} >= {"rg32f", "rgba32f", "buffer", "buffer_pairs"}
    assert any(kernel.points > max(kernel.radices) for kernel in sample), "a thread has several butterflies"
    for several in (False, True):
        # In a stage, some threads have one butterfly less than the others: one and none, or several and one more.
        assert any(
            not kernel.shares_evenly(radix) and (kernel.butterflies(radix) > 1) == several
            for kernel in sample
            for radix in kernel.radices
        )


def trips(kernel: KernelConfig, stage: int) -> tuple[int, int]:
    """How often shared memory is gone to in the exchange behind a stage, and how often at least: each time it serves
    128 bytes, of any 32 words in different banks.
    """
    storage, radix, following = STORAGES["rg32f"], kernel.radices[stage], kernel.radices[stage + 1]
    words = kernel.shared_bytes(storage) // (4 * kernel.lines * kernel.line_slots(storage))
    padding = kernel.padding_after(stage, storage)
    span = math.prod(kernel.radices[:stage])
    taken = fewest = 0

    def access(thread: npt.NDArray[Any], position: npt.NDArray[Any], count: int) -> None:
        nonlocal taken, fewest
        thread, position = thread[thread < count], position[thread < count]
        slot = np.array([padding.slot(each) for each in position.tolist()], np.int64)
        line = np.arange(kernel.lines)
        near = slot[:, np.newaxis] * kernel.lines + line
        far = slot + line[:, np.newaxis] * kernel.line_slots(storage)
        slots = (near if kernel.side_by_side else far).ravel()
        at_once = 32 // words
        for first in range(0, len(slots), at_once):
            banks = slots[first : first + at_once] % at_once
            taken += np.bincount(banks).max()
            fewest += 1

    for b, i in itertools.product(range(kernel.butterflies(radix)), range(radix)):
        j = np.arange(kernel.threads) + b * kernel.threads
        access(j, (j - j % span) * radix + j % span + i * span, kernel.length // radix)
    for b, i in itertools.product(range(kernel.butterflies(following)), range(following)):
        j = np.arange(kernel.threads) + b * kernel.threads
        access(j, j + i * (kernel.length // following), kernel.length // following)
    return taken, fewest


@pytest.mark.parametrize("exchange", EXCHANGES[:2])
@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize(
    ("radices", "threads"),
    [
        pytest.param((16, 16, 16), 256, id="4096"),
        pytest.param((8, 4, 8, 2), 64, id="512"),
        pytest.param((10, 10, 10), 100, id="1000"),
        pytest.param((7, 7, 7), 49, id="343"),
        pytest.param((12, 8, 8), 96, id="768"),
        pytest.param((15, 16, 8), 128, id="1920"),
    ],
)
def test_padding_by_stride_keeps_neighbouring_threads_in_different_banks(
    radices: tuple[int, ...], threads: int, lines: int, exchange: str
) -> None:
    kernel = KernelConfig(radices, threads, lines, lines > 1, exchange, BY_STRIDE)
    assert kernel.line_slots(STORAGES["rg32f"]) <= 1.5 * kernel.length
    most = 0.0
    for stage in range(kernel.exchanges):
        taken, fewest = trips(kernel, stage)
        most = max(most, taken / fewest)
        # Where a thread's neighbours lie across the end of a period, two of a read may meet.
        assert taken <= fewest * (1.0 if is_power_of_two(kernel.length) else 1.08)
    without = [trips(replace(kernel, padding=0), stage) for stage in range(kernel.exchanges)]
    assert max(taken / fewest for taken, fewest in without) > 1.1 * most


@pytest.mark.parametrize("exchange", EXCHANGES[:2])
@pytest.mark.parametrize("lines", [1, 2, 4])
@pytest.mark.parametrize("radices", [(16, 16, 16), (8, 4, 8, 2), (2, 16, 8), (32, 32), (4, 2, 2, 16)], ids=str)
def test_points_that_change_places_are_in_different_banks_and_leave_none_free(
    radices: tuple[int, ...], lines: int, exchange: str
) -> None:
    length = math.prod(radices)
    kernel = KernelConfig(radices, length // max(radices), lines, lines > 1, exchange, SWAPPED)
    storage = STORAGES["rg32f"]
    assert kernel.shared_bytes(storage) == lines * length * (8 if exchange == "at once" else 4)
    for stage in range(kernel.exchanges):
        taken, fewest = trips(kernel, stage)
        assert taken == fewest
        slots = map(kernel.padding_after(stage, storage).slot, range(length))
        assert sorted(slots) == list(range(length))


def test_every_kind_meets_every_option() -> None:
    cases = of_kinds(SHORT_SAMPLE)
    assert {kind for *_, kind in cases} == set(KINDS)
    for way in WAYS:
        sample = [kernel for kernel, _, each in cases if each.endswith(way)]
        assert {kernel.exchange for kernel in sample} == set(EXCHANGES)
        assert {kernel.side_by_side for kernel in sample} == {False, True}
        assert {kernel.twiddle_products for kernel in sample} == {False, True}
        assert {kernel.image_loads for kernel in sample} == {False, True}
        assert {kernel.prefetch_twiddles for kernel in sample} == {False, True}
        assert {storage.components for _, storage, each in cases if each.endswith(way)} == {2, 4}
        assert any(kernel.points > max(kernel.radices) for kernel in sample), "a thread has several butterflies"
        assert any(not kernel.shares_evenly(radix) for kernel in sample for radix in kernel.radices)
    for length in LENGTHS[: LENGTHS.index(256) + 1]:
        assert len({kind for kernel, _, kind in cases if kernel.length == length}) == 2


def test_a_kernel_of_one_stage_takes_no_shared_memory() -> None:
    assert "exchange(" not in stages_text(KernelConfig((8,), 1), STORAGES["rg32f"])
    wanted = request(DEVICE, KernelConfig((8,), 1, lines=64), STORAGES["rg32f"], axis=1, lines=64)
    assert "slots[" not in kernel_pass(wanted, KernelConfig((8,), 1, lines=64)).source.text


@pytest.mark.parametrize(
    ("kind", "deep"), [(None, False), (None, True), *((kind, index != 1) for index, kind in enumerate(KINDS))]
)
def test_backwards_a_pass_does_the_same(ctx: moderngl.Context, kind: str | None, deep: bool) -> None:
    kernel = KernelConfig(radices=(4, 8), threads=4, lines=4)
    few = replace(state_of(ctx).limits, group_count=(3, 65535, 65535)) if deep else state_of(ctx).limits
    wanted = request(few, kernel, STORAGES["rg32f"], axis=0, lines=42, layers=3)
    spec = kernel_pass(wanted, kernel) if kind is None else pass_of_kind(kind, wanted, kernel)
    assert (spec.groups[2] > 1) == deep
    values = random_values(held(spec.reads, wanted), spec.source_lines.shape, wanted.layers)
    passes = [CompiledPass(ctx, each) for each in (spec, spec.backwards)]
    results = [dispatched(ctx, each, wanted, values) for each in passes]
    assert not np.isnan(results[0]).any()
    assert np.array_equal(*results)
    for each in passes:
        if spec.snippets:
            each.program.release()
