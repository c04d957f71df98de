// The place half a line further on along all axes.

ivec3 glfft_shifted(ivec3 at) {
    at.xy = (at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS);
#ifdef DEPTH
    int plane = at.z % DEPTH;
    at.z += (plane + DEPTH / 2) % DEPTH - plane;
#endif
    return at;
}
