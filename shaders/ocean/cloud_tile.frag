// Low clouds from below, as one tile that repeats: heaps of several sizes with ragged edges.
// Output: r, how thick they are, from about 0 to 1.

#include "ocean/noise.glsl"

in vec2 screen;
out vec4 colour;

// 1 at random points, one per lattice cell, and less with the distance to the nearest of them.
float heaps(vec2 point, int period) {
    ivec2 cell = ivec2(floor(point));
    float nearest = 1.0;
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            ivec2 other = cell + ivec2(i, j);
            vec2 away = point - vec2(other) - random2((other + period) % period);
            nearest = min(nearest, dot(away, away));
        }
    }
    return 1.0 - nearest;
}

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec2 bend = vec2(value_noise(uv * 9.0, 9), value_noise(uv * 9.0 + 90.0, 9)) - 0.5;
    vec2 bent = uv + 0.035 * bend;
    float banks = 0.6 * value_noise(bent * 4.0, 4) + 0.4 * value_noise(bent * 9.0 + 40.0, 9);
    float sum = 0.5 * heaps(bent * 11.0, 11) + 0.27 * heaps(bent * 23.0, 23) + 0.15 * heaps(bent * 51.0, 51)
        + 0.08 * heaps(uv * 113.0, 113);
    colour = vec4(0.5 * banks + 0.5 * sum, 0.0, 0.0, 1.0);
}
