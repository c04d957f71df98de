// Smooth pseudo-random functions made from integer hashing, the same on every device.

// Two hashes of 32 bits from two coordinates (the hash function "pcg2d" of Jarzynski and Olano,
// "Hash Functions for GPU Rendering", JCGT 2020).
uvec2 scramble(uvec2 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    return v;
}

// From 0 to 1, both included: float32 rounds the largest hashes up.
vec2 random2(ivec2 cell) {
    return vec2(scramble(uvec2(cell + ivec2(1 << 20)))) / 4294967296.0;
}

// The sum of a hash's four bytes, from -510 to 510.
float byte_sum(uint hash) {
    uint pairs = (hash & 0x00ff00ffu) + (hash >> 8u & 0x00ff00ffu);
    return float((pairs & 0xffffu) + (pairs >> 16u)) - 510.0;
}

// Three independent deviates of variance 1, up to 4.1. Their probabilities are those of the normal distribution within 0.003: sums
// of four bytes nearly are, and the cube makes up for their short tails.
vec3 normal_deviates(ivec2 cell) {
    uvec2 hashes = scramble(uvec2(cell));
    uint third = (hashes.x ^ hashes.y >> 7u) * 747796405u + hashes.y;
    vec3 sums = vec3(byte_sum(hashes.x), byte_sum(hashes.y), byte_sum(third ^ third >> 15u)) / 147.8;
    return sums * (0.94498 + 0.020106 * sums * sums);
}

// Deviates between the corners of a lattice, smooth and everywhere of variance 1: the weights' squares add up to 1.
vec3 smooth_deviates(vec2 point) {
    ivec2 cell = ivec2(floor(point));
    vec2 inside = smoothstep(0.0, 1.0, point - vec2(cell));
    vec4 weights = vec4(1.0 - inside.x, inside.x, 1.0 - inside.x, inside.x) * vec4(vec2(1.0 - inside.y), vec2(inside.y));
    weights /= length(weights);
    return weights.x * normal_deviates(cell) + weights.y * normal_deviates(cell + ivec2(1, 0))
        + weights.z * normal_deviates(cell + ivec2(0, 1)) + weights.w * normal_deviates(cell + 1);
}

// Value noise in [0, 1], one lattice cell per unit; `period` wraps the lattice (0: no wrap), from -period on.
float value_noise(vec2 point, ivec2 period) {
    ivec2 cell = ivec2(floor(point));
    vec2 inside = point - vec2(cell);
    inside = inside * inside * inside * (inside * (inside * 6.0 - 15.0) + 10.0);
    ivec2 next = cell + 1;
    if (period.x > 0) {
        cell = (cell + period) % period;   // the remainder of a negative number is undefined
        next = (next + period) % period;
    }
    float low = mix(random2(cell).x, random2(ivec2(next.x, cell.y)).x, inside.x);
    float high = mix(random2(ivec2(cell.x, next.y)).x, random2(next).x, inside.x);
    return mix(low, high, inside.y);
}

float value_noise(vec2 point, int period) {
    return value_noise(point, ivec2(period));
}

// Octaves of value noise, each rotated against the last so that the lattice does not show; about [0, 1].
float fractal_noise(vec2 point, int octaves) {
    const mat2 to_next_octave = mat2(1.616, 1.212, -1.212, 1.616);
    float sum = 0.0;
    float weight = 0.5;
    float total = 0.0;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * value_noise(point, 0);
        total += weight;
        weight *= 0.5;
        point = to_next_octave * point + 17.3;
    }
    return sum / total;
}
