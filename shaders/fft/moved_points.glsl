// What threads hand each other before the first stage and after the last one of a transform of type 3: the points mirrored to
// their own, and the results that they store. To load lines twice and to store every second point takes a GPU longer.
//
// Defines: those of the kernel and of fft/exchange.glsl; THREADS > 1
// Wants:   int mirrored_position(int position), a position of the line; int even_first(int position), where its result is

#if IN_TURN
const int HAND_OVERS = NUMBERS;
#define HANDED(point) point[number]
#else
const int HAND_OVERS = 1;
#define HANDED(point) point
#endif

// All points, or number by number, to the slots of their positions or of their results.
void hand_over(line_point v[POINTS], Place place, int radix, bool results, int number) {
    if (results || number > 0) {
        barrier();
    }
    for (int m = 0; m < radix * BUTTERFLIES(radix); ++m) {
        int position = position_of(place, m, radix);
        if (butterfly_exists(place.thread, butterfly_of(m, radix), radix)) {
            slots[slot(results ? even_first(position) : position, place.line_in_group)] = HANDED(v[m]);
        }
    }
    barrier();
}

// Adds i times the mirrored point to each, before the first stage.
void add_mirrored(inout line_point v[POINTS], Place place) {
    float real_parts[FIRST_POINTS];
    for (int number = 0; number < HAND_OVERS; ++number) {
        hand_over(v, place, FIRST_RADIX, false, number);
        for (int m = 0; m < FIRST_POINTS; ++m) {
            int position = loaded_position(place, m);
            // All threads load, as loads that wait for a condition take more time; point 0 has no image.
            int its_slot = slot(mirrored_position(position), place.line_in_group);
#if IN_TURN
            float mirrored = position > 0 ? slots[its_slot] : 0.0;
            if (number % 2 == 0) {
                real_parts[m] = mirrored;
            } else {
                v[m][number / 2 * 2] -= mirrored;
                v[m][number / 2 * 2 + 1] += real_parts[m];
            }
#else
            v[m] += position > 0 ? times_i(slots[its_slot]) : line_point(0.0);
#endif
        }
    }
}

// From outputs of the last stage to results at the same positions.
void put_in_order(inout line_point v[POINTS], Place place) {
    for (int number = 0; number < HAND_OVERS; ++number) {
        hand_over(v, place, LAST_RADIX, true, number);
        for (int m = 0; m < LAST_POINTS; ++m) {
            if (butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
                HANDED(v[m]) = slots[slot(position_of(place, m, LAST_RADIX), place.line_in_group)];
            }
        }
    }
}
