// One line a value, as a texel carries it, or two: then a value of what follows is a vec4, the points of two lines that
// are LINES apart. Twiddle factors and trips through shared memory serve both.
//
// Defines: LINE_PAIRS  1: two; 0: one
//          LINES, LINE_COUNT, EVERY_LINE_EXISTS   of the kernel

#include "fft/four_step.glsl"

#if LINE_PAIRS
const int LINES_A_VALUE = 2;

// From here on; what a texel carries keeps its type.
#undef value
#define value vec4

bool second_line_exists(int line) {
    return EVERY_LINE_EXISTS || line + LINES < LINE_COUNT;
}

value load_of_lines(int position, int line, int layer) {
    vec2 second = second_line_exists(line) ? load_of_part(position, line + LINES, layer) : vec2(0.0);
    return value(load_of_part(position, line, layer), second);
}

void store_of_lines(int position, int line, int layer, value v) {
    store_of_part(position, line, layer, v.xy);
    if (second_line_exists(line)) {
        store_of_part(position, line + LINES, layer, v.zw);
    }
}
#else
const int LINES_A_VALUE = 1;

value load_of_lines(int position, int line, int layer) {
    return load_of_part(position, line, layer);
}

void store_of_lines(int position, int line, int layer, value v) {
    store_of_part(position, line, layer, v);
}
#endif
