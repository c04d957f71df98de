// Lines of 16 points as 4 x 4: the columns are transformed, multiplied by twiddle factors, transposed, and transformed
// again. Point 4 r + c is in row r, column c. A thread does one column, or several side by side if it reads them at once.
// del Mundo, Adhinarayanan and Feng, Accelerating Fast Fourier Transform for Wideband Channelization, section III.
//
// Defines:
//   GROUPS_ACROSS     work groups in x that the lines of a layer are dealt out to, and then in z
//   DIRECTION
//   and those of fft/study/four_by_four_accesses.glsl
// Inputs, outputs: common/line_access.glsl
// Generated:
//   generated/factor.glsl   complex factor(int row, int column): exp(DIRECTION * 2 pi i * row * column / 16), for rows from
//                           1 on

layout(local_size_x = THREADS) in;

#include "fft/study/four_by_four_accesses.glsl"
#include "fft/roots.glsl"
#include "generated/factor.glsl"

// Points i and k of a thread.
void sum_and_difference(int i, int k, bool of_rows) {
    value a = kept(i, of_rows);
    value b = kept(k, of_rows);
    keep(i, of_rows, a + b);
    keep(k, of_rows, a - b);
}

// The transform of 4 points where they are kept, in steps that each read and write there.
// first, first + COLUMNS_EACH, ... are the points of one column or row.
void transform(int first, bool of_rows) {
    const int NEXT = COLUMNS_EACH;
    sum_and_difference(first, first + 2 * NEXT, of_rows);
    sum_and_difference(first + NEXT, first + 3 * NEXT, of_rows);
    keep(first + 3 * NEXT, of_rows, quarter(kept(first + 3 * NEXT, of_rows)));
    sum_and_difference(first, first + NEXT, of_rows);
    sum_and_difference(first + 2 * NEXT, first + 3 * NEXT, of_rows);
    value second = kept(first + 2 * NEXT, of_rows);
    keep(first + 2 * NEXT, of_rows, kept(first + NEXT, of_rows));
    keep(first + NEXT, of_rows, second);
}

void transform_columns() {
    for (int j = 0; j < COLUMNS_EACH; ++j) {
        transform(j, false);
        for (int row = 1; row < 4; ++row) {
            int i = row * COLUMNS_EACH + j;
            keep(i, false, multiply(kept(i, false), factor(row, first_column() + j)));
        }
    }
}

void main() {
    begin(int(gl_LocalInvocationID.x), int(gl_WorkGroupID.z) * GROUPS_ACROSS + int(gl_WorkGroupID.x));
    read_points();
    if (has_line) {
        transform_columns();
    }
#if TRANSPOSES
    transpose();
#else
    meet();
#endif
    if (has_line) {
        for (int j = 0; j < COLUMNS_EACH; ++j) {
            transform(j, TRANSPOSES == 0);
        }
    }
    write_points();
}
