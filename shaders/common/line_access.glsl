// One line of a picture as a sequence: the only place that knows whether lines are rows or columns.
//
// Defines:
//   AXIS                       1: a line is a row of texels (positions along x); 0: a column (positions along y)
//   SCALE                      factor on every value stored: the transform's normalisation (a constant or a uniform)
//   SOURCE_UNIT, TARGET_UNIT   texture unit read, image unit written
// Inputs:  source, two channels (real, imaginary)
// Outputs: target, any float format with two channels

#include "common/complex.glsl"

layout(binding = SOURCE_UNIT) uniform sampler2D source;
layout(binding = TARGET_UNIT) writeonly uniform image2D target;

ivec2 texel(int position, int line) {
    return AXIS == 1 ? ivec2(position, line) : ivec2(line, position);
}

complex load(int position, int line) {
    return texelFetch(source, texel(position, line), 0).xy;
}

void store(int position, int line, complex value) {
    imageStore(target, texel(position, line), vec4(value * float(SCALE), 0.0, 0.0));
}
