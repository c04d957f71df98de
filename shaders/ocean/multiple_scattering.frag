// Light that has been scattered twice or more, as one isotropic source per unit of scattering (Hillaire 2020,
// section 5.5): the second order is integrated, the higher ones follow as a geometric series.
// Output: radiance by cosine of the sun's zenith angle (columns, -1 to 1) and height (rows, 0 to 100 km).

#include "ocean/atmosphere.glsl"

const int DIRECTIONS = 6;   // 6 x 6 over the sphere
const int STEPS = 24;      // with 12, the clear sky at noon had 0.3 % less light
const vec3 SEA_ALBEDO = vec3(0.06);

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    float sun_cosine = 2.0 * uv.x - 1.0;
    vec3 sun = vec3(sqrt(max(0.0, 1.0 - sun_cosine * sun_cosine)), sun_cosine, 0.0);
    vec3 from = vec3(0.0, GROUND_RADIUS + 0.01 + uv.y * (TOP_RADIUS - GROUND_RADIUS - 0.02), 0.0);

    vec3 second = vec3(0.0);
    vec3 again = vec3(0.0);
    for (int d = 0; d < DIRECTIONS * DIRECTIONS; ++d) {
        float cosine = 1.0 - 2.0 * (float(d / DIRECTIONS) + 0.5) / float(DIRECTIONS);
        float azimuth = 2.0 * PI * (float(d % DIRECTIONS) + 0.5) / float(DIRECTIONS);
        float sine = sqrt(1.0 - cosine * cosine);
        vec3 direction = vec3(sine * cos(azimuth), cosine, sine * sin(azimuth));
        float ground = distance_to_sphere(from, direction, GROUND_RADIUS, true);
        bool hits_sea = ground > 0.0;
        float span = hits_sea ? ground : distance_to_sphere(from, direction, TOP_RADIUS, false);
        vec3 through = vec3(1.0);
        float step_length = span / float(STEPS);
        for (int i = 0; i < STEPS; ++i) {
            vec3 position = from + direction * (step_length * (float(i) + 0.5));
            Air air = air_at(length(position) - GROUND_RADIUS);
            vec3 kept = exp(-air.extinction * step_length);
            vec3 share = through * (1.0 - kept) / max(air.extinction, vec3(1e-9));
            vec3 scattering = air.rayleigh + air.mie;
            second += share * scattering * transmittance_to_sun(position, sun) / (4.0 * PI);
            again += share * scattering;
            through *= kept;
        }
        if (hits_sea) {
            vec3 sea = from + direction * ground;
            vec3 up = normalize(sea);
            second += through * SEA_ALBEDO / PI * max(0.0, dot(up, sun))
                * transmittance_to_sun(sea + up * 0.01, sun);
        }
    }
    float count = float(DIRECTIONS * DIRECTIONS);
    colour = vec4(second / count / (1.0 - min(again / count, vec3(0.95))), 1.0);
}
