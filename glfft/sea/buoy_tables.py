"""A spectrum in a table of frequency, density, direction and spread: columns by name, units, conventions."""

import math
import re
import warnings
from collections.abc import Callable, Mapping

import numpy as np

from glfft.errors import DataError, real_number, shown
from glfft.files import packaged_toml
from glfft.sea.buoy_columns import Column, named_columns, row_of_units, unquoted
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.spectra import Array

# The share of the energy that may lie where directions are missing: there the nearest frequency's direction is taken.
LARGEST_SHARE_WITHOUT_DIRECTION = 0.1

_FILE = packaged_toml("glfft.sea", "buoy_tables.toml")
# sqrt(2 (1 - r1)), the measure of buoys, in degrees, for waves from everywhere; other measures give a little more.
_WIDEST_SPREAD = math.degrees(math.sqrt(2))
_WHOLE_NOTES = ("#", "%", "//", "!")

Row = dict[str, float]
_Line = tuple[str, int, str, list[str]]  # where it is, for messages; its number; what it says, whole and in words


def spectrum_of_table(path: object, lines: list[tuple[int, str]]) -> MeasuredSpectrum:
    """The spectrum in the numbered lines of a file; DataError names file and line if they are no such table."""
    notes = ((number, "" if line.startswith(_WHOLE_NOTES) else line.split("#")[0]) for number, line in lines)
    kept = [(number, text.strip(" \r\n")) for number, text in notes if text.strip(" \r\n")]
    split = _splitter([text for _, text in kept])
    # Spreadsheets write rows of nothing but marks.
    table = [(f"{path}, line {number}", number, text, split(text)) for number, text in kept if any(split(text))]
    heading, columns, named, not_read = _heading(table)
    rows: list[tuple[int, Row]] = []
    for where, number, _, words in table[heading:]:
        row = _row(where, words, columns, named)
        if rows:
            _check_order(where, len(words), row, rows)
        rows.append((number, row))
    rows.sort(key=lambda row: row[1]["frequency"])
    if rows and rows[0][1]["frequency"] == 0:
        del rows[0]  # the mean, which is no wave
    if len(rows) < 2:
        raise DataError(f"{path} has {len(rows)} lines with numbers; a spectrum needs two or more.")
    if not_read:
        warnings.warn(not_read, stacklevel=3)
    return _spectrum(path, rows)


def _heading(table: list[_Line]) -> tuple[int, dict[str, Column], bool, str]:
    """How many lines stand above the rows, their columns, whether by names, a warning; DataError without columns."""
    columns = {name: Column(place, 1.0) for place, name in enumerate(("frequency", "density", "direction", "spread"))}
    named, not_read, count = False, "", 0
    no_names: DataError | None = None
    for where, _, text, words in table:
        if _number(words[0]) is not None:
            break
        units = row_of_units(where, words, columns)
        try:
            if units is not None:
                columns = units
            else:
                columns, not_read = named_columns(where, text, words)
                named, no_names = True, None
        except DataError as error:
            if named:
                break  # a row, whose first word is no number
            no_names = no_names or error  # a title may stand above the names
        count += 1
    if no_names is not None:
        raise no_names
    return count, columns, named, not_read


def _check_order(where: str, columns: int, row: Row, before: list[tuple[int, Row]]) -> None:
    """Refuse a row with other columns than the rows before, or whose frequency does not go on as theirs."""
    (_, first), (_, last) = before[0], before[-1]
    if row.keys() != last.keys():
        raise DataError(f"{where}: {columns} columns, and the lines before have {len(last)}.")
    begin, now = first["frequency"], row["frequency"]
    falling = (before[1][1]["frequency"] if len(before) > 1 else now) < begin
    if now != last["frequency"] and (now < last["frequency"]) == falling:
        return
    if len(before) > 1 and now == begin:
        raise DataError(f"{where}: the frequencies begin again; give a file of one spectrum only.")
    raise DataError(f"{where}: the frequency {now:g} Hz does not {'fall' if falling else 'rise'}.")


def spectrum_of_moments(frequency: Array, density: Array, moments: Mapping[str, Array]) -> MeasuredSpectrum:
    """From the moments there are, by their names in `MeasuredSpectrum`, with directions as waves come from, degrees."""
    if "direction" not in moments:
        return MeasuredSpectrum.of(frequency=frequency, density=density)
    both = {"r1", "r2", "direction2"} <= moments.keys()
    found = {
        # In radians from +x (east) towards +z (south), where waves run to.
        name: np.radians((each + 90.0) % 360.0) if "direction" in name else np.clip(each, 0, 1)
        for name, each in moments.items()
        if both or not name.endswith("2")
    }
    return MeasuredSpectrum.of(frequency=frequency, density=density, **found)


def filled(values: Array, known: np.ndarray) -> Array:
    """The values, with those that are not known taken from the nearest that is."""
    places = np.flatnonzero(known)
    return values[places[np.abs(np.arange(len(values))[:, None] - places).argmin(axis=1)]]


def _spectrum(path: object, rows: list[tuple[int, Row]]) -> MeasuredSpectrum:
    have = {name: np.array([row[name] for _, row in rows]) for name in rows[0][1]}
    frequency, density = have.pop("frequency"), have.pop("density")
    if "a1" in have:
        # Files differ in what their angle counts from and in its sense; the length is r1 in all of them.
        have["r1"] = np.minimum(np.hypot(have.pop("a1"), have.pop("b1")), 1.0)
    for name in ("direction", "spread", "r1"):
        if name not in have or np.isnan(have[name]).all():
            have.pop(name, None)
            continue
        lost = np.isnan(have[name])
        if density[lost].sum() > LARGEST_SHARE_WITHOUT_DIRECTION * density.sum():
            number = rows[int(np.argmax(density * lost))][0]
            raise DataError(f"{path}, line {number}: the {name} is missing, and so is that of too many of the waves.")
        have[name] = filled(have[name], ~lost)
    if "spread" in have:
        have["r1"] = 1 - np.radians(have.pop("spread")) ** 2 / 2
    return spectrum_of_moments(frequency, density, have)


def _row(where: str, words: list[str], columns: Mapping[str, Column], named: bool) -> Row:
    row: Row = {}
    for name, column in columns.items():
        if column.place >= len(words):
            if named or name in ("frequency", "density"):
                raise DataError(f"{where}: {len(words)} columns, and {name} is in column {column.place + 1}.")
            continue
        value = _value(where, name, words[column.place], column)
        if name == "period":
            if value <= 0:
                raise DataError(f"{where}: a period is {value:g} s and must be above 0.")
            value = 1 / value
        row["frequency" if name in ("angular", "period") else name] = value
    if row["frequency"] < 0 or row["density"] < 0:
        raise DataError(f"{where}: frequencies must be above 0, and densities not below.")
    return row


def _value(where: str, name: str, word: str, column: Column) -> float:
    read = _number(word)
    if name in _FILE["limits"] and (word.lower() in _FILE["absent"] or read in _FILE["absent_numbers"]):
        return math.nan
    if read is None:
        raise DataError(f"{where}: the {name} is {shown(word)} and must be a number.")
    value = read * column.factor
    lowest, highest, refusal = _FILE["limits"].get(name, (-math.inf, math.inf, ""))
    if not lowest <= value <= highest:
        raise DataError(f"{where}: {refusal.format(value)}")
    if name == "spread":
        return min(value, _WIDEST_SPREAD)
    return column.convention(value) if name == "direction" else value


def _splitter(lines: list[str]) -> Callable[[str], list[str]]:
    """How the lines of a table are divided: semicolons, tabs, commas or blanks, of which the first that is there."""
    numbers = [line for line in lines if re.match(r"[\"'\s]*[-+.,]?\d", line)] or lines
    mark = next((each for each in ";\t" if any(each in line for line in numbers)), None)
    if mark is None and any("," in line for line in numbers) and not _commas_are_decimal(numbers):
        mark = ","
    return lambda line: [unquoted(word) for word in (line.split(mark) if mark else line.split())]


def _commas_are_decimal(lines: list[str]) -> bool:
    words = [line.split() for line in lines]
    plain = re.compile(r"[-+]?\d+(,\d+)?(e[-+]?\d+)?", re.IGNORECASE)
    return all(len(line) > 1 and all(plain.fullmatch(word) for word in line) for line in words)


def _number(word: str) -> float | None:
    if re.fullmatch(r"[-+]?\d*,\d+(e[-+]?\d+)?", word, re.IGNORECASE):
        word = word.replace(",", ".")
    word = re.sub(r"(?<=[\d.])[dD](?=[-+]?\d)", "e", word)  # as Fortran writes exponents
    value = real_number(word)
    return value if math.isfinite(value) else None
