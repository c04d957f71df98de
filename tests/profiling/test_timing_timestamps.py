"""Timestamps of the GPU: in order, and their queries are used again."""

from __future__ import annotations

import ctypes

import moderngl

import glfft
from glfft.gl.functions import load_function
from glfft.profiling.timing import GpuClock


def test_timestamps_are_in_order_and_their_queries_are_used_again(ctx: moderngl.Context) -> None:
    stamps = GpuClock(ctx)
    texture = ctx.texture((16, 16), 2, dtype="f4")
    texture.write(bytes(16 * 16 * 8))
    used = set()
    with glfft.Plan(ctx, (16, 16)) as plan:
        for _ in range(20):
            before = stamps.mark()
            plan.forward(texture, texture)
            after = stamps.mark()
            used |= {before, after}
            ctx.finish()
            assert stamps.ready(before)
            assert stamps.ready(after)
            assert 0 < stamps.take(before) <= stamps.take(after)
    assert len(used) <= 16, "a query taken is free for the next stamp"
    stamps.release()
    stamps.release()


def test_timestamps_grow_with_need(ctx: moderngl.Context) -> None:
    stamps = GpuClock(ctx)
    queries = [stamps.mark() for _ in range(50)]
    assert len(set(queries)) == 50
    values = [stamps.take(query) for query in queries]
    assert values == sorted(values)
    stamps.release()
    is_query = load_function(ctx, "glIsQuery", ctypes.c_ubyte, ctypes.c_uint)
    assert not any(is_query(query) for query in queries)
