"""Files of samples, whole or refused with the byte; and blocks that hold every sample."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sentences import refused

from glfft.errors import DataError, OptionError
from glfft.streaming.sources import file_samples, regroup


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    numbers = np.random.default_rng(1).standard_normal(25).astype("<f4")
    path = tmp_path / "samples.f32"
    path.write_bytes(b"head" + numbers.tobytes() + b"tail!")
    pieces = list(file_samples(path, "<f4", start=4, end=104, at_once=10))
    assert [len(piece) for piece in pieces] == [10, 10, 5]
    assert np.array_equal(np.concatenate(pieces), numbers)


def test_samples_of_several_numbers_are_rows(tmp_path: Path) -> None:
    numbers = np.arange(12, dtype="<i2").reshape(6, 2)
    path = tmp_path / "samples.ci16"
    path.write_bytes(numbers.tobytes())
    assert np.array_equal(np.concatenate(list(file_samples(path, "<i2", channels=2, at_once=4))), numbers)


@pytest.mark.parametrize(("size", "options", "words"), [
    (19, {}, "ends at byte 19, in the middle of a sample of 8 bytes; the last whole sample ends at byte 16"),
    (22, {"start": 4}, "ends at byte 22, .* ends at byte 20"),
    (24, {"end": 32}, "ends at byte 24, and its samples should end at byte 32"),
])  # fmt: skip
def test_a_truncated_file_is_refused_with_the_byte(
    tmp_path: Path, size: int, options: dict[str, int], words: str
) -> None:
    path = tmp_path / "cut.c64"
    path.write_bytes(bytes(size))
    with pytest.raises(DataError, match=words):
        file_samples(path, "c8", **options)


def test_a_read_that_gives_less_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class InPieces(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 1000))

    path = tmp_path / "a.u2"
    numbers = np.arange(10_001, dtype="<u2")
    path.write_bytes(numbers.tobytes())
    monkeypatch.setattr(Path, "open", lambda path, *_, **__: InPieces(path))
    pieces = list(file_samples(path, "<u2", at_once=4000))
    assert [len(piece) for piece in pieces] == [4000, 4000, 2001]
    assert np.array_equal(np.concatenate(pieces), numbers)


def test_a_file_that_shrinks_is_refused_with_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "shrinks.u8"
    path.write_bytes(bytes(200_000))
    pieces = file_samples(path, "u1", at_once=100_000)
    next(pieces)
    path.write_bytes(bytes(100_500))
    with pytest.raises(DataError, match="now ends at byte 100500"):
        next(pieces)


def test_what_is_no_file_of_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.f32 cannot be read"):
        file_samples(tmp_path / "none.f32", "f4")
    path = tmp_path / "some.f32"
    path.write_bytes(bytes(8))
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("O", {}),
        ("cf32", {}),
        ("f4", {"channels": 0}),
        ("f4", {"start": 9}),
        ("f4", {"at_once": 0}),
        ("f4", {"start": "0"}),
        ("f4", {"start": 4.0}),
        ("f4", {"end": 8.0}),
        ("f4", {"start": None}),
    ]
    for dtype, options in wrong:
        with pytest.raises(OptionError):
            file_samples(path, dtype, **options)


@given(
    sizes=st.lists(st.integers(0, 12), max_size=8),
    length=st.integers(1, 9),
    data=st.data(),
)
def test_blocks_hold_every_sample_at_its_place(sizes: list[int], length: int, data: st.DataObject) -> None:
    step = data.draw(st.integers(1, length))
    total = sum(sizes)
    numbers = np.arange(1, total + 1)
    pieces = np.split(numbers, np.cumsum(sizes)[:-1]) if sizes else []
    blocks = list(regroup(pieces, length, step))
    padded = np.concatenate([numbers, np.zeros(length, int)])
    assert all(np.array_equal(block, padded[n * step : n * step + length]) for n, block in enumerate(blocks))
    held = set(np.concatenate(blocks)) if blocks else set()
    assert held >= set(numbers)
    # And no block more than that takes.
    assert (len(blocks) - 1) * step + (length - step) < max(total, 1) or len(blocks) <= 1


def test_an_array_may_be_filled_again_and_the_last_block_is_filled_up() -> None:
    def refilled() -> Iterator[np.ndarray]:
        array = np.empty(7, int)
        for begin in range(0, 21, 7):
            array[:] = np.arange(begin, begin + 7)
            yield array

    found = np.concatenate(list(regroup(refilled(), 10, fill=-1)))
    assert found.tolist() == [*range(21), *[-1] * 9]


def test_what_is_changed_in_a_block_is_in_no_other_block_nor_the_source() -> None:
    samples, found = np.arange(8), []
    for block in regroup([samples], 4, step=2):
        found.append(block.tolist())
        block *= 10
    assert found == [[0, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 7]]
    assert samples.tolist() == [*range(8)]


def test_arrays_that_make_no_blocks_are_refused() -> None:
    wrong: list[list[Any]] = [[np.zeros((2, 2)), np.zeros((2, 3))], [np.zeros(2), np.zeros((2, 1))], [1.0, 2.0]]
    for samples in wrong:
        with refused(DataError, "shape"):
            list(regroup(samples, 3))
    with refused(DataError, "float64", "after (2,) of float32", "alike"):
        list(regroup([np.zeros(2, np.float32), np.zeros(2)], 3))
    word: Any = "x"
    with refused(OptionError, "fill is 'x' and must be a number"):
        regroup([np.zeros(2)], 3, fill=word)


def test_steps_that_would_leave_samples_out_are_refused() -> None:
    for length, step in ((4, 5), (4, 0), (0, 1)):
        with pytest.raises(OptionError):
            regroup([], length, step)
