"""What was measured on this machine, kept in a file of the user's for the next process.

The file is `glfft/wisdom.json` in the user's folder for caches; GLFFT_WISDOM names another one, and where it is empty
none is read or written. A file that cannot be read is left as it is, with a warning: what is measured then serves this
process only.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from glfft.errors import DataError, OutputError
from glfft.files import atomic_write, check_writable
from glfft.wisdom.entries import Entry, Key, parse, parse_and_count, to_json
from glfft.wisdom.lock import exclusive

VARIABLE = "GLFFT_WISDOM"

# Room for 100,000 entries: what is larger is something else, and a device may have no end.
_MOST_BYTES = 64 << 20

_REMEDY = f"move it away, or name another file in {VARIABLE}"

# By file, what this process knows: read at the first question, and added to since.
_known: dict[Path | None, dict[Key, Entry]] = {}


def path() -> Path | None:
    """The user's file, which need not exist, or None where there is to be none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    folder = _cache_folder()
    return None if folder is None else folder / "glfft" / "wisdom.json"


def why_nowhere() -> str:
    """Why `path()` is None, in words."""
    return f"{VARIABLE} is empty" if VARIABLE in os.environ else "no home"


def check_keeping() -> None:
    """Find out before long work begins whether measurements can be saved in the user's file.

    Raises:
        OutputError: there is none, it cannot be written, or what is there is no wisdom of this version.
    """
    place = path()
    if place is None:
        raise OutputError(f"There is no file to keep tuning results in: name one in {VARIABLE}.")
    try:
        _own_entries(place)
        _make_default_folder(place)
    except (OSError, ValueError) as error:
        raise OutputError(f"Cannot keep tuning results in {place}: {_reason(error)}; {_REMEDY}.") from error
    check_writable(place)


def entries() -> Collection[Entry]:
    """What was measured here and kept, or imported."""
    return _entries(path()).values()


def remember(measured: Iterable[Entry]) -> None:
    """Take in measurements of now, each in place of the one that was kept for the same lines, and save them.

    What other processes have saved meanwhile stays. Where the file cannot be written there is a warning.
    """
    new = {entry.key: entry for entry in measured}
    if new:
        _take_in(lambda known: new)


def take_over(given: Iterable[Entry]) -> int:
    """Take in measurements of other times and machines and save them; of two for the same lines the faster stays.

    Returns:
        How many are new or faster than what was kept.
    """

    def better(known: Mapping[Key, Entry]) -> dict[Key, Entry]:
        chosen: dict[Key, Entry] = {}
        for entry in given:
            rival = chosen.get(entry.key, known.get(entry.key))
            if rival is None or entry.microseconds < rival.microseconds:
                chosen[entry.key] = entry
        return chosen

    return _take_in(better)


def saved(measured: Iterable[Entry]) -> bool:
    """Whether measurements are in the user's file: the next process will find them."""
    place = path()
    try:
        return place is not None and set(measured) <= set(_own_entries(place))
    except (OSError, ValueError):
        return False


def read_file(given: str | os.PathLike[str]) -> tuple[tuple[Entry, ...], dict[str, int]]:
    """The entries of a file that somebody names, and how many were left out for each reason.

    Raises:
        DataError: it cannot be read, or is no wisdom of this version.
    """
    try:
        return parse_and_count(_text(Path(given)))
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot read wisdom from {os.fspath(given)}: {_reason(error)}.") from error


def write_file(given: str | os.PathLike[str], written: Iterable[Entry]) -> None:
    """Write entries to a file, whole or not at all.

    Raises:
        OutputError: it cannot be written.
    """
    with atomic_write(given) as temporary:
        temporary.write_text(to_json(written), encoding="utf-8")


def _entries(place: Path | None) -> dict[Key, Entry]:
    if place not in _known:
        read = _read(place)
        _known[place] = read or {}
    return _known[place]


def _take_in(choose: Callable[[Mapping[Key, Entry]], dict[Key, Entry]]) -> int:
    """Add to what is known, and save, what is chosen in view of it.

    Returns:
        How many that are.
    """
    place = path()
    with _alone_with(place):
        on_disk = _read(place)
        known = {**_known.get(place, {}), **(on_disk or {})}
        new = choose(known)
        _known[place] = {**known, **new}
        # What cannot be read may be a later glfft's, or an editor's: not ours to replace.
        if new and place is not None and on_disk is not None:
            _save(place)
    return len(new)


def _alone_with(place: Path | None) -> AbstractContextManager[None]:
    """Keep other processes from saving between our reading and our writing."""
    if place is None:
        return nullcontext()
    with suppress(OSError):  # that it is not there is said by what fails to write into it
        _make_default_folder(place)
    return exclusive(place)


def _save(place: Path) -> None:
    try:
        write_file(place, _known[place].values())
    except (OSError, OutputError) as error:
        reason = error if isinstance(error, OutputError) else f"Cannot write {place}: {_reason(error)}."
        _warn(f"{reason} What was tuned serves this process only.")


def _read(place: Path | None) -> dict[Key, Entry] | None:
    """The entries of the user's file, none where it does not exist, or None, with a warning, where it is unreadable."""
    if place is None:
        return {}
    try:
        return {entry.key: entry for entry in _own_entries(place)}
    except (OSError, ValueError) as error:
        _warn(f"The tuning results in {place} are ignored, and none are saved there: {_reason(error)}; {_REMEDY}.")
        return None


def _own_entries(place: Path) -> tuple[Entry, ...]:
    """The entries of the user's file, none where it does not exist."""
    # A pipe would be waited for without end.
    if place.exists() and not place.is_file() and not place.is_dir():
        raise ValueError("it is a device or pipe")
    try:
        return parse(_text(place))
    except FileNotFoundError:
        return ()


def _text(place: Path) -> str:
    with place.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES >> 20} MiB, as no wisdom has")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("it is not text") from error


def _make_default_folder(place: Path) -> None:
    if VARIABLE not in os.environ:
        place.parent.mkdir(parents=True, exist_ok=True)


def _warn(sentence: str) -> None:
    warnings.warn(sentence, stacklevel=2)


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]


def _cache_folder() -> Path | None:
    """Where the system keeps what programs can make again."""
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches"
        # A relative path is to be ignored (XDG Base Directory Specification).
        named = Path(os.environ.get("XDG_CACHE_HOME", ""))
        return named if named.is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        # There is no home, as in some containers.
        return None
