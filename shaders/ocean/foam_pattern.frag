// What foam looks like up close, as one tile that repeats: threads of bubbles round dark holes of several sizes.
// Output: r, from 0 (the last place to be covered) to 1 (the first), with about as many places of each value; g and b, its
// gradient along x and z, per tile, stored as 1 to 255 for -STEEPEST to STEEPEST (a fifth of it is steeper, and cut to that); a,
// another pattern: rows along x, 0.26 on average.
// Defines: STEEPEST

#include "ocean/noise.glsl"

in vec2 screen;
out vec4 colour;

// Distance to the nearest and second nearest of one random point per cell.
vec2 nearest_two(vec2 point, int period) {
    ivec2 cell = ivec2(floor(point));
    vec2 found = vec2(8.0);
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            ivec2 other = cell + ivec2(i, j);
            ivec2 wrapped = (other + period) % period;
            float away = distance(point, vec2(other) + random2(wrapped));
            found = away < found.x ? vec2(away, found.x) : vec2(found.x, min(found.y, away));
        }
    }
    return found;
}

float threads(vec2 point, int period) {
    vec2 two = nearest_two(point, period);
    return 1.0 - smoothstep(0.0, 0.55, two.y - two.x);
}

// Round blots of random sizes and signs: noise without the rows and columns of a lattice.
float blots(vec2 point, int period) {
    ivec2 cell = ivec2(floor(point));
    float sum = 0.0;
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            ivec2 other = cell + ivec2(i, j);
            ivec2 wrapped = (other + period) % period;
            vec2 away = point - vec2(other) - random2(wrapped);
            float near = max(0.0, 1.0 - dot(away, away));
            sum += (2.0 * random2(wrapped + 300).x - 1.0) * near * near * near;
        }
    }
    return smoothstep(-0.1, 1.1, 0.5 + 0.5 * sum);
}

// Rows of noise, 1 along lines that wind, meet and end.
float ridges(vec2 uv, ivec2 period) {
    float ridge = 1.0 - abs(2.0 * value_noise(uv * vec2(period) + 7.0 * float(period.y), period) - 1.0);
    return ridge * ridge * ridge;
}

// Thin rows in wider ones, with little between them.
float rows(vec2 uv) {
    // Each row begins elsewhere, or the noise's lattice would show.
    vec2 bent = uv + vec2(0.4, 0.0) * value_noise(uv * vec2(1.0, 29.0), ivec2(1, 29));
    bent.y += 0.06 * value_noise(uv * vec2(5.0, 3.0), ivec2(5, 3)) + 0.016 * value_noise(uv * vec2(17.0, 13.0), ivec2(17, 13))
        + 0.005 * value_noise(uv * vec2(53.0, 41.0), ivec2(53, 41));
    float wide = value_noise(bent * vec2(3.0, 7.0) + 50.0, ivec2(3, 7));
    float thin = 0.5 * ridges(bent, ivec2(3, 11)) + 0.6 * ridges(bent, ivec2(5, 23)) + 0.5 * ridges(bent, ivec2(9, 47));
    float gathered = (0.25 + 0.75 * wide) * (0.1 + thin);
    return min(1.0, gathered * gathered);
}

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec2 bend = vec2(value_noise(uv * 7.0, 7), value_noise(uv * 7.0 + 100.0, 7)) - 0.5;
    vec2 fine_bend = vec2(value_noise(uv * 40.0, 40), value_noise(uv * 40.0 + 200.0, 40)) - 0.5;
    vec2 bent = uv + 0.10 * bend + 0.016 * fine_bend;
    float patches = 0.75 * blots(bent * 4.0, 4) + 0.75 * blots(bent * 9.0, 9) - 0.283;
    float webs = max(0.9 * threads(bent * 9.0, 9), 0.8 * threads(bent * 23.0 + 0.37, 23));
    float bubbles = threads(bent * 61.0 + 0.11, 61);
    float grain = value_noise(uv * 160.0, 160);
    float sum = 0.42 * patches + 0.48 * webs + 0.18 * bubbles + 0.14 * grain;
    float pattern = clamp((sum - 0.43) / 0.53, 0.0, 1.0);
    vec2 gradient = vec2(dFdx(pattern), dFdy(pattern)) / vec2(dFdx(uv.x), dFdy(uv.y));
    colour = vec4(pattern, (128.0 + 127.0 * clamp(gradient / STEEPEST, -1.0, 1.0)) / 255.0, rows(uv));
}
