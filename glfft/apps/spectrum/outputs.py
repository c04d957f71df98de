"""Results of many files: their names, distinct and writable before the work begins, and a line for each, or why not."""

import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from PIL import Image
from tqdm import tqdm

from glfft.errors import GlfftError, UsageError
from glfft.files import PathName, check_writable, make_folder

Paths = Sequence[Path]

# Kinds of files that Pillow names and writes no grey and colours into, or nothing; icons have sizes of their own.
_NOT_WRITTEN = (".ico", ".icns", ".h5", ".hdf", ".grib", ".bufr", ".wmf", ".emf", ".blp", ".msp", ".palm", ".xbm")


def choose_targets(sources: Paths, out: str | None, ending: str | Sequence[str], also_read: Paths = ()) -> list[Path]:
    """A target for each source: its stem and an ending ("-spectrum.png"), or its own of several endings. All are
    distinct (-2, -3 and so on are added), and none is a file that is read: a source, or one of `also_read`.
    Without `out` a target lies beside its source. `out`, as typed, is a folder if there is one, if it ends with a
    slash, or for several sources; it is made if it is missing. Raises UsageError where `out` is one file for several
    sources, or a file that is read; OutputError where it cannot be written.
    """
    read = [*sources, *also_read]
    endings = [ending] * len(sources) if isinstance(ending, str) else ending
    names = [f"{source.stem}{each}" for source, each in zip(sources, endings, strict=True)]
    if out is None:
        return _distinct([source.parent / name for source, name in zip(sources, names, strict=True)], read)
    is_folder = os.path.isdir(out) or out.endswith(("/", os.sep))
    if len(sources) > 1 and not is_folder and (os.path.exists(out) or Path(out).suffix):
        raise UsageError(f"{out} is one file and there are {len(sources)} pictures; name a folder.")
    if is_folder or len(sources) > 1:
        return _distinct(map(make_folder(out).joinpath, names), read)
    check_not_a_source(out, read)
    check_writable(out)
    return [Path(out)]


def check_not_a_source(out: str, sources: Iterable[PathName]) -> None:
    if _identity(Path(out)) in {_identity(Path(source)) for source in sources}:
        raise UsageError(f"{out} is the picture itself; name another file to write to.")


def _distinct(wanted: Iterable[Path], sources: Iterable[Path]) -> list[Path]:
    taken = {_identity(source) for source in sources}
    # What is left of the names for each path: thousands of one name, each counted from 1, would take minutes.
    left: dict[Path, Iterator[Path]] = {}
    targets = []
    for path in wanted:
        names = left.setdefault(path, _numbered(path))
        targets.append(next(name for name in names if _identity(name) not in taken))
        taken.add(_identity(targets[-1]))
    return targets


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    yield from (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))


def _identity(path: Path) -> str:
    return os.path.realpath(path).casefold()  # folded, since some file systems take a.png and A.png for one


def check_picture_suffix(path: PathName) -> None:
    """Make sure that Pillow can write the kind of file a name asks for, at any size. UsageError where it cannot."""
    suffix = Path(path).suffix.lower()
    if Image.registered_extensions().get(suffix) not in Image.SAVE or suffix in _NOT_WRITTEN:
        wrong = f"{suffix!r} pictures cannot be written" if suffix else f"{path} does not say which kind of picture"
        raise UsageError(f"{wrong}; name a file such as out.png, out.jpg or out.tif.")


def each_file(command: str, sources: Paths, work: Callable[[int], str]) -> int:
    """Print what `work` says of each source's index, or on standard error why it failed; returns how many failed."""
    failures, several = 0, len(sources) > 1
    for index in tqdm(range(len(sources)), unit="picture", file=sys.stderr, disable=not several):
        try:
            line = work(index)
        except (GlfftError, MemoryError) as error:
            failures += 1
            reason = f"{str(error) or 'There is not enough memory.'}{' Skipped.' if several else ''}"
            # Through tqdm, which moves its bar out of the way.
            tqdm.write(f"{command}: {sources[index]}: {reason}", file=sys.stderr)
        else:
            tqdm.write(line, file=sys.stdout)
    if failures and several:
        tqdm.write(f"{command}: {failures} of {len(sources)} pictures failed.", file=sys.stderr)
    return failures
