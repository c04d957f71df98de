// The magnitude of each complex number of a value, with nothing in the imaginary part.

#include "common/value.glsl"

value magnitude(value v) {
#if PAIRED
    return value(length(v.xy), 0.0, length(v.zw), 0.0);
#else
    return value(length(v), 0.0);
#endif
}
