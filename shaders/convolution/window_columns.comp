// Normalised correlations: the products of a template without its mean and each window, divided by both spreads. An
// invocation slides a window along a run of places of a column.
//
// Inputs:  spread          of the windows of rows, from window_rows.comp
//          products        the correlation with the template
//          energy          the sum of the template's squares
// Outputs: scores          from -1 to 1; 0 where a window has one value everywhere
// Defines: GROUP_X, GROUP_Y  invocations of the work group, by columns and runs
//          SPREAD_UNIT, PRODUCTS_UNIT  of the textures
//          IMAGE_UNIT      of `scores`
//          ENERGY_BINDING  of the buffer
//          SPREAD_SIZE     columns and rows of `spread`
//          WINDOW          columns and rows of a window
//          RUN             places of an invocation

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

layout(binding = SPREAD_UNIT) uniform sampler2D spread;
layout(binding = PRODUCTS_UNIT) uniform sampler2D products;
layout(binding = IMAGE_UNIT) writeonly uniform image2D scores;

layout(std430, binding = ENERGY_BINDING) readonly buffer Energy {
    float energy;
};

#include "convolution/running_sum.glsl"

#define PLACES (SPREAD_SIZE.y - WINDOW.y + 1)
// Smaller differences than this share of the squares may be rounding.
#define ROUNDING 1e-6
// Where they are less than this share, they lose too many digits.
#define FAR 1e-3
// With less contrast than this share of the mean, squared, scores are what rounding leaves of the correlation.
#define FLAT 1e-11
// A GPU may take smaller numbers for 0.
#define SMALLEST 1e-37

// The sums over the window at a place: of its lines' means less a reference, of their squares, and of those within.
void begin(int column, int place, float reference, out RunningSum sum, out RunningSum squares, out RunningSum within) {
    sum = RunningSum(0.0, 0.0);
    squares = RunningSum(0.0, 0.0);
    within = RunningSum(0.0, 0.0);
    for (int row = place; row < place + WINDOW.y; ++row) {
        vec2 line = texelFetch(spread, ivec2(column, row), 0).xy;
        float mean = line.x - reference;
        add(sum, mean);
        add(squares, mean * mean);
        add(within, line.y);
    }
}

// The mean less the reference, the squared differences from the mean, and those from the reference.
void measure(
    RunningSum sum, RunningSum squares, RunningSum within, out float mean, out float differences, out float all_squares
) {
    // The squares within lines and between them add up (Chan, Golub and LeVeque 1979).
    mean = value_of(sum) / float(WINDOW.y);
    float between = max(value_of(squares) - value_of(sum) * mean, 0.0);
    differences = value_of(within) + float(WINDOW.x) * between;
    all_squares = value_of(within) + float(WINDOW.x) * value_of(squares);
}

void main() {
    int column = int(gl_GlobalInvocationID.x);
    int first = int(gl_GlobalInvocationID.y) * RUN;
    if (column >= SPREAD_SIZE.x || first >= PLACES) return;
    float reference = texelFetch(spread, ivec2(column, first), 0).x;
    RunningSum sum, squares, within;
    begin(column, first, reference, sum, squares, within);
    int end = min(first + RUN, PLACES);
    for (int place = first; place < end; ++place) {
        vec2 left = texelFetch(spread, ivec2(column, place), 0).xy;
        float mean, differences, all_squares;
        measure(sum, squares, within, mean, differences, all_squares);
        // Past an edge, as in rows.
        if (differences < FAR * all_squares) {
            reference = left.x;
            begin(column, place, reference, sum, squares, within);
            measure(sum, squares, within, mean, differences, all_squares);
        }
        float whole_mean = reference + mean;
        float least = max(ROUNDING * all_squares, FLAT * float(WINDOW.x * WINDOW.y) * whole_mean * whole_mean);
        bool flat_window = differences <= max(least, SMALLEST);
        float product_here = texelFetch(products, ivec2(column, place), 0).r;
        float score = product_here * inversesqrt(max(differences, SMALLEST)) * inversesqrt(max(energy, SMALLEST));
        score = flat_window || energy == 0.0 ? 0.0 : clamp(score, -1.0, 1.0);
        // A clamp may lose what is not a number, and what squares beyond float32 leave is no score.
        if (isnan(product_here) || isinf(product_here)) score = product_here;
        if (isnan(all_squares) || isinf(all_squares)) score = uintBitsToFloat(0x7FC00000u);
        imageStore(scores, ivec2(column, place), vec4(score, 0.0, 0.0, 1.0));
        vec2 entered = texelFetch(spread, ivec2(column, min(place + WINDOW.y, SPREAD_SIZE.y - 1)), 0).xy;
        float leaves = left.x - reference;
        float enters = entered.x - reference;
        add(sum, enters);
        add(sum, -leaves);
        add(squares, enters * enters);
        add(squares, -leaves * leaves);
        add(within, entered.y);
        add(within, -left.y);
    }
}
