"""Arrays as textures, and textures and buffers as arrays: through the host, and on a pretend GPU."""

from __future__ import annotations

import gc
import runpy
from typing import Any

import moderngl
import numpy as np
import pytest
from support.cuda_driver import PretendDriver, content, torch_on
from support.paths import ROOT
from support.sentences import refused

import glfft
from glfft.errors import ContextError, DataError, ReleasedError, TextureError
from glfft.interop import CudaArray, array_from, texture_from

RNG = np.random.default_rng(5)


def _numbers(dtype: str, *shape: int) -> Any:
    found = RNG.uniform(0, 255, shape).astype(dtype)
    return found + 1j * RNG.uniform(0, 255, shape).astype("f4") if dtype == "c8" else found


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        *[("f4", (3, 5)), ("f4", (3, 5, 2)), ("f4", (3, 5, 3)), ("f2", (3, 5, 4)), ("u1", (3, 5, 3))],
        *[("c8", (3, 5)), ("c8", (3, 5, 1)), ("c8", (3, 5, 2))],
    ],
)
def test_a_texture_is_the_array_row_by_row(
    give: Any, dtype: str, shape: tuple[int, ...], ctx: moderngl.Context
) -> None:
    numbers = _numbers(dtype, *shape)
    texture = texture_from(give(numbers), ctx=ctx)
    assert texture.size == (5, 3)
    assert texture.read(alignment=1) == numbers.tobytes()
    found = give(np.zeros_like(numbers))
    assert array_from(texture, found) is found
    assert np.array_equal(content(found), numbers)
    texture.release()


def test_layers_are_the_first_axis(give: Any, ctx: moderngl.Context) -> None:
    numbers = _numbers("c8", 4, 3, 5)
    texture = texture_from(give(numbers), ctx.texture_array((5, 3, 4), 2, dtype="f4"))
    assert np.array_equal(np.asarray(array_from(texture)), numbers)
    texture.release()


def test_a_texture_is_filled_again(give: Any, ctx: moderngl.Context) -> None:
    numbers = _numbers("c8", 3, 5)
    texture = ctx.texture((5, 3), 2, dtype="f4")
    assert texture_from(give(numbers), texture) is texture
    assert texture.read() == numbers.tobytes()
    as_floats = numbers.view("f4").reshape(3, 5, 2)
    texture_from(give(as_floats[::-1]), texture)
    assert texture.read() == as_floats[::-1].tobytes()
    texture.release()


def test_the_usual_array_of_a_texture(ctx: moderngl.Context) -> None:
    for texture, shape, dtype in (
        (ctx.texture((5, 3), 1, dtype="f4"), (3, 5), "float32"),
        (ctx.texture((5, 3), 2, dtype="f4"), (3, 5), "complex64"),
        (ctx.texture((5, 3), 4), (3, 5, 4), "uint8"),
        (ctx.texture3d((5, 3, 2), 2, dtype="f2"), (2, 3, 5, 2), "float16"),
        (ctx.depth_texture((5, 3)), (3, 5), "float32"),
    ):
        found = array_from(texture)
        assert (found.shape, found.dtype) == (shape, dtype)
        texture.release()


def test_a_buffer_is_read_as_asked(give: Any, ctx: moderngl.Context) -> None:
    numbers = _numbers("f4", 24)
    buffer = ctx.buffer(numbers.tobytes())
    assert np.array_equal(np.asarray(array_from(buffer)), numbers)
    found = array_from(buffer, shape=(3, 4), dtype="complex64")
    assert np.array_equal(np.asarray(found), numbers.view("c8").reshape(3, 4))
    first = give(np.zeros(5, np.float32))
    array_from(buffer, first)
    assert np.array_equal(content(first), numbers[:5])
    buffer.release()


def test_an_array_on_the_gpu_is_freed_with_its_last_owner(ctx: moderngl.Context, driver: PretendDriver) -> None:
    numbers = _numbers("c8", 3, 5)
    texture = texture_from(numbers, ctx=ctx)
    found = array_from(texture)
    assert isinstance(found, CudaArray)
    told = found.__cuda_array_interface__
    assert (told["shape"], told["typestr"], told["data"][0]) == ((3, 5), "<c8", next(iter(driver.memory)))
    # Whoever takes it need not wait.
    assert driver.calls[-2:] == ["StreamSynchronize", "CtxPopCurrent"]
    assert np.array_equal(np.asarray(found), numbers)
    with pytest.raises(ValueError, match="needs a copy"):
        np.asarray(found, copy=False)
    assert np.asarray(texture_from(found, ctx=ctx).read()).tobytes() == numbers.tobytes()
    del found
    gc.collect()
    assert driver.memory == {}
    texture.release()


def test_no_number_goes_over_the_host(
    ctx: moderngl.Context, driver: PretendDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    tensor = torch_on(7, monkeypatch)(_numbers("c8", 3, 5))
    texture = texture_from(tensor, ctx=ctx)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the host has seen the numbers")

    for kind in (moderngl.Buffer, moderngl.Texture):
        monkeypatch.setattr(kind, "read", refuse)
    monkeypatch.setattr(moderngl.Buffer, "write", refuse)
    monkeypatch.setattr(moderngl.Buffer, "read_into", refuse)
    driver.calls.clear()
    texture_from(tensor, texture)
    array_from(texture, tensor)
    assert driver.calls.count("MemcpyDtoDAsync") == 2
    assert not {"StreamSynchronize", "MemcpyDtoH"} & {*driver.calls}
    texture.release()


def test_a_texture_that_cannot_be_filled_is_not_left_behind(
    ctx: moderngl.Context, driver: PretendDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[moderngl.Texture] = []
    make = ctx.texture
    monkeypatch.setattr(ctx, "texture", lambda *given, **options: made.append(make(*given, **options)) or made[-1])
    driver.failing = {"cuMemcpyDtoDAsync_v2"}
    with pytest.raises(ContextError, match="answers"):
        texture_from(torch_on(7, monkeypatch)(_numbers("f4", 3, 5)), ctx=ctx)
    assert isinstance(made[0].mglo, moderngl.InvalidObject)


def test_what_is_wrong_is_one_sentence(ctx: moderngl.Context) -> None:
    texture, buffer = ctx.texture((5, 3), 2, dtype="f4"), ctx.buffer(reserve=16)
    released = ctx.texture((5, 3), 1)
    released.release()
    numbers = np.zeros((3, 5), np.complex64)
    wrong: Any = "no texture"
    for call, error in (
        (lambda: texture_from(numbers[:2], texture), DataError),
        (lambda: texture_from(wrong, ctx=ctx), DataError),
        (lambda: texture_from(numbers, wrong), TextureError),
        (lambda: texture_from(numbers, released), TextureError),
        (lambda: array_from(texture, numbers.real.copy()), DataError),
        (lambda: array_from(texture, np.broadcast_to(numbers[:1], (3, 5))), DataError),
        (lambda: array_from(buffer, numbers), DataError),
        (lambda: array_from(buffer, shape=(5,)), DataError),
        (lambda: array_from(buffer, shape=(-1, 2)), DataError),
        (lambda: array_from(buffer, shape=wrong), DataError),
        (lambda: array_from(buffer, dtype="no dtype"), DataError),
        (lambda: array_from(buffer, dtype=object), DataError),
        (lambda: array_from(buffer, dtype="S"), DataError),
        (lambda: array_from(wrong), TextureError),
        (lambda: array_from(released), TextureError),
    ):
        with refused(error):
            call()
    texture.release()
    buffer.release()


def test_a_released_context_is_refused() -> None:
    other = glfft.open_context()
    texture = texture_from(np.zeros((2, 2), np.float32), ctx=other)
    other.release()
    with pytest.raises((ReleasedError, TextureError)):
        array_from(texture)


def test_torch_and_back() -> None:
    torch = pytest.importorskip("torch")
    with glfft.open_context() as ctx:
        picture = torch.rand(6, 5, 3)
        texture = texture_from(picture.permute(1, 0, 2), ctx=ctx)
        found = array_from(texture, torch.zeros(5, 6, 3))
        assert torch.equal(found, picture.permute(1, 0, 2))
        # Where CUDA shares the GPU the new array lies there.
        assert torch.equal(torch.as_tensor(array_from(texture)).cpu(), found)


def test_jax_and_back() -> None:
    jax = pytest.importorskip("jax")
    with glfft.open_context() as ctx:
        numbers = jax.numpy.arange(15.0).reshape(3, 5)
        assert (jax.numpy.asarray(array_from(texture_from(numbers, ctx=ctx))) == numbers).all()


def test_the_example_in_torch_finds_the_width() -> None:
    pytest.importorskip("torch")
    example = runpy.run_path(str(ROOT / "docs" / "torch_bars.py"))
    assert example["nearest_width"]() == example["WIDTH"]
