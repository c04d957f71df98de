// A small picture as one line: the first stages are along columns, the others along rows, and no factors are between.
//
// Before the stages, positions follow the rows one after the other, and after them the columns. Each picture of a work group
// is a line of it, whose number is the layer's; or it is a plane of a volume, and planes of all layers are numbered on.
//
// Defines: ROWS, COLUMNS; and those of common/line_access.glsl, with AXIS 1

#ifdef DEPTH
#define LINE_OF_PICTURE(Y, PICTURE) (Y) + (PICTURE) * ROWS, 0
#else
#define LINE_OF_PICTURE(Y, PICTURE) Y, PICTURE
#endif

ivec2 in_rows(int position) {
    return ivec2(uint(position) % uint(COLUMNS), uint(position) / uint(COLUMNS));
}

ivec2 in_columns(int position) {
    return ivec2(uint(position) / uint(ROWS), uint(position) % uint(ROWS));
}

value load_picture(int position, int picture, int layer) {
    ivec2 at = in_rows(position);
    return load_point(at.x, LINE_OF_PICTURE(at.y, picture));
}

void store_picture(int position, int picture, int layer, value v) {
    ivec2 at = in_rows(position);
    store_point(at.x, LINE_OF_PICTURE(at.y, picture), v);
}

void store_picture_turned(int position, int picture, int layer, value v) {
    ivec2 at = in_columns(position);
    store_point(at.x, LINE_OF_PICTURE(at.y, picture), v);
}
