// A spectrum times a mask with a stroke over it. If the product is smaller, it has the low frequencies: the same picture with fewer pixels.
//
// In:   spectrum, rg32f in FFT order, (re, im); mask, r32f of the same size
// Out:  product, rg32f in FFT order, scaled so that its inverse transform has the values of the larger one
// Uniforms: size, width and height of the product; those of stroke.glsl
// Defines: SPECTRUM_UNIT, MASK_UNIT texture units; IMAGE_UNIT image unit

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = SPECTRUM_UNIT) uniform sampler2D spectrum;
layout(binding = MASK_UNIT) uniform sampler2D mask;
layout(rg32f, binding = IMAGE_UNIT) writeonly uniform image2D product;

uniform ivec2 size;

#include "spectrum/stroke.glsl"

// The bin of the larger spectrum with the frequency of a bin of the smaller one.
int bin_of(int place, int small, int large) {
    return place < (small + 1) / 2 ? place : place + large - small;
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, size))) return;
    ivec2 large = textureSize(spectrum, 0);
    ivec2 bin = ivec2(bin_of(place.x, size.x, large.x), bin_of(place.y, size.y, large.y));
    float scale = float(size.x) / float(large.x) * (float(size.y) / float(large.y));
    vec2 value = texelFetch(spectrum, bin, 0).rg * (under_stroke(texelFetch(mask, bin, 0).r, bin, large) * scale);
    imageStore(product, place, vec4(value, 0.0, 0.0));
}
