"""Every storage, with layers and without, carries every algorithm's transform; what does not fit it is refused."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values, release, run
from support.pictures import DIRECTIONS, OF_EACH_END, PING_PONG
from support.storages import KINDS, each_storage, exact, floor_db, turn
from support.tolerances import assert_close, half_db

import glfft
from glfft.algorithms.storage import STORAGES, Storage
from glfft.apps.signal_to_noise import snr_db
from glfft.errors import LimitError
from glfft.gl.context import state_of


@each_storage
@pytest.mark.parametrize("algorithm", OF_EACH_END)
def test_agrees_with_float64_numpy(ctx: moderngl.Context, algorithm: str, storage: Storage) -> None:
    # Layers or none in turn: any two of algorithm, storage and layers meet. What addresses layers is the same text for
    # all algorithms. One layer is the other tests' case.
    layers = (None, 3)[turn(algorithm, storage, OF_EACH_END)]
    shape = (4, 8)
    if algorithm in PING_PONG and storage.double:
        with pytest.raises(LimitError, match="single precision"):
            glfft.Plan(ctx, shape, algorithm=algorithm, layers=layers, storage=storage.name)
        return
    values = random_values(storage, shape, layers)
    # Both axes in one direction, and one alone in the other, in turn: every algorithm and storage meets either
    # direction with both axes, and either axis alone.
    turns = OF_EACH_END.index(algorithm) // 2 + list(STORAGES).index(storage.name)
    alone, one_way = turns % 2, turns // 2 % 2
    for axes, direction in (((0, 1), DIRECTIONS[one_way]), ((alone,), DIRECTIONS[1 - one_way])):
        with glfft.Plan(
            ctx,
            shape,
            axes=axes,
            algorithm=algorithm,
            layers=layers,
            storage=storage.name,
            directions=direction,
        ) as plan:
            assert_close(run(plan, values, direction), exact(values, direction, axes), floor_db(plan))


@each_storage
def test_longer_lines_and_odd_line_counts(ctx: moderngl.Context, storage: Storage) -> None:
    for algorithm in KINDS:
        # Rows and columns in turn: each storage and each algorithm has both.
        shape, axis = (((5, 128), 1), ((64, 7), 0))[turn(algorithm, storage, KINDS)]
        values = random_values(storage, shape, 2)
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=algorithm, layers=2, storage=storage.name) as plan:
            assert_close(run(plan, values), exact(values, "forward", (axis,)), floor_db(plan))


@pytest.mark.parametrize("name", ["rg16f", "rgba16f"])
def test_half_precision_is_rounded_to_the_nearest(ctx: moderngl.Context, name: str) -> None:
    channels = STORAGES[name].components
    values = np.random.default_rng(3).uniform(-1.0, 1.0, (256, channels)).astype(np.float32)
    values *= np.exp2(np.arange(256) % 30 - 14, dtype=np.float32)[:, None]
    values[0, :2] = np.inf, -np.inf
    values[1, :2] = np.array([0x7FFFFFFF, 0xFFC00000], np.uint32).view(np.float32)  # two that are no numbers
    values[2, :2] = 0.0, -0.0
    numbers = ctx.texture((256, 1), channels, values.tobytes(), dtype="f4")
    load = "uniform sampler2D numbers; value load(ivec3 at) { return value_of(texelFetch(numbers, at.xy, 0)); }"
    target = ctx.texture((256, 1), channels, dtype="f2")
    with glfft.Plan(ctx, (1, 256), axes=(0,), storage=name, load=load) as plan:
        plan.set_uniforms(numbers=numbers)
        plan.forward(None, target, next_use="read")
    stored = np.frombuffer(target.read(), np.float16).reshape(values.shape)
    nearest = values.astype(np.float16)
    assert np.array_equal(np.isnan(stored), np.isnan(values))
    assert np.array_equal(stored[0], nearest[0])
    with np.errstate(invalid="ignore"):
        off = np.abs(stored.astype(np.float64) - values)
        least = np.abs(nearest.astype(np.float64) - values)
    # Half way between two, either is right; below 2^-14 a driver may cut the last bit off.
    small = np.abs(values) < 2.0**-14
    assert (off[1:] <= np.where(small, 2.0**-24, least)[1:])[~np.isnan(values[1:])].all()
    release(numbers, target)


@pytest.mark.parametrize("name", ["rg16f", "rgba16f"])
def test_rounding_to_half_precision_does_not_pile_up(ctx: moderngl.Context, name: str) -> None:
    # Many sums and differences of halves are half way between two. The floor is 5 dB below independent errors.
    values = random_values(STORAGES[name], (32, 32), None)
    with glfft.Plan(ctx, (32, 32), algorithm="natural-order-stages", storage=name) as plan:
        assert plan.dispatches == 10
        assert_close(run(plan, values), exact(values, "forward", (0, 1)), half_db(10) + 2.5)


def test_the_floor_of_half_precision_is_no_free_pass() -> None:
    # What the floor must not forgive: one element in a thousand lost.
    values = random_values(STORAGES["rg16f"], (32, 32), None)
    holed = values.copy()
    holed[0, 0, 3, 5] = 0
    assert snr_db(holed, values) < half_db(2)


def test_a_buffer_longer_than_needed_keeps_its_rest(ctx: moderngl.Context) -> None:
    storage = STORAGES["buffer"]
    values = random_values(storage, (4, 8), 3)
    source, target = images.upload(ctx, values, storage, 3), images.blank(ctx, (4, 8), storage, 3)
    with glfft.Plan(ctx, (4, 8), layers=2, storage="buffer") as plan:
        plan.forward(source, target, next_use="read")
    result = images.download(target, storage, (4, 8), 3)
    assert_close(result[:2], exact(values[:2], "forward", (0, 1)))
    assert np.isnan(result[2]).all()
    release(source, target)


def test_whole_numbers_of_any_kind_count_layers(ctx: moderngl.Context) -> None:
    layers: Any = np.int64(3)
    with glfft.Plan(ctx, (4, 4), layers=layers) as plan:
        values = random_values(STORAGES["rg32f"], (4, 4), 3)
        assert_close(run(plan, values), exact(values, "forward", (0, 1)))


def test_buffers_have_layers_and_bytes_of_their_own_to_spare(ctx: moderngl.Context) -> None:
    # More layers than a texture array has: nothing about a buffer forbids them.
    layers = ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"] + 5
    values = random_values(STORAGES["buffer"], (1, 4), layers)
    with glfft.Plan(ctx, (1, 4), layers=layers, storage="buffer") as plan:
        assert_close(run(plan, values), exact(values, "forward", (0, 1)))
    most_groups = state_of(ctx).limits.group_count[1]
    with pytest.raises(LimitError, match=f"at most {most_groups}"):
        glfft.Plan(ctx, (1, 1), layers=most_groups + 1, storage="buffer")
