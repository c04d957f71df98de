"""Runs the tests with the Python that runs this, and installs nothing: what is missing is skipped, and said at the end.

What came out of a run of all tests is kept in docs/devices. Arguments are pytest's.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MOST_PROCESSES = 8
# Without these no test can run.
NEEDED = ("pytest", "hypothesis", "scipy", "moderngl", "glfw", "numpy", "PIL", "tqdm", "platformdirs", "filelock")
DISPLAY = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset"]


def main(arguments: list[str]) -> None:
    """Become the process that runs the tests; end with a sentence where it cannot."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(f"{sys.executable} has no {', no '.join(missing)}; name another one with PYTHON=, or run make test.")
    line = [sys.executable, "-m", "pytest", *options(arguments)]
    variables = dict(os.environ)
    # Programs that tests start find the package there too.
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), variables.get("PYTHONPATH", ""))))
    # Other plugins of pytest that this Python has take no part.
    variables["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if shutil.which("xvfb-run") and shutil.which("xauth"):
        variables.pop("WAYLAND_DISPLAY", None)
        line = [*DISPLAY, *line]
    os.chdir(ROOT)
    os.execvpe(line[0], line, variables)


def options(arguments: list[str]) -> list[str]:
    """What pytest is told."""
    found = ["-p", "_hypothesis_pytestplugin", "--results", "--keep-results", "--devices"]
    if find_spec("xdist") is not None:
        found += ["-p", "xdist.plugin", "-n", str(min(MOST_PROCESSES, len(processors()))), "--dist", "worksteal"]
    return [*found, *arguments]


def processors() -> set[int]:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


if __name__ == "__main__":
    main(sys.argv[1:])
