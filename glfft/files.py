"""Writing results so that a reader never meets half a file: write beside the target, rename when done."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from glfft.errors import OutputError

# An OSError of one of these kinds is about the medium, whatever call it surfaced in.
_MEDIUM_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file completely or not at all.

    Yields the path of an empty temporary file in the target's folder, with the target's suffix (writers that
    pick the format by suffix work). Leaving the block renames it over the target; an exception, Ctrl-C
    included, removes it and leaves whatever stood at the target as it was. The folder must exist: see
    `make_folder`.

    Args:
        path: the target. A symbolic link is followed; an existing file's permissions are kept.

    Raises:
        OutputError: the target cannot be written, or the disk is full.
    """
    target = _writable_target(path)
    temporary = _create_beside(target, path)
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        about_ours = error.filename is not None and os.fspath(error.filename) == str(temporary)
        if error.errno in _MEDIUM_ERRORS or about_ours:
            raise _cannot_write(path, error) from error
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Find out before long work begins whether `atomic_write(path)` will be able to start.

    Tries it for real (a temporary file made and removed): permission bits say nothing for root or on
    read-only file systems.

    Raises:
        OutputError: the target cannot be written.
    """
    _create_beside(_writable_target(path), path).unlink()


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder for several results, if it is not there yet, inside one that is.

    Only the last part of the path is made: a mistyped path shall be an error, not a tree of new folders.

    Returns:
        The folder, checked to take new files.

    Raises:
        OutputError: it cannot be made or written into.
    """
    folder = Path(path)
    try:
        folder.mkdir(exist_ok=True)
    except FileNotFoundError as error:
        raise OutputError(f"Cannot make the folder {folder}: there is no folder {folder.parent}.") from error
    except FileExistsError as error:
        raise OutputError(f"Cannot write into {folder}: it is a file, not a folder.") from error
    except (OSError, ValueError) as error:
        raise OutputError(f"Cannot make the folder {folder}: {_reason(error)}.") from error
    check_writable(folder / "probe")
    return folder


def _writable_target(path: str | os.PathLike[str]) -> Path:
    given = os.fspath(path)
    try:
        target = Path(os.path.realpath(given))
        if not given or given.endswith(("/", os.sep)) or target.is_dir():
            raise OutputError(f"Cannot write {given or 'to an empty path'}: name a file, not a folder.")
        if not target.parent.exists():
            raise OutputError(f"Cannot write {given}: there is no folder {Path(given).parent}.")
        if target.exists() and not target.is_file():
            raise OutputError(f"Cannot write {given}: it is a device or pipe; name an ordinary file.")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(f"Cannot write {given}: the file is there and is write-protected.")
    except (OSError, ValueError) as error:
        if isinstance(error, OutputError):
            raise
        raise _cannot_write(path, error) from error
    return target


def _create_beside(target: Path, named: str | os.PathLike[str]) -> Path:
    temporary = target.with_name(f".glfft-{secrets.token_hex(8)}{target.suffix}")
    try:
        # os.open and not tempfile.mkstemp: the result shall get the permissions of any new file, not 0600.
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise _cannot_write(named, error) from error
    return temporary


def _cannot_write(path: str | os.PathLike[str], error: Exception) -> OutputError:
    return OutputError(f"Cannot write {os.fspath(path)}: {_reason(error)}.")


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
