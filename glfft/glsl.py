"""GLSL as text."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def without_comments(source: str) -> str:
    """GLSL with its comments left out, but for the ends of lines in them; one that does not end is left in."""
    return _COMMENT.sub(lambda comment: " " + "\n" * comment.group().count("\n"), source)
