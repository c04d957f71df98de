"""The command line's promises: one line for every failure, the right exit code, help without OpenGL."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import glfft
from glfft import errors
from glfft.algorithms.registry import algorithms
from glfft.commands import cli, info

COMMANDS = ("info", "spectrum", "ocean", "bench")


def glfft_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "glfft", *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


@pytest.fixture
def command_that(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int | None]], int]:
    """Runs `glfft ocean` with its work replaced by a function; returns the exit code."""

    def run(work: Callable[[], int | None]) -> int:
        module = types.ModuleType("stand_in")
        module.__dict__.update(add_arguments=lambda parser: None, run=lambda arguments: work())
        monkeypatch.setitem(sys.modules, "stand_in", module)
        monkeypatch.setitem(cli._COMMANDS, "ocean", ("stand_in", "a stand-in"))
        return cli.main(["ocean"])

    return run


def raiser(error: BaseException) -> Callable[[], int]:
    def work() -> int:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.DataError("The file is empty."), 1),
        (errors.ContextError("No OpenGL."), 1),
        (errors.DisplayError("No display."), 1),
        (errors.LimitError("Too long."), 1),
        (errors.OutputError("Read-only."), 1),
        (errors.MissingExtraError("pip install it."), 1),
        (errors.UsageError("Contradiction."), 2),
        (errors.OptionError("No such value."), 2),
        (errors.AlgorithmError("No such algorithm."), 2),
        (errors.ShapeError("Not a power of two."), 2),
        (MemoryError(), 1),
        (ValueError("of the\nunexpected kind"), 1),
        (OSError(5, "Input/output error"), 1),
    ],
)
def test_a_failure_is_one_line_and_an_exit_code(
    error: Exception, code: int, command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_that(raiser(error)) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert output.err.startswith("glfft ocean: ")
    if isinstance(error, errors.GlfftError):
        assert str(error) in output.err


def test_an_unexpected_failure_names_its_type_and_the_way_to_its_traceback(
    command_that: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command_that(raiser(ZeroDivisionError("x")))
    quiet = capsys.readouterr().err
    assert "ZeroDivisionError: x" in quiet
    assert "GLFFT_TRACEBACK=1" in quiet
    monkeypatch.setenv("GLFFT_TRACEBACK", "1")
    command_that(raiser(ZeroDivisionError("x")))
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_too_little_memory_says_what_to_do(
    command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    command_that(raiser(MemoryError()))
    assert "choose a smaller size" in capsys.readouterr().err


def test_an_interrupt_is_quiet(command_that: Callable[..., int], capfd: pytest.CaptureFixture[str]) -> None:
    # capfd: the command gives its standard output up, which pytest would otherwise share with it.
    assert command_that(raiser(KeyboardInterrupt())) == 130
    assert capfd.readouterr().err == ""


def test_a_warning_is_one_line(command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_that(lambda: warnings.warn("the fan\nis loud", stacklevel=1)) == 0
    assert capsys.readouterr().err == "glfft: note: the fan is loud\n"


def test_the_work_s_exit_code_is_the_command_s(command_that: Callable[..., int]) -> None:
    assert command_that(lambda: 1) == 1
    assert command_that(lambda: None) == 0


def test_unknown_commands_and_options_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, hint in (
        (["ocaen"], "did you mean 'ocean'?"),
        (["qqq"], "info, spectrum, ocean, tune, bench"),
        (["--nonsense"], "--nonsense"),
        (["--size", "64", "ocean"], "command comes before its options"),
        (["info", "--nonsense"], "glfft info: Unrecognized arguments: --nonsense. See"),
        (["ocean", "--resolutoin=64x36", "--wimd", "9"], "--wimd 9; did you mean --resolution and --wind? See"),
        (["bench", "--sizes", "12y"], "12y"),
        (["bench", "--sizes", ","], "empty"),
        (["bench", "--samples", "1"], "5 or more"),
        (["info", "--device", "-1"], "0 or more"),
    ):
        assert cli.main(arguments) == 2, arguments
        error = capsys.readouterr().err
        assert hint in error
        assert len(error.splitlines()) == 1, error


def test_no_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    error = capsys.readouterr().err
    assert all(f"  {name} " in error for name in COMMANDS)


def test_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"glfft {glfft.__version__}\n"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_needs_neither_opengl_nor_a_display(command: str, tmp_path: Path) -> None:
    # glcontext is what moderngl opens contexts with; here it refuses to.
    (tmp_path / "glcontext.py").write_text("raise ImportError('no OpenGL today')\n")
    environment = {"PYTHONPATH": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = glfft_process(*command.split(), "--help", **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: glfft")
    assert "default: []" not in done.stdout
    assert done.stderr == ""


def test_a_reader_that_leaves_early_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "glfft", "--version"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_standard_output_is_one_line(unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "glfft", "info"], stdout=full, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert b"no space left on device" in done.stderr


def test_being_terminated_removes_temporary_files(tmp_path: Path) -> None:
    target = tmp_path / "result.png"
    program = (
        "import sys, time, types\n"
        "from glfft.commands import cli\n"
        "from glfft.files import atomic_write\n"
        "def run(arguments):\n"
        "    with atomic_write(sys.argv[1]):\n"
        "        print('writing', flush=True)\n"
        "        time.sleep(60)\n"
        "module = types.ModuleType('stand_in')\n"
        "module.add_arguments, module.run = lambda parser: None, run\n"
        "sys.modules['stand_in'] = module\n"
        "cli._COMMANDS['ocean'] = ('stand_in', 'a stand-in')\n"
        "sys.exit(cli.main(['ocean']))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(target)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_info_reports_every_algorithm_as_right() -> None:
    done = glfft_process("info", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(report["algorithms"]) == set(algorithms())
    for name, found in report["algorithms"].items():
        assert found["snr_db"] >= 130.0, name
        assert found["passed"], name
        assert found["max_length"] <= report["limits"]["texture_size"], name
    assert report["versions"]["glfft"] == glfft.__version__


def test_info_says_versions_even_where_there_is_no_opengl() -> None:
    # An index that no machine has, through the variable that has the last word.
    done = glfft_process("info", GLCONTEXT_DEVICE_INDEX="4096")
    assert done.returncode == 1
    assert f"glfft {glfft.__version__}" in done.stdout
    assert "4096" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_info_fails_where_an_algorithm_is_wrong(
    ctx: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_ctx: object, algorithm: str) -> float:
        if algorithm == "cooley-tukey":
            raise errors.ShaderError("stockham.comp:12: syntax error")
        return 40.0 if algorithm == "stockham-radix2" else 137.0

    monkeypatch.setattr(info, "self_check", broken)
    report = info.check_algorithms(ctx)  # pyright: ignore[reportArgumentType]
    assert [name for name, found in report.items() if not found["passed"]] == ["cooley-tukey", "stockham-radix2"]
    text = info._algorithms_text(report)
    assert "stockham.comp:12: syntax error" in text
    assert "WRONG" in text


def test_importing_glfft_is_quick_and_light() -> None:
    program = (
        "import sys, glfft; print([m for m in ('scipy', 'imgui_bundle', 'av', 'glfw', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
