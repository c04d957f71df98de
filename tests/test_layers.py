"""The code goes one way: modules import from their own row of the table in docs/code.md, and from rows above."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"glfft": ROOT / "glfft", "glfft.demos": ROOT / "demos"}


def rows() -> dict[str, int]:
    """The row of each name in the table."""
    table = (ROOT / "docs" / "code.md").read_text(encoding="utf-8").split("<!-- layers -->")[1].split("\n\n")[1]
    named = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines()[2:]]
    return {name: row for row, names in enumerate(named) for name in names}


def modules() -> dict[str, Path]:
    """Every module by its dotted name."""
    found = {}
    for package, folder in FOLDERS.items():
        for path in folder.rglob("*.py"):
            parts = (package, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def room(module: str) -> str:
    """What a module is called in the table."""
    parts = module.split(".")
    return "command" if parts[-1] in ("command", "__main__") else parts[1]


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of glfft that a module imports at the top or inside functions."""
    asked = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            asked |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            asked |= {each.name for each in node.names}
    return asked & set(known)


def test_every_module_imports_from_its_row_or_above() -> None:
    known, row = modules(), rows()
    assert len(known) > 100
    # The package itself gives the public names to those who use glfft, as the commands do.
    inner = {name: path for name, path in known.items() if name not in ("glfft", "glfft.demos")}
    assert {room(name) for name in inner} == set(row)
    wrong = [
        f"{name} imports {other}"
        for name, path in inner.items()
        for other in imports(path, inner) - {name}
        if row[room(other)] > row[room(name)]
    ]
    assert not wrong
