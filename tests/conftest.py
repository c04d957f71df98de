"""One headless OpenGL context for the whole test run, and the test options that hold everywhere."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

# OpenBLAS reads it when numpy is imported. Its threads spin while they wait for the next product, which took a fifth of
# the tests' time from the renderer's threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# JAX takes three quarters of a GPU's memory at its first use unless this forbids it. The other processes of a run share
# that GPU.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import hypothesis
import moderngl
import pytest
from support import cuda_driver, device_report, programs
from support.displays import why_no_display
from support.gl_objects import collect_garbage
from support.interpreter import take_interpreter
from support.kernels import kernels_that_compile_quickly
from support.ocean import glare_of_few_rows
from support.paths import ROOT

import glfft
from glfft.gl.context import state_of
from glfft.profiling import timing
from glfft.wisdom import store

# The first example of a property compiles shaders; a deadline would time the compiler. The same examples every time
# find their shaders compiled; --hypothesis-seed=N draws others.
hypothesis.settings.register_profile("glfft", deadline=None, derandomize=True)
hypothesis.settings.load_profile("glfft")

# No test asks how well something is timed, and several processes share a GPU.
timing.WARM_UP_SECONDS = 5e-3

# What somebody has tuned on this machine must not decide what is tested, nor a test what they use.
os.environ["GLFFT_WISDOM"] = ""


def _handle_ignored_signals() -> None:
    """Let no test depend on signals that are ignored, as `nohup` and scripts with jobs in the background have them.

    Child processes inherit that a signal is ignored, and tests send them signals. Handlers they do not inherit. A
    hangup still ends no tests.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


_handle_ignored_signals()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a run reports, and how thorough to be about kernels: a compiler may get one of thousands wrong."""
    device_report.add_options(parser)
    parser.addoption(
        "--candidates",
        type=int,
        default=0,
        metavar="N",
        help="test N more of the kernels that tuning may pick, drawn at random (there are some 40,000)",
    )
    parser.addoption(
        "--interpret",
        action="store_true",
        help="where there is no GPU, interpret shaders: Mesa's softpipe, if it is there",
    )
    parser.addoption(
        "--without",
        default="",
        metavar="FILES",
        help="files to leave out, with spaces between; a hundred of pytest's --ignore take a second to look through",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have the run's results noted, and choose the driver; worker processes inherit the choice."""
    device_report.register(config)
    if config.getoption("--interpret") and not hasattr(config, "workerinput"):
        take_interpreter()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what `--without` names."""
    return True if collection_path in _paths(config.getoption("--without")) else None


@functools.cache
def _paths(files: str) -> frozenset[Path]:
    return frozenset(ROOT / name for name in files.split())


# Where single tests take longest.
_LONGEST = ("test_docs.py", "test_glsl_valid.py", "test_scipy_suite.py")

# Whose tests look at what is drawn or computed from transforms. Kernels have rooms of their own.
_WITH_QUICK_KERNELS = tuple(
    ROOT / "tests" / place
    for place in (
        *(f"apps/{program}" for program in ("bench", "bloom", "channelizer", "glare", "ocean", "ofdm", "spectrum")),
        *(f"apps/test_{program}.py" for program in ("filtering", "matching")),
        *(f"commands/test_{command}.py" for command in ("bloom", "filter", "match", "ocean")),
        *(f"commands/test_{command}.py" for command in ("spectrum", "spectrum_descreen")),
        "arrays",
        "convolution",
        "demos",
        "sea",
        *(f"test_arrays{of}.py" for of in ("", "_double", "_real", "_trigonometric")),
        "test_recipes.py",
        "test_snippets.py",
        *(f"test_plan_{part}.py" for part in ("convolve", "fetched_buffers", "guards", "kinds", "leaks")),
        *(f"test_plan_{part}.py" for part in ("long_lines", "real", "regions", "state", "volumes")),
    )
)


@functools.cache
def _has_quick_kernels(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _WITH_QUICK_KERNELS)


# Whose tests look at glare, or at whole pictures to the last pixel.
_WITH_ALL_GLARE = tuple(ROOT / "tests/apps/ocean" / f"test_{each}.py" for each in ("golden", "scene_development"))

_SHARED_CONTEXT = pytest.StashKey[moderngl.Context]()


@pytest.fixture(scope="session")
def ctx(request: pytest.FixtureRequest) -> Iterator[moderngl.Context]:
    """The session's headless context: one for all tests, which leave it clean."""
    context = glfft.open_context()
    device_report.note_device(context)
    request.session.stash[_SHARED_CONTEXT] = context
    yield context
    context.release()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one while the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file of wisdom that is not there yet; what this process knows begins anew with it."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path


@pytest.fixture
def driver(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[cuda_driver.PretendDriver]:
    """CUDA's driver on a pretend GPU."""
    pretend = cuda_driver.PretendDriver(ctx, [1, 7])
    with cuda_driver.installed(pretend, ctx, monkeypatch):
        yield pretend


@pytest.fixture(params=cuda_driver.PLACES)
def give(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes arrays of numpy, or of another library on a pretend GPU."""
    return cuda_driver.maker(request, monkeypatch)


@pytest.fixture
def freed_by_glfft_alone(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look for leaks: moderngl frees nothing by itself, as it would in the context tests share."""
    # What earlier tests have let go of is gone before this one counts.
    collect_garbage()
    state_of(ctx).release_dropped()
    monkeypatch.setattr(ctx, "gc_mode", None)


@pytest.fixture(autouse=True)
def _programs_of_other_tests_stay(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where objects are counted, none may go because this test's programs push others out of a full cache."""
    if hasattr(request.module, "live_objects") and "ctx" in request.fixturenames:
        state_of(request.getfixturevalue("ctx")).release_dropped()
        monkeypatch.setattr("glfft.gl.programs._PROGRAMS_KEPT", 1 << 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let some tests, and fixtures made for them, have programs that compile in less time where there is no GPU."""
    with ExitStack() as stack:
        if _has_quick_kernels(item.path):
            stack.enter_context(kernels_that_compile_quickly())
            if item.path not in _WITH_ALL_GLARE:
                stack.enter_context(glare_of_few_rows())
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Make the shared context current again: the test before may have opened a window or a context of its own.

    GL calls go to the thread's current context, whichever object they were made through. This runs before any
    fixture of the test, so that fixtures may use the context too.
    """
    context = item.session.stash.get(_SHARED_CONTEXT, None)
    if context is not None and _uses_context(item):
        context.__enter__()
        # The framebuffer left bound may be one that its test has released since; binding it again would be an error.
        context.detect_framebuffer(0).use()


@pytest.fixture(autouse=True)
def _no_gl_error_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that uses the context fails if it leaves a GL error: moderngl itself never reports one."""
    yield
    if _uses_context(request.node):
        error = request.getfixturevalue("ctx").error
        assert error == "GL_NO_ERROR", f"the test left {error} behind"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that open windows where there is no display and none can be made, and put the longest early."""
    reason = why_no_display()
    for item in items:
        if reason and item.get_closest_marker("window"):
            item.add_marker(pytest.mark.skip(reason=reason))
    # Begun last, they would leave the other workers idle while they run. Each worker takes a part of the list at first.
    longest = [item for item in items if item.path.name in _LONGEST]
    others = [item for item in items if item.path.name not in _LONGEST]
    middle = len(others) // 2
    items[:] = [*longest[::2], *others[:middle], *longest[1::2], *others[middle:]]


def pytest_collection_finish() -> None:
    """Take what is there before the first test, thousands of tests among it, out of the garbage collector's rounds."""
    collect_garbage()


def pytest_sessionfinish() -> None:
    """Wait for the process that programs of tests are forked from, so that it is this one's time that they take."""
    programs.end_server()


def _uses_context(item: pytest.Item) -> bool:
    return "ctx" in getattr(item, "fixturenames", ())
