// Phase of a wave after any length of time, exact where w * t in float32 is not: at t = 10000 s that product is off by a
// hundredth of a radian, and waves at rest in a still picture begin to jitter.
//
// Frequencies (turns per second) and times (seconds) are fixed-point numbers: x the whole part, y the fraction in units of
// 2^-32. Phases are uint in units of 2^-32 turns. Whole turns fall off the top of a uint by themselves, and negative times
// work as two's complement does.

const float RADIANS_PER_UNIT = 1.46291807927e-9; // 2 pi / 2^32

uint phase_after(uvec2 time, uvec2 turns_per_second) {
    uint high, low;
    umulExtended(turns_per_second.y, time.y, high, low);
    return turns_per_second.x * time.y + turns_per_second.y * time.x + high;
}

// exp(i phase). The built-in sin and cos differ by device and are wrong in the seventh digit; within an eighth of a turn
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
