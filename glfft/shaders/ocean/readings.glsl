// One tile of sea read twice, the second time turned, with weights that wander over the sea and whose squares add up
// to one: a sum of two independent Gaussian seas with their variance kept, and no repeat that the eye can find.
// Inputs (uniforms): tile (m), turn (cosine and sine of the second reading's angle).

uniform float tile;
uniform float texel;   // m
uniform vec2 turn;

const vec2 SECOND_ORIGIN = vec2(0.371, 0.618);   // in tiles

vec2 turned(vec2 v) {
    return vec2(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
}

vec2 turned_back(vec2 v) {
    return vec2(turn.x * v.x + turn.y * v.y, turn.x * v.y - turn.y * v.x);
}

// Texture coordinates of a point of the sea: sample n of the tile lies at n texels, a texel's centre at n + 1/2.
vec2 first_reading(vec2 at) {
    return (at + 0.5 * texel) / tile;
}

vec2 second_reading(vec2 at) {
    return (turned_back(at) + 0.5 * texel) / tile + SECOND_ORIGIN;
}

// Amplitudes of the two readings at a point of the sea.
vec2 reading_weights(vec2 at) {
    vec2 p = at / tile;
    float wander = sin(dot(p, vec2(1.13, 0.67)) + 2.1 * sin(dot(p, vec2(-0.41, 0.83))))
        + sin(dot(p, vec2(-0.79, 1.37)) + 1.7 * sin(dot(p, vec2(0.93, 0.29))));
    float angle = 0.7853982 + 0.55 * clamp(0.7 * wander, -1.2, 1.2);
    return vec2(cos(angle), sin(angle));
}

// Factors on the two readings' foam, 1 on average: where few waves of a tile break, whitecaps that came again with each tile
// would be seen at once from above. They wander within a tile's length, so that a whitecap's neighbours are other ones, and
// leave no breaking crest bare.
vec2 foam_weights(vec2 at) {
    vec2 p = at / tile;
    vec2 wander = vec2(sin(dot(p, vec2(4.7, 1.9)) + 2.3 * sin(dot(p, vec2(-1.7, 3.1)))),
        sin(dot(p, vec2(-2.9, 4.3)) + 2.3 * sin(dot(p, vec2(3.7, 1.3)))));
    return 0.4 + 1.2 * smoothstep(-0.8, 0.8, wander);
}
