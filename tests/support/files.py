"""What lies in a folder."""

from __future__ import annotations

from pathlib import Path


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())
