// The magnitude of each complex number of a value, with nothing in the imaginary part.

#include "common/value.glsl"

value magnitude(value v) {
    // By the larger part first, as squares of large and small numbers are infinite and 0.
#if PAIRED
    vec2 larger = clamp(max(abs(v.xz), abs(v.yw)), 1e-37, 1e37);
    return value(larger.x * length(v.xy / larger.x), 0.0, larger.y * length(v.zw / larger.y), 0.0);
#else
    value larger = clamp(max(abs(v), abs(v.yx)), 1e-37, 1e37);
    return value(larger.x * length(v / larger), 0.0);
#endif
}
