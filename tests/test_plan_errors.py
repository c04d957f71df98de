"""Plans released or used in the wrong place: an error of glfft's own, in one sentence that says what is wrong."""

from __future__ import annotations

from typing import Any

import moderngl
import pytest
from support.pictures import blank
from support.programs import lines_of
from support.sentences import assert_one_sentence, refused

import glfft
from glfft.errors import (
    ContextError,
    ReleasedError,
)


@pytest.fixture
def plan(ctx: moderngl.Context) -> glfft.Plan:
    return glfft.Plan(ctx, (8, 16))


def test_a_released_plan_says_so(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    texture = blank(ctx, (8, 16))
    plan.release()
    with refused(ReleasedError):
        plan.forward(texture, texture)


def test_leaving_the_with_block_releases(ctx: moderngl.Context) -> None:
    texture = blank(ctx, (8, 16))
    with glfft.Plan(ctx, (8, 16)) as plan:
        pass
    with pytest.raises(ReleasedError):
        plan.inverse(texture, texture)


class OldContext(moderngl.Context):
    """Stands in for a context of another version, which this machine's driver will not make."""

    def __init__(self, version_code: int) -> None:
        self.version_code = version_code

    def __del__(self) -> None:
        pass


@pytest.mark.parametrize(("version", "named"), [(330, "OpenGL 3.3"), (420, "OpenGL 4.2"), (310, "OpenGL 3.1")])
def test_a_context_too_old(version: int, named: str) -> None:
    with refused(ContextError) as caught:
        glfft.Plan(OldContext(version), (8, 8))
    assert named in str(caught.value)
    assert "4.3" in str(caught.value)


@pytest.mark.parametrize("nothing", [None, object(), "ctx"])
def test_no_context(nothing: Any) -> None:
    with refused(ContextError) as caught:
        glfft.Plan(nothing, (8, 8))
    assert type(nothing).__name__ in str(caught.value)


OTHER_CONTEXT = """
import threading
import numpy as np
import glfft

first, second = glfft.open_context(), glfft.open_context()
array = np.random.default_rng(0).standard_normal((8, 16)).astype(np.complex64)

def texture(ctx):
    return ctx.texture((16, 8), 2, array.tobytes(), dtype="f4")

def tell(call):
    try:
        call()
        print("done")
    except glfft.GlfftError as error:
        print(f"{type(error).__name__} {error}")

others = texture(second)
with first:
    own = texture(first)
    gain = "uniform float gain; void store(ivec3 at, value v) { write_target(at, gain * v); }"
    plan = glfft.Plan(first, (8, 16), store=gain)
    plan.set_uniforms(gain=1.0)
    tuner = plan.background_tuner(quick=True)
"""


def other_context(program: str) -> list[str]:
    """What a program prints that has a plan of one context while another one is current."""
    return lines_of(OTHER_CONTEXT + program)


@pytest.mark.parametrize("current", ["second.__enter__()", "first.__exit__(None, None, None)"])
def test_a_plan_whose_context_is_not_current_says_so_and_touches_nothing(current: str) -> None:
    *refusals, untouched, right = other_context(
        f"{current}\n"
        "tell(lambda: plan.forward(own, own))\n"
        "tell(lambda: plan.inverse(own, own))\n"
        "tell(lambda: plan.set_uniforms(gain=2.0))\n"
        "tell(lambda: plan.tune(quick=True))\n"
        "tell(plan.background_tuner)\n"
        "tell(tuner.step)\n"
        "tell(lambda: glfft.Plan(first, (8, 16)))\n"
        "second.__enter__()\n"
        "print(others.read() == array.tobytes(), second.error)\n"
        "first.__enter__()\n"
        "plan.forward(own, own)\n"
        "result = np.frombuffer(own.read(), np.complex64).reshape(8, 16)\n"
        "print(np.allclose(result, np.fft.fft2(array), atol=1e-4), first.error)\n"
    )
    assert len(refusals) == 7
    for refusal in refusals:
        kind, _, sentence = refusal.partition(" ")
        assert kind == "NotCurrentError"
        assert_one_sentence(sentence)
    assert (untouched, right) == ("True GL_NO_ERROR", "True GL_NO_ERROR")


def test_a_plan_in_a_thread_that_has_not_its_context_says_so() -> None:
    refusal, other, right = other_context(
        "first.__enter__()\n"
        "def work():\n"
        "    tell(lambda: plan.forward(own, own))\n"
        "    with glfft.open_context() as third, glfft.Plan(third, (8, 16)) as plan_here:\n"
        "        here = texture(third)\n"
        "        plan_here.forward(here, here)\n"
        "        result = np.frombuffer(here.read(), np.complex64).reshape(8, 16)\n"
        "        print(np.allclose(result, np.fft.fft2(array), atol=1e-4))\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
        "tell(lambda: plan.forward(own, own))\n"
    )
    assert refusal.startswith("NotCurrentError ")
    assert (other, right) == ("True", "done")


def test_a_plan_of_a_released_context_says_so() -> None:
    refusal, released = other_context(
        "first.__enter__()\nfirst.release()\ntell(lambda: plan.forward(own, own))\ntell(plan.release)\n"
    )
    kind, _, sentence = refusal.partition(" ")
    assert kind == "ReleasedError"
    assert_one_sentence(sentence)
    assert released == "done"


def test_releasing_a_plan_frees_nothing_of_the_context_that_is_current() -> None:
    # Names of objects are small numbers, the same in every context.
    lines = other_context(
        "with first:\n"
        "    plans = [glfft.Plan(first, (8, 16), algorithm='natural-order-stages') for _ in range(4)]\n"
        "    for each in plans:\n        each.forward(own, texture(first))\n"
        "    made = {item.glo for each in plans for item in each._owned}\n"
        "second.__enter__()\n"
        "kept = [texture(second) for _ in range(max(made) + 1)]\n"
        "for each in plans:\n    each.release()\n"
        "print(all(item.read() == array.tobytes() for item in kept), second.error, len(made) > 0)\n"
        "first.__enter__()\n"
        "waiting = glfft.gl.context.state_of(first).dropped\n"
        "print(len(waiting) > 0)\n"
        "kept_plan = glfft.Plan(first, (8, 8))\n"
        "print(len(waiting))\n"
    )
    assert lines == ["True GL_NO_ERROR True", "True", "0"]
