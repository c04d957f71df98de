// The greatest value of a picture between its texels: the maximum of the picture interpolated by Lanczos' kernel around
// the greatest texel, searched on a grid and then on a finer one. One work group of 16 x 16 invocations.
//
// Inputs:  picture        channel r
//          parts          the greatest texel of each part, from peak_parts.comp
// Outputs: peak           row, column, value there, and 1; 0 in place of 1 if no texel is a finite number
// Defines: THREADS        256
//          TEXTURE_UNIT   of the picture
//          PARTS_BINDING, PEAK_BINDING  of the buffers
//          PARTS          how many parts there are
//          PICTURE_SIZE   columns and rows
//          PERIODIC       1: the picture goes on where it began, and places are from -size / 2 to size / 2

layout(local_size_x = THREADS) in;

layout(binding = TEXTURE_UNIT) uniform sampler2D picture;

layout(std430, binding = PARTS_BINDING) readonly buffer Parts {
    vec2 parts[];
};

layout(std430, binding = PEAK_BINDING) writeonly buffer PeakBuffer {
    vec4 peak;
};

#include "convolution/best_of_group.glsl"

#define GRID 16
#define REACH 5
#define TAPS (2 * REACH + 1)
#define PI 3.14159265358979324
// How far from the greatest texel the maximum may be: where values fall faster to one side, more than half a texel.
#define MOST 0.7875

shared float texels[TAPS * TAPS];
// By axis (columns, then rows), point of the grid, and texel.
shared float weights[2 * GRID * TAPS];
// By texels' row and point of the grid: the weighted texels, and the weights.
shared vec2 lines[GRID * TAPS];
// The least and the greatest number in each row of texels.
shared vec2 extremes[TAPS];

// Lanczos (1964), as Turkowski 1990 has it: the sine cardinal in the middle of one that is REACH times as wide.
float lanczos(float x) {
    if (abs(x) < 1e-4) return 1.0;
    if (abs(x) >= float(REACH)) return 0.0;
    return float(REACH) * sin(PI * x) * sin(PI * x / float(REACH)) / (PI * PI * x * x);
}

bool is_number(float texel) {
    return !(isnan(texel) || isinf(texel));
}

#if !PERIODIC
// Beyond the picture's edge: the `missing` texels of a line before its first one, in steps. The line goes on half way between the
// parabola through three texels and the cubic through four (Newton), falls ever slower towards the least around, and does not rise.
// Were its first texel repeated, it would draw peaks to the edge.
void go_on(int first, int step_to_next, int missing, float least) {
    first += missing * step_to_next;
    float at_edge = texels[first];
    vec3 within = vec3(texels[first + step_to_next], texels[first + 2 * step_to_next], texels[first + 3 * step_to_next]);
    float once = at_edge - within.x;
    float twice = once - (within.x - within.y);
    float thrice = twice - (within.x - 2.0 * within.y + within.z);
    float most = max(at_edge - least, 1e-37);
    for (int n = 1; n <= missing; ++n) {
        float k = float(n);
        float rise = k * (once + 0.5 * (k + 1.0) * (twice + (k + 2.0) / 6.0 * thrice));
        texels[first - n * step_to_next] = at_edge - most * (1.0 - exp(min(rise, 0.0) / most));
    }
}
#endif

// Move to the best point of a grid around a place that is relative to the greatest texel. Points beyond the picture are
// moved to its edge.
vec2 refined(vec2 middle, float spacing, vec2 low, vec2 high) {
    int me = int(gl_LocalInvocationIndex);
    barrier();
    for (int entry = me; entry < 2 * GRID * TAPS; entry += THREADS) {
        int point = entry / TAPS % GRID;
        vec2 place = clamp(middle + float(point - GRID / 2) * spacing, low, high);
        weights[entry] = lanczos((entry < GRID * TAPS ? place.x : place.y) - float(entry % TAPS - REACH));
    }
    barrier();
    // Along the rows of texels first, to the columns of the grid.
    for (int entry = me; entry < GRID * TAPS; entry += THREADS) {
        vec2 along = vec2(0.0);
        for (int column = 0; column < TAPS; ++column) {
            float weight = weights[entry % GRID * TAPS + column];
            along += weight * vec2(texels[entry / GRID * TAPS + column], 1.0);
        }
        lines[entry] = along;
    }
    barrier();
    ivec2 point = ivec2(me % GRID, me / GRID);
    float total = 0.0;
    float sum = 0.0;
    for (int row = 0; row < TAPS; ++row) {
        float weight = weights[(GRID + point.y) * TAPS + row];
        sum += weight * lines[row * GRID + point.x].x;
        total += weight * lines[row * GRID + point.x].y;
    }
    find_best_of_group(sum / total, me);
    ivec2 best = ivec2(best_places[0] % GRID, best_places[0] / GRID);
    return clamp(middle + vec2(best - GRID / 2) * spacing, low, high);
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    float value = 0.0;
    int place = -1;
    for (int part = me; part < PARTS; part += THREADS) {
        vec2 found = parts[part];
        if (is_better(found.x, floatBitsToInt(found.y), value, place)) {
            value = found.x;
            place = floatBitsToInt(found.y);
        }
    }
    find_best_of_group(value, place);
    bool found = best_places[0] >= 0;
    int greatest = max(best_places[0], 0);
    ivec2 middle = ivec2(greatest % PICTURE_SIZE.x, greatest / PICTURE_SIZE.x);
    for (int entry = me; entry < TAPS * TAPS; entry += THREADS) {
        ivec2 at = middle + ivec2(entry % TAPS - REACH, entry / TAPS - REACH);
#if PERIODIC
        at = (at + PICTURE_SIZE * REACH) % PICTURE_SIZE;
#else
        at = clamp(at, ivec2(0), PICTURE_SIZE - 1);
#endif
        texels[entry] = texelFetch(picture, at, 0).r;
    }
    // What is no number counts as the least around, so that no peak is drawn towards it.
    float least = best_values[0];
    float most = best_values[0];
    barrier();
    if (me < TAPS) {
        for (int entry = me * TAPS; entry < (me + 1) * TAPS; ++entry) {
            if (is_number(texels[entry])) {
                least = min(least, texels[entry]);
                most = max(most, texels[entry]);
            }
        }
        extremes[me] = vec2(least, most);
    }
    barrier();
    for (int row = 0; row < TAPS; ++row) {
        least = min(least, extremes[row].x);
        most = max(most, extremes[row].y);
    }
    for (int entry = me; entry < TAPS * TAPS; entry += THREADS) {
        texels[entry] = is_number(texels[entry]) ? texels[entry] : found ? least : 0.0;
    }
#if PERIODIC
    vec2 low = vec2(-MOST), high = vec2(MOST);
#else
    vec2 low = max(vec2(-middle), -MOST), high = min(vec2(PICTURE_SIZE - 1 - middle), MOST);
    ivec2 before = max(REACH - middle, 0);
    ivec2 behind = max(middle + REACH - PICTURE_SIZE + 1, 0);
    barrier();
    if (me < TAPS && PICTURE_SIZE.x > 3) {
        go_on(me * TAPS, 1, before.x, least);
        go_on((me + 1) * TAPS - 1, -1, behind.x, least);
    }
    barrier();
    if (me < TAPS && PICTURE_SIZE.y > 3) {
        go_on(me, TAPS, before.y, least);
        go_on(me + (TAPS - 1) * TAPS, -TAPS, behind.y, least);
    }
#endif
    // Places up to 0.7 texels from the greatest one, a tenth apart; then up to a tenth from the best, an eightieth apart.
    vec2 best = refined(vec2(0.0), 0.1, max(low, -0.7), min(high, 0.7));
    vec2 between = refined(best, 0.0125, low, high);
    // Where all around has one value, so has every place.
    between = least == most ? vec2(0.0) : between;
    // Along an axis of one texel every place has the same value.
    between *= vec2(greaterThan(PICTURE_SIZE, ivec2(1)));
    vec2 from = vec2(middle) + between;
#if PERIODIC
    from -= vec2(PICTURE_SIZE) * vec2(greaterThan(2.0 * from, vec2(PICTURE_SIZE)));
#endif
    if (me == 0) peak = vec4(from.y, from.x, best_values[0], found ? 1.0 : 0.0);
}
