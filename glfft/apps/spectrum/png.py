"""What Pillow does not see to in PNG files: damaged chunks, missing rows, colours with 16 bits, all cores.

PNG Specification (Third Edition), sections 5, 7, 8, 9 and 11; compressed data and their checksum: RFC 1950.
"""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from PIL import Image, PngImagePlugin

from glfft.apps.picture_files import map_strips

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER = b"\x78\x01"  # Deflate with a window of 32 KiB at the quickest level
_ADLER_PRIME = 65521
_STRIP_ROWS = 128  # some megabytes of a large picture
_DESCRIPTIONS = (b"gAMA", b"cHRM", b"sRGB", b"cICP", b"tEXt", b"zTXt", b"iTXt")  # of colours, and texts
_SAMPLES_A_PIXEL = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# First column and row of each pass of interlaced pictures, and the steps between its columns and rows.
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def without_damaged_chunks(content: bytes) -> tuple[bytes, list[str]]:
    """A file without ancillary chunks of a wrong checksum, for which Pillow refuses the whole, and their names."""
    kept, damaged, end = [SIGNATURE], [], len(SIGNATURE)
    for name, start, end in _chunks(content):
        checksum, is_ancillary = int.from_bytes(content[end - 4 : end], "big"), name[0] & 0x20
        if is_ancillary and zlib.crc32(memoryview(content)[start + 4 : end - 4]) != checksum:
            damaged.append(name.decode("ascii", "backslashreplace"))
        else:
            kept.append(content[start:end])
    return (b"".join([*kept, content[end:]]), damaged) if damaged else (content, [])


def descriptions(content: bytes) -> PngImagePlugin.PngInfo:
    """What a file says of its colours, but for a profile, and its texts, XMP too, for Pillow's writer."""
    info, chunks = PngImagePlugin.PngInfo(), _chunks(content)
    info.chunks = [(name, content[start + 8 : end - 4], False) for name, start, end in chunks if name in _DESCRIPTIONS]
    return info


def has_all_rows(content: bytes) -> bool:
    """Whether the compressed pixels are as many bytes as the header asks for: Pillow leaves missing rows black."""
    columns, rows, depth, colours, _, _, interlaced = struct.unpack_from(">IIBBBBB", content, len(SIGNATURE) + 8)
    missing = 0
    for left, top, across, down in _ADAM7 if interlaced else ((0, 0, 1, 1),):
        width, height = -(-(columns - left) // across), -(-(rows - top) // down)
        if width > 0 and height > 0:
            # A byte before each row names its filter.
            missing += height * (1 + -(-width * depth * _SAMPLES_A_PIXEL[colours] // 8))
    decompressor = zlib.decompressobj()
    for name, start, end in _chunks(content):
        compressed = content[start + 8 : end - 4] if name == b"IDAT" else b""
        while compressed and missing > 0 and not decompressor.eof:
            missing -= len(decompressor.decompress(compressed, min(missing, 1 << 20)))
            compressed = decompressor.unconsumed_tail
    return missing <= 0


def deep_file(samples: np.ndarray, options: dict[str, Any]) -> bytes:
    """A file of uint16 samples [rows, columns, 2 to 4], grey or RGB, and alpha, with options of Pillow's writer."""
    rows, columns, bands = samples.shape
    frame = io.BytesIO()  # Pillow writes all chunks but the pixels', around a picture of one pixel
    Image.new("RGB", (1, 1)).save(frame, "PNG", **options)
    chunks = []
    for name, start, end in _chunks(frame.getvalue()):
        content = frame.getvalue()[start + 8 : end - 4]
        if name == b"IHDR":
            content = struct.pack(">IIBBBBB", columns, rows, 16, {2: 4, 3: 2, 4: 6}[bands], 0, 0, 0)
        elif name == b"IDAT":
            # Filter 2 stores differences from the row above, byte by byte, which compress better.
            lines = samples.astype(">u2").reshape(rows, -1).view(np.uint8)
            filtered = lines - np.concatenate([np.zeros_like(lines[:1]), lines[:-1]])
            content = zlib.compress(np.concatenate([np.full((rows, 1), 2, np.uint8), filtered], axis=1).tobytes())
        chunks += chunk(name, content)
    return SIGNATURE + b"".join(chunks)


def quick_file(pixels: np.ndarray) -> bytes:
    """A file of uint8 colours [rows, columns, 3], packed by all cores; few colours are smaller without filters."""
    rows, columns, _ = pixels.shape

    def packed(strip: slice) -> tuple[bytes, int, int]:
        lines = np.zeros((strip.stop - strip.start, 1 + 3 * columns), np.uint8)
        lines[:, 1:].reshape(-1, columns, 3)[...] = pixels[strip]
        compressor = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
        # A full flush ends at a byte, with nothing carried over: one strip's data may follow the other's.
        flush = zlib.Z_FINISH if strip.stop == rows else zlib.Z_FULL_FLUSH
        return compressor.compress(lines.data) + compressor.flush(flush), zlib.adler32(lines.data), lines.size

    parts = map_strips(packed, rows, _STRIP_ROWS)
    low, high = 1, 0  # halves of the checksum of all strips, from the checksum and size of each
    for _, adler, size in parts:
        high = (high + (adler >> 16) + size * (low - 1)) % _ADLER_PRIME
        low = (low + (adler & 0xFFFF) - 1) % _ADLER_PRIME
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    data = [_ZLIB_HEADER + parts[0][0], *(part for part, _, _ in parts[1:]), struct.pack(">HH", high, low)]
    named = [(b"IHDR", header), *((b"IDAT", part) for part in data), (b"IEND", b"")]
    return b"".join([SIGNATURE, *(piece for each in named for piece in chunk(*each))])


def chunk(name: bytes, content: bytes) -> tuple[bytes, bytes, bytes]:
    return struct.pack(">I", len(content)) + name, content, struct.pack(">I", zlib.crc32(content, zlib.crc32(name)))


def _chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name of each whole chunk, and where the chunk starts and ends."""
    start = len(SIGNATURE)
    while start + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, start)
        end = start + 12 + length
        if end > len(content):
            return
        yield name, start, end
        start = end
