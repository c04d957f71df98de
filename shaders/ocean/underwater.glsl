// Light under water: what clear oceanic water takes from a ray and scatters into one, and what its surface lets in and out.

// Per metre of clear oceanic water (about Jerlov's type IB): red light is gone after some metres.
const vec3 EXTINCTION = vec3(0.36, 0.085, 0.075);
// Radiance far along a ray per irradiance, 1/sr, but for the factors in `water_light`.
const vec3 WATER_SCATTER = vec3(0.010, 0.062, 0.100);
const float REFRACTIVE_INDEX = 1.34;
const float CRITICAL_COSINE = 0.6657;  // at the edge of Snell's window
// Shares of even light (Fresnel's equations integrated over the hemisphere, n = 1.34): the surface lets LET_IN of the sky's in, and
// sends HELD of what comes from below back down. As 1 - HELD is LET_IN / n^2, a white bottom is as bright as the sky is through it.
const float LET_IN = 0.9325;
const float HELD = 0.4807;

// Radiance of the water itself far along a direction, from a place at a depth. `entering` is the irradiance just under the
// surface, `sun` what the sun adds to it, and `in_shafts` a factor on the sun's light there, 1 in the mean.
vec3 water_light(vec3 direction, float below, vec3 entering, vec3 sun, vec3 to_sun, float in_shafts) {
    // Light under water comes from within 48 degrees of the zenith, and most of it goes on nearly as it came.
    vec3 refracted = normalize(vec3(to_sun.xz / REFRACTIVE_INDEX, 0.0).xzy + vec3(0.0, 0.75, 0.0));
    float up = 0.5 + 0.5 * direction.y;
    float forward = pow(max(0.0, 0.5 + 0.5 * dot(direction, refracted)), 10.0);
    vec3 kept = exp(-EXTINCTION * max(0.0, below));
    // Half of the sun's light has been scattered more than once, and shows no shafts.
    vec3 even = entering + sun * (0.5 * in_shafts - 0.5);
    return kept * WATER_SCATTER * (even * (0.12 + 0.38 * up * up) + sun * (0.5 * forward * in_shafts));
}

// Reflectance of the surface from below (Fresnel, unpolarised); 1 beyond the critical angle.
float reflectance_from_below(float cosine) {
    float sine = REFRACTIVE_INDEX * sqrt(max(0.0, 1.0 - cosine * cosine));
    if (sine >= 1.0) return 1.0;
    float beyond = sqrt(1.0 - sine * sine);
    float across = (REFRACTIVE_INDEX * cosine - beyond) / (REFRACTIVE_INDEX * cosine + beyond);
    float along = (cosine - REFRACTIVE_INDEX * beyond) / (cosine + REFRACTIVE_INDEX * beyond);
    return 0.5 * (across * across + along * along);
}

// What comes out of water that sends that share of its light back up, as a share of the light that falls on it: the surface sends
// some back down again and again, and light that leaves spreads over n^2 times the solid angle (C. D. Mobley, "Light and Water",
// 1994, chapter 4). Fresnel's share towards the eye is yet to be taken off.
vec3 share_leaving(vec3 returned) {
    return (1.0 - HELD) * returned / (1.0 - HELD * returned);
}
