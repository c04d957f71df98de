"""Pictures to files: one PNG, a folder of numbered PNGs, or a film. Each file is written whole or not at all."""

import io
import os
import re
import shutil
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

import numpy as np
from filelock import FileLock, Timeout
from PIL import Image

from glfft.apps.picture_files import cores, save_picture
from glfft.errors import OutputError, UsageError, import_extra
from glfft.files import PathName, atomic_write, check_writable, make_folder, write_whole
from glfft.gl.programs import interrupts_held

# The folder inside a folder of pictures for its lock, and for new pictures while there are earlier ones.
_UNFINISHED = ".glfft-unfinished"

_MOST_PENDING_BYTES = 2**30  # bytes of the pictures that wait to be encoded or written, unless there is only one


class PictureWriter:
    """Takes pictures for a file or folder `path`, one only unless `takes_many`, while `writing`."""

    takes_many = True
    path: Path
    wanted = 1  # pictures; fewer replace no earlier ones
    outcome = "which are complete"  # what a run that ends early says of its pictures

    def add(self, picture: np.ndarray) -> None:
        """Take a picture: [height, width, 3] uint8, top row first."""
        raise NotImplementedError

    @contextmanager
    def writing(self) -> Iterator[Self]:
        """The block in which pictures are taken; its end completes what is written."""
        yield self


def open_writer(path: PathName, frames_per_second: float, overwrite: bool = False) -> PictureWriter:
    """The writer for FILE.png, FILE.mp4, or a folder for numbered PNGs; nothing is written yet. Raises UsageError for
    another kind of file, or a single one with `overwrite`, OutputError if the path cannot be written or has numbered
    PNGs that it may not overwrite, MissingExtraError for a film without the extra `video`.
    """
    suffix = Path(path).suffix.lower()
    if overwrite and suffix in (".png", ".mp4"):
        raise UsageError(f"--overwrite has no effect here: {path} is replaced without it.")
    if suffix == ".png":
        return PictureFile(path)
    if suffix == ".mp4":
        return Film(path, frames_per_second)
    if suffix and not Path(path).is_dir():
        raise UsageError(f"Cannot write {path}: name a .png, a .mp4, or a folder for numbered pictures.")
    return PictureFolder(path, overwrite)


def encode_png(picture: np.ndarray) -> bytes:
    """A picture, [height, width, 3] uint8, as the bytes of a PNG file."""
    content = io.BytesIO()
    # 2.8 times as fast as zlib's default level, 6, and files are 9 % larger.
    Image.fromarray(picture).save(content, format="PNG", compress_level=3)
    return content.getvalue()


class PictureFile(PictureWriter):
    takes_many = False

    def __init__(self, path: PathName) -> None:
        check_writable(path)
        self.path = Path(path)

    def add(self, picture: np.ndarray) -> None:
        save_picture(self.path, picture)


class PictureFolder(PictureWriter):
    """Writes 00000.png, 00001.png and so on, in order, into a folder, which is made; threads encode.

    One run at a time writes into a folder. New pictures replace earlier ones once `wanted` are written; an exception
    leaves the earlier ones, or, without any, the pictures written so far. Raises OutputError if the folder cannot be
    made or written into, has numbered pictures and `overwrite` is False, or, once `writing`, if another run writes.
    """

    def __init__(self, path: PathName, overwrite: bool = False, threads: int | None = None) -> None:
        self.path, self._overwrite = make_folder(path), overwrite
        self._threads = threads or cores()
        self._pending: deque[Future[bytes]] = deque()
        self._count = 0
        self._earlier_pictures()

    def add(self, picture: np.ndarray) -> None:
        self._pending.append(self._pool.submit(encode_png, picture))
        most = max(1, min(self._threads + 1, _MOST_PENDING_BYTES // picture.nbytes))
        while len(self._pending) > most or (self._pending and self._pending[0].done()):
            self._write_next()

    @contextmanager
    def writing(self) -> Iterator[Self]:
        with _only_writer(self.path) as unfinished, ExitStack() as stack:
            earlier = self._earlier_pictures()  # another run may have ended meanwhile
            self._target = unfinished if earlier else self.path
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="glfft-png")
            stack.callback(self._pool.shutdown, cancel_futures=True)
            yield self
            while self._pending:
                self._write_next()
            if earlier and self._count >= self.wanted:
                self._replace(earlier)
            elif earlier:
                self.outcome = f"and the earlier ones in {self.path} stay"

    def _write_next(self) -> None:
        write_whole(self._target / f"{self._count:05d}.png", self._pending.popleft().result())
        self._count += 1

    def _replace(self, earlier: list[Path]) -> None:
        names = [f"{index:05d}.png" for index in range(self._count)]
        try:
            with interrupts_held():
                for name in names:
                    os.replace(self._target / name, self.path / name)
                for each in {each.name for each in earlier} - {*names}:
                    (self.path / each).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"Cannot replace the earlier pictures in {self.path}: {error}.") from error

    def _earlier_pictures(self) -> list[Path]:
        try:
            found = sorted(each for each in self.path.iterdir() if re.fullmatch(r"[0-9]{5,}\.png", each.name))
        except OSError as error:
            raise OutputError(f"Cannot read which pictures {self.path} has: {error}.") from error
        if found and not self._overwrite:
            said = f"Cannot write into {self.path}: it has numbered pictures already, such as {found[-1].name}"
            raise OutputError(f"{said}; name another folder, or add --overwrite to replace them.")
        return found


@contextmanager
def _only_writer(folder: Path) -> Iterator[Path]:
    """Keep other runs out of a folder (else OutputError); gives a folder inside it for unfinished files.

    The lock is the system's own and ends with its process. Some network file systems have none.
    """
    unfinished = folder / _UNFINISHED
    lock = FileLock(unfinished / "lock", fallback_to_soft=False)
    try:
        unfinished.mkdir(exist_ok=True)
        with suppress(NotImplementedError):
            lock.acquire(timeout=0)
    except OSError as error:
        lock.release()
        taken = "another run is writing pictures there; wait for its end, or name another one"
        raise OutputError(f"Cannot write into {folder}: {taken if isinstance(error, Timeout) else error}.") from error
    try:
        yield unfinished
    finally:
        lock.release()
        shutil.rmtree(unfinished, ignore_errors=True)


class Film(PictureWriter):
    """Encodes an H.264 film in an MP4 file. An exception before the end leaves no file."""

    def __init__(self, path: PathName, frames_per_second: float) -> None:
        self._av = load_av()
        check_writable(path)
        self.path, self._rate = Path(path), Fraction(frames_per_second).limit_denominator(1001)
        self._stream: Any = None

    def add(self, picture: np.ndarray) -> None:
        height, width = (side - side % 2 for side in picture.shape[:2])  # colours have half the resolution
        if self._stream is None:
            # A constant quality at which no loss can be seen on water, at a few MB for some seconds.
            options = {"crf": "17", "preset": "medium"}
            self._stream = stream = self._container.add_stream("libx264", rate=self._rate, options=options)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            # Pictures are sRGB. Without these tags players guess, not all alike.
            codec = stream.codec_context
            codec.color_primaries = codec.color_trc = codec.colorspace = 1
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(picture[:height, :width]), format="rgb24")
        self._container.mux(self._stream.encode(frame))

    @contextmanager
    def writing(self) -> Iterator[Self]:
        with atomic_write(self.path) as temporary, self._av.open(str(temporary), "w", "mp4") as self._container:
            yield self
            if self._stream is not None:
                self._container.mux(self._stream.encode(None))


def load_av() -> Any:
    return import_extra("av", "video", "Films need PyAV", ", or write pictures into a folder")
