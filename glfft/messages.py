"""How errors speak of what they were given."""

from __future__ import annotations

import reprlib


def shown(value: object) -> str:
    """A value on one line, and not all of a long one."""
    return " ".join(reprlib.repr(value).split())
