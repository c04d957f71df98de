"""Pictures that are changed and written again with what they came with: bit depth, alpha, colour profile, EXIF."""

import io
import warnings
import zlib
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, JpegImagePlugin, TiffTags
from PIL import TiffImagePlugin as tiff

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum import png
from glfft.apps.spectrum.source_pictures import StoredPicture, decode, known_formats, orientation_of, turned
from glfft.errors import LimitError
from glfft.files import PathName, write_whole

# Descriptive tags of TIFF files: description, camera, orientation, resolution, software, dates, authors; XMP, IPTC and
# Photoshop's, which may be too long for EXIF; EXIF and GPS. All others belong to how the pixels were stored.
_TIFF_TAGS = (270, 271, 272, 274, 282, 283, 296, 305, 306, 315, 316, 33432)
_TIFF_BLOCKS, _TIFF_FOLDERS = (700, 33723, 34377), (34665, 34853)
_WITH_EXIF = (".png", ".apng", ".jpg", ".jpeg", ".jpe", ".jfif", ".mpo", ".tif", ".tiff", ".webp", ".avif")
# Suffixes of files that keep what they hold when they are written again.
_KEPT_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".ppm", ".pgm", ".pfm")
# Other files become TIFF if their kind may hold floats, which are these, else PNG.
_FLOAT_SUFFIXES = (".fit", ".fits", ".im", ".spi")
_DESCRIPTIONS = ("icc_profile", "exif", "xmp", "dpi", "comment", "pnginfo")  # as Pillow names them
# Kinds of files into which Pillow writes 16-bit grey, and no alpha.
_DEEP_GREY = (".png", ".pgm", ".ppm", ".pnm", ".pfm", ".jp2")
_OPAQUE = (*_DEEP_GREY[1:5], ".pbm", ".gif", ".bmp", ".dib", ".jpg", ".jpeg", ".jpe", ".jfif")


def read_stored(path: PathName) -> StoredPicture:
    """Read a picture to be changed. Raises DataError as `glfft.apps.spectrum.source_pictures.read_picture` does."""
    picture = decode(Path(path))
    samples, notes = picture.samples, picture.notes
    if samples.dtype.kind == "i":
        samples = np.clip(samples, 0, 65535).astype(np.uint16)
        notes += ["integers beyond 16 bits cut off"] * (not np.array_equal(samples, picture.samples))
    options, orientation = {}, 1
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(path, formats=known_formats()) as file:  # a header
            options, orientation = _options(file), orientation_of(file)[0]
    except Exception:  # what Pillow raises for a damaged profile or tag may be anything; the pixels were read
        notes.append("profile and EXIF are damaged and left out")
    if picture.mode in ("CMYK", "LAB"):
        notes.append(f"{picture.mode} becomes RGB")
        options.pop("icc_profile", None)
    return replace(picture, samples=samples, orientation=orientation, options=picture.options | options)


def write_stored(path: PathName, picture: StoredPicture) -> None:
    """Write a picture as its name says, turned as its source; LimitError where its samples have no room there."""
    suffix, options = Path(path).suffix.lower(), picture.options
    # Without EXIF nothing would tell a reader to turn the picture.
    samples = turned(picture.samples, picture.orientation if suffix in _WITH_EXIF else 1, back=True)
    tags, resolution = options.get("tags", {}), dict(zip((282, 283), options.get("dpi", ()), strict=False))
    bands, is_deep = samples.shape[2], samples.itemsize > 1
    if suffix in (".tif", ".tiff"):
        compress, profile = options.get("compression", "raw") != "raw", options.get("icc_profile")
        if is_deep and bands == 2:  # Pillow reads no such grey, and its profile suits no colours
            samples, profile = samples[..., [0, 0, 0, 1]], None
        write_whole(path, tiff_file(samples, resolution | tags, profile, compress))
        return
    kept: dict[str, Any] = {name: options[name] for name in _DESCRIPTIONS if name in options}
    if "exif" not in kept and tags:
        exif = Image.Exif()
        exif.update({tag: value for tag, value in tags.items() if tag not in _TIFF_BLOCKS})
        kept["exif"] = exif.tobytes()
    deep = (".pfm",) if samples.dtype.kind == "f" else _DEEP_GREY if bands == 1 else (".png",)
    room = suffix in deep if is_deep else bands == 1 or suffix not in ((".gif",) if bands == 3 else _OPAQUE)
    if not room:
        of_8_bits = "colours" if bands == 3 else "alpha"
        lost = {"u1": of_8_bits, "u2": "half of the 16 bits", "f4": "most of floats"}[samples.dtype.str[1:]]
        raise LimitError(f"A {suffix} file would lose {lost}; use .tif instead.")
    if is_deep and bands > 1:
        write_whole(path, png.deep_file(samples, kept))
    else:
        kept |= options.get("jpeg", {}) if suffix in (".jpg", ".jpeg") else {"lossless": True, "exact": True}  # of WebP
        save_picture(path, Image.fromarray(samples[..., 0] if bands == 1 else samples), **kept)


def kept_suffix(source: Path) -> str:
    """The suffix of a changed copy: the source's own, or another where its kind of file would lose something."""
    if source.suffix.lower() in _KEPT_SUFFIXES:
        return source.suffix
    return ".tif" if source.suffix.lower() in _FLOAT_SUFFIXES else ".png"


def _options(file: Image.Image) -> dict[str, Any]:
    # Pillow gives (1, 1) for a TIFF file without resolution.
    options = {name: value for name in _DESCRIPTIONS if (value := file.info.get(name)) and value != (1, 1)}
    if "exif" in options:  # WebP leaves out this name, which JPEG needs
        options["exif"] = b"Exif\0\0" + options["exif"].removeprefix(b"Exif\0\0")
    if isinstance(file, JpegImagePlugin.JpegImageFile):
        options["jpeg"] = {"qtables": file.quantization, "subsampling": max(0, JpegImagePlugin.get_sampling(file))}
    # Damaged EXIF is kept as it is, and its tags are left out of TIFF files.
    with suppress(Exception) if "exif" in options else nullcontext():
        exif = file.getexif()
        tags = {tag: exif[tag] for tag in (*_TIFF_TAGS, *_TIFF_BLOCKS) if tag in exif}
        # Without the link to a folder within: nothing would be there.
        folders = [{key: value for key, value in exif.get_ifd(tag).items() if key != 40965} for tag in _TIFF_FOLDERS]
        options["tags"] = tags | {tag: folder for tag, folder in zip(_TIFF_FOLDERS, folders, strict=True) if folder}
    return options | {"compression": file.info.get("compression", "raw")}


def tiff_file(samples: np.ndarray, tags: Mapping[int, Any], profile: bytes | None, compress: bool) -> bytes:
    """A TIFF file of samples [rows, columns, bands], uint8, uint16 or float32, grey or RGB, perhaps with alpha. Pillow
    writes no deep colours, and no EXIF in compressed files (Deflate). `tags` are by number, a folder a dictionary.
    """
    rows, columns, bands = samples.shape
    directory = tiff.ImageFileDirectory_v2(prefix=b"II")
    directory.tagtype[tiff.ICCPROFILE] = TiffTags.UNDEFINED
    directory.tagtype[tiff.STRIPBYTECOUNTS] = directory.tagtype[tiff.STRIPOFFSETS] = TiffTags.LONG
    rows_a_strip = max(1, min(rows, (1 << 20) // (columns * bands * samples.itemsize)))  # a megabyte
    little = samples.astype(samples.dtype.newbyteorder("<"))
    strips = [little[top : top + rows_a_strip].tobytes() for top in range(0, rows, rows_a_strip)]
    strips = [zlib.compress(strip) for strip in strips] if compress else strips
    counts = tuple(map(len, strips))
    # TIFF Revision 6.0 (1992), sections 3, 8, 14 and 16; Deflate: Adobe Photoshop TIFF Technical Notes (2002).
    directory.update({
        **tags,
        **({tiff.ICCPROFILE: profile} if profile else {}),
        tiff.IMAGEWIDTH: columns, tiff.IMAGELENGTH: rows, tiff.SAMPLESPERPIXEL: bands, tiff.ROWSPERSTRIP: rows_a_strip,
        tiff.BITSPERSAMPLE: (8 * samples.itemsize,) * bands,
        tiff.SAMPLEFORMAT: (3 if samples.dtype.kind == "f" else 1,) * bands,
        tiff.PHOTOMETRIC_INTERPRETATION: 1 if bands < 3 else 2,  # grey, RGB
        **({tiff.EXTRASAMPLES: 2} if bands in (2, 4) else {}),  # unassociated alpha
        tiff.COMPRESSION: 8 if compress else 1, tiff.PLANAR_CONFIGURATION: 1,  # Deflate, pixel by pixel
        # From the end of the directory, which its writer adds.
        tiff.STRIPBYTECOUNTS: counts, tiff.STRIPOFFSETS: tuple(int(each) for each in np.cumsum([0, *counts[:-1]])),
    })  # fmt: skip
    file = io.BytesIO()
    directory.save(file)
    return file.getvalue() + b"".join(strips)
