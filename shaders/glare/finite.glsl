// Light as half floats hold it: what is no number is dark, infinite light the largest number.

float finite_light(float light) {
    // Compares bits: compilers may assume that isnan() is never true.
    bool no_number = (floatBitsToUint(light) & 0x7fffffffu) > 0x7f800000u;
    return no_number ? 0.0 : clamp(light, 0.0, 65504.0);
}

vec3 finite_light(vec3 light) {
    return vec3(finite_light(light.r), finite_light(light.g), finite_light(light.b));
}
