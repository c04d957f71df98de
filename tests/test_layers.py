"""Data goes one way: a room imports from its own row of the table in docs/code.md, and from rows above; no circles."""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.paths import ROOT, shader_files

PACKAGE = ROOT / "glfft"
MOST_ENTRIES = 12
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60
MOST_ROOMS = 24
MOST_ARROWS = 107


def rows() -> dict[str, int]:
    """The row of each room in the table."""
    table = (ROOT / "docs" / "code.md").read_text(encoding="utf-8").split("<!-- layers -->")[1].split("\n\n")[1]
    named = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines()[2:]]
    return {name: row for row, names in enumerate(named) for name in names}


def modules() -> dict[str, Path]:
    """Every module by its dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = ("glfft", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def room(module: str) -> str:
    """The folder or top module that a module belongs to."""
    return module.split(".")[1]


def program(module: str) -> str:
    """The room of a module, or what it belongs to in the room of the programs."""
    return ".".join(module.split(".")[1:3]) if room(module) == "apps" else room(module)


@functools.cache
def parsed(path: Path) -> ast.Module:
    """A module's text, parsed once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def statements(path: Path) -> list[ast.AST]:
    """All statements of a module, those inside others too: expressions, of which there are many more, hold none."""
    found: list[ast.AST] = [*parsed(path).body]
    for node in found:
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            found += getattr(node, name, ())
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of glfft that a module imports at the top or inside functions."""
    asked = set()
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{each.name}" for each in node.names}
            asked |= {name if name in known else node.module for name in inside}
        elif isinstance(node, ast.Import):
            asked |= {each.name for each in node.names}
    return asked & set(known)


def inner_modules() -> dict[str, Path]:
    """The modules that others build on: not the package itself, which gives out the public names, and no programs."""
    return {
        name: path
        for name, path in modules().items()
        if name != "glfft" and '__name__ == "__main__"' not in path.read_text(encoding="utf-8")
    }


@functools.cache
def arrows() -> list[tuple[str, str]]:
    """Who imports whom, by dotted names."""
    inner = inner_modules()
    return [(name, other) for name, path in inner.items() for other in imports(path, inner) - {name}]


def test_every_module_imports_from_its_row_or_above() -> None:
    row = rows()
    assert {room(name) for name in inner_modules()} == set(row)
    wrong = [f"{name} imports {other}" for name, other in arrows() if row[room(other)] > row[room(name)]]
    assert not wrong


def between(place: Callable[[str], str]) -> dict[str, set[str]]:
    """Which places import from which others, where `place` says in which one a module is."""
    found: dict[str, set[str]] = {}
    for name, other in arrows():
        if place(name) != place(other):
            found.setdefault(place(name), set()).add(place(other))
    return found


def in_circles(imports: dict[str, set[str]]) -> list[str]:
    """All that import themselves through others."""
    reaches = {name: set(known) for name, known in imports.items()}
    before = -1
    while before < (before := sum(map(len, reaches.values()))):
        for known in reaches.values():
            known |= set().union(*(reaches.get(other, set()) for other in known))
    return sorted(name for name, known in reaches.items() if name in known)


def test_no_circle_goes_through_two_rooms_programs_or_modules() -> None:
    """Imports for types alone count."""
    assert in_circles(between(room)) == []
    assert in_circles(between(program)) == []
    assert in_circles(between(lambda name: name)) == []


def test_the_library_imports_no_program() -> None:
    above = {"apps", "commands"}
    assert {name for name, others in between(room).items() if others & above} <= above
    assert not between(room)["apps"] & {"commands"}


def test_few_arrows_are_between_few_rooms() -> None:
    """The package itself, which gives out the public names, `__main__`, the demos and the shaders are rooms too."""
    everything = modules() | {f"demos.{path.stem}": path for path in (ROOT / "demos").rglob("*.py")}

    def place(module: str) -> str:
        parts = module.split(".")
        return parts[1] if parts[0] == "glfft" and len(parts) > 1 else parts[0]

    drawn = {(place(name), place(other)) for name, path in everything.items() for other in imports(path, everything)}
    assert len({"shaders", *map(place, everything)}) <= MOST_ROOMS
    assert sum(one != other for one, other in drawn) <= MOST_ARROWS


def test_a_name_of_a_module_has_one_value() -> None:
    """A constant that is bound anew further down changes under the functions between."""
    twice = []
    for path in modules().values():
        bound = [
            target.id
            for node in parsed(path).body
            if isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value is not None)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        ]
        twice += [f"{path.name}: {name}" for name in set(bound) if bound.count(name) > 1]
    assert not twice


def test_the_top_level_holds_what_people_were_promised() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("there is no checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    top = {name.split("/")[0] for name in listed if not name.startswith(".")}
    folders = {"glfft", "shaders", "demos", "tests", "assets", "docs"}
    assert top == folders | {"pyproject.toml", "Makefile", "mkdocs.yml", "README.md", "CHANGELOG.md", "LICENSE"}


def test_no_module_and_no_function_is_long() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules().items()}
    assert [name for name, text in texts.items() if text.count("\n") > LONGEST_MODULE] == []
    functions = [
        (f"{name}: {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for name, path in modules().items()
        for node in statements(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert len(functions) > 1000
    assert [name for name, lines in functions if lines > LONGEST_FUNCTION] == []


def test_few_files_lie_directly_in_the_package() -> None:
    entries = [path.name for path in PACKAGE.iterdir() if path.is_file()]
    assert len(entries) <= MOST_ENTRIES, sorted(entries)


def test_the_tests_that_the_makefile_names_exist() -> None:
    """A name that nothing has ends a run of pytest before its first test."""
    if not (ROOT / "Makefile").exists() or shutil.which("make") is None:
        pytest.skip("there is no checkout, or no make")
    told = "tell:\n\t@echo $(COMPILED) $(INTERPRETED) $(ZINK_TESTS)\n"
    command = ["make", "-s", "--no-print-directory", "-f", "Makefile", "-f", "-", "tell"]
    done = subprocess.run(command, input=told, cwd=ROOT, capture_output=True, text=True, check=True)
    named = {word.partition("::")[0].removeprefix("--ignore=") for word in done.stdout.split()}
    assert len(named) > 50
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


# Modules without a test file of their own name, each with the reason.
NOT_MIRRORED = {
    "__main__.py": "it calls the command, whose tests run it in processes of their own",
}


def test_the_tests_of_a_module_are_found_by_its_name() -> None:
    """The tests of glfft/ROOM/NAME.py are tests/ROOM/test_NAME.py, or several files test_NAME_*.py."""
    modules = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    without = {
        name
        for name, path in modules.items()
        if path.stem != "__init__"
        and not [*(ROOT / "tests" / name).parent.glob(f"test_{path.stem}.py")]
        and not [*(ROOT / "tests" / name).parent.glob(f"test_{path.stem}_*.py")]
    }
    assert without == set(NOT_MIRRORED)


def test_only_its_own_files_and_the_registry_know_a_family() -> None:
    # Tuning, wisdom, plans and the benchmark know what all families offer, and no more of any one. The chapters of the
    # report on papers name the algorithms of their papers.
    files = [*PACKAGE.rglob("*.py"), *shader_files()]
    knowing = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if "stockham" in path.name or "stockham" in path.read_text(encoding="utf-8").lower()
    }
    assert knowing >= {"glfft/algorithms/registry.py", "shaders/fft/stockham.glsl"}
    own = re.compile(
        r"glfft/algorithms/(stockham/\w+|registry|stages)\.py|shaders/fft/(ping_pong_)?stockham\w*\.(glsl|comp)"
        r"|glfft/apps/papers/\w+\.py"
    )
    assert sorted(name for name in knowing if not own.fullmatch(name)) == []


_IMPORTS_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sys.modules)
"""


def test_algorithms_do_without_a_driver() -> None:
    names = [name for name in modules() if name.startswith("glfft.algorithms")]
    assert len(names) > 10
    done = subprocess.run([sys.executable, "-c", _IMPORTS_ALL, *names], capture_output=True, text=True, check=True)
    imported = {name.split(".")[0] for name in done.stdout.split()}
    assert "glfft" in imported
    assert imported.isdisjoint({"moderngl", "glcontext", "glfw"})
