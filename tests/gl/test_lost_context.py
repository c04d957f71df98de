"""A context that the driver has lost: every use says so, and a new one is as good as ever."""

from __future__ import annotations

import moderngl
import pytest
from support.programs import lines_of
from support.sentences import assert_one_sentence, refused

from glfft.errors import ContextError
from glfft.gl.functions import check_errors

# No driver loses a context when it is asked to. In a lost one, functions of OpenGL that return something return zero
# (OpenGL 4.5 core, section 2.3.2), so none of its objects is found; here those of one context are not.
LOSE = """
import numpy as np
import glfft
from glfft.gl.context import state_of
from glfft.gl.functions import Functions

lost = set()
look_up = Functions.__getattr__
def with_losses(self, name):
    function = look_up(self, name)
    if name != "glIsProgramPipeline":
        return function
    return lambda mark: 0 if self._ctx in lost else function(mark)
Functions.__getattr__ = with_losses

def tell(call):
    try:
        print("fine", call())
    except glfft.GlfftError as error:
        print(type(error).__name__, error)

ctx = glfft.open_context()
texture = ctx.texture((8, 4), 2, dtype="f4")
plan, profiler = glfft.Plan(ctx, (4, 8)), glfft.Profiler(ctx)
tell(lambda: plan.forward(texture, texture))
ctx.finish()  # zink crashes where a process ends while it compiles
lost.add(ctx)
"""

USES = """
tell(lambda: plan.forward(texture, texture))
tell(lambda: plan.set_uniforms(x=1))
tell(lambda: plan.tune(quick=True))
tell(lambda: profiler.frame().__enter__())
tell(lambda: glfft.Plan(ctx, (4, 8)))
tell(lambda: glfft.Profiler(ctx))
tell(lambda: glfft.fft([1, 2], ctx=ctx))
"""


def test_every_use_of_a_lost_context_is_refused() -> None:
    before, *refused = lines_of(LOSE + USES)
    assert before == "fine None"
    assert len(refused) == USES.count("tell")
    for line in refused:
        kind, _, sentence = line.partition(" ")
        assert kind == "ReleasedError", line
        assert "or the driver lost it" in sentence
        assert_one_sentence(sentence)


def test_a_new_context_does_what_the_lost_one_did() -> None:
    """What was made in the lost one is let go of in silence, and takes nothing away from the new one."""
    assert lines_of(
        LOSE + "try:\n    plan.forward(texture, texture)\n"
        "except glfft.errors.ReleasedError:\n    new = glfft.open_context()\n"
        "print(ctx in glfft.gl.context._states)\n"
        "array = np.random.default_rng(0).standard_normal((4, 8)) + 0j\n"
        "kept = [new.texture((8, 4), 2, array.astype('c8').tobytes(), dtype='f4') for _ in range(20)]\n"
        "plan.release()\n"
        "profiler.release()\n"
        "del plan, profiler, texture\n"
        "print(all(each.read() == array.astype('c8').tobytes() for each in kept))\n"
        "print(np.allclose(glfft.fft2(array, ctx=new), np.fft.fft2(array), atol=1e-4), new.error)\n"
    ) == ["fine None", "False", "True", "True GL_NO_ERROR"]


def test_a_loss_while_things_are_made_is_told(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    # As OpenGL has it, the error stays.
    monkeypatch.setattr(moderngl.Context, "error", "GL_CONTEXT_LOST")
    with refused(ContextError, "lost the context while making textures"):
        check_errors(ctx, "making textures")
