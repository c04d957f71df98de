"""The table of devices.md, from what `make test-installed` keeps in docs/devices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "devices"


def _kept() -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]


def tests_table() -> str:
    """What came out of the tests on each device."""
    head = "| device | driver | date | passed | failed | skipped | shader files compiled |\n| --- " + "| --- " * 6 + "|"
    rows = [
        f"| {each['device']} | {each['driver']} | {each['date']} | {each['passed']} | {len(each['failed'])} "
        f"| {sum(each['skipped'].values())} | {len(each['shaders'])} |"
        for each in _kept()
    ]
    return "\n".join([head, *rows])


TABLES = {"tests by device": tests_table}
