// Rows of a buffer that a work group loads and stores as one sequence of points: neighbouring invocations take neighbouring
// points, whatever lines they are of, and hand them on through shared memory. Threads that each load and store points of
// a short line of their own would touch a sector of memory each.
//
// Defines: those of the kernel
//   STAGED_LOAD, STAGED_STORE   the functions for a point of a line; without the latter there is no store_staged

// How many of the points that the group's lines have, so many each, an invocation takes one after the other.
#define ROUNDS(LINE_POINTS) ((LINES * (LINE_POINTS) + INVOCATIONS - 1) / INVOCATIONS)

// The number of a point among those of the group's lines.
int staged_number(int round) {
    return int(gl_LocalInvocationID.x) + round * INVOCATIONS;
}

// The position of a point in its line, and the line in the group.
ivec2 staged_point(int number, int line_points) {
    int line = int(uint(number) / uint(line_points));
    return ivec2(number - line * line_points, line);
}

// How many points the group's lines have, without those past the last line.
int staged_points(Place first, int line_points) {
    return min(LINE_COUNT - first.line, LINES) * line_points;
}

void load_staged(inout line_point v[POINTS], Place place) {
    Place first = place_of(0, 0);
    int points = staged_points(first, LENGTH);
    // All loads are on their way before the first is waited for. Past the last point it is loaded again.
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(min(staged_number(round), points - 1), LENGTH);
        v[round] = STAGED_LOAD(point.x, first.line + point.y, first.layer);
    }
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(staged_number(round), LENGTH);
        if (staged_number(round) < LINES * LENGTH) {
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
    int points = staged_points(first, LENGTH);
    for (int round = 0; round < ROUNDS(LENGTH); ++round) {
        ivec2 point = staged_point(staged_number(round), LENGTH);
        if (staged_number(round) < points) {
            STAGED_STORE(point.x, first.line + point.y, first.layer, slots[slot(point.x, point.y)]);
        }
    }
}
#endif
