"""The documents are right: their programs run and print what is shown, their links lead somewhere, their commands
exist, tables made from code are up to date, and the site builds."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image
from support.documents import LARGE, assert_prints_what_is_shown, examples, make_pages, stockham_by_hand
from support.paths import ROOT, SHADERS

import glfft
from glfft.commands.cli import main
from glfft.overlay import Overlay
from glfft.sea.simulation import OceanSimulation
from glfft.tuning.tuner import BackgroundTuner

DOCUMENTS = examples.documents()
INTERNAL = {"as_snippet", "is_for_complex_pictures"}  # public names for glfft's own use

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE_COMMAND = re.compile(r"`((?:make|glfft) [^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
by_hand = pytest.mark.parametrize(
    "radices", [stockham_by_hand.RADIX_4, stockham_by_hand.RADIX_2], ids=["radix 4", "radix 2"]
)


def _anchors(document: Path) -> set[str]:
    """The anchors GitHub gives a page's headings."""
    headings = _HEADING.findall(_FENCE.sub("", document.read_text(encoding="utf-8")))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def _commands(text: str) -> list[list[str]]:
    """The command lines of `make` and `glfft` in a document, in words; comments left out."""
    lines = [line for block in _SHELL_BLOCK.findall(text) for line in block.splitlines()]
    lines += _INLINE_COMMAND.findall(text)
    words = [line.split("#")[0].split() for line in lines]
    return [line for line in words if line and line[0] in ("make", "glfft")]


@pytest.mark.parametrize("document", LARGE, ids=lambda path: path.name)
def test_large_programs_run_and_print_what_is_shown(document: Path, tmp_path: Path) -> None:
    """`test_docs_programs.py` has the others."""
    assert_prints_what_is_shown(document, tmp_path)


def test_every_hidden_program_is_run_by_a_page() -> None:
    pages = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    files = {path.stem for path in (ROOT / "docs" / "programs").glob("*.py")}
    assert files == set(re.findall(r"^<!-- program: (\w+) -->$", pages, re.MULTILINE))


def test_the_readme_has_a_program() -> None:
    assert examples.programs((ROOT / "README.md").read_text(encoding="utf-8"))


@every_document
def test_links_lead_somewhere(document: Path) -> None:
    broken = []
    for found in _LINK.finditer(_FENCE.sub("", document.read_text(encoding="utf-8"))):
        link = found[1] or found[2]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert not broken


@every_document
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {line[1] for line in _commands(document.read_text(encoding="utf-8")) if line[0] == "make"}
    assert named <= targets


@every_document
def test_commands_and_their_options_exist(document: Path) -> None:
    for line in _commands(document.read_text(encoding="utf-8")):
        if line[0] != "glfft":
            continue
        wanted = {option.split("=")[0] for option in line[1:] if _OPTION.fullmatch(option.split("=")[0])}
        # The command, a demo's name, and files.
        command = list(itertools.takewhile(lambda word: not word.startswith("-"), line[1:]))
        assert wanted <= _options(command), " ".join(line)


def _options(command: list[str]) -> set[str]:
    found: set[str] = set()
    for word in ("--help", "--help-all"):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            assert main([*command, word]) == 0
        found = set(_OPTION.findall(text.getvalue()))
        if "--help-all" not in found:
            break
    return found


def test_the_fields_of_saved_data_are_listed(tmp_path: Path) -> None:
    Image.effect_noise((8, 8), 80).save(tmp_path / "photo.png")
    assert main(["spectrum", str(tmp_path / "photo.png"), "--save-data", str(tmp_path / "photo.npz")]) == 0
    page = (ROOT / "docs" / "spectrum.md").read_text(encoding="utf-8")
    with np.load(tmp_path / "photo.npz") as data:
        assert {name for name in data.files if f"`{name}`" not in page} == set()


@every_document
def test_tables_are_up_to_date(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert make_pages.with_tables(text) == text, "run `make pages`"


def test_the_site_builds_and_has_every_public_name(tmp_path: Path) -> None:
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module)
    # As `make docs` does, but for the index of the search, which takes a third of the time and gives no warnings; the
    # build is strict and fails at the first warning, if warnings are not silenced.
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "SEARCH_INDEX": "false"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    packed = (tmp_path / "objects.inv").read_bytes().split(b"\n", 4)[4]
    documented = {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}
    missing = {name for each in _public_objects() for name in _public_names(each)} - documented
    assert {name.rpartition(".")[2] for name in missing} == INTERNAL
    code = tmp_path / "source" / "shaders" / "fft" / "stockham.comp" / "index.html"
    assert "all_stages" in code.read_text(encoding="utf-8")  # a link to a file outside docs/ shows it
    assert _links_without_a_file(tmp_path) == set()  # MkDocs does not warn of links to files that it leaves out


def _links_without_a_file(site: Path) -> set[str]:
    """Relative links in the site's pages that lead to no file; anchors are MkDocs' to check."""
    wrong = set()
    for page in site.rglob("index.html"):
        for link in re.findall(r'(?:href|src)="([^"#?:]+)["#?]', page.read_text(encoding="utf-8")):
            target = page.parent / unquote(link)
            if not (target / "index.html").is_file() and not target.is_file():
                wrong.add(f"{page.relative_to(site)}: {link}")
    return wrong


def test_the_api_page_lists_every_public_name_in_the_clone() -> None:
    listed = set(re.findall(r"`(?:[\w.]*\.)?(\w+)[`(]", (ROOT / "docs" / "api.md").read_text(encoding="utf-8")))
    assert {name.rpartition(".")[2] for each in _public_objects() for name in _public_names(each)} - listed == INTERNAL


def _public_objects() -> list[Any]:
    named = [getattr(glfft, name) for name in glfft.__all__]
    snippets = [each for each in vars(glfft.snippets).values() if getattr(each, "__module__", "") == "glfft.snippets"]
    return [
        each for each in (*named, *snippets, BackgroundTuner, Overlay, OceanSimulation) if not inspect.ismodule(each)
    ]


def _public_names(member: Any) -> Iterator[str]:
    """The dotted path of a function, or of a class and its methods."""
    path = f"{member.__module__}.{member.__name__}"
    if not member.__name__.startswith("_"):
        yield path
    if inspect.isclass(member) and member is not glfft.snippets.Snippet:
        yield from (f"{path}.{name}" for name, each in vars(member).items() if name[0] != "_" and callable(each))


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in index


def test_files_that_the_code_page_says_to_touch_exist() -> None:
    table = (ROOT / "docs" / "code.md").read_text(encoding="utf-8").split("## The tree")[0]
    named = [name for name in re.findall(r"`([\w/*.-]+)`", table) if "/" in name or name.endswith((".py", ".md"))]
    missing = [
        name
        for name in named
        if "NAME" not in name and not any(next(place.glob(name.rstrip("/")), None) for place in (ROOT / "glfft", ROOT))
    ]
    assert len(named) > 60
    assert missing == []


def test_the_tree_of_the_house_has_every_module() -> None:
    text = (ROOT / "docs" / "code.md").read_text(encoding="utf-8")
    tree = re.search(r"```text\n(glfft/\n.*?)^tests/", text, re.MULTILINE | re.DOTALL)
    assert tree
    drawn, above = set(), [""]
    for line in filter(None, tree[1].splitlines()):
        depth = (len(line) - len(line.lstrip())) // 2
        for name in re.split(r" {2,}", line.strip())[0].split():
            above[depth:] = [f"{above[depth - 1] if depth else ''}{name}"]
            drawn.add(above[depth])
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "glfft").rglob("*.py")}
    folders = {f"{path.relative_to(ROOT).as_posix()}/" for path in (SHADERS, *SHADERS.glob("**/"))}
    assert {path for path in modules - drawn if not path.endswith(("/__init__.py", "/__main__.py"))} == set()
    assert drawn <= modules | folders | {f"{path.rpartition('/')[0]}/" for path in modules}


@by_hand
def test_the_transform_by_hand_is_the_transform(radices: tuple[int, ...]) -> None:
    points = np.random.default_rng(16).standard_normal((16, 2)) @ np.array([1, 1j])
    states = stockham_by_hand.trace(points, radices)
    assert np.allclose(states[-1], np.fft.fft(points), rtol=0, atol=1e-12)


@by_hand
def test_positions_hold_transforms_of_interleaved_samples(radices: tuple[int, ...]) -> None:
    points = np.random.default_rng(17).standard_normal(16) + 0j
    spans = np.cumprod((1, *radices))
    for state, span in zip(stockham_by_hand.trace(points, radices), spans, strict=True):
        exact = [np.fft.fft(points[q :: 16 // span]) for q in range(16 // span)]
        assert np.allclose(state, np.concatenate(exact), rtol=0, atol=1e-12)
