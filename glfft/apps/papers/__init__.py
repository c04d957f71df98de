"""What papers conclude about transforms on GPUs, tested here: `glfft bench --papers`."""

from importlib import resources


def read_text(name: str) -> str:
    """The text of a file beside these modules."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
