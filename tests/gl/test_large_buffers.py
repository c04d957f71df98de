"""Large buffers hold what is written, and are read without being mapped."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

import glfft
from glfft import interop
from glfft.errors import ContextError, OptionError
from glfft.gl import large_buffers
from glfft.gl.large_buffers import large_buffer, read_into
from glfft.gl.releasable import released_after

LARGE = 1 << 27  # bytes from which on NVIDIA's are sparse


@pytest.mark.parametrize("size", [12, LARGE + 4])
@pytest.mark.parametrize("is_nvidias", [None, True])
def test_what_is_written_is_read_back(
    ctx: moderngl.Context, size: int, is_nvidias: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.resize(np.random.default_rng(1).integers(0, 256, 100_003, np.uint8), size)
    with released_after(buffer := glfft.large_buffer(ctx, size)):
        if is_nvidias is not None:  # large ones are read piece by piece
            monkeypatch.setattr(large_buffers, "is_nvidias", lambda ctx: is_nvidias)
        assert buffer.size == size
        buffer.write(numbers.tobytes())
        assert np.array_equal(np.asarray(interop.array_from(buffer, dtype=np.uint8)), numbers)
        if size > 16:
            copied = np.zeros(size, np.uint8)
            read_into(ctx, buffer, copied, size - 7)
            assert np.array_equal(copied[:-7], numbers[:-7])
            assert not copied[-7:].any()


def test_lines_in_large_buffers_are_transformed(ctx: moderngl.Context) -> None:
    lines = (LARGE // 8 // 32, 32)
    source, target = (glfft.large_buffer(ctx, LARGE) for _ in range(2))
    with released_after(source, target), glfft.Plan(ctx, lines, axes=(1,), storage="buffer") as plan:
        given = np.resize(np.random.default_rng(2).standard_normal(2 * 999_983).astype(np.float32), LARGE // 4)
        source.write(given.tobytes())
        plan.forward(source, target, next_use="read")
        found = np.asarray(interop.array_from(target)).view(np.complex64).reshape(lines)
        for rows in (slice(0, 500), slice(-500, None)):
            exact = np.fft.fft(given.view(np.complex64).reshape(lines)[rows].astype(np.complex128))
            assert np.linalg.norm(found[rows] - exact) < 1e-6 * np.linalg.norm(exact)


def test_on_nvidias_gpus_their_pages_are_all_there(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Recorded:
        def __init__(self, ctx: moderngl.Context) -> None: ...

        def __getattr__(self, name: str) -> Any:
            return lambda *given: calls.append((name, *given))

    monkeypatch.setattr(large_buffers, "Functions", Recorded)
    monkeypatch.setattr(large_buffers, "is_nvidias", lambda ctx: True)
    monkeypatch.setattr(large_buffers, "_EXTENSION", next(iter(ctx.extensions)))
    monkeypatch.setattr(large_buffers, "_LARGE", 1000)
    with released_after(large_buffer(ctx, 999)):
        assert not calls
    with released_after(buffer := large_buffer(ctx, 1000)):
        target = 0x8892
        assert calls == [
            ("glBindBuffer", target, buffer.glo),
            ("glBufferStorage", target, 1000, None, 0x0500),
            ("glBufferPageCommitmentARB", target, 0, 1000, True),
        ]
    calls.clear()
    monkeypatch.setattr(large_buffers, "_EXTENSION", "GL_ARB_of_no_driver")
    with released_after(large_buffer(ctx, 1000)):
        assert not calls


@pytest.mark.parametrize("size", [0, -8, 2.5, "many"])
def test_sizes_that_are_none_are_refused(ctx: moderngl.Context, size: Any) -> None:
    with pytest.raises(OptionError, match="size"):
        large_buffer(ctx, size)


def test_sizes_that_no_device_has_are_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(ContextError, match="choose a smaller size"):
        large_buffer(ctx, 1 << 50)
