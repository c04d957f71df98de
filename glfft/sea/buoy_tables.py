"""A spectrum in a table of frequency, density, direction and spread: columns by name, units, conventions.

Directions are where waves come from, degrees clockwise from north, unless a column's name says otherwise.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from glfft.errors import DataError, shown
from glfft.sea.measured import MeasuredSpectrum

# Of the energy, what may lie where directions are missing: there they are those of the nearest frequency.
LARGEST_SHARE_WITHOUT_DIRECTION = 0.1

_NAMES = {
    "frequency": ("frequency", "freq", "f", "fr", "wavefrequency", "centerfrequency", "centrefrequency"),
    "angular": ("omega", "w", "angularfrequency", "circularfrequency", "ω"),
    "period": ("period", "t", "waveperiod", "per"),
    "density": (
        "density", "energy", "spectraldensity", "energydensity", "variancedensity", "powerspectraldensity", "spec",
        "spectrum", "s", "e", "sf", "ef", "swden", "efth", "psd", "energyspectrum", "waveenergydensity", "c11",
        "spectralenergydensity", "spectralwavedensity", "waveenergy",
    ),
    "direction": (
        "direction", "dir", "mwd", "meandirection", "meandir", "meanwavedirection", "wavedirection", "wavedir",
        "alpha1", "swdir", "theta", "thetam", "th1m", "dmean", "dm", "mdir", "principaldirection", "θ", "thetamean",
    ),
    "spread": (
        "spread", "spr", "sprd", "dspr", "spreading", "directionalspread", "directionalspreading", "sth1m", "dirspread",
        "sigma", "sigmatheta", "σ", "wavespread", "directionspread",
    ),
    "r1": ("r1", "m1", "swr1"),
    "a1": ("a1",),
    "b1": ("b1",),
}  # fmt: skip

# Parts of the names of columns that have no name above, and parts that say that a column is something else.
_PARTS = {
    "angular": ("angularfreq", "circularfreq"), "frequency": ("freq",), "period": ("period",),
    "density": ("dens", "energ", "varianc", "psd"), "spread": ("spread", "sprd", "dspr"),
    "direction": ("dir", "theta"),
}  # fmt: skip
_OTHERWISE = re.compile(
    r"width|low|upp|min|max|step|delta|flux|std|dev|cum|err|wind|current|skew|kurt|flag|qc|index|indir|[02-9]"
)

# What a unit is in Hz, m²/Hz, degrees.
_TURN = 2 * math.pi
_UNITS: Mapping[str, Mapping[str, float]] = {
    "frequency": {"": 1, "hz": 1, "1/s": 1, "s-1": 1, "cps": 1, "mhz": 1e-3, "rad/s": 1 / _TURN, "rads-1": 1 / _TURN},
    "angular": {"": 1 / _TURN, "rad/s": 1 / _TURN, "rads-1": 1 / _TURN},
    "period": {"": 1, "s": 1, "sec": 1, "second": 1, "seconds": 1},
    "density": {
        "": 1, "m2/hz": 1, "m2hz-1": 1, "m2s": 1, "m2*s": 1, "cm2/hz": 1e-4, "cm2hz-1": 1e-4, "cm2s": 1e-4,
        "ft2/hz": 0.3048**2, "m2/(rad/s)": _TURN, "m2s/rad": _TURN, "m2srad-1": _TURN, "m2/rad/s": _TURN,
    },
    "direction": {
        "": 1, "deg": 1, "degree": 1, "degrees": 1, "°": 1, "rad": 360 / _TURN, "degt": 1, "degtrue": 1, "degn": 1,
        "°t": 1, "°true": 1, "°n": 1,
    },
    "spread": {"": 1, "deg": 1, "degree": 1, "degrees": 1, "°": 1, "rad": 360 / _TURN},
    "r1": {"": 1, "-": 1, "1": 1, "%": 0.01},
    "a1": {"": 1, "-": 1, "1": 1},
    "b1": {"": 1, "-": 1, "1": 1},
}  # fmt: skip

# For people.
_SAID_UNITS = {
    "frequency": "Hz, mHz and rad/s", "angular": "rad/s", "period": "s",
    "density": "m2/Hz, cm2/Hz, ft2/Hz and m2/(rad/s)", "direction": "degrees and rad",
    "spread": "degrees and rad", "r1": "none, and %", "a1": "none", "b1": "none",
}  # fmt: skip

# Words at the end of a name that are a unit and not part of it, as in density_m2_per_hz.
_UNIT_WORDS = {
    "hz", "mhz", "rads", "rad", "radians", "s", "sec", "deg", "degree", "degrees", "degt", "degn", "degtrue", "m2",
    "cm2", "m2hz", "per",
}  # fmt: skip
_SPELLINGS = (
    ("m*m", "m2"), ("²", "2"), ("^", ""), ("**", ""), ("·", ""), ("⁻¹", "-1"), ("per", "/"), ("radians", "rad"),
    ("hertz", "hz"),
)  # fmt: skip
_RUNNING_TO = {"to", "toward", "towards", "going", "heading"}
_COMING_FROM = {"from", "coming", "true", "north", "nautical", "compass", "clockwise", "cw"}
_FROM_EAST = {"math", "mathematical", "cartesian", "ccw", "counterclockwise", "anticlockwise", "east"}

# One of them is enough.
_FREQUENCIES = ("frequency", "angular", "period")

_ABSENT = ("", "nan", "na", "n/a", "mm", "none", "null", "-", "--")
_ABSENT_NUMBERS = (999.0, 9999.0, -99.0, -999.0, -9999.0)
# sqrt(2 (1 - r1)), the measure of buoys, in degrees, where waves come from everywhere. Other measures and rounding
# give a little more.
_WIDEST_SPREAD = math.degrees(math.sqrt(2))
_WIDEST_TAKEN = 90.0
_LARGEST_MOMENT = 1.05  # a1 and b1 are estimates
# Characters of a list of names in a message.
_MOST_LISTED = 200
_WHOLE_NOTES = ("#", "%", "//", "!")

Row = dict[str, float]


@dataclass(frozen=True)
class _Column:
    place: int
    factor: float
    # From where waves come, degrees clockwise from north, of what the column has in degrees.
    convention: Callable[[float], float] = lambda value: value


def spectrum_of_table(path: object, lines: list[tuple[int, str]]) -> MeasuredSpectrum:
    """The spectrum in the lines of a file, with their numbers.

    Raises:
        DataError: they are no such table; the message names file and line.
    """
    kept = [(number, text) for number, line in lines if (text := _without_note(line))]
    split = _splitter([text for _, text in kept])
    columns = {name: _Column(place, 1.0) for place, name in enumerate(("frequency", "density", "direction", "spread"))}
    named = False
    not_read = ""
    no_names: DataError | None = None
    falling: bool | None = None
    rows: list[tuple[int, Row]] = []
    for number, line in kept:
        where = f"{path}, line {number}"
        words = split(line)
        if not any(words):
            continue  # spreadsheets write rows of nothing but marks
        if not rows and _number(words[0]) is None:
            if (units := _row_of_units(words, columns)) is not None:
                columns = units
                continue
            try:
                (columns, not_read), named = _named_columns(where, line, words), True
                continue
            except DataError as error:  # a title may stand above the names
                if not named:
                    no_names = no_names or error
                    continue
        if no_names is not None and not named:
            break
        row = _row(where, words, columns, named)
        if rows:
            before = rows[-1][1]
            if row.keys() != before.keys():
                raise DataError(f"{where}: {len(words)} columns, and the lines before have {len(before)}.")
            if falling is None:
                falling = row["frequency"] < before["frequency"]
            if row["frequency"] == before["frequency"] or (row["frequency"] < before["frequency"]) != falling:
                if len(rows) > 1 and row["frequency"] == rows[0][1]["frequency"]:
                    raise DataError(f"{where}: the frequencies begin again; give a file of one spectrum only.")
                way = "fall" if falling else "rise"
                raise DataError(f"{where}: the frequency {row['frequency']:g} Hz does not {way}.")
        rows.append((number, row))
    if no_names is not None and not named:
        raise no_names
    if falling:
        rows.reverse()
    if rows and rows[0][1]["frequency"] == 0:
        del rows[0]  # the mean, which is no wave
    if len(rows) < 2:
        raise DataError(f"{path} has {len(rows)} lines with numbers; a spectrum needs two or more.")
    if not_read:
        warnings.warn(not_read, stacklevel=3)
    return _spectrum(path, rows)


def running_to(coming_from: np.ndarray) -> np.ndarray:
    """Radians from +x (east) towards +z (south), where waves run to, from degrees clockwise from north."""
    return np.radians((coming_from + 90.0) % 360.0)


def filled(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The values, with those that are not known taken from the nearest that is."""
    places = np.flatnonzero(known)
    return values[places[np.abs(np.arange(len(values))[:, None] - places).argmin(axis=1)]]


def _spectrum(path: object, rows: list[tuple[int, Row]]) -> MeasuredSpectrum:
    have = {name: np.array([row[name] for _, row in rows]) for name in rows[0][1]}
    density = have["density"]
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
    r1 = have.get("r1")
    if "spread" in have:
        r1 = np.clip(1 - np.radians(have["spread"]) ** 2 / 2, 0, 1)
    return MeasuredSpectrum(
        _floats(have["frequency"]),
        _floats(density),
        _floats(running_to(have["direction"])) if "direction" in have else (),
        _floats(r1) if r1 is not None and "direction" in have else (),
    )


def _row(where: str, words: list[str], columns: Mapping[str, _Column], named: bool) -> Row:
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


def _value(where: str, name: str, word: str, column: _Column) -> float:
    number = _number(word)
    optional = name in ("direction", "spread", "r1", "a1", "b1")
    if optional and (word.lower() in _ABSENT or number in _ABSENT_NUMBERS):
        return math.nan
    if number is None:
        raise DataError(f"{where}: the {name} is {shown(word)} and must be a number.")
    value = number * column.factor
    if name == "direction" and not -360 <= value <= 360:
        raise DataError(f"{where}: a direction is {value:g} degrees; it must be from 0 to 360.")
    if name == "spread":
        if not 0 <= value <= _WIDEST_TAKEN:
            raise DataError(f"{where}: a spread is {value:g} degrees; it must be from 0 to 81.")
        return min(value, _WIDEST_SPREAD)
    if name in ("a1", "b1") and not -_LARGEST_MOMENT <= value <= _LARGEST_MOMENT:
        raise DataError(f"{where}: {name} is {value:g}; it must be from -1 to 1.")
    if name == "r1" and not 0 <= value <= 1:
        raise DataError(f"{where}: an r1 is {value:g}; it must be from 0 to 1.")
    return column.convention(value) if name == "direction" else value


# --- Names and units -----------------------------------------------------------------------------------------


def _named_columns(where: str, line: str, words: list[str]) -> tuple[dict[str, _Column], str]:
    """The columns that a line names, and a warning of those that are not read, or ""."""
    if re.search(r"[;\t]", line) or (len(words) == 1 and "," in line):
        words = _split_names(line, "[;\t]" if re.search(r"[;\t]", line) else ",")
    elif len(words) > 1 and "," in line and words == [_unquoted(each) for each in line.split(",")]:
        words = _split_names(line, ",")
    else:
        # A blank before or in brackets does not begin another name.
        line = re.sub(r"\s+(?=[(\[{])", "", line)
        line = re.sub(r"[(\[{][^)\]}]*[)\]}]", lambda found: re.sub(r"\s", "_", found[0]), line)
        words = re.split(r"\s+", line)
    read = [_read_name(word) for word in words]
    found: dict[str, _Column] = {}
    # A column with a known name comes before one whose name has a part of one.
    for known in (True, False):
        for place, (word, (name, unit, hints, in_part)) in enumerate(zip(words, read, strict=True)):
            if name is None or in_part == known or name in found:
                continue
            if name in _FREQUENCIES and any(other in found for other in _FREQUENCIES):
                continue
            if unit not in _UNITS[name]:
                raise DataError(
                    f"{where}: the unit of the {name} in {shown(word.strip())} is not known; "
                    f"there are {_SAID_UNITS[name]}."
                )
            found[name] = _Column(place, _UNITS[name][unit], _convention(hints))
    if "angular" in found and "density" in found and read[found["density"].place][1] == "":
        raise DataError(f"{where}: beside an angular frequency, the density needs a unit, as in density (m2s/rad).")
    if not any(name in found for name in _FREQUENCIES):
        raise DataError(f"{where}: no column is named frequency; there are {_listed(words)}.")
    if "density" not in found:
        raise DataError(f"{where}: no column is named density; there are {_listed(words)}.")
    if not {"a1", "b1", "direction"} <= found.keys() or "spread" in found or "r1" in found:
        found.pop("a1", None)
        found.pop("b1", None)
    return found, _not_read(where, words, found)


def _not_read(where: str, words: list[str], found: Mapping[str, _Column]) -> str:
    """A warning where directions or spreads may be in columns whose names are not known, or ""."""
    places = {column.place for column in found.values()}
    rest = [word for place, word in enumerate(words) if word and place not in places]
    if not rest or ("direction" in found and {"spread", "r1", "a1"} & found.keys()):
        return ""
    what, instead = "direction", "the wind's is taken"
    if "direction" in found:
        what, instead = "spread", "30 degrees are taken"
    return f"{where}: no column is named {what}, and {instead}; not read: {_listed(rest)}."


def _row_of_units(words: list[str], columns: Mapping[str, _Column]) -> dict[str, _Column] | None:
    """The columns in the units of a line below their names; None where it has none for frequencies and densities."""
    units = [_unit(re.sub(r"[\s()\[\]]", "", word.lower())) for word in words]
    scaled = {
        name: replace(column, factor=_UNITS[name][units[column.place]])
        for name, column in columns.items()
        if column.place < len(units) and units[column.place] and units[column.place] in _UNITS[name]
    }
    if "density" not in scaled or not any(name in scaled for name in _FREQUENCIES):
        return None
    return {**columns, **scaled}


def _listed(words: list[str]) -> str:
    text = ", ".join(words)
    return text if len(text) <= _MOST_LISTED else f"{text[:_MOST_LISTED]} ..."


def _split_names(line: str, mark: str) -> list[str]:
    """Names that are apart by a mark, but for marks in quotes and brackets."""
    name = rf"(?:\"[^\"]*\"|\([^)]*\)|\[[^\]]*\]|(?!{mark}).)+"
    empty = rf"(?<={mark})(?={mark}|$)|^(?={mark})"
    return [_unquoted(each) for each in re.findall(f"{name}|{empty}", line)]


def _read_name(word: str) -> tuple[str | None, str, set[str], bool]:
    """What a column has, its unit, words that tell a direction's convention, and whether only a part told it."""
    plain = re.sub(r"[(\[{]\s*(f|w|omega|ω)\s*[)\]}]", r"\1", word.strip().lower())
    bracket = re.search(r"[(\[{](.*)[)\]}]", plain)
    inside = bracket[1] if bracket else ""
    outside = re.sub(r"[(\[{].*[)\]}]", " ", plain)
    hints = _RUNNING_TO | _COMING_FROM | _FROM_EAST
    words = re.findall(r"[^\W_]+", outside)
    told = {each for each in (*words, *re.findall(r"[^\W_]+", inside)) if each in hints}
    if re.search(r"from\W+(the\W+)?(east|north)", f"{outside} {inside}"):
        told.discard("from")
    kept = [each for each in words if each not in hints] or words[:1]
    if len(kept) > 1 and told and kept[-1] in ("n", "e"):
        kept.pop()
    ending: list[str] = []
    while len(kept) > 1 and kept[-1] in _UNIT_WORDS:
        ending.insert(0, kept.pop())
    key = "".join(kept)
    name = next((name for name, others in _NAMES.items() if key in others), None)
    if name is None and key == "hz":
        name = "frequency"
    in_part = name is None
    if name is None and not _OTHERWISE.search(key):
        name = next((name for name, parts in _PARTS.items() if any(part in key for part in parts)), None)
    aside = (*hints, "the", "n", "e", "of", "propagation")
    said = [each for each in re.split(r"[\s,;_]+", inside) if each not in aside]
    return name, _unit("".join(said).rstrip(".")) or _unit("".join(ending)), told, in_part


def _unit(text: str) -> str:
    """A unit as `_UNITS` writes it."""
    for before, after in _SPELLINGS:
        text = text.replace(before, after)
    return {"rads": "rad/s", "m2hz": "m2/hz", "cm2hz": "cm2/hz"}.get(text, text)


def _convention(hints: set[str]) -> Callable[[float], float]:
    turned = 180.0 if hints & _RUNNING_TO else 0.0
    if hints & _FROM_EAST:
        # Mathematical angles are of where waves run to, unless the name says where they come from.
        back = 180.0 if "from" in hints or "coming" in hints else 0.0
        return lambda value: (270.0 - value + back) % 360.0
    return lambda value: (value + turned) % 360.0


# --- Numbers -------------------------------------------------------------------------------------------------


def _splitter(lines: list[str]) -> Callable[[str], list[str]]:
    """How the lines of a table are divided: semicolons, tabs, commas or blanks, of which the first that is there."""
    numbers = [line for line in lines if re.match(r"[\"'\s]*[-+.,]?\d", line)] or lines
    mark = next((each for each in ";\t" if any(each in line for line in numbers)), None)
    if mark is None and any("," in line for line in numbers) and not _commas_are_decimal(numbers):
        mark = ","
    return lambda line: [_unquoted(word) for word in (line.split(mark) if mark else line.split())]


def _commas_are_decimal(lines: list[str]) -> bool:
    words = [line.split() for line in lines]
    plain = re.compile(r"[-+]?\d+(,\d+)?(e[-+]?\d+)?", re.IGNORECASE)
    return all(len(line) > 1 and all(plain.fullmatch(word) for word in line) for line in words)


def _number(word: str) -> float | None:
    if re.fullmatch(r"[-+]?\d*,\d+(e[-+]?\d+)?", word, re.IGNORECASE):
        word = word.replace(",", ".")
    word = re.sub(r"(?<=[\d.])[dD](?=[-+]?\d)", "e", word)  # as Fortran writes exponents
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _unquoted(word: str) -> str:
    return word.strip().strip("\"'").strip()


def _without_note(line: str) -> str:
    return "" if line.startswith(_WHOLE_NOTES) else line.split("#")[0].strip(" \r\n")


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(map(float, values))
