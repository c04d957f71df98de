"""Plans come and go: GPU objects and memory stay flat, whoever frees them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import moderngl
import pytest
from support.gl_objects import collect_garbage, live_objects
from support.pictures import run
from support.programs import lines_of

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.engine import twiddles
from glfft.gl import programs

# Enough for every cache to be full and the allocators to have what they keep.
WARM_UP = 20
PLANS = 40
# Short columns of wide pictures: making a plan takes little time, and its textures take much memory.
SHAPE = (4, 8192)
# Half of the plans below have textures (256 KiB each): a leak of one of them a plan would be 5 MiB.
MARGIN_MIB = 4
# Python counts its own memory to the byte, but slowly: a leak of 100 bytes a plan would be 3000. After many tests the
# caches are full, and their tables are made anew once in some 400 uses: the first time that counts as growth.
COUNTED_WARM_UP = 450
COUNTED_PLANS = 30
MARGIN_BYTES = 2000
RUNS = 200

MiB = 2**20
PAGE = 4096


def resident_mib() -> float:
    """Memory of this process: where llvmpipe keeps its textures too."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / MiB


def by_with(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, SHAPE, axes=(0,), algorithm=algorithm):
        pass


def by_dropping(ctx: moderngl.Context, algorithm: str) -> None:
    glfft.Plan(ctx, SHAPE, axes=(0,), algorithm=algorithm)


def by_collecting_a_cycle(ctx: moderngl.Context, algorithm: str) -> None:
    cycle: list[object] = [glfft.Plan(ctx, SHAPE, axes=(0,), algorithm=algorithm)]
    cycle.append(cycle)


def by_failing(ctx: moderngl.Context, algorithm: str) -> None:
    with pytest.raises(glfft.GlfftError):
        glfft.Plan(ctx, (SHAPE[0] + 1, SHAPE[1]), axes=(0,), algorithm=algorithm)


@pytest.fixture(params=[None, "auto"])
def gc_mode(ctx: moderngl.Context, request: pytest.FixtureRequest) -> Iterator[str | None]:
    """moderngl's collection of dropped objects: never (the default), or at once."""
    before = ctx.gc_mode
    ctx.gc_mode = request.param
    yield request.param
    ctx.gc_mode = before


@pytest.mark.parametrize("drop", [by_with, by_dropping, by_collecting_a_cycle, by_failing])
def test_plans_that_come_and_go_leave_nothing(
    ctx: moderngl.Context, gc_mode: str | None, drop: Callable[[moderngl.Context, str], None]
) -> None:
    def make_and_drop(count: int) -> None:
        for index in range(count):
            # Both kinds: two textures a plan in stages, none in single passes.
            drop(ctx, ("cooley-tukey-stages", "stockham-radix4")[index % 2])

    def settle() -> None:
        collect_garbage()
        # The first may compile programs, for which others leave the cache; the second releases those.
        for _ in range(2):
            glfft.Plan(ctx, (8, 8)).release()

    def state() -> tuple[dict[str, int], float]:
        settle()
        return live_objects(ctx), resident_mib()

    def bytes_grown() -> int:
        before = tracemalloc.get_traced_memory()[0]
        make_and_drop(COUNTED_PLANS)
        settle()
        return tracemalloc.get_traced_memory()[0] - before

    make_and_drop(WARM_UP)
    objects, memory = state()
    make_and_drop(PLANS)
    objects_after, memory_after = state()
    assert objects_after == objects
    assert memory_after - memory < MARGIN_MIB
    if gc_mode is not None:
        return  # what Python itself has does not depend on it
    tracemalloc.start()
    try:
        make_and_drop(COUNTED_WARM_UP)
        settle()
        # A table of Python's may become longer in between; what is lost with every plan is lost each time.
        assert any(bytes_grown() < MARGIN_BYTES for _ in range(3))
    finally:
        tracemalloc.stop()


def test_the_count_sees_a_texture(ctx: moderngl.Context) -> None:
    collect_garbage()
    before = live_objects(ctx)
    texture = ctx.texture((4, 4), 2, dtype="f4")
    assert live_objects(ctx) == {**before, "Texture": before["Texture"] + 1}
    texture.release()
    assert live_objects(ctx) == before


def test_runs_leave_nothing(ctx: moderngl.Context, gc_mode: str | None) -> None:
    texture = ctx.texture((16, 8), 2, dtype="f4")
    texture.write(bytes(8 * 16 * 8))
    with glfft.Plan(ctx, (8, 16)) as plan:
        plan.forward(texture, texture)
        objects = live_objects(ctx)
        for _ in range(RUNS):
            plan.forward(texture, texture)
        assert live_objects(ctx) == objects
    texture.release()


@pytest.fixture
def few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer programs are kept than the tests below make, which then need not make hundreds."""
    monkeypatch.setattr(programs, "_PROGRAMS_KEPT", 10)


@pytest.mark.usefixtures("few_programs")
def test_programs_of_many_shapes_are_bounded(ctx: moderngl.Context, gc_mode: str | None) -> None:
    # Each shape here has a program of its own.
    def programs_after(heights: range) -> int:
        for height in heights:
            glfft.Plan(ctx, (height, 2), axes=(1,), algorithm="cooley-tukey-stages").release()
        collect_garbage()
        glfft.Plan(ctx, (8, 8)).release()
        return live_objects(ctx)["Program"]

    full = programs_after(range(1, 14))
    assert programs_after(range(14, 27)) <= full + 1


def test_tables_of_many_radices_are_bounded(ctx: moderngl.Context, gc_mode: str | None) -> None:
    # No plan of another test holds one of these tables.
    def buffers_after(first: int) -> int:
        for radices in product((first, 11, 13), repeat=4):
            twiddles.held(ctx, radices)
        collect_garbage()
        glfft.Plan(ctx, (8, 8)).release()
        return live_objects(ctx)["Buffer"]

    assert buffers_after(7) == buffers_after(9)


def test_what_is_cached_for_a_released_context_takes_nothing_of_another_with_it() -> None:
    assert lines_of(RELEASED_CONTEXT) == ["GL_NO_ERROR True"]


# In a process of its own: opening a context makes it the current one.
RELEASED_CONTEXT = """
import gc
import numpy as np
import glfft
data = np.arange(256.0).reshape(16, 16)
first, second = glfft.open_context(), glfft.open_context()
first.__enter__()
glfft.fft2(data, ctx=first)
first.release()
second.__enter__()
before = glfft.fft2(data, ctx=second)
del first
gc.collect()
after = glfft.fft2(data, ctx=second)
print(second.error, np.array_equal(before, after))
"""


@pytest.mark.usefixtures("few_programs")
def test_a_plan_outlives_its_programs_place_in_the_cache(ctx: moderngl.Context) -> None:
    array = random_complex((16, 64))
    with glfft.Plan(ctx, (16, 64), algorithm="stockham-radix2") as plan:
        first = run(plan, array)
        for height in range(1, 14):
            glfft.Plan(ctx, (height, 4), axes=(1,), algorithm="cooley-tukey-stages").release()
        collect_garbage()
        glfft.Plan(ctx, (8, 8)).release()
        assert run(plan, array).tobytes() == first.tobytes()


def test_arrays_of_many_shapes_are_bounded(ctx: moderngl.Context, gc_mode: str | None) -> None:
    def objects_after(rounds: int) -> dict[str, int]:
        for _ in range(rounds):
            for rows in (1, 2, 4, 8):
                for columns in (1, 2, 4, 8, 16):
                    glfft.fft2(random_complex((rows, columns)), ctx=ctx)
        collect_garbage()
        glfft.Plan(ctx, (8, 8)).release()
        return live_objects(ctx)

    assert objects_after(2) == objects_after(2)
