"""In every storage, layers and halves of texels are independent, and a source stays as it is but in place."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support import images
from support.images import HALVES, random_values, release, run
from support.kernels import restrict_device
from support.storages import KINDS, each_layers, each_storage, exact, floor_db, turn
from support.tolerances import assert_close

import glfft
from glfft.algorithms.storage import STORAGES, Storage


@each_storage
@pytest.mark.parametrize("algorithm", ["auto", "natural-order-stages"])
def test_the_source_is_left_as_it_is_and_a_repeat_gives_the_same_bits(
    ctx: moderngl.Context, algorithm: str, storage: Storage
) -> None:
    shape = (4, 8)
    # In turn: each storage and each algorithm has layers and none, and real pictures and complex ones.
    row, column = ("auto", "natural-order-stages").index(algorithm), list(STORAGES).index(storage.name)
    layers, real = (None, 3)[(row + column) % 2], (row + column // 2) % 2 == 1
    unchanged = "value product(ivec3 at, value spectrum) { return spectrum; }"
    with glfft.Plan(
        ctx, shape, algorithm=algorithm, layers=layers, storage=storage.name, real=real, multiply=unchanged
    ) as plan:
        for way in ("forward", "inverse", "convolve"):
            of_source, of_target = images.ends(plan, way)
            values = random_values(*of_source, layers)
            source = images.upload(ctx, values, of_source[0], layers)
            results = set()
            for _ in range(2):
                target = images.blank(ctx, of_target[1], of_target[0], layers)
                getattr(plan, way)(source, target)
                results.add(images.download(target, *of_target, layers).tobytes())
                release(target)
            assert len(results) == 1
            assert images.download(source, *of_source, layers).tobytes() == values.tobytes()
            release(source)


@each_layers
@each_storage
def test_one_point_is_copied_bit_by_bit(ctx: moderngl.Context, storage: Storage, layers: int | None) -> None:
    values = random_values(storage, (1, 5), layers)
    with glfft.Plan(ctx, (1, 5), axes=(0,), layers=layers, storage=storage.name) as plan:
        assert np.array_equal(run(plan, values), values)


def test_where_groups_are_few_each_copies_more_rows(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, group_count=(65535, 2, 65535))
    values = random_values(STORAGES["rg32f"], (45, 1), None)
    with glfft.Plan(ctx, (45, 1), axes=(1,)) as plan:
        assert np.array_equal(run(plan, values), values)


@pytest.mark.parametrize("name", [name for name, halves in HALVES.items() if halves == 2])
@pytest.mark.parametrize("algorithm", KINDS)
def test_the_halves_of_a_texel_are_independent(ctx: moderngl.Context, algorithm: str, name: str) -> None:
    values = random_values(STORAGES[name], (4, 8), None)
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, storage=name) as plan:
        both = run(plan, values)
        for half in (0, 1):
            spoilt = values.copy()
            spoilt[:, 1 - half] = np.nan
            result = run(plan, spoilt)
            assert np.array_equal(result[:, half], both[:, half])
            assert np.isnan(result[:, 1 - half]).all()


@each_storage
@pytest.mark.parametrize("algorithm", KINDS)
def test_layers_are_independent(ctx: moderngl.Context, algorithm: str, storage: Storage) -> None:
    values = random_values(storage, (4, 8), 3)
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, layers=3, storage=storage.name) as plan:
        clean = run(plan, values)
        values[1] = np.nan
        result = run(plan, values)
    assert np.isnan(result[1]).all()
    assert np.array_equal(result[[0, 2]], clean[[0, 2]])


@each_storage
@pytest.mark.parametrize("algorithm", KINDS)
def test_in_place(ctx: moderngl.Context, algorithm: str, storage: Storage) -> None:
    layers = (None, 1, 3)[turn(algorithm, storage, KINDS, 3)]
    for shape, axes in (((4, 8), (0, 1)), ((4, 8), (0,)), ((3, 2), (1,))):
        values = random_values(storage, shape, layers)
        with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, layers=layers, storage=storage.name) as plan:
            image = images.upload(ctx, values, storage, layers)
            plan.forward(image, image, next_use="read")
            assert_close(images.download(image, storage, shape, layers), exact(values, "forward", axes), floor_db(plan))
            release(image)


@each_layers
@each_storage
def test_the_source_is_left_as_it_is(ctx: moderngl.Context, storage: Storage, layers: int | None) -> None:
    values = random_values(storage, (8, 8), layers)
    source, target = (images.upload(ctx, values, storage, layers) for _ in range(2))
    with glfft.Plan(ctx, (8, 8), layers=layers, storage=storage.name) as plan:
        plan.forward(source, target, next_use="read")
    assert np.array_equal(images.download(source, storage, (8, 8), layers), values)
    assert not np.array_equal(images.download(target, storage, (8, 8), layers), values)
    release(source, target)
