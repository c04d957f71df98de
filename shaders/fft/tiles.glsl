// Tiles: two axes of a volume in one pass, a part of the columns (fft/four_step.glsl) and another axis whole. As one
// line, with rows as the slower index before the stages and as the faster one after them, a tile takes the stages of
// lines: the first along y, the others along x or z, without factors between the axes.
//
// Defines:
//   TILE_ROWS, TILE_OTHER      points of a tile along y and along the other axis; OTHER_ALONG_X 1: x, 0: z
//   TILES_DOWN                 tiles along y; along the other axis there is one. Loaded rows of a tile lie so many apart
//   ROWS_STORED_APART          1: so do stored rows; 0: they lie side by side
//   TOGETHER                   so many tiles above each other are numbered as one
//   MULTIPLIES                 1: by the factors between parts of columns, which are from TILE_FACTORS on in the table
//   ROWS, COLUMNS              of the picture

const int TILES_ACROSS = OTHER_ALONG_X == 1 ? 1 : COLUMNS;

int tile_down(int tile) {
    int above = int(uint(tile / TOGETHER) / uint(TILES_ACROSS));
    return int(uint(above) % uint(TILES_DOWN / TOGETHER)) * TOGETHER + tile % TOGETHER;
}

// Column and row, where rows of the planes of a volume are numbered on.
ivec2 tile_point(int tile, int row, int other, bool rows_apart) {
    int y = rows_apart ? tile_down(tile) + TILES_DOWN * row : tile_down(tile) * TILE_ROWS + row;
#if OTHER_ALONG_X
    return ivec2(other, y + int(uint(tile) / uint(TILES_DOWN)) * ROWS);
#else
    return ivec2(int(uint(tile / TOGETHER) % uint(COLUMNS)), y + other * ROWS);
#endif
}

value load_tile(int position, int tile, int layer) {
    int row = int(uint(position) / uint(TILE_OTHER));
    int other = int(uint(position) % uint(TILE_OTHER));
    ivec2 at = tile_point(tile, row, other, true);
    return load_point(at.x, at.y, layer);
}

#if MULTIPLIES
// exp(DIRECTION * 2 pi i * row * down / (TILE_ROWS * TILES_DOWN))
complex tile_factor(int down, int row) {
#if TWIDDLES_COMPUTED
    float angle = float(DIRECTION) * 6.28318530717958648 * float(down * row) / float(TILE_ROWS * TILES_DOWN);
    return complex(cos(angle), sin(angle));
#else
    complex w = down == 0 ? complex(1.0, 0.0) : table_entry(TILE_FACTORS + (down - 1) * TILE_ROWS + row);
    return DIRECTION < 0 ? w : conjugate(w);
#endif
}
#endif

void store_tile(int position, int tile, int layer, value v) {
    int row = int(uint(position) % uint(TILE_ROWS));
    int other = int(uint(position) / uint(TILE_ROWS));
#if MULTIPLIES
    v = multiply(v, tile_factor(tile_down(tile), row));
#endif
    ivec2 at = tile_point(tile, row, other, ROWS_STORED_APART == 1);
    store_point(at.x, at.y, layer, v);
}
