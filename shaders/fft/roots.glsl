// Roots of unity as constants, and products with those that need few operations.
//
// Defines: DIRECTION  -1 forward, +1 inverse

#include "common/complex.glsl"

// exp(DIRECTION * 2 pi i * c), given cosine and sine of that angle.
complex root(float cosine, float sine) {
    return complex(cosine, float(DIRECTION) * sine);
}

const float COS_1_32 = 0.980785280403230449;
const float SIN_1_32 = 0.195090322016128268;
const float COS_2_32 = 0.923879532511286756;
const float SIN_2_32 = 0.382683432365089772;
const float COS_3_32 = 0.831469612302545237;
const float SIN_3_32 = 0.555570233019602225;
const float SQRT_HALF = 0.707106781186547524;

// DIRECTION * i * a.
line_point quarter(line_point a) {
    return DIRECTION < 0 ? -times_i(a) : times_i(a);
}

// a times the eighth root exp(DIRECTION * 2 pi i / 8): two additions and a scale.
line_point eighth(line_point a) {
    return SQRT_HALF * (a + quarter(a));
}
