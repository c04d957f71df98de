"""GL objects in existence, as the driver counts them: for tests that look for leaks."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import moderngl

import glfft
from glfft.gl.context import state_of
from glfft.gl.functions import load_function

NAMES_BEYOND_THE_NEXT = 4096


def live_objects(ctx: moderngl.Context, dropped: bool = False) -> dict[str, int]:
    """GL objects in existence, by kind, without or with those dropped, which the next use of the context releases."""
    # What an error of the test before still held goes now, not between two counts.
    gc.collect()
    if not dropped:
        state_of(ctx).release_dropped()
    seen: dict[str, tuple[list[int], int]] = state_of(ctx).cache("names seen by tests", dict)
    for kind in ("Texture", "Sampler", "Buffer", "Framebuffer", "Program", "Shader"):
        exists = load_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)
        # Drivers count names up from 1. Some never use a freed one again: then those that were there before, and those
        # made since, are all there can be. Others do, so that the next is not the last.
        alive, last = seen.get(kind, ([], 0))
        next_one = next_name(ctx, kind)
        if next_name(ctx, kind) > next_one:
            names = [*alive, *range(last + 1, next_one)]
        else:
            names = range(1, next_one + NAMES_BEYOND_THE_NEXT)
        seen[kind] = [name for name in names if exists(name)], next_one
    return {kind: len(alive) for kind, (alive, _) in seen.items()}


@contextmanager
def strange_samplers(ctx: moderngl.Context) -> Iterator[None]:
    """Samplers on all texture units that ask for mipmaps and do not repeat, as a program may leave them."""
    sampler = ctx.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR))
    for unit in range(ctx.max_texture_units):
        sampler.use(unit)
    try:
        yield
    finally:
        for unit in range(ctx.max_texture_units):
            sampler.clear(unit)
        sampler.release()


def collect_garbage() -> None:
    """Collect all garbage, and have later rounds of the collector leave out what is none now.

    There are half a million objects in the middle of a run, and a round over all of them takes 0.2 s.
    """
    gc.collect()
    gc.freeze()


def assert_plans_leave_nothing(ctx: moderngl.Context, make_and_drop: Callable[[int], None], count: int) -> None:
    """Fail if plans stay when they are gone. Take the fixture `freed_by_glfft_alone` as well.

    Args:
        make_and_drop: makes a plan, given how many it has made before, and releases it or lets go of it.
        count: how many to make.
    """

    def after(plans: int) -> dict[str, int]:
        for index in range(plans):
            make_and_drop(index)
        collect_garbage()
        # What was dropped is freed when the next plan is made.
        glfft.Plan(ctx, (8, 8)).release()
        return live_objects(ctx)

    before = after(2)
    assert before["Program"] > 0
    # Fewer are fine: programs that other tests' plans have pushed out of the cache go when they are next looked at.
    found = after(count)
    assert all(found[kind] <= before[kind] for kind in before), (before, found)


def next_name(ctx: moderngl.Context, kind: str) -> int:
    """The name an object made now gets."""
    if kind in ("Program", "Shader"):  # which share their names
        program = load_function(ctx, "glCreateProgram", ctypes.c_uint)()
        load_function(ctx, "glDeleteProgram", None, ctypes.c_uint)(program)
        return program
    names = (ctypes.c_uint * 1)()
    for verb in ("Gen", "Delete"):
        load_function(ctx, f"gl{verb}{kind}s", None, ctypes.c_int, ctypes.POINTER(ctypes.c_uint))(1, names)
    return names[0]
