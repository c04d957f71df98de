"""What the program has set in GL is set again after something else has drawn."""

from __future__ import annotations

from typing import Any

import moderngl
import pytest
from support.drawing import BACKGROUND, SIZE, changed, pixels, release

from glfft.overlay import Overlay

pytest.importorskip("imgui_bundle")


@pytest.mark.parametrize(
    ("equation", "drawn"),
    [(moderngl.MAX, (153, 102, 51)), (moderngl.FUNC_ADD, (204, 153, 51))],
    ids=["maximum", "sum"],
)
@pytest.mark.parametrize("apart", [0.0, 1 / 15], ids=["direct", "cached"])
def test_gl_state_is_left_as_it_was(ctx: moderngl.Context, framebuffer, profiler, apart, equation, drawn):
    """A scene drawn after the overlay looks as it does without it, with the state set once before."""
    program = ctx.program(
        vertex_shader="""#version 430 core
            flat out int instance;
            void main() {
                instance = gl_InstanceID;
                gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, gl_InstanceID, 1.0);
            }""",
        # The first instance passes the depth test, the second one does not.
        fragment_shader="""#version 430 core
            flat in int instance;
            out vec4 colour;
            void main() { colour = instance == 0 ? vec4(0.6, 0.4, 0.0, 0.4) : vec4(1.0); }""",
    )
    array = ctx.vertex_array(program, [])
    context: Any = ctx  # moderngl's annotations know neither four blend factors nor a scissor of None
    target = ctx.framebuffer([ctx.renderbuffer((64, 64), 4)], ctx.depth_renderbuffer((64, 64)))

    def draw(between):
        target.use()
        target.clear(0.2, 0.2, 0.2, 1.0, depth=0.6)
        ctx.enable_only(moderngl.BLEND | moderngl.DEPTH_TEST)
        context.blend_func = (moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE)
        context.blend_equation = equation
        bound: Any = target
        bound.viewport = (8, 8, 40, 40)
        bound.scissor = (16, 16, 40, 40)
        between()
        assert ctx.fbo is target
        assert target.viewport == (8, 8, 40, 40)
        assert target.scissor == (16, 16, 40, 40)
        array.render(moderngl.TRIANGLES, vertices=3, instances=2)
        bound.scissor = None
        bound.viewport = (0, 0, 64, 64)
        return target.read(components=4)

    try:
        expected = draw(lambda: None)
        # Inside the scissor, blended with what was there: the larger of the two, or their sum.
        assert {expected[i : i + 3] for i in range(0, len(expected), 4)} == {
            bytes((51, 51, 51)),
            bytes(drawn),
        }
        with Overlay(ctx, profiler) as overlay:
            overlay._seconds_apart = apart
            for _ in range(2):  # the first time the cached layer is drawn too
                assert draw(lambda: overlay.render(framebuffer)) == expected
            assert draw(lambda: None) == expected
    finally:
        ctx.enable_only(moderngl.NOTHING)
        context.blend_func = moderngl.DEFAULT_BLENDING
        context.blend_equation = moderngl.FUNC_ADD
        array.release()
        program.release()
        release(ctx, target)


@pytest.mark.parametrize("apart", [0.0, 1 / 15], ids=["direct", "cached"])
def test_a_bound_target_gets_its_own_viewport_and_scissor_back(ctx, framebuffer, profiler, apart):
    overlay = Overlay(ctx, profiler)
    overlay._seconds_apart = apart
    framebuffer.viewport = (5, 6, 70, 80)
    overlay.render()
    assert framebuffer.viewport == (5, 6, 70, 80)
    framebuffer.viewport = (0, 0, *SIZE)
    framebuffer.clear(*BACKGROUND)
    framebuffer.scissor = (0, 0, 10, 10)
    overlay.render()
    assert framebuffer.scissor == (0, 0, 10, 10)
    assert changed(framebuffer).sum() > 1000
    framebuffer.scissor = None
    overlay.release()


def test_what_is_drawn_is_the_same_whatever_was_set_before(ctx, framebuffer, profiler):
    context: Any = ctx
    states = ((moderngl.FUNC_ADD, False), (moderngl.MAX, False), (moderngl.FUNC_ADD, True))
    pictures = []
    try:
        with Overlay(ctx, profiler) as overlay:
            overlay._seconds_apart = 0.0
            for _ in range(2):  # panels find their size
                overlay.render(framebuffer)
            for equation, wireframe in states:
                framebuffer.clear(*BACKGROUND)
                context.blend_equation, ctx.wireframe = equation, wireframe
                overlay.render(framebuffer)
                pictures.append(pixels(framebuffer))
                assert changed(framebuffer).sum() > 1000
    finally:
        context.blend_equation, ctx.wireframe = moderngl.FUNC_ADD, False
    # The panel tells what drawing it took, in some digits.
    assert all((each != pictures[0]).any(axis=-1).mean() < 0.002 for each in pictures)
