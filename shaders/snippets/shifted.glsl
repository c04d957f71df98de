// The place half a line further on along all axes.

ivec3 glfft_shifted(ivec3 at) {
#ifdef DEPTH
    int plane = at.z % DEPTH;
    at.z += (plane + DEPTH / 2) % DEPTH - plane;
#endif
    return ivec3((at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS), at.z);
}
