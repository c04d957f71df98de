// Light on a surface whose slopes are a Gaussian distribution of covariance (xx, zz, xz).

float variance_along(vec3 covariance, vec2 direction) {
    return max(1e-6, covariance.x * direction.x * direction.x + covariance.y * direction.y * direction.y
        + 2.0 * covariance.z * direction.x * direction.y);
}

// Slopes of that covariance, from independent deviates of variance 1 (Cholesky).
vec2 correlated(vec2 deviates, vec3 covariance) {
    float first = sqrt(max(1e-12, covariance.x));
    float shared_part = covariance.z / first;
    float second = sqrt(max(0.0, covariance.y - shared_part * shared_part));
    return vec2(first * deviates.x, shared_part * deviates.x + second * deviates.y);
}

// The density and the cumulative probability of the normal distribution, x in standard deviations.
float normal_density(float x) {
    return 0.3989423 * exp(-0.5 * x * x);
}

float normal_below(float x) {
    // Logistic fit, within 1.5e-4 (Page 1977: 1.5976 x + 0.070566 x^3).
    float y = 1.5976 * x + 0.070566 * x * x * x;
    return 1.0 / (1.0 + exp(-clamp(y, -30.0, 30.0)));
}

// Mean slope towards the eye of the facets the eye sees. A facet of slope s (towards the eye) shows an area
// proportional to max(0, c + q s), c and q the cosine and sine of the angle between view and mean normal; with s
// Gaussian of variance v, E[s w] / E[w] has this closed form.
float visible_slope(float cosine, float variance) {
    float sine = sqrt(max(1e-6, 1.0 - cosine * cosine));
    float deviation = sqrt(max(1e-12, variance));   // 0 would leave the edge undefined
    // Below -2 the two terms of the denominator cancel in float32.
    float edge = max(-2.0, cosine / (sine * deviation));
    float below = normal_below(edge);
    return deviation * below / (edge * below + normal_density(edge));
}

// The same, each facet weighted by its reflectance too: the slope that tells where the reflected light comes from. Schlick's
// (1 - c - q s)^5 falls about as exp(-5 q s), and a Gaussian times exp(-a s) is that Gaussian shifted by -a v. Seen from above,
// all facets reflect about the same: another factor q lets the shift vanish there.
float mirroring_slope(float cosine, float variance) {
    float sine_squared = max(1e-6, 1.0 - cosine * cosine);
    float shift = 5.0 * sine_squared * variance;
    float seen = visible_slope(cosine - sqrt(sine_squared) * shift, variance) - shift;
    return max(seen, -cosine * inversesqrt(sine_squared));   // facets that face away are not seen
}

// Mean reflectance of the facets of rough water that the eye sees, n = 1.34 (Bruneton et al. 2010, equation 18).
// Inputs: cosine of the angle between view and mean normal, deviation of the slopes along the view.
float mean_fresnel(float cosine, float deviation) {
    return 0.02 + 0.98 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0 * exp(-2.69 * deviation))
        / (1.0 + 22.7 * pow(deviation, 1.5));
}

float fresnel_of_facet(float cosine) {
    return 0.02 + 0.98 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

// Smith's Lambda for Gaussian slopes, a = cotangent of the angle over sqrt(2 variance) (Bruneton et al. 2010, eq. 7,
// in the rational fit of Walter et al. 2007).
float smith_lambda(float a) {
    return a >= 1.6 ? 0.0 : (1.0 - 1.259 * a + 0.396 * a * a) / (3.535 * a + 2.181 * a * a);
}

// The probability density of a slope so far from the mean.
float slope_density(vec2 from_mean, vec3 covariance) {
    float determinant = max(1e-12, covariance.x * covariance.y - covariance.z * covariance.z);
    float squared_deviations = (covariance.y * from_mean.x * from_mean.x
        - 2.0 * covariance.z * from_mean.x * from_mean.y
        + covariance.x * from_mean.y * from_mean.y) / determinant;
    return exp(-0.5 * squared_deviations) / (6.2831853 * sqrt(determinant));
}

// Reflected radiance per unit of the sun's irradiance (Bruneton et al. 2010, equation 14): the density of facets
// that mirror the sun into the eye (slope_density), their reflectance, and the masking of facets by waves.
float sun_reflection(float density, vec3 covariance, vec3 half_way, vec3 to_eye, vec3 to_sun, vec3 up) {
    if (half_way.y <= 0.0) return 0.0;
    float reflectance = fresnel_of_facet(dot(to_eye, half_way));
    float sun_rough = sqrt(2.0 * variance_along(covariance, normalize(to_sun.xz + vec2(1e-6, 0.0))));
    float eye_rough = sqrt(2.0 * variance_along(covariance, normalize(to_eye.xz + vec2(1e-6, 0.0))));
    float sun_cosine = max(to_sun.y, 0.02);
    float eye_cosine = max(dot(to_eye, up), 0.03);
    float sun_cotangent = sun_cosine / sqrt(max(1e-4, 1.0 - sun_cosine * sun_cosine));
    float eye_cotangent = eye_cosine / sqrt(max(1e-4, 1.0 - eye_cosine * eye_cosine));
    float masked = 1.0 + smith_lambda(sun_cotangent / sun_rough) + smith_lambda(eye_cotangent / eye_rough);
    float up2 = half_way.y * half_way.y;
    return density * reflectance / (4.0 * eye_cosine * up2 * up2 * masked);
}
