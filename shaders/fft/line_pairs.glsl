// Two lines at a time, LINES apart: a register holds the points of both. Twiddle factors and trips through shared memory
// serve both.
//
// Defines: LOAD_EACH, STORE_EACH   the functions for one line: load_point and store_point, or those of fft/four_step.glsl
//          LINES, EVERY_LINE_EXISTS   of the kernel
//          LINES_MISSING              1: the first line may not exist where the second one does

bool second_line_exists(int line) {
#if EVERY_LINE_EXISTS
    return true;
#else
    return line_exists(line + LINES);
#endif
}

vec4 load_pair(int position, int line, int layer) {
    vec2 second = second_line_exists(line) ? LOAD_EACH(position, line + LINES, layer) : vec2(0.0);
    return vec4(LOAD_EACH(position, line, layer), second);
}

void store_pair(int position, int line, int layer, vec4 v) {
#if LINES_MISSING
    if (line_exists(line)) {
        STORE_EACH(position, line, layer, v.xy);
    }
#else
    STORE_EACH(position, line, layer, v.xy);
#endif
    if (second_line_exists(line)) {
        STORE_EACH(position, line + LINES, layer, v.zw);
    }
}
