"""Reading pictures: any file Pillow decodes by itself, as its samples, or float32 planes with the values it shows."""

import io
import os
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import ExifTags, Image, UnidentifiedImageError

from glfft.apps.picture_files import map_strips
from glfft.apps.spectrum import png
from glfft.errors import DataError
from glfft.files import PathName, reason_of

BIT_DEPTHS = (1, 8, 16, 32)
LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601, as in JPEG and Pillow's own grey

# Pillow's names. Left out are formats that it hands to other programs (EPS goes to Ghostscript) or that hold any other.
_FORMATS = (
    "PNG JPEG TIFF BMP GIF PPM WEBP AVIF JPEG2000 TGA QOI DDS DIB ICO ICNS CUR PCX DCX PSD SGI SUN IM XBM XPM MSP FITS "
    "SPIDER PIXAR PCD FLI BLP FTEX GBR IMT MCIDAS XVTHUMB"
)

_SPREAD = {"L;2": 85, "L;4": 17}  # what Pillow multiplies grey of fewer bits by, but not its colour key
_PLAIN_MODES = {"1": "L", "La": "LA", "PA": "RGBA", "RGBa": "RGBA"}

# Steps through rows and columns that turn a picture of an EXIF orientation upright, once 5 to 8 have them exchanged.
_UPRIGHT = {2: (1, -1), 3: (-1, -1), 4: (-1, 1), 5: (1, 1), 6: (1, -1), 7: (-1, -1), 8: (-1, 1)}


def read_picture(path: PathName, channel: str = "luminance") -> "tuple[np.ndarray, StoredPicture]":
    """Read one picture (of an animation the first frame), upright, as RGB or grey, and take one channel or three of it:
    "luminance" (BT.601 luma), "r", "g", "b", "a" (alpha), or "rgb". Returns float32 [1 or 3, rows, columns], where
    black is 0 and white 1, but floats keep their values, NaN and infinity too; and what the file holds. Raises
    DataError where the file is missing, empty, truncated, too large, no picture, or has no alpha where "a" is asked.
    """
    stored = decode(Path(path))
    samples, colours, white = stored.samples, stored.colours, stored.white
    rows, columns, bands = samples.shape
    if channel == "a" and bands == colours:
        raise DataError(f"The picture ({stored.mode}) has no alpha channel; choose another with --channel.")
    notes = stored.notes + ["turned upright"] * (stored.orientation in _UPRIGHT)
    notes += ["alpha left out"] * (bands > colours and channel != "a")
    taken = {"a": (bands - 1,), "rgb": (0, 1, 2), "luminance": (0,)}.get(channel) or ("rgb".index(channel),)
    planes = np.empty((len(taken), rows, columns), np.float32)

    def take(strip: slice) -> None:
        values = samples[strip].astype(np.float32) / np.float32(white)
        if channel == "luminance" and colours == 3:
            planes[0, strip] = values[..., :3] @ LUMA
        else:
            for plane, band in zip(planes, taken, strict=True):
                plane[strip] = values[..., band if channel == "a" else min(band, colours - 1)]

    map_strips(take, rows, height=32)  # some hundred kilobytes of a large picture
    return planes, replace(stored, notes=notes)


@contextmanager
def named(path: PathName) -> Iterator[None]:
    """Put the name of a file before the DataErrors of a block."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{os.fspath(path)}: {error}") from error


@dataclass(frozen=True)
class StoredPicture:
    """A picture's samples as its file has them, and what is written with them."""

    samples: np.ndarray  # [rows, columns, bands], upright: uint8, uint16, int32 or float32
    colours: int  # so many bands are colours, 1 or 3; one more is alpha
    mode: str  # Pillow's name for the pixel format of the file ("RGB", "P", "I;16", "F", ...)
    orientation: int  # EXIF's, of the file
    notes: list[str]  # what a reader of the result ought to know
    options: dict[str, Any] = field(default_factory=dict)  # profile, EXIF, resolution, quality, tags
    bit_depth: int = 8  # bits a channel of the file: one of BIT_DEPTHS

    @property
    def white(self) -> float:
        """The sample that is 1 in `planes`; of integers with 32 bits the same as of 16."""
        return {"u1": 255.0, "u2": 65535.0, "i4": 65535.0}.get(self.samples.dtype.str[1:], 1.0)

    def planes(self) -> np.ndarray:
        """The colours as float32 [bands, rows, columns]; black is 0 and white is 1. NaN and infinity become 0."""
        planes = np.moveaxis(self.samples[..., : self.colours], -1, 0).astype(np.float32) / np.float32(self.white)
        return np.nan_to_num(planes, copy=False, nan=0.0, posinf=0.0, neginf=0.0)

    def plus(self, change: np.ndarray) -> "StoredPicture":
        """The picture plus float32 planes [bands, rows, columns], rounded, in range; alpha, NaN and infinity stay."""
        samples = self.samples.copy()
        for band, plane in enumerate(change):
            before = self.samples[..., band]
            after = before.astype(np.float64) + plane.astype(np.float64) * self.white
            samples[..., band] = np.where(np.isfinite(before), as_samples(after, samples.dtype), before)
        return replace(self, samples=samples)


def as_samples(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Values as samples of a dtype, rounded and in its range."""
    is_float = dtype.kind == "f"
    ends = np.finfo(dtype) if is_float else np.iinfo(dtype)
    return np.clip(values if is_float else np.rint(values), ends.min, ends.max).astype(dtype)


def decode(path: Path) -> StoredPicture:
    """A picture as grey or RGB, upright. Raises DataError as `read_picture` does."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise DataError("This is a folder; name the pictures in it.")
        if not stat.S_ISREG(status.st_mode):
            raise DataError("This is a device or pipe; name the file of a picture.")
        if status.st_size == 0:
            raise DataError("The file is empty; choose another.")
        # Pillow only warns between one and two times its limit, and then decodes gigabytes.
        with warnings.catch_warnings(action="error", category=Image.DecompressionBombWarning), path.open("rb") as file:
            return _decode_file(file)
    except DataError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        most = f"{Image.MAX_IMAGE_PIXELS} pixels, which may be an attack on memory"
        raise DataError(f"The picture has more than {most}; make it smaller with an image editor first.") from error
    except UnidentifiedImageError as error:
        raise DataError("This is not a picture that can be read; convert it to PNG, TIFF or JPEG.") from error
    except MemoryError as error:
        raise DataError("The picture does not fit into memory; make it smaller first.") from error
    except Exception as error:  # Pillow's decoders raise almost anything for a damaged file
        raise DataError(f"The picture cannot be read: {reason_of(error)}.") from error


def _decode_file(file: BinaryIO) -> StoredPicture:
    content, damaged = b"", []
    if file.read(len(png.SIGNATURE)) == png.SIGNATURE:
        content, damaged = png.without_damaged_chunks(png.SIGNATURE + file.read())
    # No path, from which Pillow maps raw pictures into memory, by the size that they have once they are turned.
    source, is_deep_grey = io.BytesIO(content) if content else file, content[24:26] == b"\x10\x04"
    if is_deep_grey:
        # Grey and alpha of 16 bits, which Pillow halves; of the same bytes a pixel is RGB and alpha of 8.
        header = png.chunk(b"IHDR", content[16:24] + b"\x08\x06" + content[26:29])
        source = io.BytesIO(b"".join([png.SIGNATURE, *header, content[33:]]))
    with Image.open(source, formats=known_formats()) as image:
        if min(image.size) < 1:
            raise DataError("The picture has no pixels; choose another file.")
        bit_depth, notes = _depth(image)
        layout, swapped, tags = _rawmode(image), _swapped(image), getattr(image, "tag_v2", {})
        tagged = tags.get(ExifTags.Base.Orientation)
        if tags.get(284) == 2 and (image.mode.upper() == "LA" or 16 in tags.get(258, ())[1:]):
            raise DataError("Its samples lie in separate planes, which Pillow mixes up; save them interleaved.")
        image.load()
        key = image.info.pop("transparency", None) if bit_depth == 16 else None
        if layout in _SPREAD and "transparency" in image.info:
            image.info["transparency"] *= _SPREAD[layout]
        # Pillow has turned pictures of TIFF files by now, and says so here.
        orientation, is_damaged = orientation_of(image)
        mode, samples = image.mode, np.asarray(_to_plain_mode(image))
        if ";32B" in layout and image.info.get("compression", "raw") != "raw":
            samples = samples.byteswap()  # libtiff had turned the bytes of compressed numbers before Pillow did
        if tags.get(262) == 0 and samples.dtype in (np.uint16, np.float32):
            samples = (65535 if samples.dtype == np.uint16 else 1) - samples  # white is 0; Pillow knows with fewer bits
        samples = samples << 4 | samples >> 8 if layout == "I;12" else samples
    notes += ["EXIF data damaged"] * is_damaged + [f"damaged {name} chunk left out" for name in damaged]
    if content and not png.has_all_rows(content):
        raise DataError("The picture cannot be read: some of its rows are missing.")
    if swapped is not None:
        with Image.open(source, formats=known_formats()) as image:
            samples = samples.astype(np.uint16) << 8 | _low_bytes(image, swapped)
    if is_deep_grey:
        samples, mode, bit_depth = samples.view(">u2"), "LA", 16
    samples = samples.astype(samples.dtype.newbyteorder("="), copy=False).reshape(*samples.shape[:2], -1)
    if key is not None:
        opaque = (samples != key).any(axis=2, keepdims=True)
        samples = np.concatenate([samples, opaque * np.uint16(65535)], axis=2)
    samples = turned(samples, orientation)
    colours, options = 1 if samples.shape[2] < 3 else 3, {"pnginfo": png.descriptions(content)}
    return StoredPicture(samples, colours, mode, tagged or orientation, notes, options, bit_depth)


@cache
def known_formats() -> list[str]:
    Image.init()
    return [name for name in _FORMATS.split() if name in Image.OPEN]


def _depth(image: Image.Image) -> tuple[int, list[str]]:
    bit_depth = {"1": 1, "I": 32, "F": 32}.get(image.mode, 16 if image.mode.startswith("I;16") else 8)
    is_deep = ";16" in _rawmode(image).replace("BGR;16", "")  # which has 16 bits a pixel
    bit_depth = 16 if is_deep and (bit_depth == 32 or _swapped(image) is not None) else bit_depth
    notes = ["16-bit samples read as 8-bit"] * (is_deep and bit_depth == 8)
    notes += ["extra channels left out"] * (image.format == "TIFF" and "X" in _rawmode(image))
    return bit_depth, notes + ["first frame of several"] * (getattr(image, "n_frames", 1) > 1)


def orientation_of(image: Image.Image) -> tuple[int, bool]:
    """What EXIF says of the picture's orientation, and whether the EXIF data are damaged."""
    with warnings.catch_warnings(record=True, action="always") as complaints:
        try:
            return image.getexif().get(ExifTags.Base.Orientation, 1), bool(complaints)
        except Exception:  # Pillow's EXIF parser raises almost anything, and the pixels do not depend on it
            return 1, True


def turned(samples: np.ndarray, orientation: int, back: bool = False) -> np.ndarray:
    """Samples [rows, columns, ...] of an EXIF orientation turned upright, or upright ones turned back."""
    down, across = _UPRIGHT.get(orientation, (1, 1))
    if orientation in (5, 6, 7, 8) and not back:
        samples = np.swapaxes(samples, 0, 1)
    samples = samples[::down, ::across]
    return np.ascontiguousarray(np.swapaxes(samples, 0, 1) if orientation in (5, 6, 7, 8) and back else samples)


def _swapped(image: Image.Image) -> str | None:
    """For colours of 16 bits, the pixel layout of the other byte order; None for anything else."""
    base, _, order = _rawmode(image).partition(";16")
    other = {"B": "L", "L": "B", "N": "B" if sys.byteorder == "little" else "L"}.get(order)
    return f"{base};16{other}" if other and base == image.mode and base in ("RGB", "RGBA") else None


def _low_bytes(image: Image.Image, swapped: str) -> np.ndarray:
    """Decode again in the other byte order: Pillow keeps the byte it takes for the high one, which is then the low."""
    tiles = image.tile  # pyright: ignore[reportAttributeAccessIssue]
    for index, tile in enumerate(tiles):
        arguments = (swapped, *tile[3][1:]) if isinstance(tile[3], tuple) else swapped
        tiles[index] = tile._replace(args=arguments) if hasattr(tile, "_replace") else (*tile[:3], arguments)
    image.load()
    return np.asarray(image)


def _rawmode(image: Image.Image) -> str:
    """The pixel layout inside the file, which tells a 16-bit file from its 8- or 32-bit form in memory."""
    codec, _, _, arguments = (getattr(image, "tile", None) or [("", 0, 0, "")])[0]
    layout = arguments if isinstance(arguments, tuple) and arguments else (arguments,)
    is_deep = codec == "SGI16" or (codec.startswith("ppm") and layout[1:] > (255,))  # or the layout says it
    return f"{layout[0]};16" if is_deep else str(layout[0])


def _to_plain_mode(image: Image.Image) -> Image.Image:
    mode = "PA" if image.mode == "P" and getattr(image.palette, "mode", "") == "RGBA" else image.mode
    if mode.startswith("I") or mode == "F":
        return image
    plain = _PLAIN_MODES.get(mode, mode if mode in ("L", "LA", "RGB", "RGBA") else "RGB")
    plain += "A" * ("transparency" in image.info and plain in ("L", "RGB"))
    return image if plain == mode else image.convert(plain)
