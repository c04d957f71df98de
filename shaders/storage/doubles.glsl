// Complex numbers as the bits of doubles: llvmpipe stores number by number, and half as many take less time, but not
// where it has AVX-512.

double as_doubles(vec2 v) {
    return packDouble2x32(floatBitsToUint(v));
}

dvec2 as_doubles(vec4 v) {
    return dvec2(as_doubles(v.xy), as_doubles(v.zw));
}
