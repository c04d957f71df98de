// Store the magnitude.

#include "snippets/magnitude.glsl"

void store(ivec3 at, value result) {
    write_target(at, magnitude(result));
}
