// The exchange of fft/padded_exchange.glsl where shared memory has room for some of the positions at a time.
//
// Defines: PIECES, which divides LENGTH; IN_TURN 1

const int PIECE_POINTS = LENGTH / PIECES;

int slot_in_piece(int position, int piece, int line_in_group, Padding padding) {
    return slot(padded(position, padding) - padded(piece * PIECE_POINTS, padding), line_in_group);
}

bool is_in_piece(int position, int piece) {
    return int(uint(position) / uint(PIECE_POINTS)) == piece;
}

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout line_point v[POINTS], Place place, int radix, int span, int next_radix, int number, Padding padding) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    for (int component = 0; component < NUMBERS; ++component) {
        // A piece may be for registers whose own numbers are in a later one.
        float loaded[POINTS];
        for (int m = 0; m < POINTS; ++m) {
            loaded[m] = v[m][component];
        }
        for (int piece = 0; piece < PIECES; ++piece) {
            if (number + component + piece > 0) {
                barrier();
            }
            for (int b = 0; b < butterflies; ++b) {
                int first = output_position(place.thread, b, radix, span);
                for (int i = 0; i < radix; ++i) {
                    int position = first + i * span;
                    if (is_in_piece(position, piece) && butterfly_exists(place.thread, b, radix)) {
                        slots[slot_in_piece(position, piece, place.line_in_group, padding)] = v[b + i * butterflies][component];
                    }
                }
            }
            barrier();
            for (int m = 0; m < next_radix * next_butterflies; ++m) {
                int b = m % next_butterflies;
                int position = place.thread + b * THREADS + m / next_butterflies * (LENGTH / next_radix);
                if (is_in_piece(position, piece) && butterfly_exists(place.thread, b, next_radix)) {
                    loaded[m] = slots[slot_in_piece(position, piece, place.line_in_group, padding)];
                }
            }
        }
        for (int m = 0; m < POINTS; ++m) {
            v[m][component] = loaded[m];
        }
    }
}
