"""How lines of volumes and parts of lines are numbered in textures: no sector has lines of two work groups, and no line
is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.requests import axis_request
from support.tolerances import assert_close, floor_of

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.regions import Region
from glfft.algorithms.stockham import choose, kernel, line_numbers
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import SECTOR_TILE
from glfft.algorithms.storage import STORAGES
from glfft.wisdom import lookup

AXES = (-3, -2, -1)


def places(spec: PassSpec) -> list[tuple[int, int]]:
    """The place of each number's line beside and beyond others, as in shaders/common/line_access.glsl, or of a part, as
    in shaders/fft/four_step.glsl.
    """
    of = spec.constants
    names = ("ROWS_TOGETHER", "LINES_ACROSS") if spec.request.part is None else ("TOGETHER", "PARTS_ACROSS")
    rows, across = (int(of[name]) for name in names)
    numbers = range(int(of["LINE_COUNT"]))
    return [(n // rows % across, n // rows // across * rows + n % rows) for n in numbers]


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize(
    ("shape", "storage"),
    [((5, 7, 9), "rg32f"), ((4, 6, 8), "rg32f"), ((6, 5, 8), "rgba32f"), ((4, 9, 10), "rg16f"), ((3, 4, 5), "rgba16f")],
)
def test_no_sector_has_lines_of_two_groups(shape: tuple[int, int, int], axis: int, storage: str) -> None:
    kept = STORAGES[storage]
    plain = axis_request((4, 4), storage=kept)
    gpu = replace(plain, shape=shape, axis=axis, device=replace(plain.device, renderer="A GPU"))
    spec = kernel.kernel_pass(gpu, KernelConfig((shape[axis],), 1, lines=8, side_by_side=True))
    beside = shape[1] if axis == 2 else shape[2]
    beyond = gpu.lines // beside
    found = [place for place in places(spec) if place[0] < beside and place[1] < beyond]
    assert sorted(found) == [*product(range(beside), range(beyond))]
    assert spec.groups[0] == -(-int(spec.constants["LINE_COUNT"]) // 8)
    assert bool(spec.constants["LINES_MISSING"]) == (len(found) < int(spec.constants["LINE_COUNT"]))
    across, down = max(SECTOR_TILE[0] // kept.texel_bytes, 1), SECTOR_TILE[1]
    # A column's points above each other fill sectors, a row's side by side; along z neighbours do, in both directions.
    size = (down, 1) if axis == 2 else (across, 1 if axis == 1 else down)
    pairs = {((x // size[0], y // size[1]), number // 8) for number, (x, y) in enumerate(places(spec))}
    assert max(Counter(sector for sector, _ in pairs).values()) == 1


@pytest.mark.parametrize(
    ("shape", "storage"),
    [((5, 7, 9), "rg32f"), ((15, 9, 5), "rgba32f"), ((9, 15, 21), "rg16f"), ((3, 5, 7), "rgba16f")],
)
def test_all_lines_are_transformed(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int, int], storage: str
) -> None:
    def whole(request: AxisRequest) -> bool:
        return request.part is None and request.padded is None and not (request.mirrors or request.storage.buffer)

    monkeypatch.setattr(line_numbers, "may_skip_numbers", whole)  # on CPUs too
    kept = STORAGES[storage]
    values = random_values(kept, shape, None, seed=3)
    multiply = "value product(ivec3 at, value s) { return s * float(1 + at.y); }"
    with glfft.Plan(ctx, shape, storage=storage, algorithm="stockham", norm="ortho", multiply=multiply) as plan:
        spectrum = np.fft.fftn(values.astype(np.clongdouble), axes=AXES, norm="ortho")
        assert_close(run(plan, values, "forward"), spectrum, floor_of(kept, 3))
        factors = 1.0 + np.arange(shape[1])[:, np.newaxis]
        exact = np.fft.ifftn(spectrum * factors, axes=AXES, norm="ortho")
        assert_close(run(plan, values, "convolve"), exact, floor_of(kept, 6))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("shape", "storage"),
    [((9, 45), "rg32f"), ((45, 9), "rg32f"), ((8, 60), "rg32f"), ((60, 14), "rg16f"), ((25, 75), "rgba32f")],
)
def test_no_sector_has_parts_of_two_groups(shape: tuple[int, int], axis: int, storage: str) -> None:
    kept, least = STORAGES[storage], next(prime for prime in (2, 3, 5) if shape[axis] % prime == 0)
    plain = axis_request((4, 4), storage=kept)
    gpu = replace(plain, shape=shape, axis=axis, device=replace(plain.device, renderer="A GPU"))
    first, *_ = choose.in_passes(gpu, (least, shape[axis] // least))
    assert first.part is not None
    count = first.part.count
    spec = kernel.kernel_pass(first, KernelConfig((least,), 1, lines=8, side_by_side=True))
    beside, beyond = (count, shape[0]) if axis == 1 else (shape[1], count)
    found = [place for place in places(spec) if place[0] < beside and place[1] < beyond]
    assert sorted(found) == [*product(range(beside), range(beyond))]
    assert spec.groups[0] == -(-int(spec.constants["LINE_COUNT"]) // 8)
    assert bool(spec.constants["LINES_MISSING"]) == (len(found) < int(spec.constants["LINE_COUNT"]))
    across, down = max(SECTOR_TILE[0] // kept.texel_bytes, 1), SECTOR_TILE[1]
    pairs = {((x // across, y // down), number // 8) for number, (x, y) in enumerate(places(spec))}
    assert max(Counter(sector for sector, _ in pairs).values()) == 1


@pytest.mark.parametrize("rows", [4, 5])
def test_no_number_is_left_out_of_lines_through_a_region(rows: int) -> None:
    plain = axis_request((4, 4))
    region = Region((0, 1, 2), (4, rows, 7))
    gpu = replace(plain, shape=(4, 8, 9), axis=0, crossing=region, device=replace(plain.device, renderer="A GPU"))
    spec = kernel.kernel_pass(gpu, KernelConfig((4,), 1, lines=8, side_by_side=True))
    assert not spec.constants["LINES_MISSING"]
    assert sorted(places(spec)) == [*product(range(7), range(rows))]


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("lines", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "rg16f"])
def test_all_parts_are_transformed(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, lines: int, axis: int, storage: str
) -> None:
    kept = STORAGES[storage]
    monkeypatch.setattr(line_numbers, "may_skip_numbers", lambda request: not (request.padded or request.mirrors))
    monkeypatch.setattr(choose, "longest_at_once", lambda request: 16)
    monkeypatch.setattr(lookup, "shipped", lambda length: ())  # kernels of whole lines
    length = 75  # 5 parts of 15 points, and 15 of 5
    shape = (lines, length) if axis == 1 else (length, lines)
    values = random_values(kept, shape, None, seed=7)
    multiply = "value product(ivec3 at, value s) { return s * float(1 + at.x + at.y); }"
    with glfft.Plan(
        ctx, shape, axes=(axis,), storage=storage, algorithm="stockham", norm="ortho", multiply=multiply
    ) as plan:
        assert "parts" in plan.explain()
        spectrum = np.fft.fft(values.astype(np.clongdouble), axis=axis - 2, norm="ortho")
        assert_close(run(plan, values, "forward"), spectrum, floor_of(kept, 3))
        factors = 1.0 + sum(np.indices(shape))
        exact = np.fft.ifft(spectrum * factors, axis=axis - 2, norm="ortho")
        assert_close(run(plan, values, "convolve"), exact, floor_of(kept, 6))


@pytest.mark.parametrize("lines", [2, 4, 8, 16])
@pytest.mark.parametrize("shape", [(8, 5, 5), (8, 6, 5), (8, 3, 9)])
def test_no_line_is_lost_where_threads_take_two(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int, int], lines: int
) -> None:
    """The first number of a pair may have no line where the second has one."""

    def in_pairs(request: AxisRequest, config: KernelConfig) -> KernelConfig:
        return replace(config, radices=(8,), threads=1, lines=lines, side_by_side=True, line_pairs=True)

    monkeypatch.setattr(line_numbers, "may_skip_numbers", lambda request: True)
    monkeypatch.setattr(kernel, "suited", in_pairs)
    values = random_values(STORAGES["rg32f"], shape, None, seed=9)
    with glfft.Plan(ctx, shape, axes=(0,), algorithm="stockham", norm="ortho") as plan:
        exact = np.fft.fft(values.astype(np.clongdouble), axis=-3, norm="ortho")
        assert_close(run(plan, values, "forward"), exact, floor_of(STORAGES["rg32f"], 1))
