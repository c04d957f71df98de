"""Sources: samples from files, WAV files and a microphone, grouped into blocks of one length, and read ahead."""

import os
import queue
import struct
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from numbers import Number
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from glfft.errors import DataError, MissingExtraError, OptionError, at_least_one, require, shown, whole_number
from glfft.files import PathName, path_of, reading

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE  # formats of WAV files
_UNKNOWN_LENGTH = 0xFFFFFFFF  # written by programs that do not know the length yet: up to the file's end
# By the format and bits of a WAV file: type, and the number of full scale. Of 24 bits, each byte is a number.
_KINDS = {
    (_PCM, 8): ("u1", 2.0**7), (_PCM, 16): ("<i2", 2.0**15), (_PCM, 24): ("u1", 2.0**31), (_PCM, 32): ("<i4", 2.0**31),
    (_FLOAT, 32): ("<f4", 1.0), (_FLOAT, 64): ("<f8", 1.0),
}  # fmt: skip


def file_samples(
    path: PathName, dtype: DTypeLike, *, channels: int = 1, start: int = 0, end: int | None = None, at_once: int = 65536
) -> Iterator[NDArray[Any]]:
    """The samples of a file of raw numbers, some at a time. The file is checked at once and read on demand.

    Args:
        dtype: of its numbers, such as "<f4", "<i2" or "c8".
        channels: numbers of a sample: 2 for real and imaginary parts in integers.
        start: the byte where the samples begin, after a header; `end` is where they end, None for the file's end.
        at_once: samples of an array; the last may have fewer.

    Returns an iterator of arrays [samples], or [samples, channels] with several channels. Raises DataError where the
    file is missing, or ends within a sample or before `end`; OptionError where a number is not in its range.
    """
    path = path_of(path)
    try:
        kind = np.dtype(object if dtype is None else dtype)  # numpy takes None for float64
    except (TypeError, ValueError):
        kind = np.dtype(object)  # refused below
    channels, at_once = at_least_one("channels", channels), at_least_one("at_once", at_once)
    sample = kind.itemsize * channels
    require(sample and not kind.hasobject, "dtype", dtype, "one of numbers, such as '<f4'")
    with reading(path):
        size = path.stat().st_size
        end = size if end is None else end
        whole = None not in (whole_number(start), whole_number(end))
        if not whole or not 0 <= start <= end:
            raise OptionError(f"Samples of {path} cannot begin at byte {shown(start)} and end at byte {shown(end)}.")
        if end > size:
            wanted = f"its samples should end at byte {end}; get the rest of it."
            raise DataError(f"{path} ends at byte {size}, and {wanted}")
        check_whole(path, sample, start, end)
        file = path.open("rb", buffering=0)

    def arrays() -> Iterator[NDArray[Any]]:
        with file:
            file.seek(start)
            for begun in range(start, end, at_once * sample):
                wanted = min(at_once * sample, end - begun)
                data = file.read(wanted)
                while len(data) < wanted and (more := file.read(wanted - len(data))):  # a read may give less
                    data += more
                if len(data) < wanted:
                    raise DataError(f"{path} now ends at byte {begun + len(data)}; it was longer when it was opened.")
                array = np.frombuffer(data, kind)
                yield array.reshape(-1, channels) if channels > 1 else array

    return arrays()


def check_whole(path: Path, sample: int, start: int, end: int) -> None:
    """Refuse bytes of a file that are no whole number of samples. Raises DataError."""
    if left_over := (end - start) % sample:
        last = f"the last whole sample ends at byte {end - left_over}"
        ends = f"The file {path} ends at byte {end}, in the middle of a sample of {sample} bytes"
        raise DataError(f"{ends}; {last}: cut it there, or name the type that its samples have.")


def regroup(samples: Iterable[ArrayLike], length: int, step: int | None = None, fill: int = 0) -> Iterator[np.ndarray]:
    """Blocks of one length from arrays of any lengths. Arrays are [samples, ...] of one dtype, blocks [length, ...].
    An array is no longer used when the next one is asked for.

    From the beginning of a block to the next are `step` samples, by default `length`; less makes blocks overlap. The
    last block is filled up with `fill`. Raises OptionError where `length` is not positive, `step` not 1 to `length` or
    `fill` no number, and DataError, while blocks are taken, where arrays differ in all but their length.
    """
    length = at_least_one("length", length)
    require(isinstance(fill, Number), "fill", fill, "a number")
    step = length if step is None else at_least_one("step", step)
    if step > length:
        raise OptionError(f"step is {step} and must not be more than length, {length}: samples would be left out.")
    require(np.iterable(samples), "samples", samples, "arrays, such as a list of them", DataError)
    return _regroup(samples, length, step, fill)


def _regroup(samples: Iterable[ArrayLike], length: int, step: int, fill: int) -> Iterator[NDArray[Any]]:
    waiting: NDArray[Any] | None = None
    new = 0  # samples of `waiting` that no block has had
    for each in samples:
        array = np.asarray(each)
        like = array if waiting is None else waiting
        if not array.ndim or (array.shape[1:], array.dtype) != (like.shape[1:], like.dtype):
            others = "" if waiting is None else f" after {waiting.shape} of {waiting.dtype}"
            raise DataError(f"Samples have shape {array.shape} of {array.dtype}{others}; give [samples, ...], alike.")
        waiting = array if waiting is None else np.concatenate([waiting, array])
        new += len(array)
        while len(waiting) >= length:
            yield waiting[:length].copy()  # blocks overlap, and a program may change its own
            waiting, new = waiting[step:], len(waiting) - length
        waiting = waiting.copy()
    if waiting is not None and new > 0:
        block = np.full((length, *waiting.shape[1:]), fill, waiting.dtype)
        block[: len(waiting)] = waiting
        yield block


class Backlog:
    """Reads a source of blocks, which must not call OpenGL, in its own thread, and keeps the newest `kept` ones."""

    def __init__(self, source: Iterable[ArrayLike], kept: int) -> None:
        self._waiting: deque[tuple[int, NDArray[Any]]] = deque(maxlen=kept)
        self._changed = threading.Condition()
        self._ended = False
        self._error: BaseException | None = None
        self.dropped = 0
        # A daemon: a source that never gives its next block must not keep the program alive.
        # It alone holds the source, which therefore closes its file or device as soon as nobody reads on.
        self.thread = threading.Thread(target=self._read, args=(source,), name="glfft backlog", daemon=True)
        self.thread.start()

    def blocks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """The blocks with their numbers in the source, in order, and then the source's error."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ended)
                if not self._waiting:
                    break
                following = self._waiting.popleft()
            yield following
        if self._error is not None:
            raise self._error

    @property
    def empty(self) -> bool:
        """Whether no block waits and more may come."""
        with self._changed:
            return not self._waiting and not self._ended

    def stop(self) -> None:
        """Read no further, and forget what waits, which does not count as dropped."""
        with self._changed:
            self._ended = True
            self._waiting.clear()

    def _read(self, source: Iterable[ArrayLike]) -> None:
        try:
            for number, block in enumerate(source):
                copied = np.array(block)  # a copy: the source may use its memory for the next block
                with self._changed:
                    if self._ended:
                        return
                    self.dropped += len(self._waiting) == self._waiting.maxlen
                    self._waiting.append((number, copied))
                    self._changed.notify()
        except BaseException as error:  # whatever ends the thread, nobody may wait for it
            self._error = error
        with self._changed:
            self._ended = True
            self._changed.notify()


class Sound(NamedTuple):
    """A source of sound."""

    rate: int  # samples a second
    samples: Iterator[NDArray[np.float32]]  # arrays [samples, channels], full scale from -1 to 1


def wav_samples(path: PathName) -> Sound:
    """The sound of a WAV file: integers of 8, 16, 24 or 32 bits, or floats of 32 or 64. Raises DataError where the file
    is missing, not a WAV file, of another kind, or truncated; the message then has the byte.
    """
    path = path_of(path)
    with reading(path), path.open("rb") as file:
        kind, channels, rate, start, length = _header(file, path)
    if kind not in _KINDS:
        raise DataError(f"{path} has samples of {kind[1]} bits in format {kind[0]}; save it as WAV of 16 bits.")
    dtype, full_scale = _KINDS[kind]
    numbers = channels * (3 if kind == (_PCM, 24) else 1)
    end = None if length == _UNKNOWN_LENGTH else start + length
    arrays = file_samples(path, dtype, channels=numbers, start=start, end=end, at_once=1 << 15)
    return Sound(rate, (_scaled(each, kind, channels, full_scale) for each in arrays))


def microphone(rate: int = 44100, at_once: int = 1024) -> Sound:
    """The sound of the default microphone, without end: `rate` samples a second, in arrays of `at_once`. Raises
    MissingExtraError where sounddevice or its PortAudio is not installed, DataError where no microphone has this rate.
    """
    rate, at_once = at_least_one("rate", rate), at_least_one("at_once", at_once)
    try:
        import sounddevice  # pyright: ignore[reportMissingImports]
    except (ImportError, OSError) as error:
        install = f"install them with: pip install sounddevice ({error})"
        raise MissingExtraError(f"A microphone needs the package sounddevice and PortAudio; {install}.") from error
    heard: queue.SimpleQueue[NDArray[np.float32]] = queue.SimpleQueue()
    options = {"channels": 1, "dtype": "float32", "callback": lambda data, *_: heard.put(data.copy())}
    try:
        recorder = sounddevice.InputStream(rate, at_once, **options)
        recorder.start()
    except sounddevice.PortAudioError as error:
        raise DataError(f"No microphone gives {rate} samples a second: {error}.") from error

    def samples() -> Iterator[NDArray[np.float32]]:
        with recorder:
            while True:
                yield heard.get()

    return Sound(rate, samples())


def _header(file: BinaryIO, path: Path) -> tuple[tuple[int, int], int, int, int, int]:
    """Format and bits, channels, rate, and where the samples begin and how many bytes they are."""
    riff, _, wave = struct.unpack("<4sI4s", _exactly(file, path, 12))
    if (riff, wave) != (b"RIFF", b"WAVE"):
        raise DataError(f"{path} is no WAV file: it does not begin with RIFF and WAVE.")
    form = bits = channels = rate = 0
    while (chunk := struct.unpack("<4sI", _exactly(file, path, 8)))[0] != b"data":
        name, length = chunk
        content = _exactly(file, path, length + length % 2)
        if name == b"fmt " and length >= 16:
            form, channels, rate, _, _, bits = struct.unpack("<HHIIHH", content[:16])
            if form == _EXTENSIBLE and length >= 26:
                (form,) = struct.unpack("<H", content[24:26])
    if not channels or not rate:
        raise DataError(f"{path} does not say what its samples are before they begin at byte {file.tell()}.")
    return (form, bits), channels, rate, file.tell(), chunk[1]


def _exactly(file: BinaryIO, path: Path, count: int) -> bytes:
    # What a damaged file says of its lengths may be gigabytes: nothing is read before it is known to be there.
    size = os.fstat(file.fileno()).st_size
    if file.tell() + count > size:
        raise DataError(f"{path} ends at byte {size}, before its samples; get the rest of it.")
    return file.read(count)


def _scaled(array: NDArray[Any], kind: tuple[int, int], channels: int, full: float) -> NDArray[np.float32]:
    if kind == (_PCM, 24):
        # The three bytes are the upper ones of 32 bits.
        words = np.zeros((len(array) * channels, 4), np.uint8)
        words[:, 1:] = array.reshape(-1, 3)
        array = words.view("<i4")
    elif kind == (_PCM, 8):
        array = array.astype(np.int16) - 128
    # Samples that are no numbers, or too large for float32, are the file's own.
    with np.errstate(invalid="ignore", over="ignore"):
        return (array.reshape(-1, channels) / full).astype(np.float32)
