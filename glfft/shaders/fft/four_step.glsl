// Whole lines, or parts of lines too long for a work group: two passes over parts are one over the line, the four-step
// way (Bailey, FFTs in external or hierarchical memory, 1990). For a line of A * B points and w_N = exp(DIRECTION * 2 pi
// i / N), with n = b + B m and k = a + A l,
//   F[a + A l] = sum over b of w_B^(b l) * (w_AB^(a b) * sum over m of w_A^(a m) * f[b + B m]).
// The first pass transforms the parts b = 0 .. B - 1, of A points each, and multiplies by w_AB^(a b); it stores where it
// loaded. The second transforms the parts a = 0 .. A - 1, of B points each, and stores their outputs A apart.
//
// Defines:
//   AXIS, LENGTH (of a part), LINE_COUNT (parts of all lines of a layer)
//   PARTS                     a line; 1: whole lines
//   LOAD_STEP, LOAD_APART     positions between a part's inputs, and between the first inputs of neighbouring parts
//   STORE_STEP, STORE_APART   the same for its outputs
//   PART_TWIDDLES             the outputs are multiplied as in the first pass

#include "common/line_access.glsl"
#include "common/twiddle.glsl"

// Neighbouring work is on neighbours in memory: the parts of a row, or the columns of a part.
int part_of(int line) {
    return PARTS == 1 ? 0 : AXIS == 1 ? line % PARTS : line / (LINE_COUNT / PARTS);
}

int whole_line(int line) {
    return PARTS == 1 ? line : AXIS == 1 ? line / PARTS : line % (LINE_COUNT / PARTS);
}

value load_of_part(int position, int line, int layer) {
    return load_point(position * LOAD_STEP + part_of(line) * LOAD_APART, whole_line(line), layer);
}

void store_of_part(int position, int line, int layer, value v) {
    int part = part_of(line);
    if (PART_TWIDDLES && part > 0) {
        v = multiply(v, twiddle(part, position, LENGTH, PARTS));
    }
    store_point(position * STORE_STEP + part * STORE_APART, whole_line(line), layer, v);
}
