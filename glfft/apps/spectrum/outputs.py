"""Where results go: names that are distinct, known to be writable before the work begins, and written whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image

from glfft.errors import UsageError
from glfft.files import check_writable, make_folder


def choose_targets(sources: Sequence[Path], out: str | None, ending: str | Sequence[str]) -> list[Path]:
    """A target for each source, no two the same and none of them a source.

    Without `out` a target lies beside its source. `out` is a folder if there is one of that name, if it ends with a
    slash, or if there are several sources; it is made if it is missing. Duplicate names get -2, -3 and so on before
    their suffix.

    Args:
        out: the option as typed, or None.
        ending: what follows the source's stem, such as "-spectrum.png"; or for each source another one.

    Raises:
        UsageError: `out` names one file and there are several sources, or one of the sources.
        OutputError: it cannot be written.
    """
    endings = [ending] * len(sources) if isinstance(ending, str) else ending
    names = [f"{source.stem}{each}" for source, each in zip(sources, endings, strict=True)]
    if out is None:
        return _distinct([source.parent / name for source, name in zip(sources, names, strict=True)], sources)
    is_folder = os.path.isdir(out) or out.endswith(("/", os.sep))
    if len(sources) > 1 and not is_folder:
        if os.path.exists(out) or Path(out).suffix:
            raise UsageError(f"{out} is one file and there are {len(sources)} pictures; name a folder.")
        is_folder = True
    if is_folder:
        folder = make_folder(out)
        return _distinct([folder / name for name in names], sources)
    target = Path(out)
    check_not_a_source(out, sources)
    check_writable(target)
    return [target]


def check_not_a_source(out: str, sources: Iterable[str | os.PathLike[str]]) -> None:
    """Raise UsageError if a file to write is one of those that are read."""
    if _identity(Path(out)) in {_identity(Path(source)) for source in sources}:
        raise UsageError(f"{out} is the picture itself; name another file to write to.")


def choose_copies(sources: Sequence[Path], out: str, names: Sequence[str]) -> list[Path]:
    """A target in the folder `out` for a changed copy of each source, by name; else as `choose_targets` does. Raises
    OutputError where the folder cannot be made or written into.
    """
    folder = make_folder(out)
    return _distinct([folder / name for name in names], sources)


def _distinct(wanted: Iterable[Path], sources: Iterable[Path]) -> list[Path]:
    taken = {_identity(source) for source in sources}
    # The number that each name got last: thousands of one name, each counted from 1, would take minutes.
    numbers: dict[Path, int] = {}
    targets = []
    for path in wanted:
        number = numbers.get(path, 1)
        target = _numbered(path, number)
        while _identity(target) in taken:
            number += 1
            target = _numbered(path, number)
        numbers[path] = number
        taken.add(_identity(target))
        targets.append(target)
    return targets


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


def _identity(path: Path) -> str:
    # Folded, since some file systems take a.png and A.png for one.
    return os.path.realpath(path).casefold()


def check_picture_suffix(path: str | os.PathLike[str]) -> None:
    """Make sure that Pillow can write the kind of file a name asks for. Raises UsageError where it cannot."""
    suffix = Path(path).suffix.lower()
    if Image.registered_extensions().get(suffix) not in Image.SAVE:
        wrong = f"{suffix!r} pictures cannot be written" if suffix else f"{path} does not say which kind of picture"
        raise UsageError(f"{wrong}; name a file such as out.png, out.jpg or out.tif.")
