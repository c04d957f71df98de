// Load times a periodic Hann window along all axes.

#include "common/float64_functions.glsl"

#ifdef DOUBLE_PRECISION
double glfft_hann(int n, int length) {
    return sine_squared(dvec2(n) / dvec2(length)).x;
}
#else
float glfft_hann(int n, int length) {
    return 0.5 - 0.5 * cos(6.28318530717958648 * float(n) / float(length));
}
#endif

value load(ivec3 at) {
#ifdef DEPTH
    return read_source(at) * (glfft_hann(at.x, COLUMNS) * glfft_hann(at.y, ROWS) * glfft_hann(at.z % DEPTH, DEPTH));
#else
    return read_source(at) * (glfft_hann(at.x, COLUMNS) * glfft_hann(at.y, ROWS));
#endif
}
