"""What Pillow does not see to in PNG files: damaged chunks that a picture does not need, and rows that are missing.

Chunks, their checksums, and the sizes of rows: PNG Specification (Third Edition), sections 5, 7 and 8.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"

_SAMPLES_A_PIXEL = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# First column and row of each pass of interlaced pictures, and the steps between its columns and rows.
_WHOLE = ((0, 0, 1, 1),)
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def without_damaged_chunks(content: bytes) -> tuple[bytes, list[str]]:
    """Leave out the ancillary chunks whose checksum is wrong: a reader may, and Pillow refuses the whole file. Returns
    the file, and the names of the chunks left out.
    """
    kept, damaged, end = [SIGNATURE], [], len(SIGNATURE)
    for name, start, end in _chunks(content):
        checksum = int.from_bytes(content[end - 4 : end], "big")
        ancillary = name[0] & 0x20
        if ancillary and zlib.crc32(memoryview(content)[start + 4 : end - 4]) != checksum:
            damaged.append(name.decode("ascii", "backslashreplace"))
        else:
            kept.append(content[start:end])
    return (b"".join([*kept, content[end:]]), damaged) if damaged else (content, [])


def has_all_rows(content: bytes) -> bool:
    """Whether the compressed pixels of a file that Pillow has opened hold as many bytes as the header asks for. Pillow
    leaves missing rows black.
    """
    header = content[len(SIGNATURE) + 8 :]
    columns, rows, depth, colours, _, _, interlaced = struct.unpack_from(">IIBBBBB", header)
    missing = 0
    for left, top, across, down in _ADAM7 if interlaced else _WHOLE:
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
