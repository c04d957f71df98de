// The phase of a wave after any length of time, in fixed point. The product w * t in float32 would be wrong by a hundredth of
// a radian at t = 10000 s, and waves would jitter.
//
// Frequencies (cycles per second) and times (seconds) are fixed-point numbers: x the whole number, y the fraction in units of
// 2^-32. Phases are uint in units of 2^-32 cycles. Whole cycles overflow and vanish; negative times are two's complement.

const float RADIANS_PER_UNIT = 1.46291807927e-9; // 2 pi / 2^32

uint phase_after(uvec2 time, uvec2 frequency) {
    uint high, low;
    umulExtended(frequency.y, time.y, high, low);
    return frequency.x * time.y + frequency.y * time.x + high;
}

// exp(i phase). The built-in sin and cos differ by device and are wrong in the seventh digit; within an eighth of a cycle
// these Taylor series are right to float32.
vec2 unit_phasor(uint phase) {
    uint quadrant = (phase + 0x20000000u) >> 30;
    float a = float(int(phase - (quadrant << 30))) * RADIANS_PER_UNIT; // in [-pi/4, pi/4]
    float q = a * a;
    float s = a * (1.0 + q * (-1.0 / 6.0 + q * (1.0 / 120.0 + q * (-1.0 / 5040.0 + q * (1.0 / 362880.0)))));
    float c = 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 + q * (1.0 / 40320.0))));
    vec2 first = (quadrant & 1u) == 0u ? vec2(c, s) : vec2(-s, c);
    return (quadrant & 2u) == 0u ? first : -first;
}
