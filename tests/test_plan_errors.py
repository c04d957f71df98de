"""Bad requests and bad textures: an error of glfft's own, in one sentence that says what is wrong."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import assert_refused
from support.pictures import ALGORITHMS, blank, run
from support.sentences import assert_one_sentence

import glfft
from glfft.accuracy import random_complex
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import (
    AlgorithmError,
    ContextError,
    GlfftError,
    LimitError,
    OptionError,
    ReleasedError,
    ShapeError,
    TextureError,
)
from glfft.gl.context import state_of
from glfft.gl.device import Device

BAD_REQUESTS: list[tuple[type[GlfftError], Any, dict[str, Any], tuple[str, ...]]] = [
    (ShapeError, (0, 8), {}, ("(0, 8)", "at least 1")),
    (ShapeError, (8, -8), {}, ("-8", "columns", "at least 1")),
    (ShapeError, (0, 8), {"axes": (1,)}, ("rows", "at least 1")),
    (ShapeError, (8,), {}, ("(8,)", "(rows, columns)")),
    (ShapeError, (8, 8, 8), {}, ("(8, 8, 8)",)),
    (ShapeError, 8, {}, ("8", "(rows, columns)")),
    (ShapeError, (8.0, 8.0), {}, ("8.0", "whole numbers")),
    (ShapeError, "88", {}, ("88",)),
    (ShapeError, None, {}, ("None",)),
    (ShapeError, np.zeros((8, 8)), {}, ("array", "whole numbers")),
    (LimitError, (8, 1 << 20), {}, ("1048576", "at most")),
    (LimitError, (1 << 20, 8), {"axes": (1,)}, ("1048576", "at most", "rows")),
    (ShapeError, (8, 8), {"axes": ()}, ("axes",)),
    (ShapeError, (8, 8), {"axes": (2,)}, ("(2,)",)),
    (ShapeError, (8, 8), {"axes": (1, -1)}, ("once",)),
    (ShapeError, (8, 8), {"axes": 1}, ("axes is 1",)),
    (ShapeError, (8, 8), {"axes": (0.5,)}, ("axes",)),
    (AlgorithmError, (8, 8), {"algorithm": "stockham-radix3"}, ("stockham-radix3", "did you mean 'stockham-radix")),
    (AlgorithmError, (8, 8), {"algorithm": "Cooley-Tukey"}, ("did you mean 'cooley-tukey'",)),
    (AlgorithmError, (8, 8), {"algorithm": "?"}, ("choose one of", *ALGORITHMS)),
    (AlgorithmError, (8, 8), {"algorithm": None}, ("None",)),
    (AlgorithmError, (8, 8), {"algorithm": ["auto"]}, ("auto",)),
    (OptionError, (8, 8), {"norm": "ortho2"}, ("'ortho2'", "did you mean 'ortho'")),
    (OptionError, (8, 8), {"norm": 1}, ("norm is 1", "backward")),
    (OptionError, (8, 8), {"norm": np.ones((8, 8))}, ("norm is array", "backward")),
    (OptionError, (8, 8), {"norm": np.array("ortho")}, ("norm is array('ortho'", "backward")),
    (OptionError, (8, 8), {"storage": np.array(["buffer", "buffer"])}, ("storage is array", "rg32f")),
    (OptionError, (8, 8), {"twiddles": "tables"}, ("'tables'", "did you mean 'table'")),
]


@pytest.mark.parametrize(("kind", "shape", "options", "words"), BAD_REQUESTS, ids=lambda value: str(value)[:40])
def test_bad_requests(
    ctx: moderngl.Context, kind: type[GlfftError], shape: Any, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as caught:
        glfft.Plan(ctx, shape, **options)
    assert_one_sentence(str(caught.value))
    for word in words:
        assert word in str(caught.value)


def test_value_errors_are_python_value_errors_too() -> None:
    for kind in (ShapeError, OptionError, AlgorithmError, TextureError):
        assert issubclass(kind, ValueError)
        assert issubclass(kind, GlfftError)


@pytest.fixture
def plan(ctx: moderngl.Context) -> glfft.Plan:
    return glfft.Plan(ctx, (8, 16))


def released(ctx: moderngl.Context) -> moderngl.Texture:
    texture = ctx.texture((16, 8), 2, dtype="f4")
    texture.release()
    return texture


BAD_TEXTURES: list[tuple[str, Callable[[moderngl.Context], Any], tuple[str, ...]]] = [
    ("transposed", lambda ctx: ctx.texture((8, 16), 2, dtype="f4"), ("8 x 16", "16 x 8")),
    ("one component", lambda ctx: ctx.texture((16, 8), 1, dtype="f4"), ("1 component", "needs 2 components")),
    ("four components", lambda ctx: ctx.texture((16, 8), 4, dtype="f4"), ("4 components",)),
    ("half floats", lambda ctx: ctx.texture((16, 8), 2, dtype="f2"), ("'f2'", "'f4'")),
    ("bytes", lambda ctx: ctx.texture((16, 8), 2), ("'f1'", "'f4'")),
    ("half in disguise", lambda ctx: ctx.texture((16, 8), 2, dtype="f4", internal_format=0x822F), ("internal format",)),
    ("samples", lambda ctx: ctx.texture((16, 8), 2, dtype="f4", samples=4), ("4 samples",)),
    ("depth", lambda ctx: ctx.depth_texture((16, 8)), ("1 component",)),
    ("array", lambda ctx: ctx.texture_array((16, 8, 2), 2, dtype="f4"), ("moderngl.Texture", "TextureArray")),
    ("buffer", lambda ctx: ctx.buffer(reserve=1024), ("moderngl.Texture", "Buffer")),
    ("numpy array", lambda ctx: random_complex((8, 16)), ("moderngl.Texture", "ndarray")),
    ("nothing", lambda ctx: None, ("moderngl.Texture", "NoneType")),
    ("released", released, ("has been released",)),
]


@pytest.mark.parametrize(("make", "words"), [case[1:] for case in BAD_TEXTURES], ids=[case[0] for case in BAD_TEXTURES])
def test_bad_textures(
    ctx: moderngl.Context, plan: glfft.Plan, make: Callable[[moderngl.Context], Any], words: tuple[str, ...]
) -> None:
    assert_refused(plan, blank(ctx, (8, 16)), make(ctx), words)


@pytest.mark.parametrize("next_use", ["sampling", "", 8, ["sample"]])
def test_a_next_use_that_is_none(ctx: moderngl.Context, plan: glfft.Plan, next_use: Any) -> None:
    texture = blank(ctx, (8, 16))
    with pytest.raises(OptionError) as caught:
        plan.forward(texture, texture, next_use=next_use)
    assert_one_sentence(str(caught.value))
    assert "sample, image, read, draw" in str(caught.value)


def test_a_released_plan_says_so(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    texture = blank(ctx, (8, 16))
    plan.release()
    with pytest.raises(ReleasedError) as caught:
        plan.forward(texture, texture)
    assert_one_sentence(str(caught.value))


def test_leaving_the_with_block_releases(ctx: moderngl.Context) -> None:
    texture = blank(ctx, (8, 16))
    with glfft.Plan(ctx, (8, 16)) as plan:
        pass
    with pytest.raises(ReleasedError):
        plan.inverse(texture, texture)


def test_a_failed_request_leaves_the_context_as_good_as_new(ctx: moderngl.Context) -> None:
    for _, shape, options, _ in BAD_REQUESTS:
        with pytest.raises(GlfftError):
            glfft.Plan(ctx, shape, **options)
    gc.collect()
    assert ctx.error == "GL_NO_ERROR"
    with glfft.Plan(ctx, (8, 8)) as plan:
        run(plan, random_complex((8, 8)))


class OldContext(moderngl.Context):
    """Stands in for a context of another version, which this machine's driver will not make."""

    def __init__(self, version_code: int) -> None:
        self.version_code = version_code

    def __del__(self) -> None:
        pass


@pytest.mark.parametrize(("version", "named"), [(330, "OpenGL 3.3"), (420, "OpenGL 4.2"), (310, "OpenGL 3.1")])
def test_a_context_too_old(version: int, named: str) -> None:
    with pytest.raises(ContextError) as caught:
        glfft.Plan(OldContext(version), (8, 8))
    assert_one_sentence(str(caught.value))
    assert named in str(caught.value)
    assert "4.3" in str(caught.value)


@pytest.mark.parametrize("nothing", [None, object(), "ctx"])
def test_no_context(nothing: Any) -> None:
    with pytest.raises(ContextError) as caught:
        glfft.Plan(nothing, (8, 8))
    assert_one_sentence(str(caught.value))
    assert type(nothing).__name__ in str(caught.value)


def with_little_shared_memory(ctx: moderngl.Context) -> Device:
    device = state_of(ctx).device
    return replace(device, limits=replace(device.limits, shared_memory=8192))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_line_too_long_for_a_work_group_names_limit_need_and_way_out(ctx: moderngl.Context, algorithm: str) -> None:
    device = with_little_shared_memory(ctx)
    request = PlanRequest((2, 4096), (1,), algorithm)
    try:
        assert request.passes(FORWARD, device)
        return
    except LimitError as error:
        message = str(error)
    assert_one_sentence(message)
    # What Bluestein's algorithm needs is two transforms of another length.
    needs = ("at most",) if algorithm == "bluestein" else ("32768 bytes", "8192")
    for word in (algorithm, "4096 points", *needs):
        assert word in message
    advised = re.search(r"algorithm='([^']+)' works", message)
    assert advised
    assert PlanRequest((2, 4096), (1,), advised[1]).passes(FORWARD, device)


def test_a_short_line_fits_whatever_algorithm(ctx: moderngl.Context) -> None:
    for algorithm in ALGORITHMS:
        assert PlanRequest((2, 256), (1,), algorithm).passes(FORWARD, with_little_shared_memory(ctx))


TWO_CONTEXTS = """
import glfft
from glfft.errors import TextureError

first, second = glfft.open_context(), glfft.open_context()
with second:
    foreign = second.texture((16, 8), 2, dtype="f4")
with first:
    plan = glfft.Plan(first, (8, 16))
    own = first.texture((16, 8), 2, dtype="f4")
    for arguments in ((foreign, own), (own, foreign)):
        try:
            plan.forward(*arguments)
        except TextureError as error:
            print(error)
    plan.forward(own, own)
"""


def test_a_texture_of_another_context() -> None:
    # In a process of its own: the second context becomes the one moderngl takes as its default.
    messages = subprocess.run([sys.executable, "-c", TWO_CONTEXTS], capture_output=True, text=True, check=True).stdout
    assert len(messages.splitlines()) == 2
    for role, message in zip(("source", "target"), messages.splitlines(), strict=True):
        assert_one_sentence(message)
        assert role in message
        assert "another context" in message


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
    plan.set(gain=1.0)
    tuner = plan.tuner(quick=True)
"""


def other_context(program: str) -> list[str]:
    """What a program prints that has a plan of one context while another one is current."""
    done = subprocess.run([sys.executable, "-c", OTHER_CONTEXT + program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("current", ["second.__enter__()", "first.__exit__(None, None, None)"])
def test_a_plan_whose_context_is_not_current_says_so_and_touches_nothing(current: str) -> None:
    *refusals, untouched, right = other_context(
        f"{current}\n"
        "tell(lambda: plan.forward(own, own))\n"
        "tell(lambda: plan.inverse(own, own))\n"
        "tell(lambda: plan.set(gain=2.0))\n"
        "tell(lambda: plan.tune(quick=True))\n"
        "tell(plan.tuner)\n"
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
        "glfft.Plan(first, (8, 8))\n"
        "print(len(waiting))\n"
    )
    assert lines == ["True GL_NO_ERROR True", "True", "0"]
