"""Copies between arrays and buffers, on a pretend GPU and through the host: their order, their streams, their ends."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest
from support.cuda_driver import GpuArray, PretendDriver, no_cuda, torch_on
from support.gl_objects import live_objects
from support.sentences import assert_one_sentence, refused

from glfft.errors import ContextError, DataError
from glfft.gl.cuda import cuda_of
from glfft.gl.interop import copies
from glfft.gl.interop.copies import SharedBuffer, copy_to_array, copy_to_image, look_at

NUMBERS = np.arange(12, dtype=np.float32).reshape(3, 4)
ONE_COPY = [
    "CtxPushCurrent",
    "MapResources",
    "ResourceGetMappedPointer",
    "MemcpyDtoDAsync",
    "UnmapResources",
    "CtxPopCurrent",
]


@pytest.fixture
def without_cuda(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with no_cuda(ctx, monkeypatch):
        yield


def _shared(ctx: moderngl.Context) -> SharedBuffer:
    cuda = cuda_of(ctx)
    assert cuda is not None
    return SharedBuffer(ctx, cuda, NUMBERS.nbytes)


@pytest.fixture
def shared(ctx: moderngl.Context, driver: PretendDriver) -> Iterator[SharedBuffer]:
    made = _shared(ctx)
    driver.calls.clear()
    yield made
    made.release()


@pytest.fixture
def tensors(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A class of arrays on the pretend GPU whose stream is known."""
    return torch_on(7, monkeypatch)


def test_a_copy_maps_and_waits_for_nothing(
    ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer, tensors: Any
) -> None:
    source, target = tensors(NUMBERS), tensors(np.zeros_like(NUMBERS))
    shared.fill(look_at(ctx, source, writes=False))
    assert driver.calls == ONE_COPY
    assert shared.buffer.read() == NUMBERS.tobytes()
    driver.calls.clear()
    shared.pour(look_at(ctx, target, writes=True))
    assert driver.calls == [*ONE_COPY[:-2], "EventRecord", ONE_COPY[-1]]
    assert np.array_equal(target.numbers, NUMBERS)
    assert (source.streams, target.streams) == ([7], [7])
    assert driver.depth == 0


def test_a_buffer_stays_cudas_until_opengl_is_to_write_it(
    ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer, tensors: Any
) -> None:
    first, second = tensors(np.zeros_like(NUMBERS)), GpuArray(np.zeros_like(NUMBERS))
    shared.fill(look_at(ctx, tensors(NUMBERS), writes=False))
    for target in (first, second):
        shared.pour(look_at(ctx, target, writes=True))
        assert np.array_equal(target.numbers, NUMBERS)
    driver.calls.clear()
    # Another stream waits for the last copy, and then fills the buffer, which nobody need map.
    shared.fill(look_at(ctx, tensors(2 * NUMBERS), writes=False))
    assert driver.calls == [*("StreamWaitEvent" if call == "MapResources" else call for call in ONE_COPY)]
    assert shared.buffer.read() == (2 * NUMBERS).tobytes()
    shared.pour(look_at(ctx, first, writes=True))
    driver.calls.clear()
    shared.lend(7)
    assert driver.calls == ["CtxPushCurrent", "StreamWaitEvent", "UnmapResources", "CtxPopCurrent"]
    shared.buffer.write(NUMBERS.tobytes())
    shared.lend()
    assert driver.calls[4:] == []
    shared.pour(look_at(ctx, first, writes=True))
    assert np.array_equal(first.numbers, NUMBERS)


@pytest.mark.parametrize("function", ["cuMemcpyDtoDAsync_v2", "cuEventRecord"])
def test_a_copy_from_the_buffer_that_fails_leaves_nothing_mapped(
    function: str, ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer
) -> None:
    driver.failing = {function}
    with pytest.raises(ContextError, match=f"{function} answers"):
        shared.pour(look_at(ctx, GpuArray(NUMBERS), writes=True))
    assert (driver.mapped, driver.depth) == ({}, 0)


def test_the_host_waits_where_nobody_knows_the_stream(
    ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer
) -> None:
    source = GpuArray(NUMBERS)
    shared.fill(look_at(ctx, source, writes=False))
    assert driver.calls == [*ONE_COPY[:-1], "StreamSynchronize", ONE_COPY[-1]]


@pytest.mark.parametrize("function", ["MapResources", "ResourceGetMappedPointer_v2", "UnmapResources"])
def test_a_failure_is_one_sentence_and_leaves_no_context_pushed(
    function: str, ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer
) -> None:
    source = GpuArray(NUMBERS)
    driver.failing = {f"cuGraphics{function}"}
    with refused(ContextError, match=f"cuGraphics{function} answers"):
        shared.fill(look_at(ctx, source, writes=False))
    assert driver.depth == 0
    driver.mapped.clear()


def test_a_copy_that_fails_leaves_nothing_mapped(
    ctx: moderngl.Context, driver: PretendDriver, shared: SharedBuffer
) -> None:
    source = GpuArray(NUMBERS)
    driver.failing = {"cuMemcpyDtoDAsync_v2"}
    with pytest.raises(ContextError, match="cuMemcpyDtoDAsync_v2 answers"):
        shared.fill(look_at(ctx, source, writes=False))
    assert (driver.mapped, driver.depth) == ({}, 0)


def test_a_buffer_is_registered_as_long_as_it_exists(ctx: moderngl.Context, driver: PretendDriver) -> None:
    made = _shared(ctx)
    assert driver.registered == {made.buffer.glo: 0}
    made.pour(look_at(ctx, GpuArray(NUMBERS.copy()), writes=True))
    made.release()
    assert (driver.registered, driver.mapped, driver.events) == ({}, {}, {})
    assert isinstance(made.buffer.mglo, moderngl.InvalidObject)


@pytest.mark.usefixtures("freed_by_glfft_alone")
@pytest.mark.parametrize("function", ["cuGraphicsGLRegisterBuffer", "cuEventCreate"])
def test_one_that_cannot_be_shared_is_freed(function: str, ctx: moderngl.Context, driver: PretendDriver) -> None:
    driver.failing = {function}
    before = live_objects(ctx)
    with pytest.raises(ContextError, match=f"{function} answers"):
        _shared(ctx)
    assert live_objects(ctx) == before
    assert driver.registered == {}


def test_the_staging_buffer_is_kept_until_a_larger_one_is_needed(
    ctx: moderngl.Context, driver: PretendDriver, tensors: Any
) -> None:
    def registered(count: int) -> list[int]:
        array, image = tensors(np.arange(count, dtype=np.float32)), ctx.texture((count, 1), 1, dtype="f4")
        copy_to_image(ctx, array, look_at(ctx, array, writes=False), image)
        assert image.read() == array.numbers.tobytes()
        image.release()
        return list(driver.registered)

    first = registered(4)
    assert len(first) == 1
    assert registered(3) == first
    driver.calls.clear()
    assert len(registered(8)) == 1
    assert "UnregisterResource" in driver.calls


@pytest.mark.usefixtures("driver")
def test_an_array_on_another_gpu_is_one_sentence(ctx: moderngl.Context) -> None:
    with refused(DataError, match="on CUDA's device 1 and OpenGL draws on device 0"):
        look_at(ctx, GpuArray(NUMBERS, device=1), writes=False)


@pytest.mark.usefixtures("without_cuda")
def test_without_cuda_an_array_on_a_gpu_goes_through_the_host(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_said", False)
    buffer, source = ctx.buffer(reserve=NUMBERS.nbytes), GpuArray(NUMBERS)
    with pytest.warns(UserWarning, match="CUDA does not run on the GPU"):
        seen = look_at(ctx, source, writes=False)
    copy_to_image(ctx, source, seen, buffer)
    assert buffer.read() == NUMBERS.tobytes()
    target = GpuArray(np.zeros_like(NUMBERS))
    with refused(DataError, match="OpenGL does not draw on"):
        copy_to_array(ctx, buffer, target, look_at(ctx, target, writes=True))
    buffer.release()


class _Cupys(GpuArray):
    def set(self, numbers: Any) -> None:
        self.numbers[...] = numbers


class _Torchs(GpuArray):
    def copy_(self, numbers: Any) -> None:
        self.numbers[...] = numbers


@pytest.mark.usefixtures("without_cuda")
@pytest.mark.parametrize("kind", [_Cupys, _Torchs])
def test_without_cuda_a_target_on_a_gpu_takes_numbers_of_the_host(
    kind: type[GpuArray], ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch_on(1, monkeypatch)
    monkeypatch.setattr(copies, "_said", True)
    buffer = ctx.buffer(NUMBERS.tobytes())
    target: Any = kind(np.zeros_like(NUMBERS))
    copy_to_array(ctx, buffer, target, look_at(ctx, target, writes=True))
    assert np.array_equal(target.numbers, NUMBERS)
    buffer.release()


class _OnHost:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self) -> Any:
        return NUMBERS.__dlpack__()


def test_the_host_is_named_once_and_never_for_numpys_arrays(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_said", False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        look_at(ctx, NUMBERS, writes=False)
        assert caught == []
        look_at(ctx, _OnHost(), writes=False)
        look_at(ctx, _OnHost(), writes=False)
    (warning,) = caught
    assert warning.filename == __file__
    assert_one_sentence(str(warning.message))


@pytest.mark.usefixtures("driver")
def test_an_array_of_the_host_is_named_beside_cuda_too(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_said", False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        look_at(ctx, GpuArray(NUMBERS), writes=False)
    with pytest.warns(UserWarning, match="the array is there"):
        look_at(ctx, _OnHost(), writes=False)
