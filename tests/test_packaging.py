"""Archive of sources, wheel, editable installation and plain checkout: each has all files and reads its own shaders."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import glfft

CHECKOUT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
BACKEND = PROJECT["build-system"]["build-backend"]


MARK = "// the shaders of the copy\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another checkout, in a folder called glfft, whose shaders can be told from this one's."""
    copy = tmp_path_factory.mktemp("above") / "glfft"
    for name in ("glfft", "shaders"):
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, copy)
    entry = copy / "shaders" / "fft" / "stockham.comp"
    entry.write_text(MARK + entry.read_text(encoding="utf-8"), encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def built(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What is built from the copy, without the network: "sdist", "editable", and "wheel" from the unpacked sdist."""
    pytest.importorskip(BACKEND.split(".")[0])
    target = tmp_path_factory.mktemp("dist")
    sdist = build("sdist", copy, target)
    unpacked = target / "unpacked"
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return {
        "sdist": source,
        "wheel": install(build("wheel", source, target / "wheel"), target / "site"),
        "editable": install(build("editable", copy, target / "editable"), target / "editable-site"),
    }


def build(kind: str, source: Path, target: Path) -> Path:
    """What pip calls, whatever it is asked to build: https://peps.python.org/pep-0517/."""
    target.mkdir(exist_ok=True)
    done = run(f"import {BACKEND} as backend; print(backend.build_{kind}({str(target)!r}))", source)
    return target / done.splitlines()[-1]


def install(wheel: Path, site: Path) -> Path:
    """Unpack a wheel, as pip does."""
    zipfile.ZipFile(wheel).extractall(site)
    return site


def run(program: str, folder: Path) -> str:
    """What a program prints that starts in a folder."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, env=env, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of(*folders: Path) -> set[str]:
    """All files of folders, by their paths in the folders' parent."""
    return {
        path.relative_to(folder.parent).as_posix()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_archive_of_sources_has_every_file(copy: Path, built: dict[str, Path]) -> None:
    there = built["sdist"]
    expected = files_of(CHECKOUT / "glfft", CHECKOUT / "shaders")
    assert {"glfft/py.typed", "shaders/fft/stockham.comp", "glfft/sea/spectra.py"} <= expected
    assert files_of(there / "glfft", there / "shaders") == expected
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"} <= {path.name for path in there.iterdir()}


def test_the_wheel_has_every_module_and_shader_and_nothing_beside_the_package(built: dict[str, Path]) -> None:
    inside = files_of(CHECKOUT / "glfft") | {f"glfft/{name}" for name in files_of(CHECKOUT / "shaders")}
    assert files_of(built["wheel"] / "glfft") == inside
    assert [path.name for path in built["wheel"].iterdir() if path.suffix != ".dist-info"] == ["glfft"]


def test_the_wheel_has_the_command_and_the_licence(built: dict[str, Path]) -> None:
    files = built["wheel"].glob("*.dist-info/**/*")
    by_name = {path.name: path.read_text(encoding="utf-8") for path in files if path.is_file()}
    assert "glfft = glfft.commands.cli:main" in by_name["entry_points.txt"]
    assert by_name["LICENSE"] == (CHECKOUT / "LICENSE").read_text(encoding="utf-8")
    assert re.search(r"^Version: " + re.escape(glfft.__version__) + "$", by_name["METADATA"], re.MULTILINE)


IMPORTS = """
import glfft.sea.settings
print(glfft.__file__, glfft.apps.__file__)
with glfft.Plan(glfft.open_context(), (4, 8)) as plan:
    print("// the shaders of the copy" in plan.source()[0].text)
"""


def test_the_wheel_reads_the_shaders_inside_it_wherever_a_program_starts(
    built: dict[str, Path], tmp_path: Path
) -> None:
    site = built["wheel"]
    printed = run(f"import sys; sys.path.insert(0, {str(site)!r})\n{IMPORTS}", tmp_path)
    assert printed == f"{site / 'glfft' / '__init__.py'} {site / 'glfft' / 'apps' / '__init__.py'}\nTrue\n"


def test_an_editable_installation_is_the_checkout_and_copies_nothing(
    copy: Path, built: dict[str, Path], tmp_path: Path
) -> None:
    """Also for a program in the folder above, to which the checkout's folder looks like a package without modules."""
    site = built["editable"]
    assert [path.name for path in site.iterdir() if path.suffix != ".dist-info"] == ["_glfft.pth"]
    # -S in effect: neither this environment's packages come first nor its glfft.
    begin = f"import site, sys; others = sys.path[1:]; sys.path[1:] = []; site.addsitedir({str(site)!r})"
    for folder in (tmp_path, copy.parent):
        printed = run(f"{begin}; sys.path += others\n{IMPORTS}", folder)
        assert printed == f"{copy / 'glfft' / '__init__.py'} {copy / 'glfft' / 'apps' / '__init__.py'}\nTrue\n"


def test_a_checkout_that_is_not_installed_reads_its_own_shaders_whichever_other_is(copy: Path) -> None:
    printed = run(IMPORTS, copy)
    assert printed == f"{copy / 'glfft' / '__init__.py'} {copy / 'glfft' / 'apps' / '__init__.py'}\nTrue\n"


def test_the_version_is_written_once_in_each_place() -> None:
    assert PROJECT["project"]["version"] == glfft.__version__
    newest = re.search(r"^## (\d\S+)", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == glfft.__version__


def test_the_core_imports_only_its_declared_dependencies() -> None:
    required = {re.split(r"[<>=\[ ]", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert required == {"moderngl", "glfw", "numpy", "pillow", "tqdm", "platformdirs", "filelock"}
