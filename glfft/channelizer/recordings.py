"""Recorded signals: SigMF, and raw samples whose type the file's ending or the caller names.

A SigMF recording is two files, NAME.sigmf-meta (JSON) and NAME.sigmf-data (SigMF specification 1.2, sigmf.org).
Recordings of one channel are read, in any of SigMF's types, from the first capture on. Types other than `FORMATS`
become complex float32. A synthetic signal has stations of several kinds side by side, in noise.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import DataError, OptionError, at_least_one, check_choice, require
from glfft.files import PathName, path_of, reading
from glfft.streaming.sources import check_whole, file_samples

META, DATA = ".sigmf-meta", ".sigmf-data"
_AT_ONCE = 1 << 16  # samples that are read at once
_OTHER_SUFFIXES = {"cfile": "cf32", "fc32": "cf32", "cs16": "ci16", "sc16": "ci16", "cs8": "ci8"}  # of raw files
_POINTS = np.exp(2j * np.pi * (np.arange(4) / 4 + 0.125)).astype(np.complex64)  # the points of QPSK


@dataclass(frozen=True)
class SampleFormat:
    """The samples of a file or a block."""

    name: str  # as users give it, and SigMF, but for little endian: "ci16", "rf32_be"
    dtype: np.dtype[Any]  # of their numbers
    parts: int  # numbers a sample: 2 for complex whole numbers, real part first; else 1

    @classmethod
    def named(cls, datatype: str) -> Self | None:
        """Samples by the name that SigMF has for them, None if it is none. Without a byte order: little endian."""
        found = re.fullmatch(r"([cr])(f32|f64|[iu]32|[iu]16|[iu]8)(_le|_be)?", datatype)
        if found is None:
            return None
        name, order = datatype.removesuffix("_le"), ">" if found[3] == "_be" else "<"
        kind, size = found[2][0], int(found[2][1:]) // 8
        if found[1] == "c" and kind == "f":  # numpy has a number for both parts
            return cls(name, np.dtype(f"{order}c{2 * size}"), 1)
        return cls(name, np.dtype(f"{order}{kind}{size}"), 2 if found[1] == "c" else 1)

    @property
    def sample_bytes(self) -> int:
        return self.parts * self.dtype.itemsize

    @property
    def zero(self) -> int:
        """The number that stands for 0."""
        return 2 ** (8 * self.dtype.itemsize - 1) if self.dtype.kind == "u" else 0

    def shape(self, count: int) -> tuple[int, ...]:
        """The shape of an array of so many samples."""
        return (count,) if self.parts == 1 else (count, self.parts)

    def silence(self, count: int) -> NDArray[Any]:
        return np.full(self.shape(count), self.zero, self.dtype)

    def checked(self, samples: ArrayLike) -> NDArray[Any]:
        """Samples as an array of this format. Raises DataError where they have another shape or type."""
        array, takes_complex = np.asarray(samples), self.dtype.kind == "c"
        if takes_complex and array.ndim == 1 and array.dtype.kind in "fc":
            return array.astype(self.dtype, copy=False)
        if not takes_complex and array.dtype == self.dtype and array.ndim == 2 and array.shape[1] == 2:
            return array
        wanted = "complex numbers [samples]" if takes_complex else f"[samples, 2] of {self.dtype}"
        raise DataError(f"Samples have shape {array.shape} and dtype {array.dtype}; {self.name} takes {wanted}.")

    def to_complex(self, numbers: NDArray[Any]) -> NDArray[np.complex64]:
        """Samples of this format as complex64; whole numbers count as from -1 to 1."""
        if self.dtype.kind in "fc":
            return numbers.astype(np.complex64)
        wide = (numbers.astype(np.float64).reshape(-1, self.parts) - self.zero) / 2.0 ** (8 * self.dtype.itemsize - 1)
        return (wide @ np.array([1, 1j])[: self.parts]).astype(np.complex64)


# What `Channelizer` takes.
FORMATS = {name: found for name in ("cf32", "ci16", "ci8", "cu8") if (found := SampleFormat.named(name))}


def format_named(name: str) -> SampleFormat:
    """The format of a name. Raises OptionError where there is none."""
    return FORMATS[check_choice("samples", name, tuple(FORMATS))]


@dataclass(frozen=True)
class Recording:
    """A recorded signal. Raises DataError where there are no samples, or the last one is not whole."""

    path: Path  # of the file of samples
    rate: float  # samples a second; 0 if unknown
    frequency: float  # in the middle, in hertz; 0 if unknown
    start: int  # start, end: the bytes where samples begin and end
    end: int
    stored: SampleFormat  # what the file holds

    def __post_init__(self) -> None:
        if self.end <= self.start:
            where = f"they would begin at byte {self.start} and end at byte {max(self.end, 0)}"
            raise DataError(f"The file {self.path} has no samples: {where}.")
        check_whole(self.path, self.stored.sample_bytes, self.start, self.end)

    @property
    def format(self) -> SampleFormat:
        """The format of what `samples` yields."""
        return FORMATS.get(self.stored.name, FORMATS["cf32"])

    @property
    def count(self) -> int:
        """Number of samples."""
        return (self.end - self.start) // self.stored.sample_bytes

    def samples(self) -> Iterator[NDArray[Any]]:
        """The samples for `Channelizer.run`, some at a time. Raises DataError at once where the file cannot be read."""
        stored, where = self.stored, {"start": self.start, "end": self.end}
        numbers = file_samples(self.path, stored.dtype, channels=stored.parts, at_once=_AT_ONCE, **where)
        return numbers if stored == self.format else map(stored.to_complex, numbers)


def open_recording(
    path: PathName, samples: str | None = None, rate: float | None = None, frequency: float | None = None
) -> Recording:
    """A recording in a file.

    Args:
        path: either file of a SigMF recording; or a raw file ending in .cf32, .cfile, .fc32 (cf32), .ci16, .cs16, .sc16
            (ci16), .ci8, .cs8 (ci8) or .cu8.
        samples: the type of a raw file's samples, if its ending does not name it.
        rate: samples a second, in place of the recording's, as `frequency` in the middle, in hertz.

    Raises DataError where a file is missing, truncated (the message has the byte), or of a kind that is not read,
    OptionError where a number is not in its range, there is no such type, or the file's name or SigMF has another one.
    """
    for name, given, kind, above in (("rate", rate, "positive", 0), ("frequency", frequency, "finite", -inf)):
        fits = given is None or (isinstance(given, Real) and above < given < inf)
        require(fits, name, given, f"a {kind} number of hertz")
    path = path_of(path)
    if path.suffix in (META, DATA):
        return _open_sigmf(path, samples, rate, frequency)
    suffix, end = path.suffix.lower().removeprefix("."), _size(path)
    told = _OTHER_SUFFIXES.get(suffix, suffix if suffix in FORMATS else None)
    if told and samples not in (None, told):
        raise OptionError(f"The samples of {path} are {told}, as its name says, not {samples}; leave out the type.")
    samples = samples or told
    if samples is None:
        if suffix == "wav":
            instead = "write its samples alone to a raw file, or read them in Python by glfft.streaming.wav_samples"
            raise DataError(f"The WAV file {path} begins with a header, which is no sample; {instead}.")
        wanted = f"give samples (--samples) as one of {', '.join(FORMATS)}"
        raise DataError(f"The name of {path} does not tell what its samples are; {wanted}.")
    return Recording(path, rate or 0.0, frequency or 0.0, 0, end, format_named(samples))


def _open_sigmf(path: Path, samples: str | None, rate: float | None, frequency: float | None) -> Recording:
    meta, data = path.with_suffix(META), path.with_suffix(DATA)
    try:
        with reading(meta, "The file "):
            described = json.loads(meta.read_text(encoding="utf-8"))
        settings = described["global"]
        datatype = str(settings["core:datatype"])
        captures = described.get("captures") or [{}]
        # Samples are numbered in the whole recording, of which a file may be a part.
        offset = int(settings.get("core:offset", 0))
        first = int(captures[0].get("core:sample_start", offset)) - offset
        own_rate = float(settings.get("core:sample_rate", 0.0))
        own_frequency = float(captures[0].get("core:frequency", 0.0))
        channels = int(settings.get("core:num_channels", 1))
        header, *more_headers = (int(each.get("core:header_bytes", 0)) for each in captures)
        data = path.with_name(str(settings["core:dataset"])) if "core:dataset" in settings else data
        trailing = int(settings.get("core:trailing_bytes", 0))
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError):
        raise DataError(f"The file {meta} is not the JSON of a SigMF recording.") from None
    stored = SampleFormat.named(datatype)
    if stored is None or channels != 1:
        what = f"{channels} channels of {datatype}" if channels != 1 else datatype
        read = "one channel of complex or real numbers such as cf32_le, ci16_le, rf32_be, ci8 or cu8"
        raise DataError(f"The file {meta} has {what}; read here is {read}.")
    if any(more_headers):
        raise DataError(f"The file {meta} has headers between its captures; cut the recording into one file a capture.")
    if samples is not None and samples != stored.name:
        raise OptionError(f"The samples of {path} are {datatype}, as {meta} says, not {samples}; leave out the type.")
    rate, frequency = own_rate if rate is None else rate, own_frequency if frequency is None else frequency
    if min(first, header, trailing, rate) < 0 or not (isfinite(rate) and isfinite(frequency)):
        raise DataError(f"The file {meta} has a rate or frequency not finite, or a negative rate, sample or byte.")
    start, end = header + first * stored.sample_bytes, _size(data) - trailing
    return Recording(data, rate, frequency, start, end, stored)


def _size(path: Path) -> int:
    with reading(path, "The file "):
        return path.stat().st_size


@dataclass(frozen=True)
class Station:
    """A transmission. Frequencies are parts of the sample rate, from -0.5 to 0.5; times are in samples."""

    # "tone", "fm" (a tone that swings), "sweep" (across its width), "qpsk" (symbols at the rate of its width), or
    # "hops" (bursts at one of eight places in its width)
    kind: str
    frequency: float  # in the middle
    width: float  # of what it takes
    amplitude: float  # of its carrier
    period: float  # of a swing, a sweep, or a burst


STATIONS = (
    Station("tone", -0.43, 0.0, 0.06, 1.0),
    Station("fm", -0.34, 0.05, 0.12, 90_000.0),
    Station("qpsk", -0.21, 0.045, 0.2, 0.0),
    Station("sweep", -0.07, 0.12, 0.08, 260_000.0),
    Station("qpsk", 8 / 256, 0.0025, 0.04, 0.0),  # within one channel of 256
    Station("hops", 0.15, 0.16, 0.1, 22_000.0),
    Station("qpsk", 0.29, 0.02, 0.1, 0.0),
    Station("fm", 0.36, 0.02, 0.08, 31_000.0),
    Station("fm", 0.44, 0.06, 0.05, 150_000.0),
)

_NOISE = 0.002  # the noise of the real and of the imaginary part


class Wideband:
    """A signal of stations in noise, without end, in arrays of `block` samples; a seed gives the same signal again."""

    def __init__(self, block: int = 1 << 16, stations: tuple[Station, ...] = STATIONS, seed: int = 0) -> None:
        self._block, self._stations, self._seed = at_least_one("block", block), stations, seed

    def __iter__(self) -> Iterator[NDArray[np.complex64]]:
        generator = np.random.default_rng(self._seed)
        # Hops and symbols come from the numbers of their places in time, so that blocks do not matter to them.
        first = 0
        while True:
            n = np.arange(first, first + self._block, dtype=np.float64)
            signal = generator.standard_normal((self._block, 2), np.float32).view(np.complex64)[:, 0]
            signal *= np.float32(_NOISE)
            for index, station in enumerate(self._stations):
                carrier = _turns(station.frequency * n)
                carrier *= np.float32(station.amplitude)
                signal += _modulated(carrier, station, n, self._seed + index)
            yield signal
            first += self._block


def _turns(phase: NDArray[np.float64]) -> NDArray[np.complex64]:
    """exp(2 pi i phase), from phases reduced before they are rounded to float32."""
    angle = (phase - np.floor(phase)).astype(np.float32) * np.float32(2 * np.pi)
    found = np.empty(len(angle), np.complex64)
    np.cos(angle, out=found.real)
    np.sin(angle, out=found.imag)
    return found


def _modulated(carrier: NDArray[np.complex64], station: Station, n: NDArray[np.float64], seed: int) -> NDArray[Any]:
    """A carrier with what a station sends."""
    width, period = station.width, station.period
    if station.kind == "fm":
        return carrier * _turns(-width / 2 * period / (2 * np.pi) * np.cos(2 * np.pi / period * n))
    if station.kind == "sweep":
        # Up and down again: the frequency is a triangle, and the phase its integral.
        place = n / period % 1.0
        risen = np.where(place < 0.5, place**2, 0.5 - (1.0 - place) ** 2)
        return carrier * _turns(period * width * (risen - place / 2))
    if station.kind == "hops":
        burst = np.floor(n / period)
        inside = n - burst * period
        place = _scrambled(burst, seed) % 8
        fade = np.clip(np.minimum(inside, period * 0.8 - inside) / 500.0, 0.0, 1.0).astype(np.float32)
        return carrier * _turns((place - 3.5) / 8 * width * inside) * fade
    if station.kind == "qpsk":
        # From symbol to symbol along half a cosine: enough for a picture.
        place = n * width
        symbol = np.floor(place)
        first = int(symbol[0])
        known = _POINTS[_scrambled(np.arange(first, int(symbol[-1]) + 2), seed) % 4]
        index = (symbol - first).astype(np.intp)
        share = (0.5 - 0.5 * np.cos(np.pi * (place - symbol))).astype(np.float32)
        return carrier * (known[index] * (1 - share) + known[index + 1] * share)
    return carrier


def _scrambled(numbers: NDArray[Any], seed: int) -> NDArray[np.uint64]:
    """A number that looks random for each whole number (the finaliser of SplitMix64, Steele et al. 2014)."""
    z = numbers.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
