"""Python that starts in a checkout imports glfft from there, whatever is installed: this makes that work.

In a checkout demos, shaders and assets lie beside the package and not in it.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_PACKAGE = Path(__file__).resolve().parent
# As in pyproject.toml.
_FOLDERS = {"glfft.demos": "demos", "glfft.shader_files": "shaders", "glfft.assets": "assets"}


class _Beside(importlib.abc.MetaPathFinder):
    """Finds the packages that lie beside this one; asked after all other finders."""

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _FOLDERS:
            return None
        folder = _PACKAGE.parent / _FOLDERS[fullname]
        return importlib.util.spec_from_file_location(
            fullname, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


def find_neighbours() -> None:
    """Make `glfft.demos` and its like importable where this is a checkout that is not installed."""
    if not (_PACKAGE / "shader_files").is_dir():
        sys.meta_path.append(_Beside())
