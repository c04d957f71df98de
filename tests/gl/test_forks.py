"""Processes forked after OpenGL was used: a sentence where the driver would hang."""

from __future__ import annotations

import os

import pytest
from support import programs
from support.sentences import assert_one_sentence

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no system call fork here"),
    pytest.mark.usefixtures("egl"),
]

FORKING = """
import multiprocessing, sys
import moderngl
import glfft

def told(call, said):
    try:
        said.put(str(call()))
    except glfft.GlfftError as error:
        said.put(f"{type(error).__name__} {error}")

def in_a_fork(call):
    fork = multiprocessing.get_context("fork")
    said = fork.SimpleQueue()
    child = fork.Process(target=told, args=(call, said), daemon=True)
    child.start()
    child.join(60)
    print("it hangs" if child.is_alive() else said.get(), child.exitcode)

"""


def lines_of(program: str) -> list[str]:
    """What a program prints that forks children of its own."""
    return programs.lines_of(FORKING + program)


@pytest.mark.parametrize(
    "used_before",
    [
        "glfft.fft([1, 2])",
        "ctx = glfft.open_context()",
        "ctx = glfft.open_context(); ctx.__exit__(None, None, None)",
        "ctx = moderngl.create_context(standalone=True, backend='egl', require=430)",
    ],
)
def test_a_child_is_told_to_be_spawned(used_before: str) -> None:
    for line in lines_of(f"{used_before}\nin_a_fork(lambda: glfft.fft([1, 2]))\nin_a_fork(glfft.open_context)\n"):
        kind, _, rest = line.partition(" ")
        sentence, _, code = rest.rpartition(" ")
        assert (kind, code) == ("ContextError", "0")
        assert_one_sentence(sentence)
        assert "multiprocessing.get_context('spawn')" in sentence


def test_what_the_parent_has_made_is_refused_in_the_child_and_stays_good_in_the_parent() -> None:
    *lines, right = lines_of(
        "import numpy as np\n"
        "ctx = glfft.open_context()\n"
        "array = np.arange(64.0).reshape(8, 8).astype(np.complex64)\n"
        "texture = ctx.texture((8, 8), 2, array.tobytes(), dtype='f4')\n"
        "plan, profiler = glfft.Plan(ctx, (8, 8)), glfft.Profiler(ctx)\n"
        "in_a_fork(lambda: plan.forward(texture, texture))\n"
        "in_a_fork(lambda: plan.set_uniforms(x=1))\n"
        "in_a_fork(lambda: glfft.Plan(ctx, (8, 8)))\n"
        "in_a_fork(lambda: glfft.fft([1, 2], ctx=ctx))\n"
        "in_a_fork(profiler.frame().__enter__)\n"
        "in_a_fork(lambda: (plan.release(), profiler.release()))\n"
        "plan.forward(texture, texture)\n"
        "result = np.frombuffer(texture.read(), np.complex64).reshape(8, 8)\n"
        "print(np.allclose(result, np.fft.fft2(array), atol=1e-3))\n"
    )
    assert right == "True"
    assert lines.pop() == "(None, None) 0"
    assert len(lines) == 5
    assert all(line.startswith("ContextError OpenGL was used before this process was forked") for line in lines)


def test_a_child_of_a_process_that_has_not_used_opengl_works() -> None:
    program = "in_a_fork(lambda: glfft.fft([1, 2]).tolist())\nprint(glfft.fft([1, 2]).tolist())\n"
    assert lines_of(program) == ["[(3+0j), (-1+0j)] 0", "[(3+0j), (-1+0j)]"]


def test_a_server_of_forks_that_has_ended_fails_one_program_only() -> None:
    assert programs.lines_of("print(1)") == ["1"]
    programs._server().kill()
    programs._server().wait()
    with pytest.raises((AssertionError, BrokenPipeError)):
        programs.lines_of("print(2)")
    assert programs.lines_of("print(3)") == ["3"]
