"""What papers conclude about transforms on GPUs, tested here: `glfft bench --papers`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glfft.apps.bench.peers import opened
from glfft.errors import check_choice

if TYPE_CHECKING:
    from glfft.apps.papers.chapter import Chapter

# The chapters' classes, in modules of their names, imported when asked for: help shows the names without waiting.
_CLASSES = {"mota": "Mota", "hinitt": "Hinitt", "ambuluri": "Ambuluri", "del-mundo": "DelMundo", "soerman": "Soerman"}
NAMES = tuple(_CLASSES)


def open_chapters(names: Sequence[str] = NAMES) -> list["Chapter"]:
    """The chapters of some names, in the report's order. Raises OptionError where there is none of that name."""
    for name in names:
        check_choice("--only", name, NAMES)
    asked = ((name.replace("-", "_"), kind) for name, kind in _CLASSES.items() if name in names)
    return [opened(f"{__name__}.{module}", kind) for module, kind in asked]
