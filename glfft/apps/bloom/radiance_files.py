"""Pictures of linear light read from files and written to them: OpenEXR, Radiance HDR, and pictures of 8 or 16 bits."""

import io
import os
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glfft.apps.spectrum.colours import linear_from_srgb
from glfft.apps.spectrum.source_pictures import named, read_picture
from glfft.errors import DataError
from glfft.files import PathName, reason_of, refuse_pipe
from glfft.sea.bake import load_exr, save_exr

Radiance = NDArray[np.float32]

MOST_PIXELS = 2**27
_RESOLUTION = re.compile(rb"([-+][XY]) (\d{1,6}) ([-+][XY]) (\d{1,6})\s*")

_LEAST_RUN_WIDTH, _MOST_RUN_WIDTH = 8, 0x7FFF  # of rows in run lengths; others are stored pixel by pixel
_LONGEST_COPY = 128  # bytes that stand for themselves
_OF_THE_SIZE = ("channels", "dataWindow", "displayWindow")  # attributes that OpenEXR works out from the channels


def read_radiance(path: PathName) -> tuple[Radiance, bool]:
    """A picture of linear light, [height, width, 3], top row first, and whether its file holds light beyond white.
    Files of 8 or 16 bits hold sRGB, white 1. DataError where it cannot be read, MissingExtraError without OpenEXR.
    """
    suffix = Path(path).suffix.lower()
    if suffix in (".exr", ".hdr", ".pic"):
        try:
            refuse_pipe(path)
            if suffix != ".exr":
                return decode_hdr(Path(path).read_bytes()), True
            colours = exr_colours(exr_channels(path)[0])
            return np.ascontiguousarray(np.broadcast_to(colours, (*colours.shape[:2], 3))), True
        except (OSError, DataError) as error:
            reason = error if isinstance(error, DataError) else f"{reason_of(error)}."
            raise DataError(f"{os.fspath(path)} cannot be read: {reason}") from error
    with named(path):
        encoded = read_picture(path, "rgb")
    planes = np.moveaxis(encoded.planes, 0, -1)
    return (planes if encoded.white == 1.0 else linear_from_srgb(planes)), encoded.white == 1.0


def write_exr(path: PathName, picture: NDArray[np.floating], attributes: Mapping[str, Any] | None = None) -> None:
    """Write linear light, top row first, as an OpenEXR picture, whole or not: float16 or float32 [height, width, 3], or
    with 1 channel for grey, and another one for alpha; `attributes` are as `exr_channels` has them.
    """
    exr = load_exr()
    header = {"compression": exr.ZIP_COMPRESSION, **(attributes or {}), "type": exr.scanlineimage}
    bands = picture.shape[2]
    grey = dict(zip("YA"[:bands], np.moveaxis(picture, -1, 0), strict=False))
    save_exr(path, header, {"RGB" + "A" * (bands == 4): picture} if bands > 2 else grey)


def exr_channels(path: PathName) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The channels of an OpenEXR picture and its attributes; DataError where it is damaged."""
    exr = load_exr()
    if not os.path.getsize(path):
        raise DataError("the file is empty; choose another.")
    said = io.StringIO()
    try:
        # OpenEXR prints what it finds damaged, and goes on.
        with redirect_stdout(said), exr.File(os.fspath(path)) as file:
            planes = {name: channel.pixels for name, channel in file.channels().items()}
            attributes = {name: value for name, value in file.header().items() if name not in _OF_THE_SIZE}
    except Exception as error:  # OpenEXR's own, of many kinds
        raise DataError(f"{reason_of(error)}.") from error
    if said.getvalue():
        raise DataError("some of its pixels are missing or damaged.")
    return planes, attributes


def exr_colours(planes: Mapping[str, Any]) -> NDArray[np.float32]:
    """The colours among the channels of an OpenEXR picture, [height, width, 1 or 3]."""
    for name in {"RGB", "RGBA"} & planes.keys():
        return np.asarray(planes[name], np.float32)[..., :3]
    wanted = ("R", "G", "B") if "R" in planes else ("Y",)
    if not all(name in planes for name in wanted):
        raise DataError(f"it has the channels {', '.join(sorted(planes)) or 'none'}, and R, G and B are needed.")
    found = [planes[name] for name in wanted]
    # Deep pictures have lists of samples, others fewer samples of some channels.
    if any(each.shape != found[0].shape or each.ndim != 2 or each.dtype.kind not in "fu" for each in found):
        raise DataError(f"its channels {', '.join(wanted)} do not have a number for each pixel.")
    return np.stack([each.astype(np.float32) for each in found], axis=-1)


def decode_hdr(content: bytes) -> Radiance:
    """The picture of a Radiance HDR file, [height, width, 3]; DataError where it is damaged. The format, three
    mantissas and an exponent a pixel, is that of Ward, "Real Pixels", Graphics Gems II, 1991.
    """
    if not content.startswith((b"#?RADIANCE", b"#?RGBE")):
        raise DataError("it is no Radiance HDR picture; convert it to .exr or .hdr.")
    header, _, rest = content.partition(b"\n\n")
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


def encode_hdr(picture: Radiance, header: bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe") -> bytes:
    """A Radiance HDR file of light [height, width, 3] that is not negative: 8 bits a colour under a common exponent."""
    rows, columns = picture.shape[:2]
    exponents = np.frexp(np.clip(picture.max(axis=-1), 2.0**-127, 2.0**126))[1]
    mantissas = np.clip(picture.astype(np.float64) * np.ldexp(1.0, 8 - exponents)[..., None], 0, 255)
    pixels = np.concatenate([mantissas, exponents[..., None] + 128], axis=-1).astype(np.uint8)
    data = [header, f"\n\n-Y {rows} +X {columns}\n".encode()]
    if not _LEAST_RUN_WIDTH <= columns <= _MOST_RUN_WIDTH:
        return b"".join([*data, pixels.tobytes()])
    begins = np.arange(0, columns, _LONGEST_COPY)
    lengths = np.minimum(columns - begins, _LONGEST_COPY).astype(np.uint8)
    runs = np.insert(pixels.transpose(0, 2, 1), begins, lengths, axis=2).reshape(rows, -1)
    marks = np.tile(np.array([2, 2, columns >> 8, columns & 255], np.uint8), (rows, 1))
    return b"".join([*data, np.hstack([marks, runs]).tobytes()])


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
