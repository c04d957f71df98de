// Tiles: two axes of a picture or a volume in one pass, each whole or a part of it (fft/four_step.glsl). As one line, with
// rows as the slower index before the stages and as the faster one after them, a tile takes the stages of lines: the first
// along y, the others along x or z, without factors between the axes.
//
// Defines:
//   TILE_ROWS, TILE_OTHER      points of a tile along y and along the other axis; OTHER_ALONG_X 1: x, 0: z
//   TILES_DOWN, TILES_OTHER    tiles along y and along the other axis
//   ROWS_LOADED_APART, ROWS_STORED_APART, OTHER_LOADED_APART, OTHER_STORED_APART   1: the points of a tile lie so many
//                              points apart as there are tiles along that axis; 0: side by side
//   TOGETHER                   so many tiles above each other are numbered as one
//   MULTIPLIES                 1: by the factors between parts of columns, which are from TILE_FACTORS on in the table
//   ROWS, COLUMNS              of the picture

int tile_coordinate(int index, int tile, int points, int tiles, bool apart) {
    return apart ? tile + tiles * index : tile * points + index;
}

const int TILES_ACROSS = OTHER_ALONG_X == 1 ? TILES_OTHER : COLUMNS;

int tile_down(int tile) {
    int above = int(uint(tile / TOGETHER) / uint(TILES_ACROSS));
    return int(uint(above) % uint(TILES_DOWN / TOGETHER)) * TOGETHER + tile % TOGETHER;
}

// Column and row, where rows of the planes of a volume are numbered on.
ivec2 tile_point(int tile, int row, int other, bool rows_apart, bool other_apart) {
    int across = int(uint(tile / TOGETHER) % uint(TILES_ACROSS));
    int y = tile_coordinate(row, tile_down(tile), TILE_ROWS, TILES_DOWN, rows_apart);
#if OTHER_ALONG_X
    int plane = int(uint(tile) / uint(TILES_ACROSS * TILES_DOWN));
    return ivec2(tile_coordinate(other, across, TILE_OTHER, TILES_OTHER, other_apart), y + plane * ROWS);
#else
    return ivec2(across, y + tile_coordinate(other, 0, TILE_OTHER, TILES_OTHER, other_apart) * ROWS);
#endif
}

value load_tile(int position, int tile, int layer) {
    int row = int(uint(position) / uint(TILE_OTHER));
    int other = int(uint(position) % uint(TILE_OTHER));
    ivec2 at = tile_point(tile, row, other, ROWS_LOADED_APART == 1, OTHER_LOADED_APART == 1);
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
    ivec2 at = tile_point(tile, row, other, ROWS_STORED_APART == 1, OTHER_STORED_APART == 1);
    store_point(at.x, at.y, layer, v);
}
