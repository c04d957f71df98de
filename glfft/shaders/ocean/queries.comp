// Looks up points of the sea: where the surface above a place of the world is, and how the water moves there.
//
// The surface over the place p belongs to the point q of the undisturbed water with q + choppiness * D(q) = p. Newton's method
// finds it; where the surface nearly folds over, its steps are shortened. Fields between the samples are Lagrange's
// polynomials of degree 5 in both directions.
//
// Defines: SEAS, and TILES of each, a layer each; VELOCITY, the first layer with the water's horizontal velocity in (dx, dz),
//          or -1; RISE, the first with the vertical velocity in height; SURFACE_UNIT, STRETCH_UNIT; POINTS_BINDING, ANSWERS_BINDING
// Inputs:  surface, stretch   of OceanStep, level 0
//          points             x and z, m
//          count              of points in all; each sea has as many as the others, one sea after the other
//          spacing            of each tile's samples, m
//          choppiness         of each sea
// Outputs: answers            a point each: (height, normal); (velocity x, up, z; residual of p, m); (q, 0, 0)

layout(local_size_x = 64) in;

layout(binding = SURFACE_UNIT) uniform sampler2DArray surface;
layout(binding = STRETCH_UNIT) uniform sampler2DArray stretch;

layout(std430, binding = POINTS_BINDING) readonly buffer Points { vec2 points[]; };
layout(std430, binding = ANSWERS_BINDING) writeonly buffer Answers { vec4 answers[]; };

uniform int count;
uniform float spacing[SEAS * TILES];
uniform float choppiness[SEAS];

const int TAPS = 6;
const int STEPS = 16;
const float CLOSE = 2e-5;    // m; far from the origin, float32 is coarser
const float ROUNDING = 1e-7;
const float FOLDING = 0.3;   // of the least stretch: steps are not longer than its inverse times the residual

struct Sea {
    vec4 surface;   // height, dx, slope_x, slope_z
    vec4 stretch;   // dz, dxz, dxx, dzz
};

// Weights of the six samples around a place between the third and the fourth, at a share of their distance.
void lagrange(float share, out float weights[TAPS]) {
    for (int i = 0; i < TAPS; ++i) {
        float weight = 1.0;
        for (int j = 0; j < TAPS; ++j) {
            if (j != i) weight *= (share + 2.0 - float(j)) / float(i - j);
        }
        weights[i] = weight;
    }
}

Sea read_tile(vec2 place, float sample_spacing, int layer) {
    vec2 at = place / sample_spacing;
    vec2 whole = floor(at);
    float across[TAPS];
    float down[TAPS];
    lagrange(at.x - whole.x, across);
    lagrange(at.y - whole.y, down);
    int size = textureSize(surface, 0).x;
    ivec2 first = ivec2(mod(whole - 2.0, vec2(size)));
    Sea sea = Sea(vec4(0.0), vec4(0.0));
    for (int row = 0; row < TAPS; ++row) {
        Sea line = Sea(vec4(0.0), vec4(0.0));
        for (int column = 0; column < TAPS; ++column) {
            ivec3 texel = ivec3((first + ivec2(column, row)) % size, layer);
            line.surface += across[column] * texelFetch(surface, texel, 0);
            line.stretch += across[column] * texelFetch(stretch, texel, 0);
        }
        sea.surface += down[row] * line.surface;
        sea.stretch += down[row] * line.stretch;
    }
    return sea;
}

Sea read_sea(vec2 place, int sea, int first_layer) {
    Sea sum = Sea(vec4(0.0), vec4(0.0));
    for (int tile = sea * TILES; tile < (sea + 1) * TILES; ++tile) {
        Sea part = read_tile(place, spacing[tile], first_layer + tile);
        sum.surface += part.surface;
        sum.stretch += part.stretch;
    }
    return sum;
}

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= count) return;
    int which = index / (count / SEAS);
    float choppy = choppiness[which];
    vec2 place = points[index];
    vec2 still = place;
    Sea sea = read_sea(still, which, 0);
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
    Sea flow = read_sea(place, which, VELOCITY);
    velocity = vec3(flow.surface.y, flow.surface.x, flow.stretch.x);
#if RISE != VELOCITY
    velocity.y = read_sea(place, which, RISE).surface.x;
#endif
#endif
    answers[3 * index] = vec4(sea.surface.x, normal);
    answers[3 * index + 1] = vec4(velocity, length(missing));
    answers[3 * index + 2] = vec4(still, 0.0, 0.0);
}
