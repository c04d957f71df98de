// The ends of the convolution of lines with a chirp (Bluestein, A linear filtering approach to the computation of discrete
// Fourier transform, 1970), in which lines are longer and lie in a scratch buffer. With the chirp c[n] (fft/chirp.glsl),
// the first pass reads f[n] c[n] from the picture, and zeros from N on; the last writes F[k] = c[k] * (what it has) to it.
//
// Defines:
//   ENTERS           1: the pass reads the picture and writes scratch; 0: it reads scratch and writes the picture
//   PICTURE_LOAD, PICTURE_STORE   the functions for points of the picture: load_point and store_point, or those of
//                    fft/real_lines.glsl
//   CHIRP_POINTS     N; and those of fft/chirp.glsl
//   WHOLE_LINES      the picture's, in a layer; those of all layers follow one another in scratch
// Uniforms:
//   glfft_first_line   number of the picture's line that is the first in scratch

#include "fft/chirp.glsl"

uniform int glfft_first_line;

bool is_of_picture(int position, int number) {
    return position < CHIRP_POINTS && number < WHOLE_LINES * LAYERS;
}

// In scratch, lines lie as the picture's do: one after the other where those are rows, else side by side.
ivec3 scratch_place(int position, int line) {
    return AXIS == 1 ? ivec3(position, line, 0) : ivec3(line, position, 0);
}

#if ENTERS
value load_padded(int position, int line, int layer) {
    int number = glfft_first_line + line;
    return is_of_picture(position, number)
        ? multiply(PICTURE_LOAD(position, number % WHOLE_LINES, number / WHOLE_LINES), chirp_entry(position))
        : value(0.0);
}

void store_padded(int position, int line, int layer, value v) {
    write_target(scratch_place(position, line), v);
}
#else
value load_padded(int position, int line, int layer) {
    return read_source(scratch_place(position, line));
}

void store_padded(int position, int line, int layer, value v) {
    int number = glfft_first_line + line;
    if (is_of_picture(position, number)) {
        PICTURE_STORE(position, number % WHOLE_LINES, number / WHOLE_LINES, multiply(v, chirp_entry(position)));
    }
}
#endif
