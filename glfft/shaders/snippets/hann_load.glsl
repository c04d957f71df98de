// Load times a periodic Hann window along both axes.

value load(ivec3 at) {
    vec2 phase = 6.28318530717958648 * vec2(at.xy) / vec2(COLUMNS, ROWS);
    vec2 window = 0.5 - 0.5 * cos(phase);
    return read_source(at) * (window.x * window.y);
}
