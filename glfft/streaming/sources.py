"""Sources: samples from files, and samples grouped into blocks of one length."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, OptionError, shown
from glfft.files import refuse_pipe
from glfft.streaming.stream import at_least_one

_READ_AT_ONCE = 1 << 16


def file_samples(
    path: str | os.PathLike[str],
    dtype: npt.DTypeLike,
    *,
    channels: int = 1,
    start: int = 0,
    end: int | None = None,
    at_once: int = _READ_AT_ONCE,
) -> Iterator[npt.NDArray[Any]]:
    """The samples of a file of raw numbers, some at a time. The file is checked at once and read on demand.

    Args:
        path: the file.
        dtype: of its numbers, such as "<f4", "<i2" or "c8".
        channels: numbers of a sample: 2 for real and imaginary parts in integers.
        start: the byte where the samples begin, after a header.
        end: the byte where they end; None for the end of the file.
        at_once: samples of an array; the last may have fewer.

    Returns:
        An iterator of arrays [samples], or [samples, channels] with several channels.

    Raises:
        DataError: the file is missing, or ends within a sample or before `end`.
        OptionError: a number is not in its range.
    """
    path = Path(path)
    kind = np.dtype(dtype)
    channels, at_once = at_least_one("channels", channels), at_least_one("at_once", at_once)
    sample = kind.itemsize * channels
    if kind.hasobject or not sample:
        raise OptionError(f"dtype is {shown(dtype)} and must be one of numbers, such as '<f4'.")
    try:
        refuse_pipe(path)
        size = path.stat().st_size
        end = size if end is None else end
        _check_ends(path, size, sample, start, end)
        file = path.open("rb", buffering=0)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    return _read(file, path, kind, channels, start, end, at_once)


def _check_ends(path: Path, size: int, sample: int, start: int, end: int) -> None:
    if not 0 <= start <= end:
        raise OptionError(f"Samples of {path} cannot begin at byte {start} and end at byte {end}.")
    if end > size:
        raise DataError(f"{path} ends at byte {size}, and its samples should end at byte {end}; get the rest of it.")
    left_over = (end - start) % sample
    if left_over:
        raise DataError(
            f"{path} ends at byte {end}, in the middle of a sample of {sample} bytes; the last whole sample ends at "
            f"byte {end - left_over}. Cut the file there, or name the type that it has."
        )


def _read(
    file: FileIO, path: Path, kind: np.dtype[Any], channels: int, start: int, stop: int, at_once: int
) -> Iterator[npt.NDArray[Any]]:
    sample = kind.itemsize * channels
    with file:
        file.seek(start)
        for begun in range(start, stop, at_once * sample):
            wanted = min(at_once * sample, stop - begun)
            data = file.read(wanted)
            if len(data) < wanted:
                raise DataError(f"{path} now ends at byte {begun + len(data)}; it was longer when it was opened.")
            array = np.frombuffer(data, kind)
            yield array.reshape(-1, channels) if channels > 1 else array


def regroup(samples: Iterable[npt.ArrayLike], length: int, step: int | None = None) -> Iterator[npt.NDArray[Any]]:
    """Blocks of one length from arrays of any lengths.

    Args:
        samples: arrays [samples, ...] of one dtype.
        length: samples of a block.
        step: samples from the beginning of a block to the next. Default: `length`; less makes blocks overlap.

    Returns:
        An iterator of arrays [length, ...] with all samples. The last block is filled up with zeros.

    Raises:
        OptionError: `length` is not positive, or `step` is not between 1 and `length`.
    """
    length = at_least_one("length", length)
    step = length if step is None else at_least_one("step", step)
    if step > length:
        raise OptionError(f"step is {step} and must not be more than length, {length}: samples would be left out.")
    return _regroup(samples, length, step)


def _regroup(samples: Iterable[npt.ArrayLike], length: int, step: int) -> Iterator[npt.NDArray[Any]]:
    waiting: npt.NDArray[Any] | None = None
    new = 0  # samples of `waiting` that no block has had
    for each in samples:
        array = np.asarray(each)
        waiting = array if waiting is None else np.concatenate([waiting, array])
        new += len(array)
        begin = 0
        while len(waiting) - begin >= length:
            yield waiting[begin : begin + length]
            begin += step
            new = len(waiting) - begin - (length - step)
        waiting = waiting[begin:]
    if waiting is not None and new > 0:
        block = np.zeros((length, *waiting.shape[1:]), waiting.dtype)
        block[: len(waiting)] = waiting
        yield block
