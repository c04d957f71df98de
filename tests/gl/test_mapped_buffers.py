"""Buffers that stay mapped: both sides see the same numbers."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.errors import ContextError
from glfft.gl import mapped_buffers
from glfft.gl.fences import Fences
from glfft.gl.mapped_buffers import can_stay_mapped, mapped_buffer


def test_numbers_go_in_by_one_and_come_out_by_another(ctx: moderngl.Context) -> None:
    assert can_stay_mapped(ctx), "llvmpipe and NVIDIA have them; the fallback has tests of its own"
    fences = Fences(ctx)
    written, read = mapped_buffer(ctx, 4096, reads=False), mapped_buffer(ctx, 4096, reads=True)
    middle = ctx.buffer(reserve=4096)
    for seed in (1, 2):
        numbers = np.random.default_rng(seed).integers(0, 256, 4096, np.uint8)
        written.memory[:] = numbers
        ctx.copy_buffer(middle, written.buffer, 4096)
        ctx.copy_buffer(read.buffer, middle, 4096)
        fence = fences.put()
        fences.wait(fence)
        assert np.array_equal(read.memory, numbers)
    fences.release()
    for buffer in (written.buffer, read.buffer, middle):
        buffer.release()


def test_a_driver_without_them_is_told_from_one_with(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped_buffers, "_CORE_SINCE", 999)
    assert can_stay_mapped(ctx) == ("GL_ARB_buffer_storage" in ctx.extensions)
    monkeypatch.setattr(mapped_buffers, "_EXTENSION", "GL_ARB_of_no_driver")
    assert not can_stay_mapped(ctx)
    with pytest.raises(ContextError, match="no buffers that stay mapped"):
        mapped_buffer(ctx, 16, reads=False)


def test_a_size_no_device_has_is_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(ContextError, match="choose a smaller size"):
        mapped_buffer(ctx, 1 << 50, reads=True)
