"""A plan whose snippet declares uniforms, samplers and images of all sorts."""

from __future__ import annotations

import moderngl
import pytest
from support.snippets import SHAPE

import glfft

ALL_SORTS = """
uniform float gain;
uniform ivec2 corner;
uniform uint count;
uniform mat4 turned;
uniform float weights[2];
uniform sampler2D window;
uniform sampler2DArray windows;
uniform sampler2D several[2];
uniform isampler2D numbers;
layout(r32ui) uniform uimage2D counts;
layout(rg32f) uniform image2D picture;
readonly layout(rg32f, binding = 3) uniform image2DArray pictures /* of any kind */ , more_pictures;
uniform sampler2DMS samples;
uniform sampler1D line;
layout(std140, binding = 1) uniform Sizes { float size; };
layout(std430, binding = 1) buffer Weights { float more_weights[]; };
value load(ivec3 at) {
    vec4 z = gain * vec4(weights[0], weights[1], float(count), 1.0) * turned;
    z += texelFetch(window, at.xy + corner, 0) + texelFetch(windows, at, 0) + texelFetch(several[1], at.xy, 0);
    z += texelFetch(samples, at.xy, 0) + texelFetch(line, at.x, 0) + imageLoad(more_pictures, at);
    z *= size * more_weights[at.x];
    z += vec4(texelFetch(numbers, at.xy, 0)) + vec4(imageLoad(counts, at.xy));
    return read_source(at) + z.xy + imageLoad(picture, at.xy).xy + imageLoad(pictures, at).zw;
}
"""


@pytest.fixture(scope="module")
def all_sorts(ctx: moderngl.Context) -> glfft.Plan:
    return glfft.Plan(ctx, SHAPE, load=ALL_SORTS)
