"""`glfft export`: what it writes, and what it leaves alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.exported import READER
from support.sentences import assert_one_sentence
from support.tolerances import assert_close

from glfft.commands import cli


def test_a_program_without_glfft_runs_what_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, picture = tmp_path / "exported", np.random.default_rng(3).standard_normal((12, 20)).astype(np.float32)
    assert cli.main(["export", "--size", "12x20", "--real", "--norm", "ortho", "-o", str(folder)]) == 0
    assert capsys.readouterr().out.startswith(f"{len([*folder.iterdir()])} files written: {folder}\n")
    np.save(tmp_path / "in.npy", picture)
    # -P: neither the checkout nor this folder is on its path; a package of the same name would fail.
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "glfft.py").write_text("raise ImportError\n")
    command = [sys.executable, "-P", READER, folder, "forward", tmp_path / "in.npy", tmp_path / "out.npy"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(blocked)}, check=False)
    assert done.returncode == 0, done.stderr
    result = np.load(tmp_path / "out.npy").view(np.complex64).reshape(12, 11)
    assert_close(result, np.fft.rfft2(picture.astype(np.float64), norm="ortho"))


# The reader runs for each folder, in one process: wgpu takes long to start.
_RUN_EACH = """
import runpy, sys
reader, *folders = sys.argv[1:]
for folder in folders:
    sys.argv = [reader, f"{folder}/exported", "forward", f"{folder}/in.npy", f"{folder}/out.npy"]
    runpy.run_path(reader, run_name="__main__")
"""


def test_wgpu_runs_the_spirv_of_buffers(tmp_path: Path) -> None:
    wgpu = pytest.importorskip("wgpu")
    if shutil.which("glslangValidator") is None:
        pytest.skip("needs glslangValidator")
    if not wgpu.gpu.enumerate_adapters_sync():
        pytest.skip("needs Vulkan")
    random = np.random.default_rng(4)
    picture = random.standard_normal((4, 6)) + 1j * random.standard_normal((4, 6))
    pictures = {"complex": picture.astype(np.complex64), "real": picture.real.astype(np.float32)}
    for name, values in pictures.items():
        options = ["--real"] if name == "real" else []
        place = tmp_path / name
        place.mkdir()
        command = ["export", "--size", "4x6", "--storage", "buffer", "--portable", *options]
        assert cli.main([*command, "-o", str(place / "exported")]) == 0
        np.save(place / "in.npy", values)
    reader = READER.with_name("run_exported_wgpu.py")
    folders = [tmp_path / name for name in pictures]
    run = [sys.executable, "-P", "-c", _RUN_EACH, reader, *folders]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name, transform in (("complex", np.fft.fft2), ("real", np.fft.rfft2)):
        wanted = transform(pictures[name].astype(np.complex128 if name == "complex" else np.float64))
        assert_close(np.load(tmp_path / name / "out.npy").view(np.complex64).reshape(wanted.shape), wanted)


def test_where_nothing_compiles_spirv_a_sentence_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert cli.main(["export", "--size", "4", "-o", str(tmp_path / "exported")]) == 0
    written, sentence = capsys.readouterr().out.splitlines()
    assert written.endswith(f"files written: {tmp_path / 'exported'}")
    assert sentence.startswith("No SPIR-V was written, since glslangValidator is not installed;")


def test_the_reader_has_at_most_60_lines_and_does_not_import_glfft() -> None:
    text = READER.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert "import glfft" not in text
    assert "from glfft" not in text


def test_a_folder_that_exists_is_not_touched_without_overwrite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", "--size", "4", "-o", str(tmp_path / "exported")]
    assert cli.main(command) == 0
    before = (tmp_path / "exported" / "manifest.json").read_bytes()
    assert cli.main([*command, "--norm", "ortho"]) == 1
    assert "--overwrite" in capsys.readouterr().err
    assert (tmp_path / "exported" / "manifest.json").read_bytes() == before
    assert cli.main([*command, "--norm", "ortho", "--overwrite"]) == 0
    after = json.loads((tmp_path / "exported" / "manifest.json").read_text())
    assert after["transform"]["norm"] == "ortho"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--size", "4,8"], 2),
        (["--size", "0"], 2),
        (["--size", "4", "--axes", "7"], 2),
        (["--size", "4", "--kind", "dct9"], 2),
        (["--size", "4", "--kind", "dct2", "--real"], 2),
        (["--size", "4", "--norm", "none"], 2),
        (["--size", "4", "--algorithm", "magic"], 2),
        (["--size", "999999"], 1),
        (["--size", "4", "--portable"], 2),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int
) -> None:
    assert cli.main(["export", *options, "-o", str(tmp_path / "exported")]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert_one_sentence(line.removeprefix("glfft export: ").replace(" See 'glfft export --help'.", ""))
    assert not [*tmp_path.iterdir()]
