"""Pictures that are changed and written again with what they came with: bit depth, alpha, colour profile, EXIF."""

from __future__ import annotations

import io
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, JpegImagePlugin, TiffTags
from PIL import TiffImagePlugin as tiff

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import png, source_pictures
from glfft.errors import LimitError
from glfft.files import PathName, write_whole

# Descriptive tags of TIFF files: description, camera, orientation, resolution, software, dates, authors, XMP, IPTC,
# Photoshop's, EXIF and GPS. All others belong to how the pixels were stored.
_TIFF_TAGS = (270, 271, 272, 274, 282, 283, 296, 305, 306, 315, 316, 700, 33432, 33723, 34377)
_TIFF_FOLDERS = (34665, 34853)

# Suffixes of files that keep what they hold when they are written again; others become PNG.
_KEPT_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".ppm", ".pgm")

_STRIP_BYTES = 1 << 20


@dataclass(frozen=True)
class StoredPicture:
    samples: np.ndarray  # [rows, columns, bands], upright: uint8, uint16, int32 or float32
    colours: int  # so many bands are colours; one more is alpha
    mode: str  # Pillow's name for the pixel format to write; for 16-bit colours "RGB" or "RGBA"
    orientation: int  # EXIF's, of the file
    notes: list[str]  # what a reader of the result ought to know
    options: dict[str, Any] = field(default_factory=dict)  # profile, EXIF, resolution, quality, tags

    @property
    def white(self) -> float:
        """The sample that is 1 in `planes`."""
        return {"uint8": 255.0, "uint16": 65535.0, "int32": 65535.0}.get(self.samples.dtype.name, 1.0)

    def planes(self) -> np.ndarray:
        """The colours as float32 [bands, rows, columns]; black is 0 and white is 1. NaN and infinity become 0."""
        planes = np.moveaxis(self.samples[..., : self.colours], -1, 0).astype(np.float32) / np.float32(self.white)
        return np.nan_to_num(planes, copy=False, nan=0.0, posinf=0.0, neginf=0.0)

    def plus(self, change: np.ndarray) -> StoredPicture:
        """The picture plus float32 planes [bands, rows, columns], rounded, in range; alpha, NaN and infinity stay."""
        samples = self.samples.copy()
        for band, plane in enumerate(change):
            before = self.samples[..., band]
            after = before.astype(np.float64) + plane.astype(np.float64) * self.white
            if samples.dtype.kind != "f":
                ends = np.iinfo(samples.dtype)
                np.clip(np.rint(after, out=after), ends.min, ends.max, out=after)
            samples[..., band] = np.where(np.isfinite(before), after, before)
        return replace(self, samples=samples)


def read_stored(path: PathName) -> StoredPicture:
    """Read a picture to be changed. Raises DataError as `glfft.apps.spectrum.source_pictures.read_picture` does."""
    decoded = source_pictures.decode(Path(path), keeps_cmyk=True)
    samples, notes = decoded.samples, [each for each in decoded.notes if each != "turned upright"]
    if decoded.mode.startswith("I"):
        samples = samples.astype(np.uint16 if decoded.bit_depth == 16 else np.int32)
    bands = samples.shape[2]
    keeps_mode = decoded.mode in ("CMYK", "F") or decoded.mode.startswith("I")
    mode = decoded.mode if keeps_mode else ("L", "LA", "RGB", "RGBA")[bands - 1]
    has_alpha = bands % 2 == 0 and mode != "CMYK"
    options, orientation = {}, 1
    try:
        # Into memory goes the header alone.
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(path, formats=source_pictures.known_formats()) as file,
        ):
            options, orientation = _options(file), source_pictures.orientation_of(file)[0]
    except Exception:  # what Pillow raises for a damaged profile or tag may be anything; the pixels were read
        notes.append("profile and EXIF are damaged and left out")
    return StoredPicture(samples, bands - has_alpha, mode, orientation, notes, options)


def write_stored(path: PathName, picture: StoredPicture) -> None:
    """Write a picture as its name says, turned as its source; LimitError where its samples have no room there."""
    suffix = Path(path).suffix.lower()
    samples = source_pictures.turned(picture.samples, picture.orientation, back=True)
    options, is_cmyk = picture.options, picture.mode == "CMYK"
    if suffix in (".tif", ".tiff"):
        compress = options.get("compression", "raw") != "raw"
        write_whole(path, tiff_file(samples, options.get("tags", {}), options.get("icc_profile"), is_cmyk, compress))
    elif samples.dtype == np.uint16 and samples.shape[2] > 1:
        if suffix != ".png":
            raise LimitError(f"{suffix} files cannot hold colours of 16 bits; name a .png or .tif file.")
        write_whole(path, png.deep_file(samples, _fitting(options, suffix)))
    else:
        flat = samples[..., 0] if samples.shape[2] == 1 else samples
        size = (flat.shape[1], flat.shape[0])
        image = Image.frombytes("CMYK", size, flat.tobytes()) if is_cmyk else Image.fromarray(flat)
        save_picture(path, image, **_fitting(options, suffix))


def kept_suffix(source: Path) -> str:
    """The suffix of a changed copy: the source's own, or .png where its kind of file would lose something."""
    return source.suffix if source.suffix.lower() in _KEPT_SUFFIXES else ".png"


def _options(file: Image.Image) -> dict[str, Any]:
    options: dict[str, Any] = {name: file.info[name] for name in ("icc_profile", "exif", "dpi") if file.info.get(name)}
    if isinstance(file, JpegImagePlugin.JpegImageFile):
        options["qtables"] = file.quantization
        sampling = JpegImagePlugin.get_sampling(file)
        if sampling >= 0:
            options["subsampling"] = sampling
    if file.format == "TIFF":
        exif = file.getexif()
        tags = {tag: exif[tag] for tag in _TIFF_TAGS if tag in exif}
        options["tags"] = tags | {tag: dict(exif.get_ifd(tag)) for tag in _TIFF_FOLDERS if exif.get_ifd(tag)}
        options["compression"] = file.info.get("compression", "raw")
    return options


def _fitting(options: dict[str, Any], suffix: str) -> dict[str, Any]:
    known = {"icc_profile", "exif", "dpi"} | ({"qtables", "subsampling"} if suffix in (".jpg", ".jpeg") else set())
    kept = {name: value for name, value in options.items() if name in known}
    return kept | ({"lossless": True} if suffix == ".webp" else {})


def tiff_file(samples: np.ndarray, tags: Mapping[int, Any], profile: bytes | None, cmyk: bool, compress: bool) -> bytes:
    """A TIFF file of samples [rows, columns, bands], integers or floats, with what Pillow does not write: colours of 16
    bits, and EXIF in compressed files. Bands are grey, grey and alpha, RGB, RGB and alpha, or CMYK. `tags` are
    descriptive ones by number, a folder of tags as a dictionary; `profile` is ICC's; compression is Deflate.
    """
    rows, columns, bands = samples.shape
    directory = tiff.ImageFileDirectory_v2(prefix=b"II")
    directory.tagtype[tiff.ICCPROFILE] = TiffTags.UNDEFINED
    directory.tagtype[tiff.STRIPBYTECOUNTS] = directory.tagtype[tiff.STRIPOFFSETS] = TiffTags.LONG
    rows_a_strip = max(1, min(rows, _STRIP_BYTES // (columns * bands * samples.itemsize)))
    little = samples.astype(samples.dtype.newbyteorder("<"))
    strips = [little[top : top + rows_a_strip].tobytes() for top in range(0, rows, rows_a_strip)]
    if compress:
        strips = [zlib.compress(strip) for strip in strips]
    counts = [len(strip) for strip in strips]
    # TIFF Revision 6.0 (1992), sections 3, 8, 14 and 16; Deflate: Adobe Photoshop TIFF Technical Notes (2002).
    layout = {
        **tags,
        **({tiff.ICCPROFILE: profile} if profile else {}),
        tiff.IMAGEWIDTH: columns,
        tiff.IMAGELENGTH: rows,
        tiff.BITSPERSAMPLE: (8 * samples.itemsize,) * bands,
        tiff.SAMPLESPERPIXEL: bands,
        tiff.SAMPLEFORMAT: ({"u": 1, "i": 2, "f": 3}[samples.dtype.kind],) * bands,
        tiff.PHOTOMETRIC_INTERPRETATION: 5 if cmyk else 1 if bands < 3 else 2,  # CMYK, grey, RGB
        **({tiff.EXTRASAMPLES: 2} if bands == 2 or (bands == 4 and not cmyk) else {}),  # unassociated alpha
        tiff.COMPRESSION: 8 if compress else 1,  # Deflate
        tiff.PLANAR_CONFIGURATION: 1,
        tiff.ROWSPERSTRIP: rows_a_strip,
        tiff.STRIPBYTECOUNTS: tuple(counts),
        # From the end of the directory, which its writer adds.
        tiff.STRIPOFFSETS: tuple(int(offset) for offset in np.cumsum([0, *counts[:-1]])),
    }
    for tag, value in layout.items():
        directory[tag] = value
    file = io.BytesIO()
    directory.save(file)
    file.write(b"".join(strips))
    return file.getvalue()
