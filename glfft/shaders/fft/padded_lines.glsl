// Lines as passes over their parts read and write them: those of a picture, or in the convolution of a chirp (Bluestein, A
// linear filtering approach to the computation of discrete Fourier transform, 1970) longer ones in a scratch buffer. With
// the chirp c[n] = exp(+-pi i n^2 / N), the first pass reads f[n] c[n], and zeros from N on; the last
// writes F[k] = c[k] * (what it has).
//
// Defines:
//   PADDED           if lines are longer ones; else there are no more defines
//   ENTERS, LEAVES   1: the pass reads the picture's lines, or writes them
//   CHIRP_POINTS     N; CHIRP_OFFSET, where the chirp begins in the table of twiddle factors
//   WHOLE_LINES      the picture's, in a layer; those of all layers follow one another in scratch
// Uniforms:
//   glfft_first_line   number of the picture's line that is the first in scratch

#include "common/line_access.glsl"
#include "common/twiddle.glsl"

#ifdef PADDED
#if ENTERS || LEAVES
uniform int glfft_first_line;
#endif

bool is_of_picture(int position, int number) {
    return position < CHIRP_POINTS && number < WHOLE_LINES * LAYERS;
}

complex chirp(int n) {
    return table_entry(CHIRP_OFFSET + n);
}

// In scratch, lines lie as the picture's do: one after the other where those are rows, else side by side.
ivec3 scratch_place(int position, int line) {
    return AXIS == 1 ? ivec3(position, line, 0) : ivec3(line, position, 0);
}

value load_of_line(int position, int line, int layer) {
#if ENTERS
    int number = glfft_first_line + line;
    return is_of_picture(position, number)
        ? multiply(load_point(position, number % WHOLE_LINES, number / WHOLE_LINES), chirp(position))
        : value(0.0);
#else
    return read_source(scratch_place(position, line));
#endif
}

void store_of_line(int position, int line, int layer, value v) {
#if LEAVES
    int number = glfft_first_line + line;
    if (is_of_picture(position, number)) {
        store_point(position, number % WHOLE_LINES, number / WHOLE_LINES, multiply(v, chirp(position)));
    }
#else
    write_target(scratch_place(position, line), v);
#endif
}
#else
#define load_of_line load_point
#define store_of_line store_point
#endif
