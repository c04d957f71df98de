"""The columns of a table with a wave spectrum: names as people write them, units, conventions of directions.

Directions are where waves come from, degrees clockwise from north, unless a column's name says otherwise.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from glfft.errors import DataError, shown
from glfft.files import packaged_toml

_FILE = packaged_toml("glfft.sea", "buoy_columns.toml")
_COLUMNS: Mapping[str, Mapping[str, Any]] = _FILE["columns"]
# Parts of names that say that a column is something else.
_OTHERWISE = re.compile(
    r"width|low|upp|min|max|step|delta|flux|std|dev|cum|err|wind|current|skew|kurt|flag|qc|index|indir|[02-9]"
)

_TURN = 2 * math.pi
_RUNNING_TO, _COMING_FROM, _FROM_EAST = ({*_FILE["hints"][kind]} for kind in ("running_to", "coming_from", "from_east"))

_NO_UNIT = ("", "-", "--", "none", "n/a", "#")  # in a row of units
_FREQUENCIES = {"frequency", "angular", "period"}  # one of them is enough
_MOST_LISTED = 200  # characters of a list of names in a message


@dataclass(frozen=True)
class Column:
    """A column of a table: its place, counted from 0, and what its unit is in Hz, m²/Hz or degrees."""

    place: int
    factor: float
    # From where waves come, degrees clockwise from north, of what the column has in degrees.
    convention: Callable[[float], float] = lambda value: value


def named_columns(where: str, line: str, words: list[str]) -> tuple[dict[str, Column], str]:
    """The columns that a line names, and a warning about columns that are not read, or ""."""
    words = _names_in(line, words)
    read = [_read_name(word) for word in words]
    found: dict[str, Column] = {}
    # A column with a known name comes before one whose name has a part of one.
    for known in (True, False):
        for place, (word, (name, unit, hints, in_part)) in enumerate(zip(words, read, strict=True)):
            if name is None or in_part == known or name in found or (name in _FREQUENCIES and _FREQUENCIES & {*found}):
                continue
            if unit not in _COLUMNS[name]["units"]:
                raise _unknown_unit(where, name, word.strip())
            found[name] = Column(place, _COLUMNS[name]["units"][unit], _convention(hints))
    # A column named frequency may be angular, by its unit. Densities over it without a unit may be either, 2 pi apart.
    angular = any(found[name].factor == 1 / _TURN for name in ("angular", "frequency") if name in found)
    if angular and "density" in found and read[found["density"].place][1] == "":
        raise DataError(f"{where}: beside an angular frequency, the density needs a unit, as in density (m2s/rad).")
    for name, enough in (("frequency", _FREQUENCIES), ("density", {"density"})):
        if not enough & {*found}:
            raise DataError(f"{where}: no column is named {name}; there are {_listed(words)}.")
    if not {"a1", "b1", "direction"} <= found.keys() or "spread" in found or "r1" in found:
        found = {name: column for name, column in found.items() if name not in ("a1", "b1")}
    return found, _not_read(where, words, found)


def _names_in(line: str, words: list[str]) -> list[str]:
    """The names in a line: between its marks, or else its blanks but for those in brackets."""
    if re.search(r"[;\t]", line):
        return _split_names(line, "[;\t]")
    if "," in line and (len(words) == 1 or words == [unquoted(each) for each in line.split(",")]):
        return _split_names(line, ",")
    line = re.sub(r"\s+(?=[(\[{])", "", line)  # a blank before or in brackets does not begin another name
    line = re.sub(r"[(\[{][^)\]}]*[)\]}]", lambda found: re.sub(r"\s", "_", found[0]), line)
    return re.split(r"\s+", line)


def _unknown_unit(where: str, name: str, word: str) -> DataError:
    known = _COLUMNS[name]["said_units"]
    return DataError(f"{where}: the unit of the {name} in {shown(word)} is not known; there are {known}.")


def _not_read(where: str, words: list[str], found: Mapping[str, Column]) -> str:
    """A warning where directions or spreads may be in columns whose names are not known, or ""."""
    places = {column.place for column in found.values()}
    rest = [word for place, word in enumerate(words) if word and place not in places]
    if not rest or ("direction" in found and {"spread", "r1", "a1"} & found.keys()):
        return ""
    said = "spread, and 30 degrees are taken" if "direction" in found else "direction, and the wind's is taken"
    return f"{where}: no column is named {said}; not read: {_listed(rest)}."


def row_of_units(where: str, words: list[str], columns: Mapping[str, Column]) -> dict[str, Column] | None:
    """Columns in the units of a line; None without frequencies and densities, DataError for other unknown units."""
    units = [_unit(re.sub(r"[\s()\[\]]", "", word.lower()).rstrip(".")) for word in words]
    scaled = {
        name: replace(column, factor=_COLUMNS[name]["units"][units[column.place]])
        for name, column in columns.items()
        if column.place < len(units) and units[column.place] and units[column.place] in _COLUMNS[name]["units"]
    }
    if not ("density" in scaled and _FREQUENCIES & {*scaled}):
        return None
    for name in ("direction", "spread"):  # shares have words of many kinds there
        column = columns.get(name)
        if column and name not in scaled and column.place < len(units) and units[column.place] not in _NO_UNIT:
            raise _unknown_unit(where, name, words[column.place])
    return {**columns, **scaled}


def _listed(words: list[str]) -> str:
    text = ", ".join(words)
    return text if len(text) <= _MOST_LISTED else f"{text[:_MOST_LISTED]} ..."


def _split_names(line: str, mark: str) -> list[str]:
    """Names that are apart by a mark, but for marks in quotes and brackets."""
    name = rf"(?:\"[^\"]*\"|\([^)]*\)|\[[^\]]*\]|(?!{mark}).)+"
    empty = rf"(?<={mark})(?={mark}|$)|^(?={mark})"
    return [unquoted(each) for each in re.findall(f"{name}|{empty}", line)]


def _read_name(word: str) -> tuple[str | None, str, set[str], bool]:
    """What a column has, its unit, words that tell a direction's convention, and whether only a part told it."""
    plain = re.sub(r"[(\[{]\s*(f|w|omega|ω)\s*[)\]}]", r"\1", word.strip().lower())
    bracket = re.search(r"[(\[{](.*)[)\]}]", plain)
    inside = bracket[1] if bracket else ""
    outside = re.sub(r"[(\[{].*[)\]}]", " ", plain)
    hints = _RUNNING_TO | _COMING_FROM | _FROM_EAST
    words = re.findall(r"[^\W_]+", outside)
    told = {each for each in (*words, *re.findall(r"[^\W_]+", inside)) if each in hints}
    if re.search(r"from\W+(the\W+)?(east|north|e|n)\b", f"{outside} {inside}"):
        told.discard("from")
    kept = [each for each in words if each not in hints] or words[:1]
    if len(kept) > 1 and told and kept[-1] in ("n", "e"):
        kept.pop()
    ending: list[str] = []
    while len(kept) > 1 and kept[-1] in _FILE["unit_words"]:
        ending.insert(0, kept.pop())
    key = "".join(kept)
    name = "frequency" if key == "hz" else next((name for name, each in _COLUMNS.items() if key in each["names"]), None)
    in_part = name is None
    if name is None and not _OTHERWISE.search(key):
        name = next((name for name, each in _COLUMNS.items() if any(part in key for part in each["parts"])), None)
    aside = (*hints, "the", "n", "e", "of", "propagation")
    said = [each for each in re.split(r"[\s,;_]+", inside) if each not in aside]
    return name, _unit("".join(said).rstrip(".")) or _unit("".join(ending)), told, in_part


def _unit(text: str) -> str:
    for before, after in _FILE["spellings"]:
        text = text.replace(before, after)
    return {"rads": "rad/s", "m2hz": "m2/hz", "cm2hz": "cm2/hz"}.get(text, text)


def _convention(hints: set[str]) -> Callable[[float], float]:
    if hints & _FROM_EAST:
        # Mathematical angles are of where waves run to, unless the name says where they come from.
        east = 450.0 if hints & {"from", "coming"} else 270.0
        return lambda value: (east - value) % 360.0
    return lambda value: (value + (180.0 if hints & _RUNNING_TO else 0.0)) % 360.0


def unquoted(word: str) -> str:
    return word.strip().strip("\"'").strip()
