"""Colour profiles with nothing but curves."""

from __future__ import annotations

import struct
from collections.abc import Mapping

COLOURS = (b"rTRC", b"gTRC", b"bTRC")


def profile(tags: Mapping[bytes, bytes]) -> bytes:
    """An ICC profile of these tags."""
    table, content = struct.pack(">I", len(tags)), b""
    for name, value in tags.items():
        table += struct.pack(">4sII", name, 132 + 12 * len(tags) + len(content), len(value))
        content += value
    return bytes(128) + table + content
