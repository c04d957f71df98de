"""The settings of a sea as a TOML file, to keep and to share. Names and units are those of `OceanSettings`."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from glfft.errors import DataError, GlfftError, real_number, require
from glfft.files import PathName, read_toml, write_whole
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.settings import OceanSettings, Swell

_UNITS = {
    "tile": "m", "fetch": "m", "depth": "m", "loop": "s", "band": "rad/m",
    "wind": "m/s, 10 m above the water", "wind_direction": "rad, where it blows to, from +x towards +z",
    "foam_gain": "1/s", "foam_lifetime": "s", "foam_spread": "m²/s",
}  # fmt: skip
_WHOLE, _WORDS = ("size", "seed"), ("spectrum", "spreading")


def write_settings(path: PathName, settings: OceanSettings) -> None:
    """Write all settings of a sea for `read_settings`, whole or not at all; OutputError if that fails."""
    write_whole(path, settings_text(settings).encode())


def settings_text(settings: OceanSettings) -> str:
    """The text of such a file."""
    require(isinstance(settings, OceanSettings), "settings", settings, "an OceanSettings, such as preset('storm')")
    lines, tables = ["# A sea of glfft: SI units, angles in radians."], []
    for each in fields(settings):
        value = getattr(settings, each.name)
        if value is None:
            continue
        if each.name == "swells":
            tables += [line for swell in value for line in ("", "[[swells]]", *_lines(swell))]
        elif each.name == "measured":
            tables += ["", "[measured]", *_lines(value)]
        else:
            unit = f"  # {_UNITS[each.name]}" if each.name in _UNITS else ""
            lines.append(f"{each.name} = {_toml(value)}{unit}")
    return "\n".join([*lines, *tables, ""])


def read_settings(path: PathName) -> OceanSettings:
    """The settings in a file, with defaults for others. DataError if it is no TOML, or has what no sea can have."""
    found = read_toml(path)
    try:
        return _made(OceanSettings, found, "", (), swells=_swells, measured=_measured)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _lines(record: Any) -> list[str]:
    return [f"{each.name} = {_toml(getattr(record, each.name))}" for each in fields(record)]


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'  # names of spectra and spreadings have nothing to escape
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, float):
        value = float(value)  # in place of numpy's
    return repr(value)  # of a float: the shortest text that is the same number again, and inf as TOML has it


def _made(kind: type, found: Mapping[str, Any], table: str, needed: tuple[str, ...], **parts: Callable) -> Any:
    """A dataclass from a table, whose name precedes its settings'; `needed` must be there, `parts` read tables."""
    names = [each.name for each in fields(kind)]
    values = {}
    for name, value in found.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean {table}{near[0]}?" if near else "."
            raise DataError(f"there is no setting {table}{name!s}{hint}")
        values[name] = parts[name](value) if name in parts else _plain(table, name, value)
    if missing := [name for name in needed if name not in values]:
        raise DataError(f"{table.rstrip('.')} needs the settings {' and '.join(missing)}.")
    try:
        return kind(**values)
    except GlfftError as error:
        raise DataError(str(error)) from None


def _plain(table: str, name: str, value: Any) -> Any:
    if name in _WORDS and not isinstance(value, str):
        raise DataError(f"{table}{name} is {_toml(value)} and must be a name in quotes.")
    if isinstance(value, list) and all(_is_number(each) for each in value):
        return tuple(map(real_number, value))
    if (name not in _WORDS and not _is_number(value)) or (name in _WHOLE and not isinstance(value, int)):
        raise DataError(f"{table}{name} is {value!r} and must be {'a whole number' if name in _WHOLE else 'a number'}.")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _swells(value: Any) -> tuple[Swell, ...]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise DataError("swells must be tables, each under a line [[swells]].")
    return tuple(_made(Swell, each, "swells.", ("height", "period")) for each in value)


def _measured(value: Any) -> MeasuredSpectrum:
    if not isinstance(value, dict):
        raise DataError("measured must be a table, under a line [measured].")
    for name, each in value.items():
        if not isinstance(each, list):
            raise DataError(f"measured.{name} must be a list of numbers, one for each frequency.")
    return _made(MeasuredSpectrum, value, "measured.", ("frequency", "density"))
