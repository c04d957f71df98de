"""CUDA beside OpenGL, with a pretend driver: whether it is there, what is asked of it, and how it fails."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest
from support.cuda_driver import PretendDriver, installed
from support.sentences import assert_one_sentence

from glfft.errors import ContextError
from glfft.gl import cuda
from glfft.gl.cuda import READS_AND_WRITES, Cuda, cuda_of


@pytest.fixture
def driver(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendDriver]:
    pretend = PretendDriver(ctx, [7], device=2)
    with installed(pretend, ctx, monkeypatch):
        yield pretend


def _cuda(ctx: moderngl.Context) -> Cuda:
    found = cuda_of(ctx)
    assert found is not None
    return found


def test_it_is_that_of_the_contexts_gpu_and_opened_once(ctx: moderngl.Context, driver: PretendDriver) -> None:
    assert _cuda(ctx).device == 2
    assert cuda_of(ctx) is cuda_of(ctx)
    assert driver.calls == ["Init", "GLGetDevices", "DevicePrimaryCtxRetain"]


@pytest.mark.parametrize("failing", ["cuInit", "cuGLGetDevices_v2", "cuDevicePrimaryCtxRetain"])
def test_there_is_none_where_a_first_call_fails(failing: str, ctx: moderngl.Context, driver: PretendDriver) -> None:
    driver.failing = {failing}
    assert cuda_of(ctx) is None


@pytest.mark.usefixtures("driver")
def test_there_is_none_without_the_library(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise OSError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(cuda, "load_driver", missing)
    assert cuda_of(ctx) is None


def test_other_drivers_contexts_are_not_asked_about(
    ctx: moderngl.Context, driver: PretendDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "is_nvidias", lambda ctx: False)
    assert cuda_of(ctx) is None
    assert driver.calls == []


def test_a_mapped_buffer_is_written_and_given_back(ctx: moderngl.Context, driver: PretendDriver) -> None:
    buffer = ctx.buffer(bytes(16))
    with _cuda(ctx).current() as graphics:
        resource = graphics.new("cuGraphicsGLRegisterBuffer", buffer.glo, READS_AND_WRITES)
        with graphics.mapped([resource], 7):
            address = graphics.address_of(resource)
            driver.mapped[resource.value or 0][:] = range(16)
            assert address == driver.mapped[resource.value or 0].ctypes.data
        graphics.call("cuGraphicsUnregisterResource", resource)
    assert buffer.read() == bytes(range(16))
    assert (driver.registered, driver.mapped, driver.depth) == ({}, {}, 0)


def test_what_fails_is_one_sentence_and_leaves_nothing_mapped(ctx: moderngl.Context, driver: PretendDriver) -> None:
    buffer = ctx.buffer(reserve=16)
    driver.failing = {"cuGraphicsResourceGetMappedPointer_v2"}
    with _cuda(ctx).current() as graphics:
        resource = graphics.new("cuGraphicsGLRegisterBuffer", buffer.glo, READS_AND_WRITES)
        with (
            pytest.raises(ContextError, match=r"^CUDA failed: cuGraphicsRes\w+ answers 'pretend error 999'") as caught,
            graphics.mapped([resource], 7),
        ):
            graphics.address_of(resource)
    assert_one_sentence(str(caught.value))
    assert (driver.mapped, driver.depth) == ({}, 0)


def test_memory_is_given_back(ctx: moderngl.Context, driver: PretendDriver) -> None:
    opened = _cuda(ctx)
    address = opened.allocate(64)
    assert [content.nbytes for content in driver.memory.values()] == [64]
    opened.free(address)
    assert (driver.memory, driver.depth) == ({}, 0)
