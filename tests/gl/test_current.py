"""Which context is current: asked, changed and put back, for headless contexts and for those of windows."""

from __future__ import annotations

import subprocess

import pytest
from support.displays import environment, python
from support.programs import run_program
from support.sentences import assert_one_sentence

pytestmark = pytest.mark.usefixtures("egl")


def lines_of(program: str) -> list[str]:
    """What a program prints in a process of its own: it makes other contexts current than the tests' shared one."""
    return printed(run_program(program, environment(display=False)))


def lines_beside_windows(program: str) -> list[str]:
    """The same of a program that opens hidden windows first."""
    return printed(in_display(WINDOWS + program))


def in_display(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program where it finds a display."""
    variables = environment(display=True)
    if "DISPLAY" in variables:
        return run_program(program, variables)
    return python("-c", program, display=True, own=False)


def printed(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines that a process has printed."""
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


HEADLESS = """
import threading
import glfft
from glfft.errors import GlfftError
from glfft.gl.context import state_of
from glfft.gl.current import current_system, leave, switch_to

def tell(call):
    try:
        call()
        print("nothing")
    except GlfftError as error:
        print(f"{type(error).__name__} {error}")

first = glfft.open_context()
second = glfft.open_context()
checks = [state_of(ctx).check for ctx in (first, second)]
now = lambda: [check.is_current() for check in checks]
"""


def test_the_current_one_is_told_from_others() -> None:
    assert lines_of(
        HEADLESS
        + "print(now())\n"
        + "with first:\n    print(now())\n"  # moderngl leaves none current at the end
        + "print(now(), current_system())\n"
        + "put_back = switch_to(first)\nprint(now())\nput_back()\nprint(now())\n"
        + "second.__enter__()\n"
        + "put_back = switch_to(first)\nprint(now())\nput_back()\nprint(now())\n"
        + "put_back = switch_to(second)\nprint(now())\nput_back()\nprint(now())\n"
        + "put_back = leave()\nprint(now())\nput_back()\nprint(now())\n"
    ) == [
        "[False, True]",
        "[True, False]",
        "[False, False] None",
        *("[True, False]", "[False, False]"),
        *("[True, False]", "[False, True]"),
        *("[False, True]", "[False, True]"),
        *("[False, False]", "[False, True]"),
    ]


SEAS = (
    HEADLESS
    + """
import ctypes
from glfft.gl.functions import load_function
from glfft.sea import OceanSettings, OceanSimulation, SeaQueries

second_sea = OceanSimulation(second, OceanSettings(size=16, tile=900.0, wind=5.0))
second_sea.update(0.0)
second.finish()  # zink (Mesa 22.3.6) ends in a segmentation fault if it still compiles when no context is current
"""
)


def test_what_is_released_beside_another_context_is_freed_in_its_own() -> None:
    assert lines_of(
        SEAS + "freed = second_sea.foam\n"
        "with first:\n"
        "    textures = [first.texture((4, 4), 1) for _ in range(freed.glo)]\n"
        "    second_sea.release()\n"
        "    is_texture = load_function(first, 'glIsTexture', ctypes.c_ubyte, ctypes.c_uint)\n"
        "    print(freed.glo in [each.glo for each in textures], all(is_texture(each.glo) for each in textures))\n"
        "with second:\n"
        "    glfft.Plan(second, (8, 8))\n"
        "    print(type(freed.mglo).__name__)\n"
    ) == ["True True", "InvalidObject"]


def test_a_sea_is_looked_up_in_its_own_context() -> None:
    refused = lines_of(
        SEAS + "queries = SeaQueries.following(second_sea)\n"
        "with first:\n"
        "    tell(lambda: SeaQueries.following(second_sea))\n"
        "    tell(lambda: queries.submit([(0.0, 0.0)]))\n"
        "    tell(lambda: second_sea.evaluate(0.0))\n"
        "    print(first.error)\n"
    )
    assert [line.partition(" ")[0] for line in refused] == [*["NotCurrentError"] * 3, "GL_NO_ERROR"]


def test_panels_are_made_where_their_context_is_current() -> None:
    pytest.importorskip("imgui_bundle")
    first, others_error = lines_of(
        HEADLESS + "from glfft.ui.imgui_layer import ImguiLayer\n"
        "tell(lambda: ImguiLayer(first))\n"
        "thread = threading.Thread(target=lambda: tell(lambda: ImguiLayer(second)))\nthread.start()\nthread.join()\n"
    )
    assert first.startswith("NotCurrentError ")
    assert others_error == first


def test_one_that_another_thread_has_is_refused_and_nothing_changes() -> None:
    refusal, own, checked, main = lines_of(
        HEADLESS + "def work():\n"
        "    first.__enter__()\n"
        "    tell(lambda: switch_to(second))\n"
        "    print(now())\n"
        "    tell(checks[1].require)\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
        "print(now())\n"
    )
    assert refusal.startswith("NotCurrentError ")
    assert "in another thread" in refusal
    assert own == "[True, False]"
    assert checked.startswith("NotCurrentError ")
    assert main == "[False, True]"
    for sentence in (refusal, checked):
        assert_one_sentence(sentence.partition(" ")[2].replace("ctx.__exit__", ""))


def test_a_context_is_known_though_another_one_is_current_when_it_is_first_seen() -> None:
    assert lines_of(
        "import moderngl\n"
        "from glfft.gl.context import state_of\n"
        "a, b = (moderngl.create_context(standalone=True, backend='egl', require=430) for _ in range(2))\n"
        "checks = [state_of(ctx).check for ctx in (a, b)]\n"
        "print([check.is_current() for check in checks])\n"
        "a.__enter__()\n"
        "print([check.is_current() for check in checks])\n"
    ) == ["[False, True]", "[True, False]"]


def test_a_released_context_says_so() -> None:
    for line in lines_of(
        HEADLESS + "second.release()\n"
        "tell(checks[1].require)\n"
        "tell(lambda: state_of(second))\n"
        "tell(lambda: glfft.Plan(second, (8, 8)))\n"
        "tell(lambda: glfft.Profiler(second))\n"
        "tell(lambda: glfft.fft([1, 2], ctx=second))\n"
    ):
        kind, _, sentence = line.partition(" ")
        assert kind == "ReleasedError"
        assert_one_sentence(sentence)


def test_a_released_context_that_glfft_has_not_seen_says_so() -> None:
    (line,) = lines_of(
        "import glfft, moderngl\n"
        "ctx = moderngl.create_context(standalone=True, backend='egl', require=430)\n"
        "ctx.release()\n"
        "try:\n    glfft.Plan(ctx, (8, 8))\nexcept glfft.GlfftError as error:\n    print(type(error).__name__)\n"
    )
    assert line == "ReleasedError"


def test_one_at_the_address_of_one_that_is_gone_is_not_taken_for_it() -> None:
    line, *rest = lines_of(
        HEADLESS + "accepted = checks[0]._accepted\n"
        "accepted[current_system().current()] = accepted.popitem()[1]\n"
        "tell(checks[0].require)\n"
        "print(now(), accepted)\n"
        "with first:\n    print(now())\n"
    )
    kind, _, sentence = line.partition(" ")
    assert kind == "ReleasedError"
    assert "its window was closed" in sentence
    assert_one_sentence(sentence)
    assert rest == ["[False, True] {}", "[False, False]"]


def test_contexts_that_are_gone_are_let_go() -> None:
    (alive,) = lines_of(
        "import gc\n"
        "import glfft, moderngl\n"
        "for _ in range(5):\n"
        "    ctx = glfft.open_context()\n"
        "    glfft.Plan(ctx, (1, 4))\n"
        "    ctx.release()\n"
        "del ctx\n"
        "gc.collect()\n"
        "print(sum(type(each) is moderngl.Context for each in gc.get_objects()))\n"
    )
    # The last one goes when another is opened.
    assert int(alive) == 1


WINDOWS = """
import threading
import glfw, moderngl, numpy as np
import glfft
from glfft.errors import GlfftError
from glfft.gl.context import state_of
from glfft.gl.current import current_system

assert glfw.init()
for hint, value in ((glfw.VISIBLE, False), (glfw.CONTEXT_VERSION_MAJOR, 4), (glfw.CONTEXT_VERSION_MINOR, 3)):
    glfw.window_hint(hint, value)
one = glfw.create_window(64, 64, "one", None, None)
other = glfw.create_window(64, 64, "other", None, None)
glfw.make_context_current(one)
ctx = moderngl.create_context(require=430)
array = np.random.default_rng(0).standard_normal((8, 16))
exact = np.fft.fft2(array)

def right(**options):
    return np.allclose(glfft.fft2(array, **options), exact, atol=1e-4)

def tell(call):
    try:
        print(call())
    except GlfftError as error:
        print(type(error).__name__)

texture = ctx.texture((16, 8), 2, dtype="f4")

def forward():
    texture.write(array.astype(np.complex64).tobytes())
    plan.forward(texture, texture)
    return np.allclose(np.frombuffer(texture.read(), np.complex64).reshape(8, 16), exact, atol=1e-4)
"""


@pytest.mark.window
def test_windows_of_other_contexts_are_refused() -> None:
    assert lines_beside_windows(
        "plan = glfft.Plan(ctx, (8, 16))\n"
        "for window in (one, other, None, one):\n"
        "    glfw.make_context_current(window)\n"
        "    tell(forward)\n"
    ) == ["True", "NotCurrentError", "NotCurrentError", "True"]


@pytest.mark.window
def test_a_headless_context_beside_a_window() -> None:
    # EGL makes no context current where one of GLX is, and neither it nor moderngl says so.
    refused, *rest = lines_beside_windows(
        "plan = glfft.Plan(ctx, (8, 16))\n"
        "try:\n    glfft.open_context()\nexcept GlfftError as error:\n    print(error)\n"
        "print(state_of(ctx).check.is_current())\n"
        "glfw.make_context_current(None)\n"
        "headless = glfft.open_context()\n"
        "headless.__exit__(None, None, None)\n"
        "glfw.make_context_current(one)\n"
        "print(right(ctx=headless), state_of(ctx).check.is_current(), forward())\n"
        "with headless:\n    tell(lambda: glfft.Plan(headless, (8, 16)))\n"
        "print(right(ctx=ctx), forward())\n"
    )
    assert_one_sentence(refused)
    assert "glfw.make_context_current(None)" in refused
    assert rest == ["True", "True True True", "NotCurrentError", "True True"]


@pytest.mark.window
def test_a_window_can_be_opened_after_array_functions_were_used() -> None:
    # GLX ends the process that makes a window current in a thread where a context of EGL is.
    program = "import glfft\nprint(glfft.fft([1, 2]).tolist())\n" + WINDOWS + "print(right(), right(ctx=ctx))"
    assert printed(in_display(program)) == [
        "[(3+0j), (-1+0j)]",
        "True True",
    ]


@pytest.mark.window
def test_threads_beside_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GLFFT_WINDOW_SYSTEM", raising=False)
    # Without it, NVIDIA's EGL makes no context current beside a window of GLX.
    monkeypatch.setenv("__GLVND_DISALLOW_PATCHING", "1")
    assert lines_beside_windows(
        "print(right())\n"
        "def work():\n"
        "    tell(right)\n"
        "    tell(lambda: right(ctx=ctx))\n"
        "    tell(lambda: glfft.Plan(ctx, (8, 16)))\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
        "print(right(), moderngl.get_context() is ctx)\n"
    ) == ["True", "True", "NotCurrentError", "NotCurrentError", "True True"]


@pytest.mark.window
def test_a_window_that_is_not_current_is_not_taken_for_another_one() -> None:
    assert lines_beside_windows(
        "plan = glfft.Plan(ctx, (8, 16))\n"
        "glfw.make_context_current(other)\n"
        "second = moderngl.create_context(require=430)\n"
        "print(right(ctx=second))\n"
        "glfw.make_context_current(one)\n"
        "tell(forward)\n"
        "tell(lambda: right(ctx=second))\n"
        "tell(forward)\n"
    ) == ["True", "True", "True", "True"]


@pytest.mark.window
def test_a_window_that_glfft_first_meets_must_be_current() -> None:
    assert lines_beside_windows(
        "glfw.make_context_current(other)\n"
        "second = moderngl.create_context(require=430)\n"
        "print(right(ctx=second))\n"
        "tell(lambda: glfft.Plan(ctx, (8, 16)))\n"
        "glfw.make_context_current(one)\n"
        "tell(lambda: right(ctx=ctx))\n"
    ) == ["True", "NotCurrentError", "True"]


@pytest.mark.window
@pytest.mark.parametrize("old_first", [False, True])
def test_a_window_may_get_the_address_of_one_that_was_closed(old_first: bool) -> None:
    """Drivers give it at random, so here it is written into what glfft knows."""
    new, old = "tell(lambda: right(ctx=second))\n", "tell(lambda: plan.forward(texture, texture))\n"
    found = lines_beside_windows(
        "plan = glfft.Plan(ctx, (8, 16))\n"
        "forward()\n"  # zink may crash where a window closes while it compiles
        "glfw.destroy_window(one)\n"
        "glfw.make_context_current(other)\n"
        "accepted = state_of(ctx).check._accepted\n"
        "accepted[current_system().current()] = accepted.popitem()[1]\n"
        # moderngl can make the contexts that it takes as its default ones current no more than glfft can.
        "moderngl._store.default_context = None\n"
        "second = moderngl.create_context(require=430)\n" + (old + new if old_first else new + old)
    )
    assert found == (["ReleasedError", "True"] if old_first else ["True", "ReleasedError"])
