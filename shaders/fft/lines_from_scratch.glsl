// Longer lines are read from scratch, and those of a picture written.
//
// Defines, uniforms: fft/padded_lines.glsl

#include "fft/padded_lines.glsl"

value load_of_line(int position, int line, int layer) {
    return read_source(scratch_place(position, line));
}

void store_of_line(int position, int line, int layer, value v) {
    int number = glfft_first_line + line;
    if (is_of_picture(position, number)) {
        store_point(position, number % WHOLE_LINES, number / WHOLE_LINES, multiply(v, chirp_entry(position)));
    }
}
