"""The FFT test files of the installed scipy and numpy, run on glfft: `support.scipy_suite` says how."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy
from support import scipys_own
from support.paths import ROOT
from support.scipy_suite import SKIPPED

SITE = Path(scipy.__file__).parents[1]
FILES = {
    "backend": [
        SITE / "scipy" / "fft" / "tests" / f"test_{name}.py"
        for name in ("basic", "multithreading", "helper", "fftlog", "backend")
    ],
    "real": [SITE / "scipy" / "fft" / "tests" / "test_real_transforms.py"],
    "single": [
        *(SITE / "scipy" / "fft" / "tests" / f"test_{name}.py" for name in ("basic", "multithreading")),
        SITE / "scipy" / "fft" / scipys_own.NAME / "tests" / "test_basic.py",
        Path(np.__file__).parent / "fft" / "tests" / "test_pocketfft.py",
    ],
}


def run(suite: str, folder: Path, slow: bool, transforms: int = 0) -> str:
    """What pytest says of a suite, in a process of its own; every test has passed, and glfft ran so many transforms."""
    command = ["pytest", "-q", "--tb=short", "-p", "support.scipy_suite", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-c", os.devnull, "--rootdir", str(SITE), *map(str, FILES[suite])]
    environment = {
        **os.environ,
        "GLFFT_SUITE": suite,
        "GLFFT_SLOW": "1" if slow else "",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests"))),
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=folder, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    runs = re.search(r"glfft ran (\d+) transforms", done.stdout)
    assert runs
    assert int(runs[1]) >= transforms
    return done.stdout


def test_scipys_tests_pass_with_the_backend(tmp_path: Path) -> None:
    said = run("backend", tmp_path, slow=False, transforms=200)
    assert re.search(r"\d\d\d passed, \d skipped", said)


@pytest.mark.slow
def test_scipys_slow_tests_pass_with_the_backend(tmp_path: Path) -> None:
    run("backend", tmp_path, slow=True, transforms=200)


def test_numpys_tests_pass_in_single_precision(tmp_path: Path) -> None:
    run("single", tmp_path, slow=False, transforms=500)


@pytest.mark.slow
def test_scipys_tests_of_sines_and_cosines_pass_with_the_backend(tmp_path: Path) -> None:
    run("real", tmp_path, slow=False)


@pytest.mark.slow
def test_all_tests_pass_in_single_precision(tmp_path: Path) -> None:
    run("single", tmp_path, slow=True, transforms=2000)


def test_the_page_has_every_test_skipped() -> None:
    page = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    names = {name.split("::")[-1] for skipped in SKIPPED.values() for name in skipped}
    assert {name for name in names if f"{name}`" not in page} == set()
