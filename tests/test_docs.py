"""The documents are right: their programs run and print what is shown, their links lead somewhere, their commands
exist, tables made from code are up to date, and the site builds."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from support.documents import examples, make_pages, stockham_by_hand
from support.paths import ROOT

import glfft
from glfft.commands.cli import main
from glfft.demos.ocean.simulation import OceanSimulation
from glfft.overlay import Overlay
from glfft.tuning.tuner import BackgroundTuner

DOCUMENTS = examples.documents()

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE_COMMAND = re.compile(r"`((?:make|glfft) [^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


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


@every_document
def test_programs_run_and_print_what_is_shown(document: Path, tmp_path: Path) -> None:
    programs = examples.programs(document.read_text(encoding="utf-8"))
    for program, output in zip(programs, examples.run(programs, tmp_path), strict=True):
        if program.printed is not None:
            assert output == program.printed, "run `make pages`"


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
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {line[1] for line in _commands(document.read_text(encoding="utf-8")) if line[0] == "make"}
    assert named <= targets


@every_document
def test_commands_and_their_options_exist(document: Path) -> None:
    for line in _commands(document.read_text(encoding="utf-8")):
        if line[0] != "glfft":
            continue
        wanted = {option.split("=")[0] for option in line[1:] if _OPTION.fullmatch(option.split("=")[0])}
        command = [] if line[1].startswith("-") else [line[1]]
        assert wanted <= _options(command), " ".join(line)


def _options(command: list[str]) -> set[str]:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert main([*command, "--help"]) == 0
    return set(_OPTION.findall(text.getvalue()))


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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it; the build is strict and fails at the first warning."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def _documented(site: Path) -> set[str]:
    """Every name in the API reference, by its dotted path: what other sites may link to."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}


def test_the_reference_has_every_public_name(site: Path) -> None:
    documented = _documented(site)
    objects = [getattr(glfft, name) for name in glfft.__all__]
    objects = [each for each in objects if not inspect.ismodule(each)]
    objects += [each for name, each in vars(glfft.snippets).items() if name[0] != "_" and _is_of(glfft.snippets, each)]
    missing = {f"{each.__module__}.{each.__name__}" for each in objects} - documented
    assert missing == {"glfft.snippets.as_snippet", "glfft.snippets.is_for_complex_pictures"}  # for glfft's own use


def _is_of(module: ModuleType, member: object) -> bool:
    """Whether a module defines a member, and has not imported it."""
    return getattr(member, "__module__", "") == module.__name__


@pytest.mark.parametrize("kind", [glfft.Plan, glfft.Profiler, BackgroundTuner, Overlay, OceanSimulation])
def test_the_reference_has_every_public_method(site: Path, kind: type) -> None:
    methods = {name for name, member in vars(kind).items() if name[0] != "_" and callable(member)}
    assert methods
    assert {f"{kind.__module__}.{kind.__name__}.{name}" for name in methods} <= _documented(site)


def test_links_to_the_code_show_it(site: Path) -> None:
    page = (site / "source" / "glfft" / "shaders" / "fft" / "stockham.comp" / "index.html").read_text(encoding="utf-8")
    assert "all_stages" in page


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in index


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
    folders = {f"{path.relative_to(ROOT).as_posix()}/" for path in (ROOT / "glfft" / "shaders").iterdir()}
    assert {path for path in modules - drawn if not path.endswith(("/__init__.py", "/__main__.py"))} == set()
    assert drawn <= modules | folders | {f"{path.rpartition('/')[0]}/" for path in modules}


@pytest.mark.parametrize("radices", [stockham_by_hand.RADIX_4, stockham_by_hand.RADIX_2], ids=["radix 4", "radix 2"])
def test_the_transform_by_hand_is_the_transform(radices: tuple[int, ...]) -> None:
    points = np.random.default_rng(16).standard_normal((16, 2)) @ np.array([1, 1j])
    states = stockham_by_hand.trace(points, radices)
    assert np.allclose(states[-1], np.fft.fft(points), rtol=0, atol=1e-12)


def test_the_contents_by_hand_are_what_the_positions_hold() -> None:
    points = np.random.default_rng(17).standard_normal(16) + 0j
    for state, contents in zip(
        stockham_by_hand.trace(points, stockham_by_hand.RADIX_2),
        stockham_by_hand.contents(stockham_by_hand.RADIX_2),
        strict=True,
    ):
        for value, meaning in zip(state, contents, strict=True):
            assert np.isclose(value, _meant(points, meaning), rtol=0, atol=1e-12), meaning


def _meant(points: NDArray[np.complexfloating], meaning: str) -> complex:
    """The value that "f[5]", "F[5]", "1 of 3, 11" or "2 of the odd" names."""
    if meaning[0] in "fF":
        return (points if meaning[0] == "f" else np.fft.fft(points))[int(meaning[2:-1])]
    coefficient, samples = meaning.split(" of ")
    places = {"the even": range(0, 16, 2), "the odd": range(1, 16, 2)}.get(samples) or map(int, samples.split(", "))
    return np.fft.fft(points[list(places)])[int(coefficient)]
