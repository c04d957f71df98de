"""The chapters by name."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from glfft.errors import OptionError

if TYPE_CHECKING:
    from glfft.apps.papers.chapter import Chapter

# Module and class of each. They are imported when asked for: help shows the names without waiting.
_CHAPTERS = {
    "mota": ("glfft.apps.papers.mota", "Mota"),
    "hinitt": ("glfft.apps.papers.hinitt", "Hinitt"),
    "ambuluri": ("glfft.apps.papers.ambuluri", "Ambuluri"),
    "del-mundo": ("glfft.apps.papers.del_mundo", "DelMundo"),
    "soerman": ("glfft.apps.papers.soerman", "Soerman"),
}

NAMES = tuple(_CHAPTERS)


def open_chapters(names: Sequence[str] = NAMES) -> list[Chapter]:
    """The chapters of some names, in the report's order. Raises OptionError where there is none of that name."""
    for name in names:
        if name not in _CHAPTERS:
            near = get_close_matches(name.lower(), NAMES, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(NAMES)}."
            raise OptionError(f"There is no chapter '{name}' in the report on papers; {hint}")
    return [
        getattr(importlib.import_module(_CHAPTERS[name][0]), _CHAPTERS[name][1])() for name in NAMES if name in names
    ]
