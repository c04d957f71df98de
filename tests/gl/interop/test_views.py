"""Arrays of other libraries, seen by DLPack and numpy's interface; what cannot be used is one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.cuda_driver import GpuArray, torch_on
from support.sentences import refused

from glfft.errors import DataError
from glfft.gl.interop.views import is_array, view_of


class ByDlpack:
    """An array on the host that has DLPack alone."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self) -> Any:
        return self.numbers.__dlpack__()


@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("make", [np.asarray, ByDlpack])
def test_an_array_on_the_host_is_seen_and_not_copied(make: Callable[[Any], Any], dtype: str) -> None:
    numbers = np.arange(12).reshape(3, 4).astype(dtype)
    seen = view_of(make(numbers), writes=True)
    assert seen.host is not None
    assert seen.host.dtype == numbers.dtype
    assert np.shares_memory(seen.host, numbers)
    assert np.array_equal(seen.host, numbers)
    assert seen.size == numbers.nbytes


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (np.asarray, np.s_[::-1, ::-2]),  # no other library has negative strides
        *((make, part) for make in (np.asarray, ByDlpack) for part in (np.s_[::2, 1:], np.s_[1:2, 2:3])),
    ],
)
def test_a_part_is_copied_to_be_read(make: Callable[[Any], Any], part: Any) -> None:
    numbers = np.arange(35.0).reshape(5, 7)
    seen = view_of(make(numbers[part]), writes=False)
    assert seen.host is not None
    assert seen.contiguous
    assert np.array_equal(seen.host, numbers[part])


def test_a_masked_array_is_its_memory() -> None:
    masked = np.ma.masked_array(np.arange(4, dtype="f4"), [False, True, False, True])
    for writes in (False, True):
        host = view_of(masked, writes=writes).host
        assert type(host) is np.ndarray
        assert host.tolist() == [0, 1, 2, 3]
        assert np.shares_memory(host, masked.data) or not writes


def test_another_byte_order_is_read() -> None:
    numbers = np.arange(6, dtype=">f4").reshape(2, 3)
    seen = view_of(numbers, writes=False)
    assert seen.host is not None
    assert seen.dtype.isnative
    assert np.array_equal(seen.host, numbers)


def test_an_array_on_the_gpu_waits_for_its_library() -> None:
    array = GpuArray(np.zeros((2, 3), np.float32))
    seen = view_of(array, writes=True)
    assert (seen.shape, seen.dtype, seen.device) == ((2, 3), np.float32, 0)
    assert seen.address == array.numbers.ctypes.data
    # Nobody knows its stream: the legacy default one waits for it, and the host for that.
    assert (array.streams, seen.stream, seen.waits) == ([1], 1, True)


def test_an_array_of_torch_has_torchs_current_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    array = torch_on(7, monkeypatch)(np.zeros((2, 3), np.float32))
    seen = view_of(array, writes=True)
    assert (array.streams, seen.stream, seen.waits) == ([7], 7, False)


def test_torchs_default_stream_is_named_as_dlpack_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = view_of(torch_on(0, monkeypatch)(np.zeros((2, 3), np.float32)), writes=True)
    assert (seen.stream, seen.waits) == (1, False)


def test_one_with_gaps_on_the_gpu_is_copied_there() -> None:
    seen = view_of(GpuArray(np.arange(12.0, dtype=np.float32).reshape(3, 4)[:, 1:3]), writes=False)
    assert seen.contiguous
    assert seen.shape == (3, 2)


def _read_only() -> Any:
    numbers = np.zeros((2, 3), np.float32)
    numbers.flags.writeable = False
    return numbers


class _Differentiated(ByDlpack):
    requires_grad = True


class _Deleted(ByDlpack):
    def __dlpack__(self) -> Any:
        raise RuntimeError("Array has been deleted. Look elsewhere.")


class _OnRocm(ByDlpack):
    def __dlpack_device__(self) -> tuple[int, int]:
        return 10, 0


class _OfJax(ByDlpack):
    __module__ = "jaxlib"


_ZEROS = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(
    ("array", "writes", "words"),
    [
        (_Differentiated(_ZEROS), False, "requires gradients"),
        (_Deleted(_ZEROS), False, r"cannot be shared \(Array has been deleted\)"),
        (_OnRocm(_ZEROS), False, "DLPack's type 10"),
        (ByDlpack(np.zeros(3, np.bool_)), False, "has the dtype unknown"),
        (np.zeros((0, 3)), False, "no numbers"),
        (ByDlpack(np.zeros((2, 0, 3))), False, "no numbers"),
        ("text", False, "not str"),
        ([[1.0]], False, "not list"),
        (np.array([None, 1.0]), True, "no numbers"),
        (_read_only(), True, "read-only"),
        (np.float32(0.0), True, "read-only"),
        (_OfJax(_ZEROS), True, "read-only"),
        (_ZEROS[:, ::2], True, "not contiguous"),
        (_ZEROS[::-1], True, "not contiguous"),
        (_ZEROS.astype(">f4"), True, "byte order"),
        (GpuArray(_ZEROS[:, ::2]), True, "not contiguous"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(array: Any, writes: bool, words: str) -> None:
    with refused(DataError, match=words):
        view_of(array, writes=writes)


def test_only_arrays_are_arrays() -> None:
    assert is_array(_ZEROS)
    assert is_array(ByDlpack(_ZEROS))
    assert not is_array(None)
    assert not is_array([1.0])


def test_tensors_of_torch_are_seen() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.ones(3, 4, dtype=torch.complex64)
    seen = view_of(tensor, writes=True)
    assert seen.host is not None
    seen.host[1, 2] = -5
    assert tensor[1, 2] == -5
    for bad in (tensor.real.clone().requires_grad_(), tensor.conj(), tensor.real.bfloat16()):
        with refused(DataError):
            view_of(bad, writes=False)


def test_arrays_of_jax_are_read_and_not_written() -> None:
    jax = pytest.importorskip("jax")
    array = jax.device_put(jax.numpy.arange(12.0).reshape(3, 4), jax.devices("cpu")[0])
    seen = view_of(array, writes=False)
    assert np.array_equal(np.asarray(seen.host), np.arange(12.0).reshape(3, 4))
    with pytest.raises(DataError, match="read-only"):
        view_of(array, writes=True)
