"""Another process with a context of its own, for what would hold up a frame: this side of it.

The other side is `glfft.tuning.worker_main`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

# The paths that this process imports from, and nothing of what the environment would add to them.
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from glfft.tuning.worker_main import main; main()"


class Worker:
    """Takes tasks and answers each of them once.

    Where there is no interpreter to start, or the process ends, whether for want of such a device or by any fault, it
    is `lost` and takes no more.

    Args:
        job: what the process is told first, see `glfft.tuning.worker_main`.
    """

    def __init__(self, job: object) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._finalizer: weakref.finalize | None = None
        self._unanswered = 0
        interpreter = _interpreter()
        if interpreter is None:
            return
        # Python passes over entries of other kinds.
        paths = [path for path in sys.path if isinstance(path, str | os.PathLike)]
        with suppress(OSError, ValueError, RuntimeError):
            self._process = subprocess.Popen(
                [interpreter, "-I", "-c", _PROGRAM, *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C in a terminal is for the program that has one. Not a session of its own: Linux may share the
                # processor evenly among these, whatever the priority within.
                process_group=0,
            )
            self._finalizer = weakref.finalize(self, self._process.kill)
            threading.Thread(target=_pass_on, args=(self._process, self._answers), daemon=True).start()
            self._send(job)

    @property
    def lost(self) -> bool:
        """Whether there is no such process, or no longer."""
        return self._process is None

    @property
    def busy(self) -> bool:
        """Whether answers are still to come."""
        return self._unanswered > 0

    def ask(self, task: object) -> None:
        """Send a task; does not wait, but for more than 64 KiB of it."""
        if self._send(task):
            self._unanswered += 1

    def answers(self) -> list[Any]:
        """What has come since; does not wait."""
        come = []
        while not self._answers.empty():
            answer = self._answers.get()
            if answer is _ENDED:
                self.release()
            else:
                self._unanswered -= 1
                come.append(answer)
        return come

    def release(self) -> None:
        """End the process, whatever it is at."""
        if self._finalizer is not None:
            self._finalizer()
        self._process = None
        self._unanswered = 0

    def _send(self, what: object) -> bool:
        if self._process is None or self._process.stdin is None:
            return False
        try:
            pickle.dump(what, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):  # it has ended, and the pipe may be closed already
            self.release()
            return False
        return True


class _Ended:
    """Told last of all."""


_ENDED = _Ended()


def _pass_on(process: subprocess.Popen[bytes], answers: SimpleQueue[Any]) -> None:
    """Read answers until the process ends, and wait for that: in a thread of its own, as both take their time."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while True:
            answers.put(pickle.load(process.stdout))
    except Exception:  # the end of the pipe, or half an answer
        answers.put(_ENDED)
    process.kill()
    process.wait()
    process.stdout.close()
    with suppress(OSError):  # of what it has not taken
        process.stdin.close()


def _interpreter() -> str | None:
    """Python itself, where this process is one and not a program that Python is built into."""
    if sys.platform == "win32":  # where there is no EGL for contexts without a window
        return None
    if getattr(sys, "frozen", False) or not Path(sys.executable or "").stem.lower().startswith(("python", "pypy")):
        return None
    return sys.executable
