// A picture that goes on without a jump over the whole of a transform, which joins its ends: past the last texel, what
// lies after the picture fades into what lies before it.
//
// Inputs:  picture           any texture that is read as floats
// Defines: PICTURE_SIZE      columns and rows of the picture, at the transform's first points
//          PICTURE_BOUNDARY  what lies outside the picture: 0 zeros, 1 the picture again, 2 its mirror image (the texels
//                            at the edge come twice), 3 the texel at the edge
//          REPEATS           how often the picture and its mirror image fit between the ends, and once more
//          CHANNELS          of the picture: 1, 2, or 4 as two complex numbers

#include "convolution/channels.glsl"

uniform sampler2D picture;

vec4 glfft_outside(ivec2 place) {
#if PICTURE_BOUNDARY == 0
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, PICTURE_SIZE))) return vec4(0.0);
#elif PICTURE_BOUNDARY == 1
    place = (place + REPEATS * PICTURE_SIZE) % PICTURE_SIZE;
#elif PICTURE_BOUNDARY == 2
    place = (place + REPEATS * 2 * PICTURE_SIZE) % (2 * PICTURE_SIZE);
    place = min(place, 2 * PICTURE_SIZE - 1 - place);
#endif
    return texelFetch(picture, clamp(place, ivec2(0), PICTURE_SIZE - 1), 0);
}

value extended_picture(ivec2 at) {
    if (all(lessThan(at, PICTURE_SIZE))) return from_channels(texelFetch(picture, at, 0));
    ivec2 size = ivec2(COLUMNS, ROWS);
    vec2 gone = (vec2(at - PICTURE_SIZE) + 0.5) / max(vec2(size - PICTURE_SIZE), 1.0);
    vec4 texel = glfft_outside(at);
    if (at.x >= PICTURE_SIZE.x) texel = mix(texel, glfft_outside(at - ivec2(size.x, 0)), gone.x);
    if (at.y >= PICTURE_SIZE.y) {
        vec4 above = glfft_outside(at - ivec2(0, size.y));
        if (at.x >= PICTURE_SIZE.x) above = mix(above, glfft_outside(at - size), gone.x);
        texel = mix(texel, above, gone.y);
    }
    return from_channels(texel);
}
