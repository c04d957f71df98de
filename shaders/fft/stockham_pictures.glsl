// A small picture as one line: the first stages are along columns, the others along rows, and no factors are between.
//
// Before the stages, positions follow the rows one after the other, and after them the columns. Each picture of a work group
// is a line of it, whose number is the layer's; or it is a plane of a volume, and planes of all layers are numbered on.
//
// Defines: ROWS, COLUMNS; and those of common/line_access.glsl, with AXIS 1

ivec2 in_rows(int position) {
    return ivec2(uint(position) % uint(COLUMNS), uint(position) / uint(COLUMNS));
}

ivec2 in_columns(int position) {
    return ivec2(uint(position) / uint(ROWS), uint(position) % uint(ROWS));
}

// Column, row and layer of a picture's point, where rows of the planes of a volume are numbered on.
ivec3 picture_point(ivec2 at, int picture) {
#ifdef DEPTH
    return ivec3(at.x, at.y + picture * ROWS, 0);
#else
    return ivec3(at, picture);
#endif
}

value load_picture(int position, int picture, int layer) {
    ivec3 at = picture_point(in_rows(position), picture);
    return load_point(at.x, at.y, at.z);
}

void store_picture(int position, int picture, int layer, value v) {
    ivec3 at = picture_point(in_rows(position), picture);
    store_point(at.x, at.y, at.z, v);
}

void store_picture_turned(int position, int picture, int layer, value v) {
    ivec3 at = picture_point(in_columns(position), picture);
    store_point(at.x, at.y, at.z, v);
}
