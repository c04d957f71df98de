// Store log(1 + magnitude), which is 0 where the magnitude is.

#include "snippets/magnitude.glsl"
#include "common/float64_functions.glsl"

void store(ivec3 at, value result) {
    write_target(at, log(1.0 + magnitude(result)));
}
