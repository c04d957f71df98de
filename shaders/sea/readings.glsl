// Reads each tile of sea twice, the second time rotated, with weights that vary over the sea. The squares of the weights add
// up to one, so that the sum of the two Gaussian seas has the variance of one, and the repetition is hard to see. The same in
// numpy: glfft/sea/cascades.py.
// Defines: TILES
// Inputs (uniforms): of each tile, side and distance between samples, m; rotation (cosine and sine of the second reading's
// angle).

uniform float tile[TILES];
uniform float spacing[TILES];
uniform vec2 rotation;

const vec2 SECOND_ORIGIN = vec2(0.371, 0.618);   // in tiles

vec2 rotated(vec2 v) {
    return vec2(rotation.x * v.x - rotation.y * v.y, rotation.y * v.x + rotation.x * v.y);
}

vec2 rotated_back(vec2 v) {
    return vec2(rotation.x * v.x + rotation.y * v.y, rotation.x * v.y - rotation.y * v.x);
}

// A symmetric matrix (xx, zz, xz) in axes rotated as the second reading is.
vec3 rotated_matrix(vec3 m) {
    float c2 = rotation.x * rotation.x;
    float s2 = rotation.y * rotation.y;
    float cs = rotation.x * rotation.y;
    return vec3(c2 * m.x - 2.0 * cs * m.z + s2 * m.y, s2 * m.x + 2.0 * cs * m.z + c2 * m.y,
        cs * (m.x - m.y) + (c2 - s2) * m.z);
}

// Texture coordinates of a point of the sea, in metres. Sample n of the tile is at n texels, and the centre of texel n at
// n + 1/2.
vec3 first_reading(vec2 point, int layer) {
    return vec3((point + 0.5 * spacing[layer]) / tile[layer], layer);
}

vec3 second_reading(vec2 point, int layer) {
    return vec3((rotated_back(point) + 0.5 * spacing[layer]) / tile[layer] + SECOND_ORIGIN, layer);
}

// Amplitudes of the two readings at a point of the sea. The frequencies, in radians a tile, are such that the weights do not
// repeat with the tiles. The angle stays within 0.66 rad of an eighth of a turn, where both weigh as much.
vec2 reading_weights(vec2 point, int layer) {
    vec2 p = point / tile[layer];
    float wander = sin(dot(p, vec2(1.13, 0.67)) + 2.1 * sin(dot(p, vec2(-0.41, 0.83))))
        + sin(dot(p, vec2(-0.79, 1.37)) + 1.7 * sin(dot(p, vec2(0.93, 0.29))));
    float angle = 0.7853982 + 0.55 * clamp(0.7 * wander, -1.2, 1.2);
    return vec2(cos(angle), sin(angle));
}

// Factors on the foam of the two readings, 1 on average. Where few waves of a tile break, a whitecap that repeats with each
// tile is easily seen from above. The factors vary within a tile's length, so that repeated whitecaps differ in size, and none
// is 0, so that no breaking crest is without foam. Each is two bent waves across each other, in other directions than the other
// factor's: one wave each would be stripes, and together a weave. Foam is on the first tile.
vec2 foam_weights(vec2 point) {
    vec2 p = point / tile[0];
    vec4 bends = 1.6 * sin(p.x * vec4(-2.3, 3.9, 3.1, 2.1) + p.y * vec4(3.7, 2.7, -2.9, 4.3));
    vec4 waves = sin(bends + p.x * vec4(4.7, -2.2, 1.3, 4.9) + p.y * vec4(1.9, 4.4, 5.1, -1.7));
    return 0.4 + 1.2 * smoothstep(-1.6, 1.6, waves.xz + waves.yw);
}
