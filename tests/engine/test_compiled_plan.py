"""The programs of a plan are compiled one by one, shared where they can be, and released if nobody takes them."""

from __future__ import annotations

import gc
from collections.abc import Generator
from typing import Any

import moderngl
from support.images import release

from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_plan import CompiledPlan, compiling
from glfft.engine.images import ImageSpec
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest
from glfft.gl.context import state_of

SHAPE = (8, 16)
LOAD = "uniform float gain;\nvalue load(ivec3 at) { return gain * read_source(at); }"


def compilation(
    ctx: moderngl.Context, **options: Any
) -> tuple[Generator[PassSpec, None, CompiledPlan], dict[int, list[PassSpec]]]:
    """That of a plan, and its passes."""
    request = PlanRequest.of(SHAPE, **options)
    specs = {direction: plan_passes(request, direction, state_of(ctx).device) for direction in (FORWARD, INVERSE)}
    images = ImageSpec(ctx, SHAPE, None, request.storage)
    return compiling(ctx, request, dict.fromkeys(specs, (images, images)), specs), specs


def to_the_end(making: Generator[PassSpec, None, CompiledPlan]) -> tuple[list[PassSpec], CompiledPlan]:
    """The passes that were yielded, and the plan."""
    seen = []
    while True:
        try:
            seen.append(next(making))
        except StopIteration as end:
            return seen, end.value


def test_each_step_compiles_the_pass_that_was_yielded(ctx: moderngl.Context) -> None:
    making, specs = compilation(ctx)
    seen, plan = to_the_end(making)
    assert seen == list(dict.fromkeys([*specs[FORWARD], *specs[INVERSE]]))
    assert {direction: plan.pipelines[direction].specs for direction in specs} == specs
    assert plan.programs == (), "programs without snippets belong to the context"


def test_programs_with_snippets_are_the_plans_own(ctx: moderngl.Context) -> None:
    making, specs = compilation(ctx, load=LOAD)
    _, plan = to_the_end(making)
    making.close()
    with_snippets = [spec for spec in {*specs[FORWARD], *specs[INVERSE]} if spec.snippets]
    assert len(plan.programs) == len(with_snippets) > 0
    assert not set(plan.programs) & set(state_of(ctx).dropped)
    release(*plan.programs)  # pyright: ignore[reportArgumentType]


def test_what_is_given_up_half_way_is_released_when_the_context_is_used_next(ctx: moderngl.Context) -> None:
    state = state_of(ctx)
    state.release_dropped()
    making, _ = compilation(ctx, load=LOAD)
    next(making)
    next(making)
    making.close()
    (program,) = state.dropped
    assert isinstance(program, moderngl.ComputeShader)
    making.close()
    assert state.dropped == [program], "no program is released twice"
    state.release_dropped()
    assert type(program.mglo).__name__ == "InvalidObject"


def test_what_is_given_up_in_a_circle_of_garbage_is_not_freed_by_the_collector(ctx: moderngl.Context) -> None:
    """Another context may be current as garbage is collected, where moderngl deletes what has the same name."""
    state = state_of(ctx)
    state.release_dropped()
    making, _ = compilation(ctx, load=LOAD)
    next(making)
    next(making)
    circle: list[Any] = [making]
    circle.append(circle)
    del making, circle
    gc.collect()
    (program,) = state.dropped
    assert type(program.mglo).__name__ != "InvalidObject"
    assert not state.caches["compiling"]
    state.release_dropped()
