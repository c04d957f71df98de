"""TIFF files with what Pillow does not write: colours of 16 bits, and EXIF in compressed files.

TIFF Revision 6.0 (1992), sections 3, 8, 14 and 16; Deflate: Adobe Photoshop TIFF Technical Notes (2002).
"""

import io
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL.TiffImagePlugin import ImageFileDirectory_v2

_WIDTH, _LENGTH, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262
_OFFSETS, _SAMPLES, _ROWS, _COUNTS, _PLANES, _EXTRA_SAMPLES, _SAMPLE_FORMAT = 273, 277, 278, 279, 284, 338, 339
_PROFILE = 34675

_RAW, _DEFLATE = 1, 8
_GREY, _RGB, _CMYK = 1, 2, 5
_UNASSOCIATED_ALPHA = 2
_FORMATS = {"u": 1, "i": 2, "f": 3}
_UNDEFINED, _LONG = 7, 4  # types of tags
_STRIP_BYTES = 1 << 20


def tiff_file(
    samples: np.ndarray,
    tags: Mapping[int, Any],
    profile: bytes | None = None,
    cmyk: bool = False,
    compress: bool = True,
) -> bytes:
    """A file of a picture.

    Args:
        samples: [rows, columns, bands], of unsigned or signed integers or floats: 1 band is grey, 2 are grey and alpha,
            3 are RGB, 4 are RGB and alpha, or CMYK.
        tags: descriptive tags by number; a folder of tags, such as EXIF, is a dictionary.
        profile: the ICC profile.
        compress: with Deflate, which loses nothing.
    """
    rows, columns, bands = samples.shape
    directory = ImageFileDirectory_v2(prefix=b"II")
    for tag, value in tags.items():
        directory[tag] = value
    if profile:
        directory.tagtype[_PROFILE] = _UNDEFINED
        directory[_PROFILE] = profile
    rows_a_strip = max(1, min(rows, _STRIP_BYTES // (columns * bands * samples.itemsize)))
    little = samples.astype(samples.dtype.newbyteorder("<"))
    strips = [little[top : top + rows_a_strip].tobytes() for top in range(0, rows, rows_a_strip)]
    if compress:
        strips = [zlib.compress(strip) for strip in strips]
    counts = [len(strip) for strip in strips]
    layout: dict[int, Any] = {_WIDTH: columns, _LENGTH: rows, _BITS: (8 * samples.itemsize,) * bands}
    layout |= {_COMPRESSION: _DEFLATE if compress else _RAW, _SAMPLES: bands, _ROWS: rows_a_strip, _PLANES: 1}
    layout |= {_PHOTOMETRIC: _CMYK if cmyk else _GREY if bands < 3 else _RGB}
    layout |= {_SAMPLE_FORMAT: (_FORMATS[samples.dtype.kind],) * bands, _COUNTS: tuple(counts)}
    # From the end of the directory, which its writer adds.
    layout[_OFFSETS] = tuple(int(offset) for offset in np.cumsum([0, *counts[:-1]]))
    if bands == 2 or (bands == 4 and not cmyk):
        layout[_EXTRA_SAMPLES] = _UNASSOCIATED_ALPHA
    directory.tagtype[_COUNTS] = directory.tagtype[_OFFSETS] = _LONG
    for tag, value in layout.items():
        directory[tag] = value
    file = io.BytesIO()
    directory.save(file)
    file.write(b"".join(strips))
    return file.getvalue()
