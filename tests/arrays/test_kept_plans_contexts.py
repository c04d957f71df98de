"""Array functions from any thread: right, whatever context another thread has."""

from __future__ import annotations

import pytest
from support.programs import lines_of

# Each program has a process of its own, where no context is current at first.

THREADS = """
import gc, threading
import numpy as np
import moderngl, glfft

def right(seed=0, **options):
    generator = np.random.default_rng(seed)
    array = generator.standard_normal((4, 2 ** generator.integers(1, 4)))
    names = "fft", "fft2", "rfft", "rfft2", "ifft", "irfft", "hfft", "ihfft"
    name = names[seed % len(names)]
    return np.allclose(getattr(glfft, name)(array, **options), getattr(np.fft, name)(array), atol=1e-4)

def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

def current():
    from glfft.gl.current import current_system
    return current_system() is not None
"""


def test_hundreds_of_calls_in_eight_threads_beside_the_main_thread() -> None:
    assert lines_of(
        THREADS + "answers = []\n"
        "def work(index):\n"
        "    answers.extend(right(seed) for seed in range(50 * index, 50 * (index + 1)))\n"
        "right()\n"
        "main = threading.Thread(target=in_threads, args=(8, work))\n"
        "main.start()\n"
        "while main.is_alive():\n    assert right(1)\n"
        "print(len(answers), answers.count(True))\n"
    ) == ["400 400"]


@pytest.mark.parametrize(
    "before",
    [
        "ctx = None",
        "ctx = None; right()",
        "ctx = glfft.open_context()",
        "ctx = glfft.open_context(0)",
        "ctx = glfft.open_context(); ctx.__exit__(None, None, None)",
        "ctx = moderngl.create_context(standalone=True, backend='egl', require=430); ctx.__exit__(None, None, None)",
    ],
)
def test_whichever_thread_calls_first_all_are_right(before: str) -> None:
    lines = lines_of(
        THREADS + f"{before}\n"
        "def work(index):\n"
        "    told.append((all(right(seed, ctx=ctx) for seed in range(2)), current()))\n"
        "told = []\n"
        "for _ in range(2):\n"
        "    in_threads(2, work)\n"
        "    print(all(right(seed, ctx=ctx) for seed in range(2)))\n"
        "print(told)\n"
    )
    # No context stays current in a thread that may end.
    assert lines == ["True", "True", str([(True, False)] * 4)]


def test_a_context_that_calls_have_opened_is_nobody_elses() -> None:
    assert lines_of(
        THREADS + "in_threads(1, lambda index: right())\n"
        "print(right(), current(), moderngl._store.default_context)\n"
        "ctx = moderngl.create_context(standalone=True, backend='egl', require=430)\n"
        "in_threads(1, lambda index: right())\n"
        "print(right(), current(), moderngl.get_context() is ctx, ctx.error)\n"
    ) == ["True False None", "True True True GL_NO_ERROR"]


def test_a_context_in_use_elsewhere_of_which_nobody_knows_the_device_is_refused() -> None:
    refused, default, main = lines_of(
        THREADS + "ctx = moderngl.create_context(standalone=True, backend='egl', require=430)\n"
        "def work(index):\n"
        "    try:\n"
        "        right(ctx=ctx)\n"
        "    except glfft.GlfftError as error:\n"
        "        print(type(error).__name__)\n"
        "    print(right())\n"
        "in_threads(1, work)\n"
        "print(right(ctx=ctx))\n"
    )
    assert (refused, default, main) == ("NotCurrentError", "True", "True")


def test_a_call_leaves_the_current_context_as_it_was() -> None:
    assert lines_of(
        THREADS + "from glfft.gl.context import state_of\n"
        "first, second = glfft.open_context(), glfft.open_context()\n"
        "now = lambda: [state_of(ctx).check.is_current() for ctx in (first, second)]\n"
        "print(right(ctx=first), now())\n"
        "with first:\n    print(right(ctx=second), right(), now())\n"
        "print(right(ctx=first), right(), now())\n"
        "first.__enter__()\n"
        "try:\n    glfft.fft(np.ones((1, 8)), n=59, ctx=second, algorithm='stockham')\n"
        "except glfft.errors.LimitError:\n    print(now())\n"
    ) == ["True [False, True]", "True True [True, False]", "True True [False, False]", "[True, False]"]


def test_a_call_keeps_no_context_where_the_one_before_is_gone() -> None:
    # moderngl holds a released context until the next one is opened; it is current until a call leaves it.
    assert lines_of(
        THREADS + "def opening(index):\n    glfft.open_context().__exit__(None, None, None)\n"
        "print(right())\n"
        "glfft.open_context().release()\n"
        "in_threads(1, opening)\n"
        "print(current(), right(), current())\n"
        "in_threads(1, lambda index: print(right(index), current()))\n"
    ) == ["True", "True True False", "True False"]


def test_a_call_without_a_context_takes_none_that_another_thread_may_enter() -> None:
    # moderngl's default context is the one opened last, by whichever thread.
    assert lines_of(
        THREADS + "from glfft.arrays.kept_plans import PlanWithBuffers\n"
        "transform, opened = PlanWithBuffers.transform, []\n"
        "def enter(index):\n"
        "    with opened[0]:\n        print(current())\n"
        "def entering(*arguments):\n"
        "    in_threads(1, enter)\n"
        "    return transform(*arguments)\n"
        "PlanWithBuffers.transform = entering\n"
        "def opening(index):\n"
        "    opened.append(glfft.open_context())\n"
        "    opened[0].__exit__(None, None, None)\n"
        "in_threads(1, opening)\n"
        "print(right(), current())\n"
    ) == ["True", "True False"]


def test_a_call_takes_its_threads_context_whichever_was_opened_last() -> None:
    assert lines_of(
        THREADS + "from glfft.arrays.kept_plans import at_work\n"
        "first, second = glfft.open_context(), glfft.open_context()\n"
        "with first:\n"
        "    with at_work(None) as used:\n        print(used is first)\n"
        "    print(glfft.interop.texture_from(np.ones((4, 4), 'f4')).ctx is first)\n"
    ) == ["True", "True"]


def test_garbage_of_another_context_does_not_hit_the_one_at_work() -> None:
    # moderngl frees a context's garbage by its name in whichever context is current where it is collected.
    assert lines_of(
        THREADS + "from glfft.arrays.kept_plans import PlanWithBuffers\n"
        "transform = PlanWithBuffers.transform\n"
        "def collecting(*arguments):\n"
        "    gc.set_threshold(1)\n"
        "    [[] for _ in range(10)]\n"
        "    gc.set_threshold(10**9)\n"
        "    return transform(*arguments)\n"
        "PlanWithBuffers.transform = collecting\n"
        "gc.set_threshold(10**9)\n"
        "ctx = glfft.open_context()\n"
        "in_threads(1, lambda index: right(2))\n"
        "for _ in range(40):\n"
        "    circle = [ctx.texture((4, 4), 1), ctx.buffer(reserve=4), ctx.sampler()]\n"
        "    circle.append(circle)\n"
        "del circle\n"
        "in_threads(1, lambda index: print(right(2), gc.isenabled()))\n"
        "gc.disable()\n"
        "in_threads(1, lambda index: print(right(2), gc.isenabled()))\n"
    ) == ["True True", "True False"]


def test_what_a_failed_call_has_made_does_not_hit_the_context_before() -> None:
    # An interrupt leaves what moderngl has just made to the traceback alone, which lives on after the call.
    assert lines_of(
        "import glfft\n"
        "from glfft.arrays.kept_plans import at_work\n"
        "def interrupted(ctx):\n"
        "    made = [ctx.buffer(reserve=4) for _ in range(40)]\n"
        "    raise KeyboardInterrupt\n"
        "asked, other = glfft.open_context(), glfft.open_context()\n"
        "kept = [other.buffer(bytes([index])) for index in range(40)]\n"
        "try:\n"
        "    with at_work(asked):\n"
        "        interrupted(asked)\n"
        "except KeyboardInterrupt:\n"
        "    pass\n"
        "print([each.read()[0] for each in kept] == list(range(40)), other.error)\n"
    ) == ["True GL_NO_ERROR"]


# Python looks for signals as it enters a function and after it has called one of C.
INTERRUPTED = """
import gc, sys
import glfft
from glfft.arrays.kept_plans import _one_at_a_time, at_work
from glfft.gl.current import current_system, leave

def interrupted_at(place, ctx):
    events = 0
    def count(frame, event, _):
        nonlocal events
        if event in ("call", "c_return"):
            events += 1
            if events == place:
                raise KeyboardInterrupt
    sys.setprofile(count)
    try:
        with at_work(ctx):
            pass
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False

def now():
    system = current_system()
    return system and system.current()

asked, other = glfft.open_context(), glfft.open_context()
glfft.fft([1, 2], ctx=asked)
"""


@pytest.mark.parametrize("before", [f"ctx, after = {each}" for each in ("asked, asked", "asked, other", "None, None")])
def test_an_interrupt_anywhere_leaves_the_collector_and_the_current_context_as_they_were(before: str) -> None:
    lines = lines_of(
        INTERRUPTED + f"{before}\n"
        "leave()\n"
        "if ctx is None:\n    glfft.fft([1, 2])\n"
        "place, wrong = 1, []\n"
        "while True:\n"
        "    if after is not None:\n        after.__enter__()\n"
        "    address = now()\n"
        "    if not interrupted_at(place, ctx):\n        break\n"
        "    if not gc.isenabled() or now() != address or not _one_at_a_time.acquire(blocking=False):\n"
        "        wrong.append(place)\n"
        "    else:\n        _one_at_a_time.release()\n"
        "    gc.enable()\n"
        "    leave()\n"
        "    place += 1\n"
        "print(place > 20, wrong, abs(glfft.fft([1, 2])[0] - 3) < 1e-5)\n"
    )
    assert lines == ["True [] True"]
