// Means and sums of squared differences from them, over the windows of each row. An invocation slides a window along a
// run of places.
//
// Inputs:  picture         channel r
// Outputs: spread          at each place the mean from there on, and the sum of squared differences
// Defines: GROUP_X, GROUP_Y  invocations of the work group, by rows and runs: neighbours read close to each other
//          PICTURE_UNIT    the texture's
//          IMAGE_UNIT      of `spread`
//          PICTURE_SIZE    columns and rows
//          WINDOW          columns of a window
//          RUN             places of an invocation

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

layout(binding = PICTURE_UNIT) uniform sampler2D picture;
layout(binding = IMAGE_UNIT) writeonly uniform image2D spread;

#include "convolution/running_sum.glsl"

// Smaller differences than this share of the squares may be rounding.
#define ROUNDING 1e-6
// Where they are less than this share, they lose too many digits.
#define FAR 1e-3
#define PLACES (PICTURE_SIZE.x - WINDOW + 1)

// The sums over the window at a place, of differences from a reference and of their squares.
void begin(int row, int place, float reference, out RunningSum sum, out RunningSum squares) {
    sum = RunningSum(0.0, 0.0);
    squares = RunningSum(0.0, 0.0);
    for (int column = place; column < place + WINDOW; ++column) {
        float value = texelFetch(picture, ivec2(column, row), 0).r - reference;
        add(sum, value);
        add(squares, value * value);
    }
}

void main() {
    int row = int(gl_GlobalInvocationID.x);
    int first = int(gl_GlobalInvocationID.y) * RUN;
    if (first >= PLACES || row >= PICTURE_SIZE.y) return;
    // Differences from a value nearby keep the digits of small ones.
    float reference = texelFetch(picture, ivec2(first, row), 0).r;
    RunningSum sum, squares;
    begin(row, first, reference, sum, squares);
    int end = min(first + RUN, PLACES);
    for (int place = first; place < end; ++place) {
        float mean = value_of(sum) / float(WINDOW);
        float differences = value_of(squares) - value_of(sum) * mean;
        float left = texelFetch(picture, ivec2(place, row), 0).r;
        // Past an edge the values are far from the reference, and rounding would hide what differs between them.
        if (differences < FAR * value_of(squares)) {
            reference = left;
            begin(row, place, reference, sum, squares);
            mean = value_of(sum) / float(WINDOW);
            differences = value_of(squares) - value_of(sum) * mean;
        }
        bool one_value = differences <= ROUNDING * value_of(squares);
        // Windows of one value have that as their mean, without rounding, so that those below each other agree.
        vec2 result = one_value ? vec2(left, 0.0) : vec2(reference + mean, differences);
        imageStore(spread, ivec2(place, row), vec4(result, 0.0, 1.0));
        float leaves = left - reference;
        float enters = texelFetch(picture, ivec2(min(place + WINDOW, PICTURE_SIZE.x - 1), row), 0).r - reference;
        add(sum, enters);
        add(sum, -leaves);
        add(squares, enters * enters);
        add(squares, -leaves * leaves);
    }
}
