// Drops that the wind tears from breaking crests: puffs near the eye, thrown up where fresh foam lies high on a wave.
// In gales they are spindrift, which the wind draws out. A puff is a rectangle of four vertices: lower left, lower right,
// upper left, upper right. It belongs to a cell of the still sea, lives for `lifetime` and then begins again at another
// place of its cell.
// Squares of cells lie round the eye, each with larger cells than the one inside it, into which it fades.
// Defines: TILES; SIDE, cells along a side of each square; CELL, the side of the smallest cells, m; WIDER, how many times larger
// those of the next square are.

#include "ocean/low_clouds.glsl"
#include "sea/displacement.glsl"
#include "ocean/noise.glsl"

uniform sampler2DArray foam_cover;
uniform mat4 view_projection;
uniform mat3 to_world;               // its first two columns point right and up
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
uniform vec3 sun_direction;
uniform vec3 sun_colour;             // irradiances
uniform vec3 sky_irradiance;
uniform float sunlit;                // share of the drops that is not in the shadow of waves
uniform vec2 picture_size;           // pixels

out float opacity;
out vec3 light;
out float distance_ahead;            // of the water below it on the still sea, m
out vec2 streak;                     // place in the pattern of streaks: along the wind, and around it
out vec2 grain;                      // where a pattern of its own begins
out vec2 from_middle;                // of the puff, from -1 to 1

const float PI = 3.14159265358979;
const vec3 ALBEDO = vec3(0.77, 0.80, 0.815);   // in the light of sun, sky and sea
const float FORWARD = 0.6;            // mean cosine of the angle that light is turned by
const float GRAVITY = 9.81;
const float DRAWN_OUT = 1.2;          // of its width, in either direction
const float LARGEST = 64.0 / 1080.0;  // puff, of the height of the picture
const float LARGEST_SPINDRIFT = 0.25;
const vec2 STREAK = vec2(4.0, 0.2);   // m, long and thick
const float SHORT_STREAK = 0.7;       // m, in less wind
const float THINNEST = 0.004;         // rad; what is thinner is hardly seen
const float STREAK_SPEED = 10.0;      // m/s, about as puffs in a gale
const vec4 OUTSIDE = vec4(2.0, 2.0, 2.0, 1.0);

void main() {
    int square = gl_VertexID / 4 / (SIDE * SIDE);
    int index = gl_VertexID / 4 % (SIDE * SIDE);
    from_middle = vec2(gl_VertexID % 2, gl_VertexID / 2 % 2) * 2.0 - 1.0;
    opacity = 0.0;
    light = vec3(0.0);
    distance_ahead = 0.0;
    streak = vec2(0.0);
    grain = vec2(0.0);
    gl_Position = OUTSIDE;
    float wider = pow(WIDER, float(square));
    float side = CELL * wider;
    ivec2 cell = ivec2(index % SIDE, index / SIDE) - SIDE / 2 + ivec2(floor(eye.xz / side));
    vec2 own = random2(cell);
    float begun = share + own.x;
    int life = lives_before + int(floor(begun));
    if (lives > 0) life %= lives;
    float age = fract(begun) * lifetime;
    vec2 place = random2(cell + 7919 * life);
    vec2 chance = random2(ivec2(cell.y, cell.x) + 104729 * (life + 1));
    vec2 still = (vec2(cell) + place) * side;

    vec2 shares = smoothstep(0.2, 0.8, reading_weights(still, 0)) * foam_weights(still);
    vec2 foams = shares * vec2(textureLod(foam_cover, first_reading(still, 0), 1.0).r,
        textureLod(foam_cover, second_reading(still, 0), 1.0).r);
    float fresh = smoothstep(0.2, 0.55, max(foams.x, foams.y));
    // "The edges of crests begin to break into spindrift" in gales (WMO No. 8, annex): the wind bears such fine drops.
    float spindrift = smoothstep(14.0, 26.0, wind);
    // Its puffs are larger: half as many cover as much close by.
    if (fresh == 0.0 || (square == 0 && own.y < 0.5 * spindrift)) return;
    vec3 by = displaced(still, spacing[0]);
    // The stronger the wind, the more of the sea has foam: only what tops of waves lose is borne away.
    float breaking = fresh * smoothstep(0.0, mix(0.3, 0.5, spindrift), by.y / significant_height);

    float upwards = (0.3 + 1.2 * chance.x * chance.x) * sqrt(significant_height);
    vec2 along = downwind * (wind * (0.2 + 0.4 * chance.y));
    vec3 from_eye = vec3(still.x + choppiness * by.x - eye.x, by.y - eye.y, still.y + choppiness * by.z - eye.z);
    from_eye += vec3(along.x, upwards, along.y) * age;
    from_eye.y -= 0.5 * GRAVITY * (1.0 - 0.7 * spindrift) * age * age;
    float away = length(from_eye);
    vec4 middle = view_projection * vec4(from_eye, 1.0);

    float wide = mix(1.2, 4.5, age / lifetime) * (0.6 + 0.8 * chance.y) * sqrt(wider);   // m
    float size = clamp(wide * pixels / max(0.5, away), 1.0, mix(LARGEST, LARGEST_SPINDRIFT, spindrift) * picture_size.y);
    // A puff is as high as wide from above and below, and flat from the side.
    float flatness = mix(0.3, 1.0, abs(from_eye.y) / max(0.5, away));
    float edge = length(still - eye.xz) / (0.5 * float(SIDE) * side);
    float here = (1.0 - smoothstep(0.7, 1.0, edge)) * (square > 0 ? smoothstep(0.7, 1.0, edge * WIDER) : 1.0);
    opacity = strength * breaking * here * smoothstep(0.0, 0.15, age / lifetime) * (1.0 - age / lifetime);
    // A lens among the drops sees through them.
    opacity *= min(1.0, wide * pixels / max(0.5, away)) * 0.4 * mix(1.0, smoothstep(0.0, 25.0, away), spindrift);
    if (opacity <= 0.004 || middle.w < 0.5) return;
    // The puff's width, laid downwind, as the picture shows it, pixels. Close to the eye perspective would draw it out
    // without end, so `size` limits it.
    vec4 step_seen = view_projection * vec4(downwind.x, 0.0, downwind.y, 0.0);
    vec2 leeward = 0.5 * wide * picture_size * (step_seen.xy * middle.w - middle.xy * step_seen.w) / (middle.w * middle.w);
    leeward *= min(1.0, size / max(1e-6, length(leeward)));
    vec2 axis = vec2(leeward.x < 0.0 ? -0.5 : 0.5, 0.0) * size + DRAWN_OUT * spindrift * leeward;
    vec2 across = vec2(-axis.y, axis.x) / length(axis) * (0.5 * size * flatness);
    vec2 corner = from_middle.x * axis + from_middle.y * across;
    grain = 37.0 * chance;
    // Gusts gather drops in streaks. Puffs before each other show the same ones, or together they would be an even veil: streaks
    // are as thick as seen from the eye, angles around the wind's line through it. A ray farther out from that line meets a streak
    // nearer to the eye: seen along the wind, a puff shows the ends of many, not a comb. In a loop they stand still. The count
    // of lives is cut, so that a step is smooth after days.
    vec3 there = from_eye + (normalize(to_world[0]) * corner.x + normalize(to_world[1]) * corner.y) * (max(0.5, away) / pixels);
    vec2 crosswind = vec2(-downwind.y, downwind.x);
    vec2 from_line = vec2(dot(from_eye.xz, crosswind), from_eye.y);   // that line, m
    float apart = max(0.5 * wide, length(from_line));
    vec2 out_there = vec2(dot(there.xz, crosswind), there.y) - from_line;
    float nearer = dot(from_eye.xz, downwind) * dot(out_there, from_line) / (apart * apart);
    float drift = lives > 0 ? 0.0 : STREAK_SPEED * lifetime * (float(lives_before % 65536) + share);
    float streak_length = mix(SHORT_STREAK, STREAK.x, spindrift);
    streak_length *= exp2(ceil(log2(max(1.0, THINNEST * away * away / (apart * streak_length)))));
    float along_wind = (dot(eye.xz + there.xz, downwind) - nearer - drift) / streak_length;
    float round_line = atan(dot(there.xz, crosswind), -there.y) * exp2(floor(log2(clamp(apart / STREAK.y, 2.0, 1.0 / THINNEST))));
    // Turned, the noise's lattice is no comb either.
    streak = mat2(0.8, 0.6, -0.6, 0.8) * vec2(along_wind, round_line);
    distance_ahead = length(from_eye.xz);
    // Drops scatter light mostly forwards: against the sun, spray shines (L. G. Henyey, J. L. Greenstein, "Diffuse
    // radiation in the galaxy", 1941, equation 2). Most light has met so many drops that it goes every way.
    float apart_of_light = 1.0 + FORWARD * FORWARD - 2.0 * FORWARD * dot(from_eye, sun_direction) / max(0.5, away);
    float scattered = 0.7 + 0.3 * (1.0 - FORWARD * FORWARD) / (apart_of_light * sqrt(apart_of_light));
    float sun = 0.6 * sunlit * scattered * sunlight_below_clouds(still, sun_direction, side);
    light = ALBEDO / PI * (sun * sun_colour + sky_irradiance);
    gl_Position = middle + vec4(corner / (0.5 * picture_size) * middle.w, 0.0, 0.0);
}
