"""The GL state that drawing over a program's picture changes, put back afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

from glfft.gl.context import functions_of

# Blend factors and equations, colour and alpha (OpenGL 4.3, tables 23.25, 23.26), which moderngl sets but cannot read.
_BLEND_FUNCTION = (0x80C9, 0x80C8, 0x80CB, 0x80CA)
_BLEND_EQUATION = (0x8009, 0x883D)
_SUM = (0x8006, 0x8006)

BlendFunction = tuple[int, int, int, int]
"""Factors of source and destination, first for the colours, then for alpha."""

# Onto a cleared framebuffer this makes a picture of premultiplied alpha.
_ALPHA = (moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
STRAIGHT_ALPHA: BlendFunction = (moderngl.SRC_ALPHA, *_ALPHA)
PREMULTIPLIED_ALPHA: BlendFunction = (moderngl.ONE, *_ALPHA)


@contextmanager
def drawing_over(
    framebuffer: moderngl.Framebuffer, viewport: tuple[int, int, int, int], blending: BlendFunction
) -> Iterator[None]:
    """The `with` block draws into a framebuffer's viewport, blended, without a scissor until it sets one. Put back are
    the bound framebuffer, moderngl's enable flags, the framebuffer's viewport and scissor, wireframe, and blend
    function and equation. What is right already is not set: each call costs more than reading does.
    """
    # Any, because moderngl's annotations know neither four blend factors nor a scissor of None.
    ctx: Any = framebuffer.ctx
    target: Any = framebuffer
    old_viewport, scissor, wireframe = framebuffer.viewport, framebuffer.scissor, ctx.wireframe
    integer = functions_of(ctx).integer
    function, equation = (tuple(map(integer, names)) for names in (_BLEND_FUNCTION, _BLEND_EQUATION))
    # moderngl reports the whole framebuffer where no scissor was set.
    old_scissor = None if scissor == (0, 0, *framebuffer.size) else scissor
    with ctx.scope(framebuffer, enable=moderngl.BLEND):
        try:
            target.viewport = viewport
            target.scissor = None
            if wireframe:
                ctx.wireframe = False
            if function != blending:
                ctx.blend_func = blending
            if equation != _SUM:
                ctx.blend_equation = moderngl.FUNC_ADD
            yield
        finally:
            ctx.blend_func = function
            if equation != _SUM:
                ctx.blend_equation = equation
            if wireframe:
                ctx.wireframe = True
            target.viewport = old_viewport
            target.scissor = old_scissor
