// Lines of 16 points as 4 x 4: the columns are transformed, multiplied by twiddle factors, transposed, and transformed
// again. Point 4 r + c is in row r, column c. A thread does one column, or several side by side if it reads them at once.
// del Mundo, Adhinarayanan and Feng, Accelerating Fast Fourier Transform for Wideband Channelization, section III.
//
// Defines:
//   THREADS, LINES_A_GROUP   invocations and lines of a work group
//   LINES, GROUPS_ACROSS     lines of a layer, and work groups in x that they are dealt out to, and then in z
//   TWIDDLES      IN_UNIFORMS, IN_CONSTANTS or COMPUTED
//   UNIFORM_BINDING   of the block of twiddle factors
//   DIRECTION
//   and those of fft/four_by_four_points.glsl
// Inputs, outputs: common/line_access.glsl
// Generated: generated/roots.glsl   CONSTANT_ROOTS[e] = exp(DIRECTION * 2 pi i * e / 16), where TWIDDLES is IN_CONSTANTS

layout(local_size_x = THREADS) in;

#include "fft/four_by_four_points.glsl"
#include "fft/roots.glsl"
#include "generated/roots.glsl"

#define IN_UNIFORMS 0
#define IN_CONSTANTS 1
#define COMPUTED 2

#if TWIDDLES == IN_UNIFORMS
// As common/twiddle.glsl has them for radix 4 after radix 4, two to a vector.
layout(std140, binding = UNIFORM_BINDING) uniform Twiddles { vec4 glfft_twiddles[8]; };
#endif

// exp(DIRECTION * 2 pi i * row * column / 16), for rows from 1 on.
complex factor(int row, int column) {
#if TWIDDLES == IN_UNIFORMS
    int entry = 4 * row - 1 + column;
    vec4 two = glfft_twiddles[entry >> 1];
    complex w = (entry & 1) == 0 ? two.xy : two.zw;
    return DIRECTION < 0 ? w : conjugate(w);
#elif TWIDDLES == IN_CONSTANTS
    return CONSTANT_ROOTS[row * column];
#else
    float angle = float(DIRECTION) * 6.28318530717958648 * float(row * column) / 16.0;
    return complex(cos(angle), sin(angle));
#endif
}

void sum_and_difference(int i, int k, int j, bool of_rows) {
    value a = kept(i, j, of_rows);
    value b = kept(k, j, of_rows);
    keep(i, j, of_rows, a + b);
    keep(k, j, of_rows, a - b);
}

// The transform of 4 points where they are kept, in steps that each read and write there.
void transform(int j, bool of_rows) {
    sum_and_difference(0, 2, j, of_rows);
    sum_and_difference(1, 3, j, of_rows);
    keep(3, j, of_rows, quarter(kept(3, j, of_rows)));
    sum_and_difference(0, 1, j, of_rows);
    sum_and_difference(2, 3, j, of_rows);
    value second = kept(2, j, of_rows);
    keep(2, j, of_rows, kept(1, j, of_rows));
    keep(1, j, of_rows, second);
}

void transform_columns() {
    for (int j = 0; j < COLUMNS_EACH; ++j) {
        transform(j, false);
        for (int row = 1; row < 4; ++row) {
            keep(row, j, false, multiply(kept(row, j, false), factor(row, first_column + j)));
        }
    }
}

void main() {
    begin(int(gl_LocalInvocationID.x), int(gl_WorkGroupID.z) * GROUPS_ACROSS + int(gl_WorkGroupID.x));
    read_points();
    if (has_line) {
        transform_columns();
    }
#if EXCHANGE == IN_PLACE
    barrier();
#else
    transpose();
#endif
    if (has_line) {
        for (int j = 0; j < COLUMNS_EACH; ++j) {
            transform(j, EXCHANGE == IN_PLACE);
        }
    }
    write_points();
}
