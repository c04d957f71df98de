// Rows of a buffer that a work group loads and stores as one sequence of points: neighbouring invocations take neighbouring
// points, whatever lines they are of, and hand them on through shared memory. Threads that each load and store points of
// a short line of their own would touch a sector of memory each.
//
// Defines: those of fft/stockham.glsl
//   STAGED_LOAD, STAGED_STORE   the functions for a point of a line; without the latter there is no store_staged

// Of what the group's lines have, so many points each, those that an invocation takes one after the other.
#define ROUNDS(LINE_POINTS) ((LINES * (LINE_POINTS) + INVOCATIONS - 1) / INVOCATIONS)

// The position of such a point in its line, and the line in the group, which the last ones may be past.
ivec2 staged_point(int round, int line_points) {
    uint number = gl_LocalInvocationID.x + uint(round * INVOCATIONS);
    return ivec2(number % uint(line_points), number / uint(line_points));
}

bool staged_point_exists(ivec2 point, Place first) {
    return point.y < LINES && first.line + point.y < LINE_COUNT;
}

void load_staged(inout line_point v[POINTS], Place place) {
    Place first = place_of(0, 0);
    // All loads are on their way before the first is waited for. What is loaded past the last line goes nowhere.
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(round, LENGTH);
        v[round] = STAGED_LOAD(point.x, min(first.line + min(point.y, LINES - 1), LINE_COUNT - 1), first.layer);
    }
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(round, LENGTH);
        if (point.y < LINES) {
            slots[slot(point.x, point.y)] = v[round];
        }
    }
    barrier();
    for (int m = 0; m < FIRST_POINTS; ++m) {
        if (butterfly_exists(place.thread, butterfly_of(m, FIRST_RADIX), FIRST_RADIX)) {
            v[m] = slots[slot(position_of(place, m, FIRST_RADIX), place.line_in_group)];
        }
    }
}

// Puts a line where all invocations of the group can read it, from the registers after a stage of a radix.
void stage(line_point v[POINTS], Place place, int radix) {
    barrier();
    for (int m = 0; m < radix * BUTTERFLIES(radix); ++m) {
        if (butterfly_exists(place.thread, butterfly_of(m, radix), radix)) {
            slots[slot(position_of(place, m, radix), place.line_in_group)] = v[m];
        }
    }
    barrier();
}

#ifdef STAGED_STORE
void store_staged(line_point v[POINTS], Place place) {
    stage(v, place, END_RADIX);
    Place first = place_of(0, 0);
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(round, LENGTH);
        if (staged_point_exists(point, first)) {
            STAGED_STORE(point.x, first.line + point.y, first.layer, slots[slot(point.x, point.y)]);
        }
    }
}
#endif
