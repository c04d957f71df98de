// Store a spectrum times the caller's function of its place.

#include "generated/multiply.glsl"

void store(ivec3 at, value result) {
    write_target(at, product(at, result));
}
