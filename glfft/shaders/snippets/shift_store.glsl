// Store with the halves swapped along both axes.

void store(ivec3 at, value result) {
    write_target(ivec3((at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS), at.z), result);
}
