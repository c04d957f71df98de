"""Real lines that go two as one complex line, or each as one of half as many points, in passes over its parts."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values, release
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import BLUESTEIN_DB, COMPUTED_DB, TABLE_DB, assert_close

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec, readers, writers
from glfft.algorithms.regions import Points, Region
from glfft.algorithms.stockham import bluestein, choose
from glfft.algorithms.stockham.bluestein import Bluestein
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import state_of
from glfft.wisdom import lookup

WORDS = {-1: "forward", +1: "inverse"}

# Kernels of the last part after parts of other lengths: an even and an odd number of parts, one stage and several, some
# of threads that do not share the butterflies evenly, with each exchange.
LAST = [
    ((6,), KernelConfig((8,), 1, 2)),
    ((5,), KernelConfig((3,), 1, 4, side_by_side=True)),
    ((7,), KernelConfig((4, 2), 2, 3, side_by_side=True, padding=4)),
    ((4,), KernelConfig((3, 5), 4, 1, exchange="alternate")),
    ((9,), KernelConfig((4, 4), 3, 2, exchange="in turn", padding=BY_STRIDE)),
    ((3, 2), KernelConfig((2, 4, 2), 4, 2, side_by_side=True, exchange="in turn", twiddle_products=True)),
]


def specs_of(request: AxisRequest, lengths: tuple[int, ...], last: KernelConfig) -> list[PassSpec]:
    """The passes over parts of real lines, each of one stage but the last."""
    *others, end = choose.in_passes(choose.as_halves(request), lengths)
    specs = [Stockham().passes(each, KernelConfig((each.length,), 1, 2))[0] for each in others]
    family = Stockham() if last.length == end.length else Bluestein()
    return with_ends([*specs, *family.passes(end, last)])


def with_ends(specs: list[PassSpec]) -> list[PassSpec]:
    """The passes with real lines at one end, and the halves of their spectra at the other."""
    real, half = Points.REAL, Points.HERMITIAN
    reads, writes = (real, half) if specs[0].request.direction < 0 else (half, real)
    specs[0] = replace(specs[0], reads=reads)
    specs[-1] = replace(specs[-1], writes=writes)
    return specs


def assert_transforms(ctx: moderngl.Context, specs: list[PassSpec], floor: float) -> None:
    """Fail unless passes one after the other make of random numbers what float64 numpy does."""
    whole = specs[0].request.whole
    values = random_values(specs[0].source_storage, specs[0].source_lines.shape, whole.layers)
    held = [images.upload(ctx, values, specs[0].source_storage, whole.layers)]
    for spec in specs:
        held.append(images.blank(ctx, spec.target_lines.shape, spec.target_storage, whole.layers))
        CompiledPass(ctx, spec).run(held[-2], held[-1])
        ctx.memory_barrier(TEXTURE_FETCH_BARRIER | SHADER_STORAGE_BARRIER | BUFFER_UPDATE_BARRIER)
    result = images.download(held[-1], specs[-1].target_storage, specs[-1].target_lines.shape, whole.layers)
    release(*held)
    length = whole.shape[-1]
    if whole.direction < 0:
        exact = np.fft.rfft(values.astype(np.float64))
    else:
        exact = np.fft.irfft(values.astype(np.complex128), length, norm="forward")
    assert_close(result, whole.scale * exact, floor)


# Any two of case, storage and direction meet.
@pytest.mark.parametrize(
    ("case", "storage", "direction"),
    [
        (case, ("rg32f", "buffer")[(case + turn) % 2], direction)
        for case in range(len(LAST))
        for turn, direction in enumerate(WORDS)
    ],
)
def test_the_last_pass_tells_two_real_lines_apart(
    ctx: moderngl.Context, case: int, storage: str, direction: int
) -> None:
    before, kernel = LAST[case]
    lengths = (*before, kernel.length)
    shape = ((4, 7, 2)[case % 3], int(np.prod(lengths)))  # an odd last line has no other
    # Couples also of one butterfly, which a GPU takes by themselves.
    device = replace(state_of(ctx).device, renderer="llvmpipe")
    request = axis_request(shape, direction=direction, scale=0.5, device=device, real_pairs=True)
    request = replace(request, layers=(None, 3)[case % 2], storage=STORAGES[storage])
    specs = specs_of(request, lengths, kernel)
    assert specs[0].target_lines.shape == (-(-shape[0] // 2), shape[1])
    assert_transforms(ctx, specs, TABLE_DB)


@pytest.mark.parametrize("direction", WORDS, ids=WORDS.values())
@pytest.mark.parametrize("case", range(len(LAST)))
def test_the_last_pass_makes_a_lines_spectrum_of_its_halves(ctx: moderngl.Context, case: int, direction: int) -> None:
    before, kernel = LAST[case]
    lengths = (*before, kernel.length)
    points = int(np.prod(lengths))
    device = replace(state_of(ctx).device, renderer="llvmpipe")
    request = axis_request((3, 2 * points), direction=direction, scale=0.5, device=device, storage=STORAGES["buffer"])
    request = replace(request, layers=(None, 2)[case % 2], real=True, computed_twiddles=case == 2)
    specs = specs_of(request, lengths, kernel)
    assert specs[0].request.of_halves
    assert specs[0].target_lines.shape == (3, points)
    # Real numbers are read and written two at a time.
    end, what = (specs[0], "SOURCE") if direction < 0 else (specs[-1], "TARGET")
    assert end.constants[f"{what}_COLUMNS"] == points
    assert not end.constants["READS_REAL"]
    assert not end.constants["WRITES_REAL"]
    assert_transforms(ctx, specs, COMPUTED_DB if case == 2 else TABLE_DB)


def test_real_lines_of_a_buffer_go_each_as_half_as_many_points_where_they_can() -> None:
    request = axis_request((6, 1 << 16), storage=STORAGES["buffer"])
    alone = replace(request, real=True)
    first, last = choose.parts(alone)
    assert (first.shape, first.length * last.length) == ((6, 1 << 15), 1 << 15)
    assert last.couples_parts
    assert not first.couples_parts
    assert not any(each.couples_parts for each in choose.parts(replace(alone, direction=1)))
    assert all(each.of_halves for each in choose.parts(replace(alone, shape=(1, 1 << 16), real_pairs=True)))
    for changes in (
        {"real": False},
        {"real_pairs": True},
        {"storage": STORAGES["buffer_pairs"]},
        {"storage": STORAGES["buffer_double"]},
        {"shape": (6, 25025)},
        {"shape": (2, 3, 1 << 16), "axis": 2},
        {"shape": (1 << 16, 6), "axis": 0},
        {"crossing": Region((1, 0), (3, 1 << 16))},
    ):
        other = replace(alone, **changes)
        parts = choose.parts(other)
        assert not any(each.of_halves for each in parts)
        assert np.prod([each.length for each in parts]) == other.length


@pytest.mark.parametrize("direction", WORDS, ids=WORDS.values())
@pytest.mark.parametrize("lengths", [(4, 17), (3, 19)])
def test_a_last_part_may_be_convolved(ctx: moderngl.Context, lengths: tuple[int, int], direction: int) -> None:
    request = axis_request((5, lengths[0] * lengths[1]), direction=direction, device=state_of(ctx).device)
    # In buffers, so many lines side by side are turned if they are not convolved.
    for storage, kernel in (
        ("rg32f", KernelConfig((5, 8), 5, 2, exchange="in turn")),
        ("buffer", KernelConfig((5, 8), 5, 4, side_by_side=True)),
    ):
        specs = specs_of(replace(request, real_pairs=True, storage=STORAGES[storage]), lengths, kernel)
        assert_transforms(ctx, specs, BLUESTEIN_DB)


def test_a_kernel_for_two_parts_at_once_has_room_for_both() -> None:
    family, kernel = Stockham(), KernelConfig((16, 16, 8), 128)
    request = axis_request((4, 1 << 15), real_pairs=True)
    first, last = choose.in_passes(request, (16, 2048))
    assert not first.couples_parts
    assert last.couples_parts
    assert family.fits(kernel, last)
    # Two lines of one part fit in shared memory.
    assert family.fits(replace(kernel, lines=2), replace(last, real_lines=None))
    assert not family.fits(replace(kernel, lines=2), last)
    for made in (family.default(last), family.quick(last), *family.candidates(last, 5)):
        assert family.fits(made, last)
        (spec,) = family.passes(last, made)
        assert spec.shared_bytes <= LEAST_DEVICE.limits.shared_memory
        assert spec.threads <= LEAST_DEVICE.limits.invocations


def test_all_points_are_loaded_and_stored_once() -> None:
    cpu = replace(LEAST_DEVICE, renderer="llvmpipe")
    request = axis_request((6, 96), real_pairs=True, device=cpu)
    # A GPU takes parts of one butterfly by themselves.
    assert not choose.in_passes(axis_request((6, 96), real_pairs=True), (12, 8))[-1].couples_parts
    specs = with_ends(
        [Stockham().passes(each, KernelConfig((each.length,), 1))[0] for each in choose.in_passes(request, (12, 8))]
    )
    assert [spec.source_bytes for spec in specs] == [6 * 96 * 4, 3 * 96 * 8]
    assert [spec.target_bytes for spec in specs] == [3 * 96 * 8, 6 * 49 * 8]


@pytest.mark.parametrize("direction", WORDS, ids=WORDS.values())
def test_all_points_of_padded_lines_are_counted_once(monkeypatch: pytest.MonkeyPatch, direction: int) -> None:
    monkeypatch.setattr(bluestein, "_SCRATCH_BYTES", 1300)
    device = replace(LEAST_DEVICE, limits=replace(LEAST_DEVICE.limits, shared_memory=96))
    request = axis_request((5, 37), direction=direction, device=device, real_pairs=True, layers=3)
    passes = lookup.passes(request)
    real, half = (Points.REAL, 3 * 5 * 37 * 4), (Points.HERMITIAN, 3 * 5 * 19 * 8)
    (reads, read), (writes, written) = (real, half) if direction < 0 else (half, real)
    assert len(readers(passes)) == len(writers(passes)) == 5, "two of nine lines, each two real ones, at a time"
    assert sum(replace(spec, reads=reads).source_bytes for spec in readers(passes)) == read
    assert sum(replace(spec, writes=writes).target_bytes for spec in writers(passes)) == written


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"shape": (1, 96)}, id="of one line"),
        pytest.param({"shape": (4, 6, 96), "axis": 2}, id="in volumes"),
        pytest.param({"storage": STORAGES["rgba32f"]}, id="of two numbers a texel"),
        pytest.param({"crossing": Region((1, 0), (3, 96))}, id="through a region"),
        pytest.param({"real_pairs": False}, id="of different transforms"),
    ],
)
def test_other_lines_go_each_on_its_own(changes: dict[str, object]) -> None:
    request = replace(axis_request((6, 96), real_pairs=True), **changes)
    assert all(each.real_lines is None and not each.real_pairs for each in choose.in_passes(request, (12, 8)))
