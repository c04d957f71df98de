"""A second context with the same buffers and fences."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.errors import NotCurrentError
from glfft.gl.context import open_context, state_of
from glfft.gl.current import current_system
from glfft.gl.fences import Fences
from glfft.gl.shared_contexts import SharedContext


def current() -> int | None:
    system = current_system()
    return None if system is None else system.current()


@pytest.fixture(autouse=True)
def _takes_egl(ctx: moderngl.Context) -> None:
    if state_of(ctx).opened == (None, "glx"):
        pytest.skip("contexts that share objects take EGL")


def test_a_copy_in_the_second_context_follows_the_first(ctx: moderngl.Context) -> None:
    numbers = np.random.default_rng(1).integers(0, 256, 4096, np.uint8)
    here, there = ctx.buffer(numbers.tobytes()), ctx.buffer(reserve=4096)
    fences, first = Fences(ctx), current()
    shared = SharedContext(ctx)
    written = fences.put()
    with shared:
        assert current() not in (None, first)
        fences.follow(written)
        ctx.copy_buffer(there, here, 4096)
        copied = fences.put()
    assert current() == first
    fences.wait(copied)
    assert np.array_equal(np.frombuffer(there.read(), np.uint8), numbers)
    shared.release()
    shared.release()
    fences.release()
    for buffer in (here, there):
        buffer.release()


def test_the_first_context_is_current_again_after_a_failure(ctx: moderngl.Context) -> None:
    first, shared = current(), SharedContext(ctx)
    with pytest.raises(ZeroDivisionError), shared:
        raise ZeroDivisionError
    assert current() == first
    state_of(ctx).check.require()
    shared.release()


def test_a_context_that_is_not_current_has_none_beside_it(ctx: moderngl.Context) -> None:
    other = open_context()
    try:
        with pytest.raises(NotCurrentError):
            SharedContext(ctx)
    finally:
        other.release()
        ctx.__enter__()
