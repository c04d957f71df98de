// The air over the sea: how much light it removes from a ray, and how much it scatters into one.
// Lengths in kilometres, heights above sea level; the planet's centre is at (0, -ground_radius, 0) from the sea.
// Light from the sun outside the atmosphere counts as 1 (irradiance); all radiances are relative to it.
//
// Coefficients of the clear atmosphere: S. Hillaire, "A Scalable and Production Ready Sky and Atmosphere
// Rendering Technique", EGSR 2020, table 1.

const float PI = 3.14159265358979;
const float GROUND_RADIUS = 6360.0;
const float TOP_RADIUS = 6460.0;
const vec3 RAYLEIGH = vec3(5.802, 13.558, 33.1) * 1e-3;
const vec3 OZONE = vec3(0.650, 1.881, 0.085) * 1e-3;
const float MIE_SCATTERING = 3.996e-3;
const float MIE_EXTINCTION = 4.440e-3;
const float MIE_FORWARD = 0.78;
const int SUN_STEPS = 8;

// Aerosol (salt, dust, water) relative to a clear day.
uniform float haze;

struct Air {
    vec3 rayleigh;
    float mie;
    vec3 extinction;
};

Air air_at(float height) {
    Air air;
    float aerosol = haze * exp(-height / 1.2);
    air.rayleigh = RAYLEIGH * exp(-height / 8.0);
    air.mie = MIE_SCATTERING * aerosol;
    air.extinction = air.rayleigh + MIE_EXTINCTION * aerosol + OZONE * max(0.0, 1.0 - abs(height - 25.0) / 15.0);
    return air;
}

// Distance along a ray to a sphere round the planet's centre from inside it (or from outside, to the near side);
// negative where the ray misses.
float distance_to_sphere(vec3 from, vec3 direction, float radius, bool near_side) {
    float along = dot(from, direction);
    float squared = along * along - dot(from, from) + radius * radius;
    if (squared < 0.0) return -1.0;
    return -along + (near_side ? -sqrt(squared) : sqrt(squared));
}

vec3 transmittance_to_sun(vec3 from, vec3 sun) {
    if (distance_to_sphere(from, sun, GROUND_RADIUS, true) > 0.0) return vec3(0.0);
    float span = distance_to_sphere(from, sun, TOP_RADIUS, false);
    vec3 depth = vec3(0.0);
    float before = 0.0;
    for (int i = 1; i <= SUN_STEPS; ++i) {
        // Steps grow with distance: the air is densest at the near end.
        float after = span * float(i * i) / float(SUN_STEPS * SUN_STEPS);
        float height = length(from + sun * (0.5 * (before + after))) - GROUND_RADIUS;
        depth += air_at(height).extinction * (after - before);
        before = after;
    }
    return exp(-depth);
}

float rayleigh_phase(float cosine) {
    return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine);
}

// Henyey-Greenstein made symmetric at its ends (Cornette and Shanks 1992).
float mie_phase(float cosine, float g) {
    float g2 = g * g;
    return 3.0 / (8.0 * PI) * (1.0 - g2) * (1.0 + cosine * cosine)
        / ((2.0 + g2) * pow(1.0 + g2 - 2.0 * g * cosine, 1.5));
}
