"""PNG files byte by byte, for those that Pillow does not write (PNG Specification, sections 5 and 11)."""

from __future__ import annotations

import struct
import zlib


def png_chunk(name: bytes, data: bytes) -> bytes:
    """A chunk with its length and checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_file(
    columns: int,
    rows: int,
    lines: bytes,
    depth: int = 8,
    colours: int = 0,
    interlaced: bool = False,
    before: bytes = b"",
    pieces: int = 1,
) -> bytes:
    """A file of rows with their filter bytes.

    Args:
        colours: the colour type, 0 for grey.
        before: chunks between the header and the pixels.
        pieces: chunks that the compressed pixels are cut into.
    """
    header = struct.pack(">IIBBBBB", columns, rows, depth, colours, 0, 0, int(interlaced))
    compressed = zlib.compress(lines)
    step = -(-len(compressed) // pieces)
    pixels = b"".join(png_chunk(b"IDAT", compressed[start : start + step]) for start in range(0, len(compressed), step))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + before + pixels + png_chunk(b"IEND", b"")
