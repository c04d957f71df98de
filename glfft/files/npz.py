""".npz files, written whole, and read from strangers: nothing large before the sizes that a file names were checked."""

import math
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from glfft.errors import DataError
from glfft.files import PathName, atomic_write, path_of, reason_of, refuse_pipe

# Bytes that any file may unpack to, and beyond that how many times its own size: float32 noise compresses little.
_ALWAYS_UNPACKED = 64 << 20
_MOST_EXPANSION = 20
_LARGEST_SETTING = 1 << 16  # bytes of a setting: a name, or some numbers


class UnexpectedNpz(Exception):
    """What a file holds that was not expected there, as a phrase."""


class NpzFile:
    """An .npz file that `open_npz` has opened. All methods raise UnexpectedNpz where the file is another."""

    def __init__(self, file: zipfile.ZipFile, file_bytes: int) -> None:
        self._file = file
        self.names = [name.removesuffix(".npy") for name in file.namelist() if name.endswith(".npy")]
        unpacked = sum(member.file_size for member in file.infolist())
        if unpacked > max(_ALWAYS_UNPACKED, _MOST_EXPANSION * file_bytes):
            raise UnexpectedNpz(f"{file_bytes} bytes would unpack to {unpacked}, which may be an attack on memory")

    def header(self, name: str) -> tuple[tuple[int, ...], np.dtype]:
        """Shape and dtype of an array by its header, after a check that as much follows."""
        stored = self._member(name)
        with self._file.open(stored) as member:
            # numpy writes a newer version only for arrays of named fields.
            if np.lib.format.read_magic(member) == (1, 0):
                shape, _, dtype = np.lib.format.read_array_header_1_0(member)
                if not dtype.hasobject and member.tell() + math.prod(shape) * dtype.itemsize == stored.file_size:
                    return shape, dtype
        raise UnexpectedNpz(f"its {name!r} is no plain array")

    def read(self, name: str) -> np.ndarray:
        """An array, once its header was checked."""
        with self._file.open(self._member(name)) as member:
            return np.lib.format.read_array(member, allow_pickle=False)

    def setting(self, name: str) -> np.ndarray:
        """An array of a name or some numbers, checked and read."""
        if self._member(name).file_size > _LARGEST_SETTING:
            raise UnexpectedNpz(f"its {name!r} is too long")
        self.header(name)
        return self.read(name)

    def _member(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._file.getinfo(f"{name}.npy")
        except KeyError as error:
            raise UnexpectedNpz(f"it has no {name!r}") from error


@contextmanager
def open_npz(path: PathName, wanted: str) -> Iterator[NpzFile]:
    """Open an .npz file for this block. Raises DataError where the file is missing, damaged, or where the block raised
    UnexpectedNpz; the message says what is `wanted`: "an .npz file that --save-data wrote".
    """
    path = path_of(path)
    try:
        refuse_pipe(path)
        # numpy warns of headers written by Python 2, which are none of ours.
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(path) as file:
            yield NpzFile(file, path.stat().st_size)
    except DataError:
        raise
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason_of(error)}; name {wanted}.") from error
    except UnexpectedNpz as error:
        raise DataError(f"{path} is not {wanted} ({error}); name one that is.") from error
    except Exception as error:  # a damaged file surfaces from zipfile and numpy's header parser as almost any exception
        raise DataError(f"{path} is damaged or no .npz file of plain arrays; name {wanted}.") from error


def save_npz(path: PathName, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays by name, whole or not at all. Raises OutputError where the file cannot be written."""
    save: Any = np.savez
    # A file object, since numpy adds .npz to names that do not end with it.
    with atomic_write(path) as temporary, open(temporary, "wb") as file:
        save(file, **arrays)
