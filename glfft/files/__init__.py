"""Files written whole or not at all: to a temporary file beside the target, which is renamed when it is complete."""

import errno
import itertools
import json
import os
import platform
import re
import secrets
import shutil
import stat
import tomllib
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from glfft.errors import DataError, OutputError, require

PathName = str | os.PathLike[str]

# An OSError of one of these kinds is about the medium, whichever call raised it.
_MEDIUM_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}

# .glfft-MACHINE-PROCESS-RANDOM.SUFFIX: tells whether the process that was writing it still runs.
_TEMPORARY = re.compile(r"\.glfft-([0-9a-f]{8})-([0-9]{1,10})-[0-9a-f]{16}(\..*)?", re.DOTALL)
_LONGEST_SUFFIX = 16  # a longer suffix says nothing to a writer, and could make the temporary name too long
_LARGEST_TOML = 2**20
_made: list[Path] = []  # folders, by `make_folder`
_MANIFEST = "manifest.json"  # the file that lists the files of a folder that is written whole


@contextmanager
def atomic_write(path: PathName) -> Iterator[Path]:
    """Write a file whole or not at all: yields the path of an empty temporary file beside the target, with its suffix,
    which the end of the block renames over the target. An exception, Ctrl-C included, removes it, and leaves the target
    as it was. What a killed process leaves there, the next one on the same machine that writes into the folder removes.
    The folder must exist: see `make_folder`.

    The writer must report a full disk. Some do not (Pillow, for several formats): encode into memory, and give the
    bytes to `write_whole`. A symbolic link is followed; an existing file's permissions are kept. Raises OutputError
    where the target cannot be written, or the disk is full.
    """
    target = _writable_target(path)
    with _created_beside(target, path) as temporary:
        try:
            yield temporary
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except OSError as error:
            if error.errno in _MEDIUM_ERRORS or str(error.filename) == str(temporary):
                raise _cannot_write(path, error) from error
            raise


def write_whole(path: PathName, content: bytes | memoryview) -> None:
    """Write a file of these bytes as `atomic_write`, with the same errors."""
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
        written, expected = temporary.stat().st_size, memoryview(content).nbytes
        if written != expected:
            raise OutputError(f"Cannot write {path}: only {written} of {expected} bytes arrived on the disk.")


def packaged_toml(package: str, name: str) -> dict[str, Any]:
    """The tables of a TOML file that lies in one of glfft's packages."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def read_toml(path: PathName) -> dict[str, Any]:
    """The tables of a TOML file. Raises DataError where it cannot be read, is larger than a megabyte, or is no TOML."""
    with reading(path), open(path, "rb") as file:
        content = file.read(_LARGEST_TOML + 1)
    if len(content) > _LARGEST_TOML:
        raise DataError(f"{os.fspath(path)} cannot be read: it is larger than a megabyte.")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(f"{os.fspath(path)} cannot be read: it is no text.") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{os.fspath(path)} is no TOML: {error}.") from error


def path_of(path: PathName) -> Path:
    """A path. Raises OptionError where it is none: neither the number of an open file nor bytes."""
    require(isinstance(path, str | os.PathLike), "The file", path, "a path")
    return Path(path)


@contextmanager
def reading(path: PathName, called: str = "") -> Iterator[None]:
    """Raise DataError where a block cannot read a file, or it is a device or a pipe; `called` so in the message."""
    named = isinstance(path, str | bytes | os.PathLike) and b"\0" not in os.fsencode(path)
    require(named, "The file", path, "a path")  # nor the number of an open file
    try:
        refuse_pipe(path)
        yield
    except OSError as error:
        raise DataError(f"{called}{os.fspath(path)} cannot be read: {error.strerror or error}.") from error


def refuse_pipe(path: PathName) -> None:
    """Raise DataError for a device or a pipe, which may have no end, and OSError where there is no such file."""
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise DataError(f"{os.fspath(path)} is a device or pipe; save what it holds in a file, and name that.")


def check_writable(path: PathName) -> None:
    """OutputError unless `atomic_write(path)` could start, by a temporary file: permissions tell nothing to root."""
    check_takes_files(_writable_target(path).parent, path)


def check_takes_files(folder: Path, named: PathName) -> None:
    """OutputError, which is about `named`, unless files of any names can be made in a folder."""
    if not folder.is_dir():
        raise OutputError(f"Cannot write {os.fspath(named)}: there is no folder {folder}.")
    with _created_beside(folder / "any", named):
        pass


def make_folder(path: PathName) -> Path:
    """Make a folder, but not its parents, if it does not exist, and check that it takes files, else OutputError."""
    folder = path_of(path)
    try:
        folder.mkdir()
        _made.append(folder)
    except FileExistsError as error:
        if not folder.is_dir():
            raise OutputError(f"Cannot write into {folder}: it is a file, not a folder.") from error
    except (OSError, ValueError) as error:
        reason = f"there is no folder {folder.parent}" if isinstance(error, FileNotFoundError) else reason_of(error)
        raise OutputError(f"Cannot make the folder {folder}: {reason}.") from error
    check_takes_files(folder, folder)
    return folder


@contextmanager
def without_empty_folders() -> Iterator[None]:
    """Remove the folders that `make_folder` makes in this block, if they are still empty at its end."""
    before = len(_made)
    try:
        yield
    finally:
        while len(_made) > before:
            with suppress(OSError):
                _made.pop().rmdir()


def next_screenshot(folder: PathName, name: str) -> Path:
    """The first of name-001.png, name-002.png, ... that is not in a folder yet. Raises as `make_folder` does."""
    made = make_folder(folder)
    numbered = (made / f"{name}-{number:03d}.png" for number in itertools.count(1))
    return next(path for path in numbered if not path.exists())


def write_folder(path: PathName, files: Mapping[str, bytes], overwrite: bool = False) -> Path:
    """Make a folder of files, whole or not at all: under another name, which is changed when all are written.
    Only the last part of the path is made. With `overwrite`, a folder that is there is replaced, if it has a
    `manifest.json` and no files but those that the list "files" in it names. Returns the folder. Raises OutputError
    where it exists and may not be replaced, or cannot be written.
    """
    folder = check_new_folder(path, overwrite)
    try:
        with whole_folder(folder) as unfinished:
            for name, content in files.items():
                write_whole(unfinished / name, content)
    except OSError as error:
        raise _cannot_write(path, error) from error
    return Path(path)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder that appears, in place of one that is there, with all its files, or not at all. Raises OSError."""
    unfinished = folder.absolute().with_name(_temporary_name())
    earlier = folder.with_name(f"{folder.name}.replaced-{secrets.token_hex(4)}") if folder.exists() else None
    try:
        unfinished.mkdir()
        yield unfinished
        try:
            if earlier is not None:
                os.replace(folder, earlier)
            os.rename(unfinished, folder)
        except BaseException:  # Ctrl-C too: the folder that was there must not be lost
            if earlier is not None and not folder.exists():
                os.replace(earlier, folder)
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        if earlier is not None and folder.exists():
            shutil.rmtree(earlier, ignore_errors=True)


def check_new_folder(path: PathName, overwrite: bool) -> Path:
    """The folder, links followed, that `write_folder` will be able to start to write, else OutputError."""
    path_of(path)
    try:
        folder = Path(os.path.realpath(os.fspath(path)))
        if folder.is_dir() and not overwrite:
            replace = "add --overwrite (overwrite=True) to replace what was exported to it"
            raise OutputError(f"Cannot write {path}: the folder exists; name another one, or {replace}.")
        if folder.is_dir():
            _check_replaceable(path, folder)
        elif folder.exists():
            raise OutputError(f"Cannot write into {path}: it is a file, not a folder.")
        elif not folder.parent.is_dir():
            raise OutputError(f"Cannot make the folder {path}: there is no folder {folder.parent}.")
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error
    check_takes_files(folder.parent, path)
    return folder


def _check_replaceable(path: PathName, folder: Path) -> None:
    """Refuse a folder with anything in it that its manifest does not list."""
    try:
        listed = {_MANIFEST, *json.loads((folder / _MANIFEST).read_bytes())["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise OutputError(f"Cannot replace {path}: it has no {_MANIFEST} of an export; name another folder.") from None
    others = sorted(each.name for each in folder.iterdir() if each.name not in listed or not each.is_file())
    if others:
        raise OutputError(f"Cannot replace {path}: it has {others[0]}, which was not exported; name another folder.")


def _writable_target(path: PathName) -> Path:
    path_of(path)
    given = os.fspath(path)
    try:
        target = Path(os.path.realpath(given))
        if not given or given.endswith(("/", os.sep)) or target.is_dir():
            raise OutputError(f"Cannot write {given or 'to an empty path'}: name a file, not a folder.")
        if not target.parent.is_dir():
            raise OutputError(f"Cannot write {given}: there is no folder {Path(given).parent}.")
        if target.exists() and not target.is_file():
            raise OutputError(f"Cannot write {given}: it is a device or pipe; name an ordinary file.")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(f"Cannot write {given}: the file is there and is write-protected.")
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error
    return target


@contextmanager
def _created_beside(target: Path, named: PathName) -> Iterator[Path]:
    """An empty temporary file, which is removed after the block if it is still there."""
    _remove_abandoned(target.parent)
    suffix = target.suffix if len(os.fsencode(target.suffix)) <= _LONGEST_SUFFIX else ""
    temporary = target.with_name(_temporary_name(suffix))
    try:
        # os.open and not tempfile.mkstemp: the result gets the permissions of any new file, not 0600.
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise _cannot_write(named, error) from error
    else:
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _temporary_name(suffix: str = "") -> str:
    return f".glfft-{_machine()}-{os.getpid()}-{secrets.token_hex(8)}{suffix}"


@lru_cache(maxsize=64)
def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of processes that were killed; looks into each of the latest folders once."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _TEMPORARY.fullmatch(entry.name)
            if found and found[1] == _machine() and not _is_running(int(found[2])):
                with suppress(OSError):
                    (shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)


@cache
def _machine() -> str:
    """Tells apart machines that share a folder, and containers: a process id means something in one of them only."""
    processes = ""
    with suppress(OSError):
        processes = os.readlink("/proc/self/ns/pid")
    return f"{zlib.crc32(f'{platform.node()} {processes}'.encode('utf-8', 'replace')):08x}"


def _is_running(process: int) -> bool:
    if os.name == "posix":  # elsewhere os.kill would end it: such files stay
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:
            pass
    return True


def _cannot_write(path: PathName, error: Exception) -> OutputError:
    return OutputError(f"Cannot write {os.fspath(path)}: {reason_of(error)}.")


def reason_of(error: Exception) -> str:
    """What went wrong, as the end of a sentence without its full stop."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    text = " ".join(text.split()).rstrip(".") or type(error).__name__
    return text[:1].lower() + text[1:]
