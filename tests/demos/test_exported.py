"""The readers of exports: in C++, in contexts of OpenGL 4.3 and of OpenGL ES 3.1; what those in Python refuse."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.displays import environment
from support.exported import exact
from support.images import random_values
from support.paths import ROOT
from support.tolerances import TABLE_DB, assert_close

import glfft
from glfft.commands.cli import main

PROGRAM = ROOT / "demos" / "exported" / "run_exported.cpp"


def glfw_library() -> Path | None:
    """The library for X11 that comes with the Python package glfw."""
    import glfw

    found = Path(glfw.__file__).parent / "x11" / "libglfw.so"
    return found if found.is_file() else None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled reader."""
    library = glfw_library()
    if library is None:
        pytest.skip("the Python package glfw has brought no library for X11")
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    folder = tmp_path_factory.mktemp("reader")
    (folder / "libglfw.so.3").symlink_to(library)
    line = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", PROGRAM, folder / "libglfw.so.3"]
    done = subprocess.run(
        [*line, f"-Wl,-rpath,{folder}", "-o", folder / "run_exported"], capture_output=True, text=True, check=False
    )
    if "GL/glcorearb.h: No such file" in done.stderr:
        pytest.skip("GL/glcorearb.h is not installed, which Debian has in libgl-dev")
    assert done.returncode == 0, done.stderr
    return folder / "run_exported"


def run(program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run it on a display of its own, where there is a virtual one."""
    line = ["xvfb-run", "-a"] if shutil.which("xvfb-run") else []
    variables = {**environment(display=True), "LD_LIBRARY_PATH": os.fspath(program.parent)}
    return subprocess.run(
        [*line, program, *map(str, words)], capture_output=True, text=True, timeout=120, env=variables, check=False
    )


# Shape, options, and whether for OpenGL ES 3.1.
CASES: list[tuple[tuple[int, ...], dict[str, Any], bool]] = [
    ((12, 20), {"real": True}, False),
    ((3, 4, 5), {}, False),
    ((8, 16), {"algorithm": "cooley-tukey-stages", "layers": 3}, False),
    ((12, 20), {"storage": "buffer", "norm": "ortho"}, False),
    ((12, 20), {"storage": "buffer", "norm": "ortho"}, True),
    ((6, 10), {"storage": "buffer", "real": True}, True),
]


@pytest.mark.window
@pytest.mark.parametrize(("shape", "options", "portable"), CASES, ids=str)
def test_a_program_in_cpp_runs_an_export(
    ctx: moderngl.Context,
    program: Path,
    tmp_path: Path,
    shape: tuple[int, ...],
    options: dict[str, Any],
    portable: bool,
) -> None:
    with glfft.Plan(ctx, shape, **options) as plan:
        folder = plan.export(tmp_path / "exported", portable=portable, spirv=False)
        storage = plan.request.storage.of_reals if plan.request.real else plan.request.storage
        values = random_values(storage, shape, plan.request.layers)
        right = exact(plan, values, "forward")
    values.tofile(tmp_path / "in.bin")
    done = run(program, folder, "forward", tmp_path / "in.bin", tmp_path / "out.bin")
    assert (done.returncode, done.stderr) == (0, "")
    assert_close(np.fromfile(tmp_path / "out.bin", np.complex64).reshape(right.shape), right, TABLE_DB)


@pytest.mark.window
def test_what_it_cannot_run_is_said_in_a_line(program: Path, tmp_path: Path) -> None:
    for words in ((), (tmp_path, "forward", "in.bin", "out.bin")):
        done = run(program, *words)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.window
def test_what_it_has_no_numbers_for_is_said_in_a_line(ctx: moderngl.Context, program: Path, tmp_path: Path) -> None:
    with glfft.Plan(ctx, (4, 6)) as plan:
        folder = plan.export(tmp_path / "exported", spirv=False)
    np.ones((4, 6), np.complex64).tofile(tmp_path / "in.bin")
    (tmp_path / "none.bin").touch()
    for direction, given, result, said in (
        ("sideways", "in.bin", "out.bin", "has no direction sideways"),
        ("forward", "none.bin", "out.bin", "source has another size"),
        ("forward", "in.bin", "none/out.bin", "cannot write"),
    ):
        done = run(program, folder, direction, tmp_path / given, tmp_path / result)
        assert done.returncode == 1
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out.bin").exists()


@pytest.mark.parametrize("reader", ["run_exported.py", "run_exported_wgpu.py"])
def test_what_a_reader_in_python_cannot_run_is_said_in_a_line(tmp_path: Path, reader: str) -> None:
    if reader == "run_exported_wgpu.py":
        wgpu = pytest.importorskip("wgpu")
        if not wgpu.gpu.enumerate_adapters_sync():
            pytest.skip("needs Vulkan")
    folder = tmp_path / "exported"
    assert main(["export", "--size", "4x6", "-o", str(folder)]) == 0
    np.save(tmp_path / "right.npy", np.ones((4, 6), np.complex64))
    np.save(tmp_path / "double.npy", np.ones((4, 6)))  # as many bytes
    np.save(tmp_path / "short.npy", np.ones((4, 5), np.complex64))
    for words in (
        [],
        [tmp_path, "forward", "right.npy"],
        [folder, "sideways", "right.npy"],
        [folder, "forward", "none.npy"],
        [folder, "forward", "double.npy"],
        [folder, "forward", "short.npy"],
    ):
        line = [sys.executable, "-P", PROGRAM.with_name(reader), *words, "out.npy"]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        said = [each for each in done.stderr.splitlines() if "XDG_RUNTIME_DIR" not in each]
        assert len(said) == 1, said
        assert said[0].startswith("Name an export, a direction")
    assert not (tmp_path / "out.npy").exists()
