// Between two stages: each thread hands its outputs to the threads that own their positions in the next stage.
//
// barrier() alone orders the accesses to shared memory around it (GLSL 4.50, section 4.3.8); memoryBarrierShared() before
// it adds nothing but time (docs/performance.md).
//
// Defines:
//   IN_TURN     1: one component after the other, through one float array
//   ALTERNATE   1: whole values through two arrays in turn; else through one

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout line_point v[POINTS], inout Place place, int radix, int span, int next_radix, int number) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    Place next = place;
#if TURNS_LINES
    if (number == 0) {
        next = turned_place();
    }
#endif
    int next_slot = slot(next.thread, next.line_in_group);
#if IN_TURN
    for (int component = 0; component < NUMBERS; ++component) {
        if (number + component > 0) {
            barrier();
        }
        for (int b = 0; b < butterflies; ++b) {
            int first = output_position(place.thread, b, radix, span);
            int first_slot = slot(first, place.line_in_group);
            if (butterfly_exists(place.thread, b, radix)) {
                for (int i = 0; i < radix; ++i) {
                    slots[first_slot + i * span * SLOT_STRIDE] = v[b + i * butterflies][component];
                }
            }
        }
        barrier();
        for (int m = 0; m < next_radix * next_butterflies; ++m) {
            int b = m % next_butterflies;
            int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
            if (butterfly_exists(next.thread, b, next_radix)) {
                v[m][component] = slots[next_slot + further * SLOT_STRIDE];
            }
        }
    }
#else
#if ALTERNATE
    int array = number % 2 * ARRAY_SLOTS;
    next_slot += array;
#else
    if (number > 0) {
        barrier();
    }
#endif
    for (int b = 0; b < butterflies; ++b) {
        int first = output_position(place.thread, b, radix, span);
        int first_slot = slot(first, place.line_in_group);
#if ALTERNATE
        first_slot += array;
#endif
        if (butterfly_exists(place.thread, b, radix)) {
            for (int i = 0; i < radix; ++i) {
                slots[first_slot + i * span * SLOT_STRIDE] = v[b + i * butterflies];
            }
        }
    }
    barrier();
    for (int m = 0; m < next_radix * next_butterflies; ++m) {
        int b = m % next_butterflies;
        int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
        if (butterfly_exists(next.thread, b, next_radix)) {
            v[m] = slots[next_slot + further * SLOT_STRIDE];
        }
    }
#endif
#if TURNS_LINES
    place = next;
#endif
}
