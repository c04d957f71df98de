"""Spectra in files: those of NDBC's buoys, and tables of frequency, density, direction and spread.

Directions in files are where waves come **from**, degrees clockwise from north. In the sea, x is east and z is south.
"""

import gzip
import math
import re
import warnings
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from glfft.errors import DataError
from glfft.files import PathName, path_of, refuse_pipe
from glfft.sea import buoy_datasets
from glfft.sea.buoy_tables import LARGEST_SHARE_WITHOUT_DIRECTION, filled, spectrum_of_moments, spectrum_of_table
from glfft.sea.measured import MeasuredSpectrum

# Files with a buoy's moments beside that of its densities: endings if recent, letters in those of years, and folders.
_DENSITY_ENDING, _DENSITY_FOLDER = ".data_spec", "swden"
_RECENT = {"direction": ".swdir", "direction2": ".swdir2", "r1": ".swr1", "r2": ".swr2"}
_OF_YEARS = {"direction": "d", "direction2": "i", "r1": "j", "r2": "k"}
_NAME_OF_YEAR = re.compile(r"(?P<buoy>\w{5})(?P<letter>[wdijk])(?P<year>\d{4}.*)", re.IGNORECASE)

# NDBC's numbers for densities that are missing. Directions and moments are missing where they are out of range.
_MISSING = (99.0, 999.0, 9999.0)
_HUNDREDTHS = 1.5  # moments that are mostly above are in hundredths

_HEADING = re.compile(r"#?\s*Y{2,4}\s+MM\s+DD\s+hh\b")
_PAIR = re.compile(r"([^\s()]+)\s*\(\s*([\d.]+)\s*\)")
_ROW_OF_PAIRS = re.compile(r"\d{2,4}(\s+\d{1,2}){4}\s.*\(\s*\.?\d")
_MOST_BYTES = 2**28

_NO_SPECTRA = {"WSPD", "WVHT", "DPD", "BAR", "SwH", "GDR", "OTMP"}  # columns of wind, waves and weather
_LEAST_SHARE_OF_BANDS = 2 / 3  # where no row is complete, the newest with this share of its densities stands for it

Time = tuple[int, ...]


@dataclass(frozen=True)
class _Row:
    """Values over frequencies, Hz, at a time; what the file calls missing is NaN."""

    line: int
    frequency: np.ndarray
    values: np.ndarray


def read_spectrum(path: PathName) -> MeasuredSpectrum:
    """The spectrum in a file; of NDBC's files with many times, the newest with all densities.

    If no time has all, it is the newest with two thirds of them, without the missing bands, and a warning says so.

    NDBC's moments are read from the files beside it: 46042.swdir, .swdir2, .swr1 and .swr2 beside 46042.data_spec;
    46042d2020.txt, i, j and k beside 46042w2020.txt, or in the folders swdir, swdir2, swr1 and swr2 beside swden; all
    may be compressed (.gz). A warning names moments without that time. NDBC's 5-day files with all moments are read
    too. Datasets (.nc, .nc4, .netcdf, .zarr) are read by `glfft.sea.buoy_datasets`, all other files as tables by
    `glfft.sea.buoy_tables`: a line per frequency with frequency, density and, if known, direction and spread.

    Raises:
        MissingExtraError: a dataset without the extra `buoy`.
        DataError: the file cannot be read or is none of these; the message names the line.
    """
    path = path_of(path)
    if path.suffix.lower() in buoy_datasets.SUFFIXES:
        return buoy_datasets.read_dataset(path)
    lines = _lines(path)
    if not lines:
        raise DataError(f"{path} is empty; a wave spectrum was expected.")
    try:
        if _is_of_five_days(lines):
            return _newest(path, *_blocks(path, lines))
        if not _is_of_buoy(lines):
            return spectrum_of_table(path, lines)
        _refuse_others(path, lines)
        beside = _beside(path)
        moments = {name: _rows(each, _lines(each)) for name, each in beside.items()}
        return _newest(path, _rows(path, lines), moments, beside)
    except DataError as error:
        raise error if str(path) in str(error) else DataError(f"{path}: {error}") from None


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        refuse_pipe(path)
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(path) as packed:
                data = packed.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    if len(data) > _MOST_BYTES:
        raise DataError(f"{path} cannot be read: it is larger than {_MOST_BYTES >> 20} MiB.")
    text = _text(data)
    if text is None:
        raise DataError(f"{path} cannot be read: it is no text.")
    return [(number, line.strip(" \r\n\f\v")) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _text(data: bytes) -> str | None:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in data and not wide:
        return None
    with suppress(UnicodeDecodeError):
        return data.decode("utf-16" if wide else "utf-8-sig")
    # Older spreadsheets write m² in this code. What is mostly of such letters is no text.
    return data.decode("latin-1") if not wide and sum(each > 127 for each in data) < 0.05 * len(data) else None


def _is_of_buoy(lines: list[tuple[int, str]]) -> bool:
    notes = next((at for at, (_, line) in enumerate(lines) if not line.startswith("#")), len(lines))
    first = [line for _, line in lines[: notes + 1]]
    return any(map(_HEADING.match, first)) or (notes < len(lines) and _ROW_OF_PAIRS.match(first[-1]) is not None)


def _refuse_others(path: Path, lines: list[tuple[int, str]]) -> None:
    """Refuse files of directions or moments, whose numbers would make nonsense, and of heights without spectra."""
    of_year = _NAME_OF_YEAR.fullmatch(path.name)
    where, wanted = f"{path}, line {lines[0][0]}", "the densities, as 46042.data_spec or 46042w2020.txt"
    if of_year is not None:
        named = of_year["letter"].lower() != "w"
    elif _DENSITY_ENDING in path.name:
        named = False
    else:
        named = any(ending in path.name.lower() for ending in _RECENT.values())
        named |= any(f".{part.lower()}" in _RECENT.values() for part in path.parts[:-1])
    if named or re.search(r"\b(alpha[12]|r[12])_", lines[0][1]):
        said = "these are directions or their moments"
        raise DataError(f"{where}: {said}; name the file of {wanted}, and they are found beside it.")
    if found := _NO_SPECTRA & set(lines[0][1].split()):
        raise DataError(f"{where}: this file has {', '.join(sorted(found))} and no spectra; name the file of {wanted}.")


def _newest(
    path: Path, densities: dict[Time, _Row], moments: dict[str, dict[Time, _Row]], beside: dict[str, Path] | None = None
) -> MeasuredSpectrum:
    known = {time: ~np.isin(row.values, _MISSING) & ~np.isnan(row.values) for time, row in densities.items()}
    least = 1.0 if any(map(np.all, known.values())) else _LEAST_SHARE_OF_BANDS
    enough = (time for time in sorted(densities, reverse=True) if known[time].mean() >= least)
    time = next((time for time in enough if densities[time].values[known[time]].max() > 0), None)
    if time is None:
        raise DataError(f"{path} has no row with waves in which all densities are there.")
    row, there = densities[time], known[time]
    frequency, density = row.frequency[there], row.values[there]
    if not there.all():
        missing = f"{path}, line {row.line}: {np.sum(~there)} of {len(there)} densities are missing"
        warnings.warn(f"{missing}, and no row is complete; the others make the sea.", stacklevel=4)
    if density.min() < 0 or not np.all(np.diff(frequency) > 0) or frequency[0] <= 0:
        raise DataError(f"{path}, line {row.line}: frequencies must rise from above 0, and densities not be below.")
    found = {name: _on(frequency, density, name, rows.get(time)) for name, rows in moments.items()}
    for name, instead in (("direction", "they are the wind's"), ("r1", "a spread of 30 degrees is taken")):
        if beside and name in beside and found[name] is None:
            day, hour = "-".join(f"{each:02d}" for each in time[:3]), ":".join(f"{each:02d}" for each in time[3:])
            said = f"{beside[name].name} does not tell enough of the directions at {day} {hour}; {instead}."
            warnings.warn(said, stacklevel=4)
    return spectrum_of_moments(frequency, density, {name: each for name, each in found.items() if each is not None})


def _on(frequency: np.ndarray, density: np.ndarray, name: str, row: _Row | None) -> np.ndarray | None:
    """Directions or moments at the frequencies of densities, or None where too much of the energy has none."""
    if row is None:
        return None
    values = row.values
    if not name.startswith("direction"):
        some = values[(values >= 0) & (values < 998)]
        if some.size and np.median(some) > _HUNDREDTHS:
            values = np.where(values == 999, values, values / 100)
    known = (values >= 0) & (values <= (360 if name.startswith("direction") else 1.05))
    if not known.any():
        return None
    bands = row.frequency
    if np.array_equal(bands, frequency):
        lost, there = ~known, filled(values, known)
    else:
        # A band is known if the bands on both its sides are, in the other file's frequencies.
        lost = np.interp(frequency, bands, known.astype(float), left=0.0, right=0.0) < 1
        there = np.interp(frequency, bands[known], values[known])
        if name.startswith("direction"):
            turns = 2 if name == "direction2" else 1
            ahead = np.exp(1j * np.radians(turns * values[known]))
            there = np.angle(np.interp(frequency, bands[known], ahead), deg=True) / turns
    # A band without waves has no direction; the others tell one.
    return there if density[lost].sum() <= LARGEST_SHARE_WITHOUT_DIRECTION * density.sum() else None


def _beside(path: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    of_year = _NAME_OF_YEAR.fullmatch(path.name)
    folder = next((at for at, part in enumerate(path.parts[:-1]) if part.lower() == _DENSITY_FOLDER), None)
    for name, ending in _RECENT.items():
        if of_year is not None:
            named = f"{of_year['buoy']}{_OF_YEARS[name]}{of_year['year']}"
        elif _DENSITY_ENDING in path.name:
            named = path.name.replace(_DENSITY_ENDING, ending)
        else:
            named = path.with_suffix(ending).name
        places = [path.with_name(named)]
        if folder is not None:
            archived = Path(*path.parts[:folder], ending.lstrip("."), *path.parts[folder + 1 : -1])
            places += [archived / named, archived / path.name]
        packed = [Path(other) for each in map(str, places) for other in (each, each.removesuffix(".gz"), f"{each}.gz")]
        there = next((each for each in packed if each.is_file() and each != path), None)
        if there is not None:
            found[name] = there
    return found


def _rows(path: Path, lines: list[tuple[int, str]]) -> dict[Time, _Row]:
    heading: list[float] = []
    dates = 5
    rows: dict[Time, _Row] = {}
    for number, line in lines:
        try:
            if _HEADING.match(line):
                words = re.sub(r"[()]", " ", line.lstrip("#")).split()
                dates = next((at for at, word in enumerate(words) if re.fullmatch(r"\d*\.\d+", word)), len(words))
                heading = [float(word) for word in words[dates:]] if dates in (4, 5) else []
                dates = min(dates, 5)
            elif not line.startswith("#"):
                time, bands, values = _row(line, dates, heading)
                rows[time] = _Row(number, np.array(bands), np.array(values))
        except ValueError as error:
            raise _no_number(path, number, error) from None
    return rows


def _row(line: str, dates: int, heading: list[float]) -> tuple[Time, list[float], list[float]]:
    """Time, frequencies and values of a line, whose date has so many words; else ValueError."""
    pairs, words = _PAIR.findall(line), line.split()
    time = tuple(int(word) for word in words[:dates])
    found = words[dates:] if heading else [value for value, _ in pairs]
    values = [math.nan if word == "MM" else float(word) for word in found]
    bands = heading or [float(band) for _, band in pairs]
    expected = f"{len(heading)} values" if heading else "values with their frequencies in brackets"
    if len(time) < dates or not values or len(values) != len(bands):
        raise ValueError(f"{len(values)} values; expected a date and {expected}")
    if not heading and _PAIR.split(line)[-1].strip("> \t"):
        raise ValueError(f"it breaks off after {len(values)} values; expected {expected}")
    return time, bands, values


def _is_of_five_days(lines: list[tuple[int, str]]) -> bool:
    words = [line.lstrip("#").split() for _, line in lines[:2]]
    return len(words) == 2 and "bands" in words[0] and {"freq", "energy"} <= set(words[1])


def _blocks(path: Path, lines: list[tuple[int, str]]) -> tuple[dict[Time, _Row], dict[str, dict[Time, _Row]]]:
    """Densities and moments of a 5-day file: for each time a line with the count of bands, and a line a band."""
    names = lines[1][1].lstrip("#").split()
    dates = lines[0][1].lstrip("#").split().index("bands")
    columns = {"energy": "density", "alpha1": "direction", "alpha2": "direction2", "r1": "r1", "r2": "r2"}
    found: dict[str, dict[Time, _Row]] = {name: {} for name in columns.values()}
    rest = iter(lines[2:])
    for number, line in rest:
        try:
            *time, count = map(int, line.split())
            if len(time) != dates:
                raise ValueError("a date and the number of bands were expected")
            block = [[float(word) for word in text.split()] for _, (_, text) in zip(range(count), rest, strict=False)]
        except ValueError as error:
            raise _no_number(path, number, error) from None
        if not block or len(block) < count or any(len(each) != len(names) for each in block):
            raise DataError(f"{path}, line {number}: {count or 'some'} lines with {len(names)} numbers should follow.")
        table = np.array(block).T
        for column, name in columns.items():
            if column in names:
                found[name][tuple(time)] = _Row(number, table[names.index("freq")], table[names.index(column)])
    return found.pop("density"), {name: rows for name, rows in found.items() if rows}


def _no_number(path: Path, line: int, error: ValueError) -> DataError:
    why = str(error).replace("could not convert string to float: ", "no number: ")
    return DataError(f"{path}, line {line}: {why}.")
