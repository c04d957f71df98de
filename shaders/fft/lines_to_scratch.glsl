// Lines of a picture are read, and longer ones written to scratch.
//
// Defines, uniforms: fft/padded_lines.glsl

#include "fft/padded_lines.glsl"

value load_of_line(int position, int line, int layer) {
    int number = glfft_first_line + line;
    return is_of_picture(position, number)
        ? multiply(load_point(position, number % WHOLE_LINES, number / WHOLE_LINES), chirp_entry(position))
        : value(0.0);
}

void store_of_line(int position, int line, int layer, value v) {
    write_target(scratch_place(position, line), v);
}
