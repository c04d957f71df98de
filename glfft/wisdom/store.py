"""The user's wisdom file, of what was measured on this machine: `glfft/wisdom.json` in the user's folder for caches.

The environment variable GLFFT_WISDOM names another file; if it is empty, no file is read or written. A file that cannot
be read is left as it is, with a warning: new measurements then last as long as the process.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from glfft.errors import DataError, OutputError
from glfft.files import check_writable, reason_of, write_whole
from glfft.wisdom.entries import Entry, Key, KnownConstants, Wisdom, read, to_json

VARIABLE = "GLFFT_WISDOM"

_LONGEST_WAIT = 5.0  # seconds: whoever holds the lock longer than for reading and writing one small file hangs
_MOST_BYTES = 64 << 20  # room for 100,000 entries: what is larger is something else, and a device may have no end
_REMEDY = f"move it away, or name another file in {VARIABLE}"
_NOTHING = Wisdom((), (), {})

# By file, what this process knows: read at the first question, and added to since. No constants have an entry's key.
_known: dict[Path | None, dict[Key, Entry | KnownConstants]] = {}


def path() -> Path | None:
    """The user's file, which need not exist, or None if no file is to be used."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE]) if os.environ[VARIABLE] else None
    from platformdirs import user_cache_path

    with suppress(RuntimeError):  # the user has no home, as in some containers
        return user_cache_path("glfft", appauthor=False, opinion=False) / "wisdom.json"
    return None


def why_nowhere() -> str:
    return f"{VARIABLE} is empty" if VARIABLE in os.environ else "there is no home folder"


def check_keeping() -> None:
    """Raise OutputError, before long work begins, where measurements could not be saved in the user's file."""
    place = path()
    if place is None:
        raise OutputError(f"There is no file to save tuning results in: name one in {VARIABLE}.")
    try:
        _own_wisdom(place)
        _make_default_folder(place)
    except (OSError, ValueError) as error:
        raise _cannot_keep(place, error) from error
    check_writable(place)


def entries() -> list[Entry]:
    """The measurements of this machine, and those that were imported."""
    return [each for each in _look_up().values() if isinstance(each, Entry)]


def constants() -> list[KnownConstants]:
    """The constants of devices that were measured on this machine."""
    return [each for each in _look_up().values() if isinstance(each, KnownConstants)]


def remember(measured: Iterable[Entry | KnownConstants]) -> None:
    """Add and save measurements in place of older ones; if they cannot be saved, they last as long as the process."""
    if new := {each.key: each for each in measured}:
        _add(lambda known: new, False)


def take_over(given: Iterable[Entry], must_be_saved: bool = True) -> int:
    """Add and save measurements of other times and machines, the faster of two of the same lines. This process knows
    them even if they cannot be saved, an OutputError if they must be, else a warning. Returns how many were better.
    """

    def better(known: Mapping[Key, Any]) -> dict[Key, Entry]:
        chosen: dict[Key, Entry] = {}
        for entry in given:
            rival = chosen.get(entry.key, known.get(entry.key))
            if rival is None or entry.microseconds < rival.microseconds:
                chosen[entry.key] = entry
        return chosen

    return _add(better, must_be_saved)


def saved(measured: Iterable[Entry]) -> bool:
    """Whether measurements are in the user's file, where the next process will find them."""
    try:
        return set(measured) <= set(_own_wisdom(path()).entries)
    except (OSError, ValueError):
        return False


def read_file(given: str | os.PathLike[str]) -> Wisdom:
    """What a file of wisdom holds. Raises DataError where it cannot be read."""
    try:
        return read(_text(Path(given)))
    except (OSError, ValueError) as error:
        reason = f"{reason_of(error)}; name a file that 'glfft tune --export' wrote"
        raise DataError(f"Cannot read wisdom from {os.fspath(given)}: {reason}.") from error


def write_file(
    given: str | Path, written: Iterable[Entry], unread: Iterable[str], devices: Iterable[KnownConstants]
) -> None:
    """Write wisdom to a file, whole or not at all. Raises OutputError where it cannot be written."""
    write_whole(given, to_json(written, unread, devices).encode())


def _add(choose: Callable[[Mapping[Key, Any]], Mapping[Key, Entry | KnownConstants]], must_be_saved: bool) -> int:
    """Add what `choose` picks. Returns how many. Raises OutputError if not saved."""
    place = path()
    with _locked(place):
        on_disk, unreadable = _NOTHING, None
        try:
            on_disk = _own_wisdom(place)
        except (OSError, ValueError) as error:
            unreadable = error
        known = {**_known.get(place, {}), **_by_key(on_disk)}
        new = choose(known)
        _known[place] = {**known, **new}
        try:
            if unreadable is not None and place is not None:
                # It may be a later glfft's, or somebody is editing it: it is not replaced.
                raise _cannot_keep(place, unreadable) from unreadable
            if new and place is not None:
                write_file(place, entries(), on_disk.unread, constants())
        except OutputError as error:
            if must_be_saved:
                raise
            warnings.warn(f"{error} The new tuning results last as long as this process.", stacklevel=1)
    return len(new)


@contextmanager
def _locked(place: Path | None) -> Iterator[None]:
    """Let nobody else save between our reading and our writing, by a lock of an empty file NAME.lock where one can."""
    with ExitStack() as stack:
        if place is not None:
            from filelock import FileLock  # only here: these modules take longer to import than many a command to run

            with suppress(OSError):  # writing the file will say why there is no folder
                _make_default_folder(place)
            with suppress(OSError):  # a Timeout is one too
                target = Path(os.path.realpath(place))  # two names of one file have one lock
                if target.parent.is_dir():  # else FileLock would make the folder
                    lock = FileLock(f"{target}.lock", fallback_to_soft=False)
                    stack.enter_context(lock.acquire(timeout=_LONGEST_WAIT))
        yield


def _look_up() -> dict[Key, Entry | KnownConstants]:
    """What this process knows; the user's file is read at the first question, with a warning if it cannot be read."""
    place = path()
    if place not in _known:
        try:
            found = _own_wisdom(place)
        except (OSError, ValueError) as error:
            warnings.warn(f"The tuning results in {place} are ignored: {reason_of(error)}; {_REMEDY}.", stacklevel=1)
            found = _NOTHING
        # Another thread may have read it too, and added to what it found.
        _known.setdefault(place, _by_key(found))
    return _known[place]


def _by_key(wisdom: Wisdom) -> dict[Key, Entry | KnownConstants]:
    return {each.key: each for each in (*wisdom.entries, *wisdom.constants)}


def _own_wisdom(place: Path | None) -> Wisdom:
    """What the user's file holds, nothing if it does not exist."""
    try:
        return _NOTHING if place is None else read(_text(place))
    except FileNotFoundError:
        return _NOTHING


def _text(place: Path) -> str:
    # Opening a pipe waits until somebody writes into it.
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise ValueError("it is a device or pipe")
    with place.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES >> 20} MiB, which is too much for wisdom")
    try:
        return content.decode("utf-8-sig")  # editors on Windows put a byte-order mark in front
    except UnicodeDecodeError as error:
        raise ValueError("it is not text") from error


def _make_default_folder(place: Path) -> None:
    if VARIABLE not in os.environ:
        place.parent.mkdir(parents=True, exist_ok=True)


def _cannot_keep(place: Path, error: Exception) -> OutputError:
    return OutputError(f"Cannot save tuning results in {place}: {reason_of(error)}; {_REMEDY}.")
