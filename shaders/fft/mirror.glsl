// Each thread gets the points at the positions mirrored to its own after the last stage, of those in the first half of a
// line.
//
// Defines: MIRRORED_POINTS  registers that hold such a position in some thread
//          TRANSFORM_POINTS  of a line; and those of the kernel and of fft/exchange.glsl
// Wants:   int mirrored_position(int position), a position of the line whatever it is given; of one in the first half,
//          one in the second, or 0

// Whether a register holds a position of the second half in some thread, or 0. Bluestein's lines hand on all registers,
// as they were measured on GPUs.
bool is_mirrored(int m) {
    int least = butterfly_of(m, LAST_RADIX) * THREADS + m / BUTTERFLIES(LAST_RADIX) * (LENGTH / LAST_RADIX);
    return BLUESTEIN == 1 || m == 0 || (2 * (least + THREADS) >= TRANSFORM_POINTS && least < TRANSFORM_POINTS);
}

void mirror(line_point v[POINTS], Place place, out line_point mirrored[MIRRORED_POINTS]) {
#if THREADS == 1
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        mirrored[m] = v[mirrored_position(m)];
    }
#elif IN_TURN
    for (int component = 0; component < line_point(0.0).length(); ++component) {
        barrier();
        for (int m = 0; m < LAST_POINTS; ++m) {
            if (is_mirrored(m) && butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
                slots[slot(position_of(place, m, LAST_RADIX), place.line_in_group)] = v[m][component];
            }
        }
        barrier();
        for (int m = 0; m < MIRRORED_POINTS; ++m) {
            int position = mirrored_position(position_of(place, m, LAST_RADIX));
            mirrored[m][component] = slots[slot(position, place.line_in_group)];
        }
    }
#elif SLOTS_IN_BUFFER
    synchronize_slots();
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (is_mirrored(m) && butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
            fill_slot(slot(position_of(place, m, LAST_RADIX), place.line_in_group), v[m]);
        }
    }
    synchronize_slots();
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        int position = mirrored_position(position_of(place, m, LAST_RADIX));
        mirrored[m] = slot_value(slot(position, place.line_in_group));
    }
#else
    barrier();
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (is_mirrored(m) && butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
            slots[slot(position_of(place, m, LAST_RADIX), place.line_in_group)] = v[m];
        }
    }
    barrier();
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        int position = mirrored_position(position_of(place, m, LAST_RADIX));
        mirrored[m] = slots[slot(position, place.line_in_group)];
    }
#endif
}
