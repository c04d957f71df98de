// Looks up points of the sea: where the surface above a place of the world is, and how the water moves there.
//
// The surface over the place p belongs to the point q of the undisturbed water with q + choppiness * D(q) = p. Newton's method
// finds it; where the surface nearly folds over, its steps are shortened.
//
// Defines: those of displacement.glsl, TILES being those of all seas; PARTS, how many make up a sea; VELOCITY, the first layer
//          with the water's horizontal velocity in (dx, dz), or -1; RISE, the first with the vertical velocity in height;
//          POINTS_BINDING, ANSWERS_BINDING
// Inputs:  points             x and z, m
//          count              of points in all; each sea has as many as the others, one sea after the other
//          choppiness         of each sea
//          smallest           waves of two samples or more so many metres apart count
// Outputs: answers            a point each: (height, normal); (velocity x, up, z; residual of p, m); (q, 0, 0)

#include "sea/displacement.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = POINTS_BINDING) readonly buffer Points { vec2 points[]; };
layout(std430, binding = ANSWERS_BINDING) writeonly buffer Answers { vec4 answers[]; };

const int SEAS = TILES / PARTS;

uniform int count;
uniform float choppiness[SEAS];
uniform float smallest;

const int STEPS = 16;
const float CLOSE = 2e-5;    // m; far from the origin, float32 is coarser
const float ROUNDING = 1e-7;
const float FOLDING = 0.3;   // of the least stretch: steps are not longer than its inverse times the residual

SeaPoint read_sea(vec2 place, int sea, int offset) {
    return surface_at(place, smallest, sea * PARTS, PARTS, offset);
}

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= count) return;
    int which = index / (count / SEAS);
    float choppy = choppiness[which];
    vec2 place = points[index];
    vec2 still = place;
    SeaPoint sea = read_sea(still, which, 0);
    vec2 missing = place - still - choppy * vec2(sea.surface.y, sea.stretch.x);
    float close = max(CLOSE, ROUNDING * max(abs(place.x), abs(place.y)));
    for (int step = 0; step < STEPS && dot(missing, missing) > close * close; ++step) {
        float xx = 1.0 + choppy * sea.stretch.z;
        float zz = 1.0 + choppy * sea.stretch.w;
        float xz = choppy * sea.stretch.y;
        float least = 0.5 * (xx + zz) - length(vec2(0.5 * (xx - zz), xz));
        float added = max(0.0, FOLDING - least);
        xx += added;
        zz += added;
        still += vec2(zz * missing.x - xz * missing.y, xx * missing.y - xz * missing.x) / (xx * zz - xz * xz);
        sea = read_sea(still, which, 0);
        missing = place - still - choppy * vec2(sea.surface.y, sea.stretch.x);
    }
    float xx = 1.0 + choppy * sea.stretch.z;
    float zz = 1.0 + choppy * sea.stretch.w;
    float xz = choppy * sea.stretch.y;
    vec2 slope = sea.surface.zw;
    vec3 normal = normalize(vec3(xz * slope.y - zz * slope.x, xx * zz - xz * xz, xz * slope.x - xx * slope.y));
    vec3 velocity = vec3(0.0);
#if VELOCITY >= 0
    SeaPoint flow = read_sea(place, which, VELOCITY);
    velocity = vec3(flow.surface.y, flow.surface.x, flow.stretch.x);
#if RISE != VELOCITY
    velocity.y = read_sea(place, which, RISE).surface.x;
#endif
#endif
    answers[3 * index] = vec4(sea.surface.x, normal);
    answers[3 * index + 1] = vec4(velocity, length(missing));
    answers[3 * index + 2] = vec4(still, 0.0, 0.0);
}
