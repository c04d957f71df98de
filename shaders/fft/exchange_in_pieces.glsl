// The exchange of fft/padded_exchange.glsl through shared memory for some of the positions at a time: a piece holds
// some inputs of each butterfly of the next stage, so that it is known which registers it is for.
//
// Defines: PIECES; IN_TURN 1

#pragma optionNV(unroll all)

// Where a slot is in shared memory that holds the piece which begins `skipped` slots on. A butterfly's other slots are
// counted from there, which takes an NVIDIA H200 0.99 of the time that skipping for each takes.
int slot_in_piece(int its_slot, int skipped) {
#if SWAPS
    return its_slot ^ skipped;
#else
    return its_slot - skipped;
#endif
}

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout line_point v[POINTS], inout Place place, int radix, int span, int next_radix, int number, Padding padding) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    int next_slot = slot(padded(place.thread, padding), place.line_in_group);
    int most_read = min(THREADS, padding.period) - 1;
    int most_written = most_of_outputs(radix, span, padding.period);
    int piece_inputs = (next_radix + PIECES - 1) / PIECES;
    int piece_points = piece_inputs * (LENGTH / next_radix);
    // A butterfly's outputs are in a block of radix * span positions. Between two stages of one transform each block is
    // in one piece, so one test serves a whole butterfly: rows of 4096 points take an NVIDIA H200 0.80 of the time.
    bool blocks_fit = piece_points % (radix * span) == 0;
    for (int component = 0; component < NUMBERS; ++component) {
        // Registers still hold outputs for later pieces, so what is loaded waits here.
        float loaded[POINTS];
        for (int piece = 0; piece < PIECES; ++piece) {
            int begin = piece * piece_points;
#if SWAPS
            int skipped = begin * SLOT_STRIDE;
#else
            int skipped = padded(begin, padding) * SLOT_STRIDE;
#endif
            if (number + component + piece > 0) {
                barrier();
            }
            for (int b = 0; b < butterflies; ++b) {
                int first = output_position(place.thread, b, radix, span);
                int first_slot = slot_in_piece(slot(padded(first, padding), place.line_in_group), skipped);
                int block = first - int(uint(first) % uint(span));
                bool block_here = uint(block - begin) < uint(piece_points);
                for (int i = 0; i < radix; ++i) {
                    bool here = blocks_fit ? block_here : uint(first + i * span - begin) < uint(piece_points);
                    if (here && butterfly_exists(place.thread, b, radix)) {
                        slots[slot_further(first, first_slot, i * span, most_written, padding)] = v[b + i * butterflies][component];
                    }
                }
            }
            barrier();
            for (int m = 0; m < next_radix * next_butterflies; ++m) {
                int b = m % next_butterflies;
                int own = m / next_butterflies;
                int further = b * THREADS + own * (LENGTH / next_radix);
                if (own / piece_inputs == piece && butterfly_exists(place.thread, b, next_radix)) {
                    loaded[m] = slots[slot_further(place.thread, slot_in_piece(next_slot, skipped), further, most_read, padding)];
                }
            }
        }
        for (int m = 0; m < next_radix * next_butterflies; ++m) {
            if (butterfly_exists(place.thread, m % next_butterflies, next_radix)) {
                v[m][component] = loaded[m];
            }
        }
    }
}
