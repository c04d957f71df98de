"""Uniforms are set by name, whichever of them a compiler has kept; a wrong name is an error on each device."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.gl import programs
from glfft.gl.glsl import declared_uniforms
from glfft.gl.programs import set_declared, set_uniforms
from glfft.gl.source import assemble

TEXT = """layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
uniform float first, second;
uniform float several[2];
uniform vec4 dropped;   // uniform float only_a_comment;
void main() { sums[0] = first + 10.0 * second + 100.0 * several[0] + 1000.0 * several[1] + 0.0 * dropped.x; }
"""
VALUES = {"first": 1.0, "second": 2.0, "several": (3.0, 4.0), "dropped": (5.0, 6.0, 7.0, 8.0)}


def _program(ctx: moderngl.Context) -> moderngl.ComputeShader:
    return programs.compute_from(ctx, assemble("generated/sum.comp", {}, {"generated/sum.comp": TEXT}))


def test_values_arrive_and_what_the_compiler_dropped_is_passed_over(ctx: moderngl.Context) -> None:
    dropping = TEXT.replace(" + 0.0 * dropped.x", "")
    for text in (TEXT, dropping):
        program = programs.compute_from(ctx, assemble("generated/sum.comp", {}, {"generated/sum.comp": text}))
        set_uniforms(program, VALUES)
        sums = ctx.buffer(reserve=4)
        sums.bind_to_storage_buffer(0)
        program.run()
        ctx.finish()
        assert np.frombuffer(sums.read(), np.float32)[0] == 4321.0
        sums.release()
    assert "dropped" not in program, "every compiler drops what the text does not use"


def test_a_name_that_the_text_lacks_is_an_error(ctx: moderngl.Context) -> None:
    with pytest.raises(KeyError, match="only_a_comment"):
        set_uniforms(_program(ctx), {"first": 1.0, "only_a_comment": 2.0})
    set_declared(_program(ctx), {"first": 1.0, "only_a_comment": 2.0})


def test_all_ways_to_declare_uniforms_are_understood() -> None:
    text = """
    uniform float a, b[3], c;
    layout(binding = 2) uniform sampler2DArray d;
    layout(binding = 0, rgba16f) readonly uniform image2D e;
    uniform highp ivec2 f[2 * 3];
    /* uniform float no; */
    layout(std140, binding = 1) uniform Block { vec4 no_uniform; };
    """
    assert declared_uniforms(text) == set("abcdef")
