// Load with the halves swapped along both axes.

value load(ivec3 at) {
    return read_source(ivec3((at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS), at.z));
}
