"""The command line's promises: one line for every failure, the right exit code, help without OpenGL."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from support.outputs import own_output
from support.paths import ROOT
from support.processes import glfft_process, python_process

import glfft
from glfft import errors
from glfft.commands import cli

COMMANDS = (
    "info",
    "spectrum",
    "spectrum apply",
    "spectrum descreen",
    "filter",
    "match",
    "ocean",
    "ocean bake",
    "bloom",
    "demo",
    "channelize",
    "export",
    "tune",
    "bench",
)


@pytest.fixture
def command_that(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int | None]], int]:
    """Runs `glfft ocean` with its work replaced by a function; returns the exit code."""

    def run(work: Callable[[], int | None]) -> int:
        module = types.ModuleType("stand_in")
        module.__dict__.update(add_arguments=lambda parser: None, run=lambda arguments: work())
        monkeypatch.setitem(sys.modules, "glfft.commands.ocean", module)
        return cli.main(["ocean"])

    return run


def as_ocean(work: str) -> str:
    """A program that runs `glfft ocean` with its work replaced by the function `run` of some text."""
    return f"""
import sys, types
from glfft.commands import cli
{work}
stand_in = sys.modules["glfft.commands.ocean"] = types.ModuleType("stand_in")
stand_in.__dict__.update(add_arguments=lambda parser: None, run=run)
sys.exit(cli.main(["ocean"]))
"""


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


def test_an_interrupt_is_quiet(command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        print("the first half of a")
        raise KeyboardInterrupt

    with own_output() as output:
        written = os.dup(output.fileno())
        assert command_that(work) == 130
    assert os.fstat(written).st_size == 0
    os.close(written)
    assert capsys.readouterr() == ("", "")


def test_a_warning_is_one_line(command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_that(lambda: warnings.warn("the fan\nis loud", stacklevel=1)) == 0
    assert capsys.readouterr().err == "glfft: note: the fan is loud\n"


def test_the_work_s_exit_code_is_the_command_s(command_that: Callable[..., int]) -> None:
    assert command_that(lambda: 1) == 1
    assert command_that(lambda: None) == 0


def test_unknown_commands_and_options_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, hint in (
        (["ocaen"], "did you mean 'ocean'?"),
        (["qqq"], ", ".join(COMMANDS)),
        (["--nonsense"], "--nonsense"),
        (["--size", "64", "ocean"], "command comes before its options"),
        (["info", "--nonsense"], "glfft info: Unrecognized arguments: --nonsense. See"),
        (["ocean", "--resolutoin=64x36", "--wimd", "9"], "--wimd 9; did you mean --resolution and --wind? See"),
        (
            ["demo", "ofdm", "--sample", "fixed8"],
            "glfft demo ofdm: Unrecognized arguments: --sample fixed8; did you mean --samples?",
        ),
        (["filter", "--kernal", "lens:6,9", "a.png"], "Unrecognized arguments: --kernal; did you mean --kernel? See"),
        (["ocean", "bake", "--frmes=0:2"], "Unrecognized arguments: --frmes=0:2; did you mean --frames? See"),
        (["export", "--nonsense", "64"], "Unrecognized arguments: --nonsense. See"),
        (["filter", "a.png"], "required: --kernel. See"),
        (["filter", "--", "--kernel"], "required: --kernel. See"),
        (["ocean", "bake", "--frames", "-2:1"], "'-2:1' must be two whole numbers"),
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
    assert all(re.search(rf"^ +{name}( |$)", error, re.MULTILINE) for name in COMMANDS)


def test_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"glfft {glfft.__version__}\n"


_ALL_HELP = f"""
from glfft.commands.cli import main
for command in {COMMANDS!r}:
    assert main([*command.split(), "--help"]) == 0
"""


def test_help_needs_neither_opengl_nor_a_display(tmp_path: Path) -> None:
    # glcontext is what moderngl opens contexts with; here it refuses to.
    (tmp_path / "glcontext.py").write_text("raise ImportError('no OpenGL today')\n")
    environment = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    for done in (glfft_process("--help", **environment), python_process(_ALL_HELP, **environment)):
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("usage: glfft")
        assert "default: []" not in done.stdout
        assert done.stderr == ""
    assert re.findall(r"^usage: glfft (.+?) \[-h\]", done.stdout, re.MULTILINE) == list(COMMANDS)


HEAVY = ("moderngl", "numpy", "PIL", "tqdm", "av", "glfw", "imgui_bundle", "scipy", "platformdirs", "filelock")


LIGHT_LINES = (
    "--version",
    "--help",
    "no-such-command",
    *(f"{command} --help" for command in COMMANDS),
    *(f"{command} --no-such-option" for command in COMMANDS),
    "info --device -1",
    "tune --batch 0",
    "ocean --size 101",
    "spectrum",
)


def test_help_and_usage_errors_import_nothing_heavy() -> None:
    """One after the other in one process, where what is imported stays: the first line at fault is named."""
    program = f"""
import sys
from glfft.commands.cli import main
for line in {LIGHT_LINES!r}:
    code = main(line.split())
    heavy = [name for name in {HEAVY!r} if name in sys.modules]
    print("found", code, heavy, line)
    if heavy:
        break
"""
    done = python_process(program)
    found = [line for line in done.stdout.splitlines() if line.startswith("found ")]
    wanted = [f"found {0 if line.endswith(('--help', '--version')) else 2} [] {line}" for line in LIGHT_LINES]
    assert found == wanted, done.stderr


# Python imports this by itself when it starts. It presses Ctrl-C when a module is looked for. What an environment
# imports at every start has been found already, and is looked for once more.
PRESSES_CTRL_C = """
import os, signal, sys
class Presser:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["PRESS_AT"]:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Presser())
sys.modules.pop(os.environ["PRESS_AT"], None)
"""


# What the installed command runs.
SCRIPT = "import sys\nfrom glfft.commands.cli import main\nsys.exit(main())"


@pytest.mark.parametrize("module", ["threading", "argparse", "glfft.commands.info", "numpy", "moderngl"])
def test_ctrl_c_while_modules_are_imported_is_quiet(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES_CTRL_C)
    done = python_process(SCRIPT, "info", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}", PRESS_AT=module)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_while_the_command_line_is_loaded_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES_CTRL_C)
    done = glfft_process("info", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}", PRESS_AT="glfft.commands.cli")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# What moderngl's objects have: a destructor in Python, from which no exception comes out.
SWALLOWED = """
import signal, threading

class Scope:
    def __del__(self):
        signal.raise_signal(signal.Signals[sys.argv[1]])

def run(arguments):
    scope = Scope()
    del scope
    threading.Event().wait(60)
    print("never interrupted")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_in_a_destructor_is_not_swallowed(name: str) -> None:
    done = python_process(as_ocean(SWALLOWED), name)
    # The signal comes once more after a moment, at whatever the program is then.
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.Signals[name], "", "")


def test_a_failure_in_a_destructor_is_still_told(
    command_that: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    class Careless:
        def __del__(self) -> None:
            raise ValueError("forgotten")

    told = []
    before, sys.unraisablehook = sys.unraisablehook, told.append
    try:
        assert command_that(lambda: bool(Careless()) - 1) == 0
    finally:
        sys.unraisablehook = before
    assert [type(each.exc_value) for each in told] == [ValueError]


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
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "TQDM_DISABLE": "1"}
    # Its output comes at the end, after work that takes little compiling.
    command = [sys.executable, "-m", "glfft", "bench", "--sizes", "4", "--algorithms", "cooley-tukey", "--samples", "5"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert b"no space left on device" in done.stderr


BATCH = """
import os

def run(arguments):
    from tqdm import tqdm
    for name in tqdm(["a", "b", "c"], file=sys.stderr):
        with open(name, "w") as file:
            os.write(2, b"what a driver prints")
            file.write("done")
        tqdm.write(name, file=sys.stdout)
        print(name, "is done", file=sys.stderr)
"""


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&-", ">&- 2>&- <&-", "| true", "2>&1 | true"])
def test_work_is_done_to_its_end_whatever_becomes_of_its_streams(streams: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PROGRAM": as_ocean(BATCH), "PYTHONUNBUFFERED": "1"}
    line = f'set -o pipefail; "{sys.executable}" -c "$PROGRAM" {streams}'
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys("abc", "done")


def test_a_name_that_the_output_s_encoding_lacks_is_escaped() -> None:
    program = as_ocean("def run(arguments):\n    print('caf\\xe9', '\\udce9')")
    done = python_process(program, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout, done.stderr) == (0, "caf\\xe9 \\udce9\n", "")


WRITING = """
import time
from glfft.files import atomic_write

def run(arguments):
    with atomic_write(sys.argv[1]):
        print("writing", flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_being_ended_removes_temporary_files(ending: signal.Signals, tmp_path: Path) -> None:
    line = [sys.executable, "-c", as_ocean(WRITING), str(tmp_path / "result.png")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(ending)
        assert process.wait(timeout=30) == 128 + ending
    assert list(tmp_path.iterdir()) == []


def test_signals_ignored_when_the_tests_begin_make_no_difference() -> None:
    """As `nohup make test` and jobs in the background of a script have them."""
    tests = ("test_being_ended_removes_temporary_files", "test_ctrl_c_while_the_command_line_is_loaded_is_quiet")
    program = (
        "import signal, sys\n"
        "for number in (signal.SIGINT, signal.SIGHUP):\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "import pytest\n"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', *sys.argv[1:]]))\n"
    )
    done = python_process(program, *(f"{Path(__file__)}::{name}" for name in tests))
    assert done.returncode == 0, done.stdout


def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    program = as_ocean(
        "import signal\ndef run(arguments):\n    signal.raise_signal(signal.SIGHUP)\n    print('at work')"
    )
    done = python_process(f"import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n{program}")
    assert (done.returncode, done.stdout) == (0, "at work\n")


@pytest.mark.parametrize(
    ("setting", "value"),
    [("TQDM_MININTERVAL", "x"), ("TQDM_BAR_FORMAT", "{nothing}"), ("TQDM_NCOLS", "x"), ("TQDM_GUI", "1")],
)
def test_bad_settings_of_progress_bars_are_one_sentence(setting: str, value: str) -> None:
    done = glfft_process("tune", "--sizes", "2x4", "--quick", **{setting: value})
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"No progress bar can be drawn with {setting} of the environment" in line


def test_help_is_given_whatever_the_settings_of_progress_bars() -> None:
    bad = {"TQDM_MININTERVAL": "x", "TQDM_BAR_FORMAT": "{nothing}", "TQDM_NCOLS": "x", "TQDM_GUI": "1"}
    assert glfft_process("tune", "--help", **bad).returncode == 0


def test_good_settings_of_progress_bars_are_followed() -> None:
    done = glfft_process("tune", "--sizes", "2x4", "--quick", TQDM_DISABLE="1")
    assert (done.returncode, done.stderr) == (0, "")
