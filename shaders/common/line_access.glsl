// One line of a picture or a volume as a sequence: the only place that knows whether lines are rows or columns, and
// which of their points are kept.
//
// Defines:
//   AXIS                    1: a line is a row of texels (positions along x); 0: a column (positions along y);
//                           -1: positions along z
//   LINE_POINTS             of a line
//   SCALE                   factor on every value stored: the transform's normalisation (a constant or a uniform)
//   EITHER_DIRECTION        1: lines are transformed forward or back, as a uniform says
//   SCALE_GIVEN, AXIS_GIVEN     1: SCALE or AXIS is the uniform here
//   ENDS_GIVEN                  1: what is loaded and stored is uniforms, in textures of single values
//   READS_REAL, WRITES_REAL     1: what is loaded or stored is real
//   READS_HERMITIAN, WRITES_HERMITIAN   1: lines are spectra of real lines, of which the image holds the points up to
//                               LINE_POINTS / 2; the others are conjugates of those, F[N - k] = conj(F[k])
//   HALVED                  1: lines are loaded up to there and no further, fft/real_halves.glsl
//   BOTH_AXES               1: the spectra are of whole pictures, where those conjugates are in row M - j for row j
//   SNIPPETS                1: the caller's are in the text, for which it has all functions of values
//   LOAD_SNIPPET, STORE_SNIPPET   1: points come from `load` or go to `store`; 0: from the source, to the target
//   ROWS, COLUMNS, LAYERS   of the picture
//   CROSSING                1: only the lines through a region are there, the first of which has the place CROSSING_FIRST
//                           among the lines side by side, and of a volume among those rows or planes of them
//   DEPTH, LINES_ACROSS     of a volume, and how many lines lie side by side before the next row or plane of them; not
//                           defined for pictures
//   ROWS_TOGETHER           of a volume: so many rows of lines are numbered as one, the lines above each other first, as
//                           a texture's sectors hold points of two rows
//   LINES_MISSING           1: of a volume only LINES_BESIDE of the LINES_ACROSS exist, and LINES_BEYOND rows or planes
// Generated:
//   generated/storage.glsl  value read_source(ivec3 at), void write_target(ivec3 at, value v);
//                           at = (column, row, layer), of volumes (column, row, layer * DEPTH + plane)
//   generated/load.glsl     value load(ivec3 at): where a transform's input comes from
//   generated/store.glsl    void store(ivec3 at, value result): where its output goes

#include "common/complex.glsl"
#if SNIPPETS || READS_REAL || READS_TWO || READS_HERMITIAN || WRITES_REAL || ENDS_GIVEN
#include "common/value.glsl"
#endif
#include "generated/storage.glsl"
#if LOAD_SNIPPET
#include "generated/load.glsl"
#endif
#if STORE_SNIPPET
#include "generated/store.glsl"
#endif

#if SCALE_GIVEN
uniform float glfft_scale;
#endif

#if AXIS_GIVEN
uniform int glfft_axis;
#endif

#if ENDS_GIVEN
// 0: complex numbers; 1: real ones; 2: spectra of real lines, up to the middle.
uniform int glfft_reads;
uniform int glfft_writes;
#endif

#if EITHER_DIRECTION
// An inverse transform is a forward one between two exchanges of real and imaginary parts.
uniform int glfft_inverse;

value turned(value v) {
#if PAIRED
    return glfft_inverse != 0 ? v.yxwz : v;
#else
    return glfft_inverse != 0 ? v.yx : v;
#endif
}
#endif

#ifdef DEPTH
// The place of a line among the lines side by side, whose numbers follow each other, and among their rows or planes.
ivec2 line_place(int line) {
    uint together = uint(line) / uint(ROWS_TOGETHER);
    int far = int(together / uint(LINES_ACROSS)) * ROWS_TOGETHER + int(uint(line) % uint(ROWS_TOGETHER));
    return ivec2(together % uint(LINES_ACROSS), far);
}
#endif

ivec3 texel(int position, int line, int layer) {
#if CROSSING && !defined(DEPTH)
    line += CROSSING_FIRST.x;
#endif
#ifdef DEPTH
    ivec2 place = line_place(line);
#if CROSSING
    place += CROSSING_FIRST;
#elif LINES_MISSING
    place = min(place, ivec2(LINES_BESIDE, LINES_BEYOND) - 1);
#endif
    ivec3 at = ivec3(place, position);
    at = AXIS == 1 ? at.zxy : AXIS == 0 ? at.xzy : at;
    return at + ivec3(0, 0, layer * DEPTH);
#elif AXIS_GIVEN
    return AXIS == 1 ? ivec3(position, line, layer) : ivec3(line, position, layer);
#elif AXIS == 1
    return ivec3(position, line, layer);
#else
    return ivec3(line, position, layer);
#endif
}

value load_point(int position, int line, int layer) {
#if READS_HERMITIAN || ENDS_GIVEN
#if HALVED
    const bool kept = true;
#elif ENDS_GIVEN
    bool kept = glfft_reads != 2 || position <= LINE_POINTS / 2;
#else
    bool kept = position <= LINE_POINTS / 2;
#endif
#if BOTH_AXES
    // The maximum hides the differences from NVIDIA's compiler, see storage/texture.glsl.
    int its_line = max(kept || line == 0 ? line : ROWS - line, 0);
    ivec3 at = texel(max(kept ? position : LINE_POINTS - position, 0), its_line, layer);
#else
    ivec3 at = texel(kept ? position : LINE_POINTS - position, line, layer);
#endif
#else
    ivec3 at = texel(position, line, layer);
#endif
#if LOAD_SNIPPET && SOURCE_REGION
    value v = value(0.0);
    if (glfft_in_source(at)) {
        v = load(glfft_source_place(at) + SOURCE_FIRST);
    }
#elif LOAD_SNIPPET
    value v = load(at);
#else
    value v = read_source(at);
#endif
#if READS_REAL
    return real_part(v);
#elif READS_HERMITIAN
#if BOTH_AXES
    return kept ? v : conjugate(v);
#else
    // Position 0 is the conjugate of itself, and of lines of even length the middle one.
    bool real = position == 0 || 2 * position == LINE_POINTS;
    return real ? real_part(v) : kept ? v : conjugate(v);
#endif
#elif ENDS_GIVEN
    bool mirrors_itself = position == 0 || 2 * position == LINE_POINTS;
    bool real = glfft_reads == 1 || (glfft_reads == 2 && mirrors_itself);
    return turned(real ? real_part(v) : kept ? v : conjugate(v));
#elif EITHER_DIRECTION
    return turned(v);
#else
    return v;
#endif
}

void store_point(int position, int line, int layer, value v) {
#if EITHER_DIRECTION
    v = turned(v);
#endif
#if WRITES_REAL
    v = real_part(v);
#elif ENDS_GIVEN
    v = glfft_writes == 1 ? real_part(v) : v;
#endif
#if WRITES_HERMITIAN || ENDS_GIVEN
#if ENDS_GIVEN
    bool stored = glfft_writes != 2 || position <= LINE_POINTS / 2;
#else
    bool stored = position <= LINE_POINTS / 2;
#endif
    if (!stored) {
        return;
    }
#endif
#if STORE_SNIPPET && TARGET_REGION
    ivec3 at = texel(position, line, layer);
    if (glfft_in_target(at)) {
        store(at, v * float(SCALE));
    }
#elif STORE_SNIPPET
    store(texel(position, line, layer), v * float(SCALE));
#else
    write_target(texel(position, line, layer), v * float(SCALE));
#endif
}
