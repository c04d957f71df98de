"""Pictures written to files, whole or not at all, read from framebuffers, and worked on by all cores."""

import io
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import moderngl
import numpy as np
from PIL import Image

from glfft.errors import OutputError
from glfft.files import reason_of, write_whole
from glfft.gl.timed import waiting

_Result = TypeVar("_Result")


def save_picture(path: str | os.PathLike[str], picture: np.ndarray | Image.Image, **options: Any) -> None:
    """Write a picture, Pillow's or uint8 [height, width, 3], top row first, as its name says. Raises OutputError."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    # Into memory first: several of Pillow's writers ignore a full disk, and JPEG 2000's never returns from one.
    encoded = io.BytesIO()
    # The name tells the kind of file; some kinds store it, in ASCII.
    encoded.name = f"picture{Path(path).suffix}"  # pyright: ignore[reportAttributeAccessIssue]
    try:
        image.save(encoded, **options)
    except (OSError, ValueError, KeyError, SystemError) as error:
        raise OutputError(f"Cannot write {path}: {reason_of(error)}.") from error
    write_whole(path, encoded.getbuffer())


def read_picture(framebuffer: moderngl.Framebuffer) -> np.ndarray:
    """A framebuffer's picture as [height, width, 3] uint8, top row first (OpenGL's is last)."""
    with waiting(framebuffer.ctx, "readback"):
        return picture_from(framebuffer.read(components=3, alignment=1), framebuffer.size)


def picture_from(data: bytes, size: tuple[int, int]) -> np.ndarray:
    """The bytes that OpenGL reads of a picture of a width and height, as [height, width, 3] uint8, top row first."""
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)[::-1]


def cores() -> int:
    """How many cores this process may use; Windows and macOS have no affinity."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_strips(work: Callable[[slice], _Result], rows: int, height: int) -> list[_Result]:
    """What `work` returns for each strip of at most `height` rows, from the top down, done by threads."""
    strips = [slice(first, min(first + height, rows)) for first in range(0, rows, height)]
    if len(strips) < 2:
        return [work(strip) for strip in strips]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(work, strips))
