// The nearest numbers of 11 bits: half a unit of the last bit is added, and the bits after it are cut off. It is not
// specified what imageStore and packHalf2x16 do with those bits, and drivers that cut them off lose 8 dB. What is
// infinite or no number stays so. Half way between two, where a stage of radix 2 often ends, real parts go away from
// zero and imaginary ones, to which a float's last bit less is added, towards it: if all went one way, the errors of
// stage after stage would pile up: 3 dB in 16 of them.
const vec4 HALF_A_UNIT = vec4(1.0, 1.0 - 1.0 / 4096.0, 1.0, 1.0 - 1.0 / 4096.0) / 2048.0;

vec4 rounded(vec4 channels) {
    vec4 power_of_two = uintBitsToFloat(floatBitsToUint(channels) & 0xff800000u);
    vec4 half_a_unit_more = channels + power_of_two * HALF_A_UNIT;
    return uintBitsToFloat(floatBitsToUint(half_a_unit_more) & 0xffffe000u);
}
