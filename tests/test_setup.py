"""The set-up script where things are missing: it says what it will install before it does, or what is in the way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.paths import ROOT

SCRIPT = ROOT / ".ci" / "setup"

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="the script is for a POSIX shell")

SetUp = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder that is all of PATH: the tools every machine has, and no more."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "cat", "find", "tail", "touch", "tr", "id"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


@pytest.fixture
def set_up(tmp_path: Path, commands: Path) -> SetUp:
    """Runs the script in an empty checkout."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "pyproject.toml").touch()

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(SCRIPT), *arguments],
            cwd=checkout,
            env={"PATH": str(commands), **environment},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def with_everything_installed(tmp_path: Path, commands: Path) -> None:
    """This Python as the system's and as the virtual environment's, with all packages in."""
    environment = tmp_path / "checkout" / ".venv"
    (environment / "bin").mkdir(parents=True)
    for path in (commands / "python3", environment / "bin" / "python"):
        program(path, f'exec "{sys.executable}" "$@"')
    (environment / "installed-all").touch()


def test_where_all_is_there_nothing_is_done_or_said(set_up: SetUp, tmp_path: Path, commands: Path) -> None:
    with_everything_installed(tmp_path, commands)
    program(commands / "glslangValidator", "")
    done = set_up("all", "glslang")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_copy_of_glfft_in_the_environment_gives_way_to_the_checkout(
    set_up: SetUp, tmp_path: Path, commands: Path
) -> None:
    with_everything_installed(tmp_path, commands)
    environment = tmp_path / "checkout" / ".venv"
    copy = environment / "lib" / "python3.11" / "site-packages" / "glfft"
    copy.mkdir(parents=True)
    (copy / "__init__.py").touch()
    program(environment / "bin" / "python", f'[ "$2" != pip ] || echo "$@" >"{tmp_path}/pip"; :')
    done = set_up("all")
    assert done.returncode == 0, done.stderr
    assert "--editable .[all]" in (tmp_path / "pip").read_text(encoding="utf-8")


def test_missing_packages_are_named_before_apt_runs_as_root(set_up: SetUp, tmp_path: Path, commands: Path) -> None:
    with_everything_installed(tmp_path, commands)
    program(commands / "id", "echo 1000")
    program(commands / "sudo", 'echo "sudo $1" && exec "$@"')
    program(
        commands / "apt-get",
        f'echo "apt-get $*"; [ "$1" = update ] || for name in glslangValidator xauth Xvfb xvfb-run; do\n'
        f'  : >"{commands}/$name"; {shutil.which("chmod")} +x "{commands}/$name"; done',
    )
    done = set_up("all", "xvfb", "glslang")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "glfft set-up: installing missing system packages through apt: xvfb xauth glslang-tools"
    assert lines[1:3] == ["sudo apt-get", "apt-get update -qq"]
    assert lines[3] == "sudo env"
    assert lines[4].startswith("apt-get install")
    assert lines[4].endswith("xvfb xauth glslang-tools")


def test_pip_does_not_wait_for_apt_and_the_end_waits_for_both(set_up: SetUp, tmp_path: Path, commands: Path) -> None:
    with_everything_installed(tmp_path, commands)
    environment, pip, validator = tmp_path / "checkout" / ".venv", tmp_path / "pip", commands / "glslangValidator"
    (environment / "installed-all").unlink()
    program(environment / "bin" / "python", f'[ "$2" != pip ] || : >"{pip}"')
    program(commands / "id", "echo 0")
    waiting = f'tries=0; until [ -e "{pip}" ] || [ $tries = 999999 ]; do tries=$((tries + 1)); done; [ -e "{pip}" ]'
    program(
        commands / "apt-get",
        f'[ "$1" = update ] || {{ {waiting} && : >"{validator}" && {shutil.which("chmod")} +x "{validator}"; }}',
    )
    done = set_up("all", "glslang")
    assert (done.returncode, done.stderr) == (0, "")
    assert validator.exists()


@pytest.mark.parametrize(
    ("settings", "status", "installers"),
    [
        ("global.extra-index-url='file:///more'", 0, ["uv"]),
        ("", 1, ["uv", "pip"]),
        ("global.index-url='https://example.org/simple'", 0, ["pip"]),
    ],
)
def test_uv_installs_but_where_it_fails_or_pip_has_an_index_of_its_own(
    set_up: SetUp, tmp_path: Path, commands: Path, settings: str, status: int, installers: list[str]
) -> None:
    with_everything_installed(tmp_path, commands)
    environment, calls = tmp_path / "checkout" / ".venv", tmp_path / "calls"
    (environment / "installed-all").unlink()
    program(environment / "bin" / "uv", f'echo "uv $*" >>"{calls}"; exit {status}')
    of_pip = f'if [ "$3" = config ]; then echo "{settings}"; else echo "pip $*" >>"{calls}"; fi'
    program(environment / "bin" / "python", f'[ "$2" != pip ] || {{ {of_pip}; }}')
    done = set_up("all")
    assert done.returncode == 0, done.stderr
    lines = calls.read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines if line.endswith("--editable .[all]")] == installers


def test_a_driver_without_a_command_is_looked_for_where_drivers_say_that_they_are(
    set_up: SetUp, tmp_path: Path, commands: Path
) -> None:
    with_everything_installed(tmp_path, commands)
    (commands / "find").unlink()
    program(commands / "find", "true")
    program(commands / "id", "echo 0")
    # The set-up also asks `find` whether pyproject.toml is newer than what is installed: it is not.
    found = 'case "$*" in *lvp_icd*) echo /lvp_icd.json ;; esac'
    program(commands / "apt-get", f"""echo "apt-get $*"; echo '{found}' >>"{commands}/find\"""")
    done = set_up("all", "lavapipe")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].endswith("through apt: mesa-vulkan-drivers")


def test_packages_that_apt_did_not_bring_are_an_error(set_up: SetUp, tmp_path: Path, commands: Path) -> None:
    with_everything_installed(tmp_path, commands)
    program(commands / "id", "echo 0")
    program(commands / "apt-get", "true")
    done = set_up("all", "glslang")
    assert done.returncode == 1
    assert done.stderr == "glfft set-up: still missing after apt has run: glslang-tools\n"


@pytest.mark.parametrize(
    ("tools", "sentence"),
    [
        ({}, "install them with this system's package manager"),
        ({"apt-get": "exit 9", "id": "echo 1000"}, "installing them needs root: apt-get install"),
        ({"apt-get": "exit 9", "id": "echo 0"}, "apt could not install"),
    ],
)
def test_what_stands_in_the_way_is_said(
    tools: dict[str, str], sentence: str, set_up: SetUp, tmp_path: Path, commands: Path
) -> None:
    with_everything_installed(tmp_path, commands)
    for name, text in tools.items():
        (commands / name).unlink(missing_ok=True)
        program(commands / name, text)
    done = set_up("all", "glslang")
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "glslang-tools" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_no_python_at_all_is_among_what_is_missing(set_up: SetUp) -> None:
    done = set_up("all", "gl")
    assert done.returncode == 1
    assert "python3 python3-venv libegl1 libgl1" in done.stderr


def test_an_old_python_is_one_sentence(set_up: SetUp, commands: Path) -> None:
    program(commands / "python3", '[ "$1" = --version ] && echo Python 3.9.2')
    done = set_up("all")
    assert done.returncode == 1
    assert "Python 3.9.2 is too old: install Python 3.11 or newer" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_chosen_python_that_is_not_there_is_one_sentence(set_up: SetUp) -> None:
    done = set_up("all", PYTHON="python9")
    assert done.returncode == 1
    assert done.stderr == "glfft set-up: PYTHON=python9 cannot be run or is older than 3.11.\n"
