"""Spectra in files: those of NDBC's buoys, and tables of frequency, density, direction and spread.

Directions in files are where waves come **from**, degrees clockwise from north. In the sea, x is east and z is south.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from glfft.errors import DataError
from glfft.ocean import buoy_datasets
from glfft.ocean.measured import MeasuredSpectrum

# Endings of the files with a buoy's moments beside that of its densities: recent files, and letters in those of years.
_RECENT = {"direction": ".swdir", "direction2": ".swdir2", "r1": ".swr1", "r2": ".swr2"}
_OF_YEARS = {"direction": "d", "direction2": "i", "r1": "j", "r2": "k"}
_NAME_OF_YEAR = re.compile(r"(?P<buoy>\w{5})w(?P<year>\d{4}.*)")

# NDBC's numbers for values that are missing.
_MISSING = (99.0, 999.0, 9999.0)

_COLUMNS = {
    "frequency": ("frequency", "freq", "f", "hz"),
    "density": ("density", "energy", "spectraldensity", "spec", "s", "e", "swden", "efth", "psd"),
    "direction": ("direction", "dir", "mwd", "meandirection", "alpha1", "swdir", "theta", "th1m"),
    "spread": ("spread", "spr", "sprd", "dspr", "spreading", "directionalspread", "sth1m"),
}


def read_spectrum(path: str | os.PathLike[str]) -> MeasuredSpectrum:
    """The spectrum in a file; of NDBC's files with many, the newest that is complete.

    NDBC's moments are read where their files lie beside it: 46042.swdir, .swdir2, .swr1 and .swr2 beside
    46042.data_spec; 46042d2020.txt, i, j and k beside 46042w2020.txt. Other files have a line for each frequency, with
    frequency (Hz), density (m²/Hz), and if known direction and spread (degrees), in columns named in the first line, or
    in this order. Files ending in .nc, .nc4, .netcdf or .zarr are datasets of wavespectra, see
    `glfft.ocean.buoy_datasets`.

    Raises:
        MissingExtraError: a dataset without the extra `buoy`.
        DataError: the file cannot be read or is none of these; the message names the line.
    """
    path = Path(path)
    if path.suffix.lower() in buoy_datasets.SUFFIXES:
        return buoy_datasets.read_dataset(path)
    lines = _lines(path)
    if not lines:
        raise DataError(f"{path} is empty; a wave spectrum was expected.")
    try:
        return _of_buoy(path, lines) if _is_of_buoy(lines) else _of_table(path, lines)
    except DataError as error:
        raise error if str(path) in str(error) else DataError(f"{path}: {error}") from None


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is no text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise DataError(f"{path} cannot be read: {why}.") from error
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


# --- NDBC ----------------------------------------------------------------------------------------------------


def _is_of_buoy(lines: list[tuple[int, str]]) -> bool:
    return re.match(r"#?\s*Y{2,4}\s+MM\s+DD\s+hh\b", lines[0][1]) is not None


def _of_buoy(path: Path, lines: list[tuple[int, str]]) -> MeasuredSpectrum:
    densities = _rows(path, lines)
    moments = {name: _rows(each, _lines(each)) for name, each in _beside(path).items()}
    for time in sorted(densities, reverse=True):
        frequency, density = densities[time]
        found = {name: rows[time] for name, rows in moments.items() if time in rows}
        if np.isnan(density).any() or density.max() <= 0:
            continue
        # A band without waves has no direction; the others tell one.
        has = density > 0
        complete = {
            name: _filled(values, has)
            for name, (bands, values) in found.items()
            if np.array_equal(bands, frequency) and not np.isnan(values[has]).any()
        }
        return _spectrum(frequency, density, complete)
    raise DataError(f"{path} has no row in which all densities are there.")


def _beside(path: Path) -> dict[str, Path]:
    of_year = _NAME_OF_YEAR.fullmatch(path.name)
    if of_year is None:
        named = {name: path.with_suffix(ending) for name, ending in _RECENT.items()}
    else:
        named = {
            name: path.with_name(f"{of_year['buoy']}{letter}{of_year['year']}") for name, letter in _OF_YEARS.items()
        }
    return {name: each for name, each in named.items() if each != path and each.exists()}


def _rows(path: Path, lines: list[tuple[int, str]]) -> dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]]:
    """Frequencies and values of each row by its time; what is missing is NaN."""
    heading: list[float] = []
    dates = 5
    rows: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
    for number, line in lines:
        if re.match(r"#?\s*Y{2,4}\b", line):
            words = line.lstrip("#").split()
            dates = next((at for at, word in enumerate(words) if re.fullmatch(r"\d*\.\d+", word)), len(words))
            heading = [float(word) for word in words[dates:]] if dates in (4, 5) else []
            dates = min(dates, 5)
            continue
        if line.startswith("#"):
            continue
        pairs = re.findall(r"(\S+)\s*\(\s*([\d.]+)\s*\)", line)
        words = line.split()
        try:
            time = tuple(int(word) for word in words[:dates])
            if heading:
                values, bands = [_value(word) for word in words[dates:]], heading
            else:
                values, bands = [_value(value) for value, _ in pairs], [float(band) for _, band in pairs]
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {_said(error)}.") from None
        if len(time) < dates or not values or len(values) != len(bands):
            expected = f"{len(heading)} values" if heading else "values with their frequencies in brackets"
            raise DataError(f"{path}, line {number}: {len(values)} values; expected a date and {expected}.")
        rows[time] = np.array(bands), np.array(values)
    return rows


def _value(word: str) -> float:
    value = math.nan if word == "MM" else float(word)
    return math.nan if value in _MISSING else value


def _filled(values: np.ndarray, has: np.ndarray) -> np.ndarray:
    nearest = np.flatnonzero(has)[np.abs(np.arange(len(values))[:, None] - np.flatnonzero(has)).argmin(axis=1)]
    return values[nearest]


def _spectrum(frequency: np.ndarray, density: np.ndarray, moments: dict[str, np.ndarray]) -> MeasuredSpectrum:
    if "direction" not in moments:
        return MeasuredSpectrum(tuple(frequency), tuple(density))
    for name in ("r1", "r2"):
        # Files of years have hundredths.
        if name in moments and moments[name].max() > 1.5:
            moments[name] = moments[name] / 100
    both = "r1" in moments and "r2" in moments and "direction2" in moments
    return MeasuredSpectrum(
        tuple(frequency),
        tuple(density),
        tuple(_running_to(moments["direction"])),
        tuple(np.clip(moments["r1"], 0, 1)) if "r1" in moments else (),
        tuple(_running_to(moments["direction2"])) if both else (),
        tuple(np.clip(moments["r2"], 0, 1)) if both else (),
    )


def _running_to(coming_from: np.ndarray) -> np.ndarray:
    """Radians from +x (east) towards +z (south), where waves run to, from degrees clockwise from north."""
    return np.radians((coming_from + 90.0) % 360.0)


# --- Tables --------------------------------------------------------------------------------------------------


def _of_table(path: Path, lines: list[tuple[int, str]]) -> MeasuredSpectrum:
    names = list(_COLUMNS)
    columns = {name: place for place, name in enumerate(names)}
    named = False
    rows: list[dict[str, float]] = []
    for number, line in _without_notes(lines):
        words = (
            [word.strip() for word in re.split(r"[,;\t]|\s+", line)]
            if not re.search("[,;\t]", line)
            else [word.strip() for word in re.split(r"[,;\t]", line)]
        )
        if not rows and not named and not _is_number(words[0]):
            columns, named = _named_columns(path, number, words), True
            continue
        row = {}
        for name, place in columns.items():
            if place >= len(words):
                if named or name in ("frequency", "density"):
                    raise DataError(
                        f"{path}, line {number}: {len(words)} columns, and {name} is in column {place + 1}."
                    )
                continue
            if not _is_number(words[place]):
                raise DataError(f"{path}, line {number}: the {name} is {words[place]!r} and must be a number.")
            row[name] = float(words[place])
        if rows and row.keys() != rows[0].keys():
            raise DataError(f"{path}, line {number}: {len(words)} columns, and the lines before have {len(rows[0])}.")
        if rows and row["frequency"] <= rows[-1]["frequency"]:
            raise DataError(f"{path}, line {number}: the frequency {row['frequency']:g} Hz does not rise.")
        if row["frequency"] <= 0 or row["density"] < 0:
            raise DataError(f"{path}, line {number}: frequencies must be above 0, and densities not below.")
        rows.append(row)
    if len(rows) < 2:
        raise DataError(f"{path} has {len(rows)} lines with numbers; a spectrum needs two or more.")
    have = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    r1 = 1 - np.radians(have["spread"]) ** 2 / 2 if "spread" in have else None
    if r1 is not None and (r1.min() < 0 or have["spread"].min() < 0):
        raise DataError(f"{path}: a spread is {have['spread'].max():g} degrees; it must be from 0 to 81.")
    return MeasuredSpectrum(
        tuple(have["frequency"]),
        tuple(have["density"]),
        tuple(_running_to(have["direction"])) if "direction" in have else (),
        tuple(r1) if r1 is not None and "direction" in have else (),
    )


def _without_notes(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if not line.startswith(("#", "%", "//")):
            yield number, line


def _named_columns(path: Path, number: int, words: list[str]) -> dict[str, int]:
    # What is in brackets is a unit.
    plain = [re.sub(r"[^a-z0-9]", "", re.sub(r"[(\[].*?[)\]]", "", word.lower())) for word in words]
    found: dict[str, int] = {}
    for name, others in _COLUMNS.items():
        for place, word in enumerate(plain):
            if name not in found and (word in others or word.removesuffix("hz") in others):
                found[name] = place
    for name in ("frequency", "density"):
        if name not in found:
            raise DataError(f"{path}, line {number}: no column is named {name}; there are {', '.join(words)}.")
    return found


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _said(error: ValueError) -> str:
    return str(error).replace("could not convert string to float: ", "no number: ")
