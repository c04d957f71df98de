"""Fences: passed once the GPU has done what came before, and none is left."""

from __future__ import annotations

import ctypes

import moderngl
import numpy as np

import glfft
from glfft.gl.fences import Fences
from glfft.gl.functions import load_function


def is_fence(ctx: moderngl.Context, fence: int) -> bool:
    """Whether the driver knows a fence."""
    return bool(load_function(ctx, "glIsSync", ctypes.c_ubyte, ctypes.c_void_p)(fence))


def test_what_came_before_a_fence_is_done_once_it_is_awaited(ctx: moderngl.Context) -> None:
    fences = Fences(ctx)
    values = np.random.default_rng(1).standard_normal((8, 16)).astype(np.complex64)
    buffer = ctx.buffer(values.tobytes())
    with glfft.Plan(ctx, values.shape, axes=(1,), storage="buffer") as plan:
        plan.forward(buffer, buffer)
        fence = fences.put()
        fences.wait(fence)
        assert fences.passed(fence)
    fences.delete(fence)
    assert not is_fence(ctx, fence)
    assert not fences._standing  # else it would be deleted once more


def test_release_lets_go_of_all_fences(ctx: moderngl.Context) -> None:
    fences = Fences(ctx)
    made = [fences.put() for _ in range(3)]
    assert all(is_fence(ctx, fence) for fence in made)
    fences.release()
    assert not any(is_fence(ctx, fence) for fence in made)
    fences.release()
