// Drops that the wind tears from breaking crests: points near the eye, thrown up where fresh foam lies high on a wave.
// A point belongs to a cell of the still sea, lives for `lifetime` and then begins again at another place of its cell.
// Squares of cells lie round the eye, each with larger cells than the one inside it, into which it fades.
// Defines: TILES; SIDE, cells along a side of each square; CELL, the side of the smallest cells, m; WIDER, how many times larger
// those of the next square are.

#include "sea/displacement.glsl"
#include "ocean/noise.glsl"

uniform sampler2DArray foam_cover;
uniform mat4 view_projection;
uniform vec3 eye;                    // m
uniform vec2 downwind;               // unit vector
uniform float wind;                  // m/s
uniform float choppiness;
uniform float significant_height;    // m
uniform int lives_before;            // of the cell that began at time 0
uniform float share;                 // of its life now, from 0 to 1
uniform float strength;              // of all spray
uniform float lifetime;              // s
uniform int lives;                   // after so many all begins again; 0 for never
uniform float pixels;                // a radian
uniform float largest;               // of all points, pixels

out float opacity;
out float distance_ahead;            // of the water below it on the still sea, m
out vec2 grain;                      // where its own pattern begins
out float flatness;                  // how many times higher than wide it is seen

const float GRAVITY = 9.81;

void main() {
    int square = gl_VertexID / (SIDE * SIDE);
    int index = gl_VertexID % (SIDE * SIDE);
    float wider = pow(WIDER, float(square));
    float side = CELL * wider;
    ivec2 cell = ivec2(index % SIDE, index / SIDE) - SIDE / 2 + ivec2(floor(eye.xz / side));
    float begun = share + random2(cell).x;
    int life = lives_before + int(floor(begun));
    if (lives > 0) life %= lives;
    float age = fract(begun) * lifetime;
    vec2 place = random2(cell + 7919 * life);
    vec2 chance = random2(ivec2(cell.y, cell.x) + 104729 * (life + 1));
    vec2 still = (vec2(cell) + place) * side;

    vec3 by = displaced(still, spacing[0]);
    vec2 shares = smoothstep(0.2, 0.8, reading_weights(still, 0)) * foam_weights(still);
    vec2 foams = shares * vec2(textureLod(foam_cover, first_reading(still, 0), 1.0).r,
        textureLod(foam_cover, second_reading(still, 0), 1.0).r);
    float breaking = smoothstep(0.2, 0.55, max(foams.x, foams.y)) * smoothstep(0.0, 0.3, by.y / significant_height);

    float upwards = (0.3 + 1.2 * chance.x * chance.x) * sqrt(significant_height);
    vec2 along = downwind * (wind * (0.2 + 0.4 * chance.y));
    vec3 from_eye = vec3(still.x + choppiness * by.x - eye.x, by.y - eye.y, still.y + choppiness * by.z - eye.z);
    from_eye += vec3(along.x, upwards, along.y) * age;
    from_eye.y -= 0.5 * GRAVITY * age * age;
    float away = length(from_eye);

    float size = mix(1.2, 4.5, age / lifetime) * (0.6 + 0.8 * chance.y) * sqrt(wider) * pixels / max(0.5, away);
    flatness = mix(0.3, 1.0, abs(from_eye.y) / max(0.5, away));
    float edge = length(still - eye.xz) / (0.5 * float(SIDE) * side);
    float here = (1.0 - smoothstep(0.7, 1.0, edge)) * (square > 0 ? smoothstep(0.7, 1.0, edge * WIDER) : 1.0);
    opacity = strength * breaking * here * smoothstep(0.0, 0.15, age / lifetime) * (1.0 - age / lifetime) * 0.4 * min(1.0, size);
    grain = 37.0 * chance;
    distance_ahead = length(from_eye.xz);
    gl_PointSize = clamp(size, 1.0, largest);
    gl_Position = opacity > 0.004 ? view_projection * vec4(from_eye, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
