"""The lists of names in api.md, from signatures and docstrings, and what the site has in their place.

A list stands below a mark. The mark `<!-- names: PATH ... -->` lists functions, classes and their members, with
signatures and the first sentences of docstrings. With `classes:` members have no sentences. With `alike:` functions of
a module have none, and share a line with those of one signature. With `names only:` there are names alone. A path is a
function, a class or a module, whose own public names are all listed. Modules are read and not imported: optional
packages may be missing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MARK = re.compile(
    r"^<!-- (?P<kind>names|classes|alike|names only): (?P<paths>[^>]+) -->\n+(?:(?: *- .*\n)+\n?)?", re.MULTILINE
)
# For glfft's own use, though their names are public in their modules.
INTERNAL = {"as_snippet", "is_for_complex_pictures", "generated", "import_extra", "require", "shown", "size_text"}
INTERNAL |= {"real_number", "whole_number", "at_least_one", "check_flag", "check_choice"}

_Definition = ast.FunctionDef | ast.ClassDef


def with_names(text: str) -> str:
    """The page with the list that each mark asks for below it."""

    def listed(mark: re.Match[str]) -> str:
        made = "\n".join(_LISTS[mark["kind"]](mark["paths"].split()))
        return f"<!-- {mark['kind']}: {mark['paths']} -->\n\n{made}\n\n"

    return MARK.sub(listed, text).rstrip("\n") + "\n"


def for_site(text: str) -> str:
    """The page with what mkdocstrings puts in the place of each list: the whole docstrings."""
    return MARK.sub(lambda mark: "".join(_directive(path) for path in mark["paths"].split()), text)


def _directive(path: str) -> str:
    if _tree(path) is None:
        return f"::: {path}\n\n"
    options = {"show_root_heading": "false", "show_root_toc_entry": "false"}
    options["filters"] = str(["!^_", *(f"!^{name}$" for name in sorted(INTERNAL))])
    return f"::: {path}\n    options:\n" + "".join(f"      {key}: {value}\n" for key, value in options.items()) + "\n"


def _lines(paths: list[str]) -> Iterator[str]:
    for path in paths:
        tree = _tree(path)
        if tree is None:
            yield from _entry(_find(path), path)
        else:
            for each in _public(tree.body):
                yield from _entry(each, each.name)


def _alike(paths: list[str]) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for path in paths:
        tree = _tree(path)
        assert tree is not None, path
        for each in _public(tree.body):
            alike.setdefault(_signature(each), []).append(each.name)
    for signature, names in alike.items():
        yield f"- {_in_code(names)}: `{signature}`"


def _classes(paths: list[str]) -> Iterator[str]:
    for path in paths:
        head, *members = _entry(_find(path), path)
        yield head
        if members:
            yield f"  - {_in_code(member.split('`')[1] for member in members)}"


def _names_only(paths: list[str]) -> Iterator[str]:
    modules: dict[str, list[str]] = {}
    for path in paths:
        tree = _tree(path)
        module, _, name = path.rpartition(".")
        if tree is None:
            modules.setdefault(module, []).append(name)
        else:
            modules.setdefault(path, []).extend(each.name for each in _public(tree.body))
    for module, names in modules.items():
        yield f"- `{module}`: {_in_code(names)}"


_LISTS = {"names": _lines, "classes": _classes, "alike": _alike, "names only": _names_only}


def _in_code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _find(path: str) -> _Definition:
    """The definition of a function or class, through the modules that import it."""
    module, _, name = path.rpartition(".")
    tree = _tree(module)
    assert tree is not None, path
    for each in ast.walk(tree):
        if isinstance(each, _Definition) and each.name == name and each in tree.body:
            return each
        if isinstance(each, ast.ImportFrom) and each.module and name in {alias.name for alias in each.names}:
            return _find(f"{each.module}.{name}")
    raise LookupError(path)


def _tree(path: str) -> ast.Module | None:
    """A module, parsed; None if the path is not one. The package may give a module another name."""
    place = ROOT.joinpath(*path.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if file.exists():
        return ast.parse(file.read_text(encoding="utf-8"))
    package, _, name = path.rpartition(".")
    face = ast.walk(_tree(package) or ast.parse("")) if package else ()
    asked = [each for each in face if isinstance(each, ast.ImportFrom)]
    named = [f"{each.module}.{alias.name}" for each in asked for alias in each.names if alias.asname == name]
    return _tree(named[0]) if named else None


def _public(body: list[ast.stmt]) -> list[_Definition]:
    found = [each for each in body if isinstance(each, _Definition)]
    return [each for each in found if each.name[0] != "_" and each.name not in INTERNAL]


def _entry(definition: _Definition, name: str) -> Iterator[str]:
    yield f"- `{name}{_signature(definition)}`: {_summary(definition)}"
    if isinstance(definition, ast.ClassDef):
        for each in _public(definition.body):
            yield f"  - `{each.name}{_signature(each)}`: {_summary(each)}"


def _summary(definition: _Definition) -> str:
    text = " ".join((ast.get_docstring(definition) or "").split("\n\n")[0].split())
    assert text, f"{definition.name} has no docstring"
    return re.split(r"; |(?<=[.!?]) (?=[A-Z`])", text)[0].rstrip(".:") + "."


def _signature(definition: _Definition) -> str:
    """Arguments and their defaults, without types; nothing for a property."""
    decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in definition.decorator_list}
    if isinstance(definition, ast.FunctionDef):
        if decorators & {"property", "cached_property"}:
            return ""
        return f"({_arguments(definition)})"
    if "dataclass" in decorators:
        return f"({', '.join(_fields(definition))})"
    made = [each for each in definition.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    return f"({_arguments(made[0])})" if made else ""


def _arguments(function: ast.FunctionDef) -> str:
    given = function.args
    for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if each is not None:
            each.annotation = None
    if given.args and given.args[0].arg in ("self", "cls"):
        given.args = given.args[1:]
    return ast.unparse(given)


def _fields(definition: ast.ClassDef) -> Iterator[str]:
    for each in definition.body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name) or each.target.id[0] == "_":
            continue
        default = "" if each.value is None else ast.unparse(each.value)
        yield each.target.id + (f"={default}" if default and not default.startswith("field(") else "")
