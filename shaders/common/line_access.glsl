// One line of a picture or a volume as a sequence: the only place that knows whether lines are rows or columns, and
// which of their points are kept.
//
// Defines:
//   AXIS                    1: a line is a row of texels (positions along x); 0: a column (positions along y);
//                           -1: positions along z
//   LINE_POINTS             of a line
//   SCALE                   factor on every value stored: the transform's normalisation (a constant or a uniform)
//   READS_REAL, WRITES_REAL     1: what is loaded or stored is real
//   READS_HERMITIAN, WRITES_HERMITIAN   1: lines are spectra of real lines, of which the image holds the points up to
//                               LINE_POINTS / 2; the others are conjugates of those, F[N - k] = conj(F[k])
//   ROWS, COLUMNS, LAYERS   of the picture
//   DEPTH, LINES_ACROSS     of a volume, and how many lines lie side by side before the next row or plane of them; not
//                           defined for pictures
// Generated:
//   generated/storage.glsl  value read_source(ivec3 at), void write_target(ivec3 at, value v);
//                           at = (column, row, layer), of volumes (column, row, layer * DEPTH + plane)
//   generated/load.glsl     value load(ivec3 at): where a transform's input comes from
//   generated/store.glsl    void store(ivec3 at, value result): where its output goes

#include "generated/storage.glsl"
#include "generated/load.glsl"
#include "generated/store.glsl"

#ifdef DEPTH
// Lines side by side have numbers that follow each other.
ivec3 texel(int position, int line, int layer) {
    int near = int(uint(line) % uint(LINES_ACROSS));
    int far = int(uint(line) / uint(LINES_ACROSS));
    ivec3 at = ivec3(near, far, position);
    at = AXIS == 1 ? at.zxy : AXIS == 0 ? at.xzy : at;
    return at + ivec3(0, 0, layer * DEPTH);
}
#else
ivec3 texel(int position, int line, int layer) {
    return AXIS == 1 ? ivec3(position, line, layer) : ivec3(line, position, layer);
}
#endif

value load_point(int position, int line, int layer) {
#if READS_REAL
    return real_part(load(texel(position, line, layer)));
#elif READS_HERMITIAN
    bool kept = position <= LINE_POINTS / 2;
    value v = load(texel(kept ? position : LINE_POINTS - position, line, layer));
    // Position 0 is the conjugate of itself, and of lines of even length the middle one.
    bool real = position == 0 || 2 * position == LINE_POINTS;
    return real ? real_part(v) : kept ? v : conjugate(v);
#else
    return load(texel(position, line, layer));
#endif
}

void store_point(int position, int line, int layer, value v) {
#if WRITES_REAL
    v = real_part(v);
#endif
#if WRITES_HERMITIAN
    if (position > LINE_POINTS / 2) {
        return;
    }
#endif
    store(texel(position, line, layer), v * float(SCALE));
}
