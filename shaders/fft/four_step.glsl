// Parts of lines too long for a work group: a pass over each of two or more kinds of parts is one over the line, the
// four-step way (Bailey, FFTs in external or hierarchical memory, 1990). For a line of A * B points and
// w_N = exp(DIRECTION * 2 pi i / N), with n = b + B m and k = a + A l,
//   F[a + A l] = sum over b of w_B^(b l) * (w_AB^(a b) * sum over m of w_A^(a m) * f[b + B m]).
// The first pass transforms the parts b = 0 .. B - 1, of A points each, and multiplies by w_AB^(a b); it stores where it
// loaded. What is left are A contiguous parts of B points. They are transformed in one pass, or again in two or more, of
// which the last puts its outputs in order. In a convolution they stay where they are instead, and the inverse transform
// goes back through the passes, each with its factors on the inputs (FACTORS_ON_INPUTS).
//
// Defines:
//   AXIS
//   PARTS                     a line, or couples of parts, each with the points mirrored to those of the other
//   TOGETHER                  so many rows, or parts of columns, are numbered as one, those above each other first
//   PARTS_ACROSS              so many parts of a row, or columns, are numbered side by side
//   LINES_MISSING             1: only LINES_BESIDE of these exist, and only LINES_BEYOND rows, or parts of a column
//   PART_POINTS               of a part
//   PARTS_AFTER               the product of the lengths of parts in the passes after; 1 in the last pass
//   PUTS_IN_ORDER             1: in the last pass, which stores its outputs where they belong
//   PASSES_BEFORE, LENGTHS_BEFORE   how many, and the lengths of parts in them, as an int[]
//   PART_DIRECTION            that of the transform of the line
//   ROOT_ORDER                the factors after a pass are powers of the root of unity of this order, or of a multiple of
//                             that, in two levels; 0: those of one more stage
//   MULTIPLIES                1: the pass multiplies by those factors
//   FACTORS_ON_INPUTS         1: the pass goes back
//   LINE_LOAD, LINE_STORE     the functions for points of whole lines: load_point and store_point, or with PADDED those
//                             of fft/padded_lines.glsl, or at the ends of real lines those of fft/real_lines.glsl, with
//                             REAL_PAIRS, or of fft/real_halves.glsl, with HALVED

#include "common/twiddle.glsl"
#if REAL_PAIRS
#include "fft/real_lines.glsl"
#elif HALVED
#include "fft/real_halves.glsl"
#endif
#if PADDED
#include "fft/padded_lines.glsl"
#endif

// The place of a number: which of a row's parts and which row, or which column and which of its parts. Neighbouring
// work is on neighbours in memory: the parts of TOGETHER rows, or the columns of TOGETHER parts.
ivec2 part_place(int line) {
    int together = line / TOGETHER;
    return ivec2(together % PARTS_ACROSS, together / PARTS_ACROSS * TOGETHER + line % TOGETHER);
}

// The same; a number without a part has the place of another one.
ivec2 existing_part(int line) {
#if LINES_MISSING
    return min(part_place(line), ivec2(LINES_BESIDE, LINES_BEYOND) - 1);
#else
    return part_place(line);
#endif
}

int part_of(int line) {
    return AXIS == 1 ? existing_part(line).x : existing_part(line).y;
}

int whole_line(int line) {
    return AXIS == 1 ? existing_part(line).y : existing_part(line).x;
}

#if PUTS_IN_ORDER
// Part a + A l is the one that the passes before have left at l + a B.
int load_start(int part) {
    const int lengths[PASSES_BEFORE] = LENGTHS_BEFORE;
    int start = 0;
    for (int i = 0; i < PASSES_BEFORE - 1; ++i) {
        start = (start + part % lengths[i]) * lengths[i + 1];
        part /= lengths[i];
    }
    return (start + part) * PART_POINTS;
}

value load_part(int position, int line, int layer) {
    return LINE_LOAD(load_start(part_of(line)) + position, whole_line(line), layer);
}

void store_part(int position, int line, int layer, value v) {
    LINE_STORE(position * PARTS + part_of(line), whole_line(line), layer, v);
}
#else
// The passes before have left contiguous pieces, which are transformed each by itself.
#if PASSES_BEFORE
int piece_of(int part) {
    return part / PARTS_AFTER;
}

int part_of_piece(int part) {
    return part % PARTS_AFTER;
}
#else
int piece_of(int part) {
    return 0;
}

int part_of_piece(int part) {
    return part;
}
#endif

int position_in_line(int position, int part) {
    return (piece_of(part) * PART_POINTS + position) * PARTS_AFTER + part_of_piece(part);
}

#if MULTIPLIES
complex part_twiddle(int position, int part) {
    int b = part_of_piece(part);
#if ROOT_ORDER
    return root_of_unity(b * position * (ROOT_ORDER / (PART_POINTS * PARTS_AFTER)), PART_DIRECTION);
#else
    return b == 0 ? complex(1.0, 0.0) : twiddle(b, position, PART_POINTS, PARTS_AFTER);
#endif
}
#endif

value load_part(int position, int line, int layer) {
    int part = part_of(line);
    value v = LINE_LOAD(position_in_line(position, part), whole_line(line), layer);
#if MULTIPLIES && FACTORS_ON_INPUTS
    v = multiply(v, part_twiddle(position, part));
#endif
    return v;
}

void store_part(int position, int line, int layer, value v) {
    int part = part_of(line);
#if MULTIPLIES && !FACTORS_ON_INPUTS
    v = multiply(v, part_twiddle(position, part));
#endif
    LINE_STORE(position_in_line(position, part), whole_line(line), layer, v);
}
#endif
