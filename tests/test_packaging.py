"""The wheel holds everything the checkout has, and works where there is no checkout."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import glfft

CHECKOUT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
BACKEND = PROJECT["build-system"]["build-backend"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy, since building leaves files behind, and without the network."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(CHECKOUT / "glfft", copy / "glfft", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, copy)
    target = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        # What pip calls, whatever it is asked to build: https://peps.python.org/pep-0517/
        [sys.executable, "-c", f"import {BACKEND} as backend; backend.build_wheel({str(target)!r})"],
        capture_output=True,
        text=True,
        check=False,
        cwd=copy,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = target.glob("*.whl")
    return path


def test_the_wheel_has_every_module_and_shader(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "glfft").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"glfft/py.typed", "glfft/shaders/fft/stockham.comp", "glfft/ocean/spectra.py"} <= expected
    assert expected - inside == set()


def test_the_wheel_has_the_command_and_the_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    by_name = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert "glfft = glfft.commands.cli:main" in by_name["entry_points.txt"]
    assert by_name["LICENSE"] == (CHECKOUT / "LICENSE").read_text(encoding="utf-8")
    assert re.search(r"^Version: " + re.escape(glfft.__version__) + "$", by_name["METADATA"], re.MULTILINE)


def test_the_wheel_transforms_and_finds_its_shaders_far_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(unpacked)
    program = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r})\n"
        "import glfft, numpy\n"
        "assert glfft.__file__.startswith(sys.path[0]), glfft.__file__\n"
        "import glfft.demos\n"
        "assert glfft.demos.__file__.startswith(sys.path[0]), glfft.demos.__file__\n"
        "print(abs(glfft.fft2(numpy.ones((4, 8)))[0, 0]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "32.0\n"


def test_each_of_two_checkouts_reads_its_own_shaders(tmp_path: Path) -> None:
    """The other one is installed in this environment; Python that starts in a copy has nothing from there."""
    shutil.copytree(CHECKOUT / "glfft", tmp_path / "glfft", ignore=shutil.ignore_patterns("__pycache__"))
    mark = "// the shaders of the copy\n"
    entry = tmp_path / "glfft" / "shaders" / "fft" / "stockham.comp"
    entry.write_text(mark + entry.read_text(encoding="utf-8"), encoding="utf-8")
    program = (
        "import glfft.ocean.settings\n"
        "with glfft.Plan(glfft.open_context(), (4, 8)) as plan:\n"
        "    print(glfft.demos.__file__)\n"
        f"    assert {mark!r} in plan.source()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'glfft' / 'demos' / '__init__.py'}\n"


def test_the_version_is_written_once_in_each_place() -> None:
    assert PROJECT["project"]["version"] == glfft.__version__
    newest = re.search(r"^## (\d\S+)", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == glfft.__version__


def test_the_core_imports_only_its_declared_dependencies() -> None:
    required = {re.split(r"[<>=\[ ]", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert required == {"moderngl", "glfw", "numpy", "pillow", "tqdm", "platformdirs", "filelock"}
