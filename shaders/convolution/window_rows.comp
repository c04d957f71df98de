// Means and sums of squared differences from them, over the windows of each row. An invocation slides a window along a
// run of places.
//
// Inputs:  picture         channel r
// Outputs: spread          at each place the mean from there on, and the sum of squared differences
// Defines: GROUP_X, GROUP_Y  invocations of the work group, by runs and rows
//          PICTURE_UNIT    the texture's
//          IMAGE_UNIT      of `spread`
//          PICTURE_SIZE    columns and rows
//          WINDOW          columns of a window
//          RUN             places of an invocation
//          LAYERED         1: textures are arrays, whose layers are along z

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#if LAYERED
layout(binding = PICTURE_UNIT) uniform sampler2DArray picture;
layout(binding = IMAGE_UNIT) writeonly uniform image2DArray spread;
#else
layout(binding = PICTURE_UNIT) uniform sampler2D picture;
layout(binding = IMAGE_UNIT) writeonly uniform image2D spread;
#endif

#include "convolution/layers.glsl"

// What is left of the largest sum of squares when all of it has left the window: a rounding of half 2^-23 a place.
#define ROUNDING (float(RUN) * 6e-8)
#define PLACES (PICTURE_SIZE.x - WINDOW + 1)

void main() {
    int layer = int(gl_GlobalInvocationID.z);
    int first = int(gl_GlobalInvocationID.x) * RUN;
    int row = int(gl_GlobalInvocationID.y);
    if (first >= PLACES || row >= PICTURE_SIZE.y) return;
    // Differences from a value nearby keep the digits of small ones.
    float reference = texelFetch(picture, in_layer(ivec2(first, row), layer), 0).r;
    float sum = 0.0;
    float squares = 0.0;
    for (int column = first; column < first + WINDOW; ++column) {
        float value = texelFetch(picture, in_layer(ivec2(column, row), layer), 0).r - reference;
        sum += value;
        squares += value * value;
    }
    float largest = 0.0;
    int end = min(first + RUN, PLACES);
    for (int place = first; place < end; ++place) {
        float mean = sum / float(WINDOW);
        float differences = squares - sum * mean;
        largest = max(largest, squares);
        if (differences <= ROUNDING * largest) differences = 0.0;
        imageStore(spread, in_layer(ivec2(place, row), layer), vec4(reference + mean, differences, 0.0, 1.0));
        float left = texelFetch(picture, in_layer(ivec2(place, row), layer), 0).r - reference;
        float entered = texelFetch(picture, in_layer(ivec2(min(place + WINDOW, PICTURE_SIZE.x - 1), row), layer), 0).r - reference;
        sum += entered - left;
        squares += (entered + left) * (entered - left);
    }
}
