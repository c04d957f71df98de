"""Programs in processes of their own that have used no OpenGL yet, but need not import everything anew.

Each is forked from a server, a process that has imported glfft and numpy and waits. That takes half of the time that a
new interpreter takes. For tests of imports, of the start and of the command line: `support.processes`.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# After this many seconds a program is ended: it hangs.
_LONGEST = 600

_SERVER = """
import gc, json, os, signal, sys
import moderngl, numpy
import glfft
for name in glfft.__all__:
    getattr(glfft, name)
gc.freeze()
for line in sys.stdin:
    program, streams, folder, environment, longest = json.loads(line)
    child = os.fork()
    if not child:
        for number, path in enumerate(streams):
            os.dup2(os.open(path, os.O_RDWR), number)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        signal.alarm(longest)
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@functools.cache
def _server() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def end_server() -> None:
    """End the server, if it was started; the tests' conftest.py does so after the last test."""
    if _server.cache_info().currsize:
        _server().communicate()  # which closes its input
        _server.cache_clear()


def run_program(
    program: str, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program of Python.

    zink (Mesa 22.3.6) seldom crashes in a program whose windows or process end while it compiles in the background.
    Such a program runs once more, and the summary of the tests shows a warning.

    Args:
        program: its text.
        environment: all of its environment variables; this process's own by default.
        folder: its current folder; this process's own by default.
    """
    environment = dict(os.environ if environment is None else environment)
    folder = folder or Path.cwd()
    done = _run_once(program, environment, folder)
    if done.returncode == -signal.SIGSEGV and environment.get("MESA_LOADER_DRIVER_OVERRIDE") == "zink":
        warnings.warn(f"zink crashed, so the program ran again: {done.stdout}{done.stderr}", stacklevel=2)
        return _run_once(program, environment, folder)
    return done


def _run_once(program: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    if not hasattr(os, "fork"):
        line = [sys.executable, "-c", program]
        return subprocess.run(line, capture_output=True, text=True, check=False, env=environment, cwd=folder)
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory() as place:
        outputs = [Path(place) / name for name in ("stdout", "stderr")]
        for path in outputs:
            path.touch()
        streams = [os.devnull, *map(str, outputs)]
        try:
            server.stdin.write(json.dumps([program, streams, str(folder), environment, _LONGEST]) + "\n")
            server.stdin.flush()
            answer = server.stdout.readline()
            assert answer, "the server has ended"
        except (AssertionError, BrokenPipeError):
            # This program fails with it. The next one gets another.
            _server.cache_clear()
            server.kill()
            with suppress(BrokenPipeError):
                server.communicate()
            raise
        return subprocess.CompletedProcess([], int(answer), *(path.read_text(encoding="utf-8") for path in outputs))


def lines_of(program: str, environment: Mapping[str, str] | None = None, folder: Path | None = None) -> list[str]:
    """The lines that a program prints, which must end well. The arguments are those of `run_program`."""
    done = run_program(program, environment, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
