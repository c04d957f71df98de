// Load times a periodic Hann window along both axes.

#include "common/float64_functions.glsl"

value load(ivec3 at) {
#ifdef DOUBLE_PRECISION
    dvec2 window = sine_squared(dvec2(at.xy) / dvec2(COLUMNS, ROWS));
#else
    vec2 phase = 6.28318530717958648 * vec2(at.xy) / vec2(COLUMNS, ROWS);
    vec2 window = 0.5 - 0.5 * cos(phase);
#endif
    return read_source(at) * (window.x * window.y);
}
