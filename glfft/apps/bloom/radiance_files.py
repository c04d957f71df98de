"""Pictures of linear light: OpenEXR read and written; Radiance HDR, and pictures of 8 or 16 bits, read."""

import io
import os
import re
import warnings
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glfft.apps.spectrum.colours import linear_from_srgb
from glfft.apps.spectrum.source_pictures import named, read_picture
from glfft.apps.spectrum.stored_pictures import StoredPicture
from glfft.errors import DataError
from glfft.files import PathName, reason_of, refuse_pipe
from glfft.sea.bake import load_exr, save_exr

Radiance = NDArray[np.float32]

MOST_PIXELS = 2**27
_RESOLUTION = re.compile(rb"([-+][XY]) (\d{1,6}) ([-+][XY]) (\d{1,6})\s*")

_LEAST_RUN_WIDTH, _MOST_RUN_WIDTH = 8, 0x7FFF  # of rows in run lengths; others are stored pixel by pixel


def read_radiance(path: PathName) -> tuple[Radiance, bool]:
    """Linear light [height, width, 3], top row first, and whether it goes beyond white; errors: `read_light`'s."""
    with named(path):
        if is_light(path):
            stored = read_light(path)
            planes = stored.samples[..., : stored.colours].astype(np.float32)
        else:
            channels, stored = read_picture(path, "rgb")
            planes = np.moveaxis(channels, 0, -1)
    alpha = ["alpha left out"] * (stored.samples.shape[2] > stored.colours)
    if notes := sorted({*stored.notes, *alpha} - {"turned upright"}):
        warnings.warn(f"{os.fspath(path)}: {', '.join(notes)}.", stacklevel=2)
    if stored.white != 1.0:
        return linear_from_srgb(planes), False
    return np.ascontiguousarray(np.broadcast_to(planes, (*planes.shape[:2], 3))), True


def is_light(path: PathName) -> bool:
    """Whether a file's name is one of a picture of linear light."""
    return Path(path).suffix.lower() in (".exr", ".hdr", ".pic")


def read_light(path: PathName) -> StoredPicture:
    """Linear light, float16 or float32 as in its file, with an .exr's attributes. DataError or MissingExtraError."""
    try:
        refuse_pipe(path)
        is_exr = Path(path).suffix.lower() == ".exr"
        return _read_exr(path) if is_exr else StoredPicture(decode_hdr(Path(path).read_bytes()), 3, "RGB", 1, [])
    except OSError as error:
        raise DataError(f"The picture cannot be read: {reason_of(error)}.") from error
    except DataError as error:
        raise DataError(f"The picture cannot be read: {error}") from error


def write_exr(path: PathName, picture: NDArray[np.floating], attributes: Mapping[str, Any] | None = None) -> None:
    """Write linear light, top row first, as an OpenEXR picture, whole or not: float16 or float32 [height, width, 3], or
    with 1 channel for grey, and another one for alpha; `attributes` are as `read_light` has them.
    """
    exr = load_exr()
    header = {"compression": exr.ZIP_COMPRESSION, **(attributes or {}), "type": exr.scanlineimage}
    bands = picture.shape[2]
    grey = dict(zip("YA"[:bands], np.moveaxis(picture, -1, 0), strict=False))
    save_exr(path, header, {"RGB" + "A" * (bands == 4): picture} if bands > 2 else grey)


def _read_exr(path: PathName) -> StoredPicture:
    exr = load_exr()
    with open(path, "rb") as opened:
        if not opened.read(1):
            raise DataError("the file is empty; choose another.")
    said = io.StringIO()
    try:
        # OpenEXR prints what it finds damaged, and goes on.
        with redirect_stdout(said), exr.File(os.fspath(path), separate_channels=True) as file:
            planes: dict[str, NDArray[Any]] = {name: channel.pixels for name, channel in file.channels().items()}
            # The windows too: they say where in a frame the pixels are.
            attributes = {name: value for name, value in file.header().items() if name != "channels"}
            parts = len(file.parts)
    except Exception as error:  # OpenEXR's own, of many kinds
        raise DataError(f"it is damaged or no OpenEXR picture ({reason_of(error)}); export it anew.") from error
    if said.getvalue():
        raise DataError("some of its pixels are missing or damaged.")
    colours = [*"RGB"] if "R" in planes else ["Y"]
    if not planes.keys() >= {*colours}:
        raise DataError(f"it has the channels {', '.join(sorted(planes)) or 'none'}, and R, G and B are needed.")
    found = [planes[name] for name in (*colours, "A") if name in planes]
    # Deep pictures have lists of samples, others fewer samples of some channels.
    if any(each.shape != found[0].shape or each.ndim != 2 or each.dtype.kind not in "fu" for each in found):
        raise DataError(f"its channels {', '.join(colours)} do not have a number for each pixel.")
    kept = np.float16 if all(each.dtype == np.float16 for each in found) else np.float32
    samples = np.stack([each.astype(kept) for each in found], axis=-1)
    others = sorted(planes.keys() - {*"RGBYA"})
    notes = [f"channels {', '.join(others)} left out"] * bool(others) + ["first part of several"] * (parts > 1)
    return StoredPicture(samples, len(colours), "RGB", 1, notes, {"attributes": attributes})


def decode_hdr(content: bytes) -> Radiance:
    """The picture of a Radiance HDR file, [height, width, 3]; DataError where it is damaged. The format, three
    mantissas and an exponent a pixel, is that of Ward, "Real Pixels", Graphics Gems II, 1991.
    """
    if not content.startswith((b"#?RADIANCE", b"#?RGBE")):
        raise DataError("it is no Radiance HDR picture; convert it to .exr or .hdr.")
    header, rest = [*re.split(rb"\r?\n\r?\n", content, maxsplit=1), b""][:2]
    if b"FORMAT=32-bit_rle_xyze" in header:
        raise DataError("it holds XYZ colours; convert it to RGB first.")
    found = _RESOLUTION.match(line := rest[: rest.find(b"\n") + 1])
    if not found or found[1][1:] != b"Y" or found[3] != b"+X":
        raise DataError("its rows do not go from left to right, or its size is missing; convert it to .exr.")
    height, width = int(found[2]), int(found[4])
    if not 0 < height * width <= MOST_PIXELS:
        raise DataError(f"it has {width} x {height} pixels, which is none or too many.")
    pixels = _hdr_rows(memoryview(rest)[len(line) :], height, width)
    scale = np.where(pixels[..., 3] == 0, 0.0, np.ldexp(1.0, pixels[..., 3].astype(int) - 136))
    picture = (pixels[..., :3] * scale[..., None]).astype(np.float32)
    return np.ascontiguousarray(picture[::-1] if found[1] == b"+Y" else picture)


def _hdr_rows(data: memoryview, height: int, width: int) -> NDArray[np.uint8]:
    """Mantissas and exponents [height, width, 4] of run lengths, or of pixels stored one by one."""
    if not _LEAST_RUN_WIDTH <= width <= _MOST_RUN_WIDTH or bytes(data[:2]) != b"\x02\x02":
        if len(data) < 4 * height * width:
            raise DataError("some of its rows are missing.")
        return np.frombuffer(data[: 4 * height * width], np.uint8).reshape(height, width, 4)
    pixels, at = np.empty((height, 4, width), np.uint8), 0
    for row in range(height):
        if bytes(data[at : at + 4]) != bytes([2, 2, width >> 8, width & 255]):
            raise DataError("some of its rows are missing or damaged.")
        at += 4
        for channel in range(4):
            at = _read_runs(data, at, pixels[row, channel])
    return pixels.transpose(0, 2, 1)


def _read_runs(data: memoryview, at: int, into: NDArray[np.uint8]) -> int:
    filled = 0
    while filled < len(into):
        count = data[at] if at < len(data) else 0
        run = count > 128
        count -= 128 if run else 0
        values = data[at + 1 : at + 2 if run else at + 1 + count]
        if count == 0 or filled + count > len(into) or len(values) < (1 if run else count):
            raise DataError("some of its rows are missing or damaged.")
        into[filled : filled + count] = np.frombuffer(values, np.uint8)
        filled, at = filled + count, at + 1 + len(values)
    return at
