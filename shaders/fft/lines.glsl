// Lines are read and written as they are.

#include "common/line_access.glsl"

value load_of_line(int position, int line, int layer) {
    return load_point(position, line, layer);
}

void store_of_line(int position, int line, int layer, value v) {
    store_point(position, line, layer, v);
}
