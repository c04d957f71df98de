"""Pictures to files: one PNG, a folder of numbered PNGs, or a film. Each file appears whole or not at all."""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from PIL import Image

from glfft.errors import MissingExtraError, OutputError, UsageError
from glfft.files import atomic_write, check_writable, make_folder

FILM_SUFFIXES = (".mp4",)
PICTURE_SUFFIXES = (".png",)

_NUMBERED = re.compile(r"[0-9]{5,}\.png")

# Constant quality of x264: visually lossless on water, which is all fine motion, at a few MB for some seconds.
_FILM_QUALITY = "17"


class PictureWriter(Protocol):
    """Takes pictures one by one; a context manager, whose end completes the files.

    Attributes:
        takes_many: False for a file of one picture.
    """

    takes_many: bool

    @property
    def path(self) -> Path:
        """The file or folder."""
        ...

    def add(self, picture: np.ndarray) -> None:
        """Take a picture: [height, width, 3] uint8, top row first."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


def open_writer(path: str | os.PathLike[str], frames_per_second: float, overwrite: bool = False) -> PictureWriter:
    """The writer for a path: FILE.png, FILE.mp4, or a folder for numbered PNGs.

    Nothing is written yet, but what can be known of failure is known from here.

    Args:
        path: a file that is there is replaced.
        frames_per_second: of a film.
        overwrite: delete the numbered PNGs that a folder has already, once there is the first new one.

    Raises:
        UsageError: a file of another kind.
        OutputError: the path cannot be written, or without overwrite= has numbered PNGs already.
        MissingExtraError: a film without the extra `video`.
    """
    suffix = Path(path).suffix.lower()
    if suffix in PICTURE_SUFFIXES:
        return PictureFile(path)
    if suffix in FILM_SUFFIXES:
        return Film(path, frames_per_second)
    if suffix and not Path(path).is_dir():
        raise UsageError(f"Cannot write {path}: name a .png, a .mp4, or a folder for numbered pictures.")
    return PictureFolder(path, overwrite)


def save_picture(path: str | os.PathLike[str], picture: np.ndarray) -> None:
    """Write one PNG.

    Raises:
        OutputError: it cannot be written.
    """
    with atomic_write(path) as temporary:
        Image.fromarray(picture).save(temporary, format="PNG")


class PictureFile:
    """Writes one picture, as PNG."""

    takes_many = False

    def __init__(self, path: str | os.PathLike[str]) -> None:
        check_writable(path)
        self.path = Path(path)

    def add(self, picture: np.ndarray) -> None:
        save_picture(self.path, picture)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class PictureFolder:
    """Writes 00000.png, 00001.png and so on into a folder, which is made if need be.

    Those of an earlier run must not be among them: whoever plays the folder could not tell.
    """

    takes_many = True

    def __init__(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        self.path = make_folder(path)
        self._count = 0
        try:
            self._earlier = sorted(each for each in self.path.iterdir() if _NUMBERED.fullmatch(each.name))
        except OSError as error:
            raise OutputError(f"Cannot tell what is in {self.path} already: {error}.") from error
        if self._earlier and not overwrite:
            raise OutputError(
                f"Cannot write into {self.path}: it has numbered pictures already, such as {self._earlier[-1].name}; "
                "name another folder, or add --overwrite to delete them first."
            )

    def add(self, picture: np.ndarray) -> None:
        self._delete_earlier()
        save_picture(self.path / f"{self._count:05d}.png", picture)
        self._count += 1

    def _delete_earlier(self) -> None:
        try:
            while self._earlier:
                self._earlier.pop().unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"Cannot delete an earlier picture in {self.path}: {error}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class Film:
    """Encodes an H.264 film in an MP4 file. An exception before the end leaves no file."""

    takes_many = True

    def __init__(self, path: str | os.PathLike[str], frames_per_second: float) -> None:
        self._av = load_av()
        check_writable(path)
        self.path = Path(path)
        self._rate = frames_per_second
        self._stack = ExitStack()
        self._container: Any = None
        self._stream: Any = None

    def add(self, picture: np.ndarray) -> None:
        height, width = (side - side % 2 for side in picture.shape[:2])  # the format's colours are halved both ways
        if self._stream is None:
            self._stream = self._open_stream(width, height)
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(picture[:height, :width]), format="rgb24")
        self._container.mux(self._stream.encode(frame))

    def __enter__(self) -> Self:
        self._file: AbstractContextManager[Path] = atomic_write(self.path)
        temporary = self._stack.enter_context(self._file)
        self._container = self._stack.enter_context(self._av.open(str(temporary), mode="w", format="mp4"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        with self._stack as stack:
            if error is not None:
                return stack.__exit__(kind, error, trace)
            if self._stream is not None:
                self._container.mux(self._stream.encode(None))
        return None

    def _open_stream(self, width: int, height: int) -> Any:
        from fractions import Fraction

        rate = Fraction(self._rate).limit_denominator(1001)
        stream = self._container.add_stream("libx264", rate=rate, options={"crf": _FILM_QUALITY, "preset": "medium"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        # Pictures are sRGB; without these tags players guess, and guess differently.
        stream.codec_context.color_primaries = 1
        stream.codec_context.color_trc = 1
        stream.codec_context.colorspace = 1
        return stream


def load_av() -> Any:
    """PyAV, imported when first needed.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import av
    except ImportError as error:
        raise MissingExtraError(
            "Films need PyAV; in a checkout of glfft run: pip install '.[video]', or write pictures into a folder "
            f"({error})."
        ) from error
    return av
