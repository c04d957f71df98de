"""A worker process with a context of its own, which does what would hold up a frame: see `glfft.tuning.worker_main`."""

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

# The worker imports from the same paths as this process, and from no others that the environment would add.
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from glfft.tuning.worker_main import main; main()"
_ENDED = object()  # the last thing in a queue of answers: the process has ended


class Worker:
    """A worker process, told a job: a `SearchJob`, or a `Device` to compile on, whose tasks are `PassSpec`s and answers
    None. It answers each task once. It is `lost`, and ignores tasks, where there is no interpreter to start, and once
    its process has ended, which may have found no such device or failed.
    """

    def __init__(self, job: object) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._finalizer: weakref.finalize | None = None
        self._unanswered = 0
        interpreter = _interpreter()
        if interpreter is None:
            return
        # Python itself ignores entries of other types.
        paths = [path for path in sys.path if isinstance(path, str | os.PathLike)]
        with suppress(OSError, ValueError, RuntimeError):
            self._process = subprocess.Popen(
                [interpreter, "-I", "-c", _PROGRAM, *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C in a terminal must not reach the worker. A process group does that; a session would too, but
                # Linux may give each session an equal share of the CPU, whatever the priority of its processes.
                process_group=0,
            )
            self._finalizer = weakref.finalize(self, self._process.kill)
            threading.Thread(target=_pass_on, args=(self._process, self._answers), daemon=True).start()
            self._send(job)

    @property
    def lost(self) -> bool:
        return self._process is None

    @property
    def busy(self) -> bool:
        """Whether answers are still to come."""
        return self._unanswered > 0

    def ask(self, task: object) -> None:
        """Send a task; does not wait unless it has more than 64 KiB."""
        if self._send(task):
            self._unanswered += 1

    def answers(self) -> list[Any]:
        """The answers that have come since this was last asked; does not wait."""
        arrived = []
        while not self._answers.empty():
            answer = self._answers.get()
            if answer is _ENDED:
                self.release()
            else:
                self._unanswered -= 1
                arrived.append(answer)
        return arrived

    def release(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._process = None
        self._unanswered = 0

    def _send(self, item: object) -> bool:
        if self._process is None or self._process.stdin is None:
            return False
        try:
            pickle.dump(item, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):  # the process has ended, and the pipe may be closed
            self.release()
            return False
        return True


def _pass_on(process: subprocess.Popen[bytes], answers: SimpleQueue[Any]) -> None:
    """Read answers until the process ends, and wait for its end. Runs in a thread of its own, as both may take long."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while True:
            answers.put(pickle.load(process.stdout))
    except Exception:  # the pipe has ended, perhaps in the middle of an answer
        answers.put(_ENDED)
    process.kill()
    process.wait()
    process.stdout.close()
    with suppress(OSError):  # there may be tasks that the process has not read
        process.stdin.close()


def _interpreter() -> str | None:
    """The path of Python, or None where this process is a program that Python is built into."""
    if sys.platform == "win32":  # it has no EGL for contexts without a window
        return None
    if getattr(sys, "frozen", False) or not Path(sys.executable or "").stem.lower().startswith(("python", "pypy")):
        return None
    return sys.executable
