"""What papers conclude about transforms on GPUs, tested here: `glfft bench --papers`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glfft.apps.bench.peers import check_names, opened

if TYPE_CHECKING:
    from glfft.apps.papers.chapter import Chapter

# Module and class of each chapter. They are imported when asked for: help shows the names without waiting.
_CHAPTERS = {
    "mota": ("glfft.apps.papers.mota", "Mota"),
    "hinitt": ("glfft.apps.papers.hinitt", "Hinitt"),
    "ambuluri": ("glfft.apps.papers.ambuluri", "Ambuluri"),
    "del-mundo": ("glfft.apps.papers.del_mundo", "DelMundo"),
    "soerman": ("glfft.apps.papers.soerman", "Soerman"),
}
NAMES = tuple(_CHAPTERS)


def open_chapters(names: Sequence[str] = NAMES) -> list["Chapter"]:
    """The chapters of some names, in the report's order. Raises OptionError where there is none of that name."""
    check_names(names, NAMES, "There is no chapter '{}' in the report on papers")
    return [opened(*_CHAPTERS[name]) for name in NAMES if name in names]
