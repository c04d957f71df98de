// Rows of a buffer that a work group loads and stores as one sequence of points: neighbouring invocations take neighbouring
// points, whatever lines they are of, and hand them on through shared memory. Threads that each load and store points of
// a short line of their own would touch a sector of memory each.
//
// Defines: those of the kernel
//   STAGED_LOAD, STAGED_STORE   the functions for a point of a line; without the latter there is no store_staged
//   STAGED_POINTS    1: a line's points are those in memory, rather than made of two each
//   STAGED_PAIRS     1: a line is two real ones, and STAGED_LOAD loads a point of one of these
//   STAGED_ALONE     1: a real line is one of the group's
//   STAGED_NUMBERS   1: it has one butterfly, in which the compiler leaves out what is zero and what no result needs, half
//                    of the work; shared memory has the components apart, so that neighbouring lines are in different banks
//   READS_TWO        1: the source has two neighbouring real numbers in a value: half as many fetches

// Points that the spectrum of a real line has in memory.
#if READS_HERMITIAN && !HALVED
const int LOADED_POINTS = LENGTH / 2 + 1;
#else
const int LOADED_POINTS = LENGTH;
#endif
#if WRITES_HERMITIAN && STAGED_ALONE
const int STORED_POINTS = LENGTH / 2 + 1;
#else
const int STORED_POINTS = LENGTH;
#endif

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
#if EVERY_LINE_EXISTS
    return LINES * line_points;
#else
    return min(LINE_COUNT - first.line, LINES) * line_points;
#endif
}

// Whether the group's lines have as many points that an invocation takes one in this round, whichever it is.
bool all_take_one(int round, int line_points) {
    return (round + 1) * INVOCATIONS <= LINES * line_points;
}

// The slot of a point of one of the group's lines. Few instructions count: short lines have few others.
int staged_slot(int number, int line_points) {
    return number + int(uint(number) / uint(line_points)) * (LINE_STRIDE - line_points);
}

// Into slots and out of them; no result needs what is in the imaginary parts of real points.
#if STAGED_NUMBERS
void put(int at, line_point v) {
    for (int component = 0; component < NUMBERS; ++component) {
        slots[component * ARRAY_SLOTS + at] = v[component];
    }
}

line_point got(int at) {
    line_point v;
    for (int component = 0; component < NUMBERS; ++component) {
        v[component] = slots[component * ARRAY_SLOTS + at];
    }
    return v;
}

void put_real(int at, line_point v) {
    for (int component = 0; component < NUMBERS; component += 2) {
        slots[component * ARRAY_SLOTS + at] = v[component];
    }
}
#else
void put(int at, line_point v) {
    slots[at] = v;
}

line_point got(int at) {
    return slots[at];
}

void put_real(int at, line_point v) {
    slots[at] = v;
}
#endif

// Where lines follow each other in memory, a point's number among those of the group's lines is its place behind the
// first of them.
#define SOURCE_FOLLOWS (STAGED_POINTS && SOURCE_IN_BUFFER && !(SOURCE_REGION || CROSSING || LOAD_SNIPPET || EITHER_DIRECTION))
#define TARGET_FOLLOWS (STAGED_POINTS && TARGET_IN_BUFFER && !(TARGET_REGION || CROSSING || STORE_SNIPPET || EITHER_DIRECTION))

// Whether a point of a real line's spectrum is real: the first, and of lines of even length the middle one.
bool is_real(int position) {
    return position == 0 || 2 * position == LENGTH;
}

#if READS_HERMITIAN && STAGED_PAIRS
// Both spectra of a pair are staged in the place of one line: the second from the end on, where the first has no points
// of its own. Two real points lie together.
void load_staged_points(Place first) {
    int points = staged_points(first, LOADED_POINTS);
    line_point of_first[ROUNDS(LOADED_POINTS)], of_second[ROUNDS(LOADED_POINTS)];
    for (int round = 0; round < ROUNDS(LOADED_POINTS); ++round) {
        ivec2 point = staged_point(min(staged_number(round), points - 1), LOADED_POINTS);
        int pair = first.line + point.y;
        of_first[round] = load_point(point.x, 2 * pair, first.layer);
        of_second[round] = load_point(point.x, min(2 * pair + 1, REAL_LINES - 1), first.layer);
    }
    for (int round = 0; round < ROUNDS(LOADED_POINTS); ++round) {
        ivec2 point = staged_point(staged_number(round), LOADED_POINTS);
        if (staged_number(round) < LINES * LOADED_POINTS) {
            bool real = is_real(point.x);
            line_point second = second_exists(first.line + point.y) ? of_second[round] : line_point(0.0);
            slots[slot(point.x, point.y)] = real ? of_first[round] + times_i(second) : of_first[round];
            if (!real) {
                slots[slot(LENGTH - point.x, point.y)] = second;
            }
        }
    }
}

line_point staged_value(int position, int line_in_group) {
    line_point own = slots[slot(position, line_in_group)];
    if (is_real(position)) {
        return own;
    }
    line_point other = slots[slot(LENGTH - position, line_in_group)];
    return 2 * position < LENGTH ? own + times_i(other) : conjugate(other) + times_i(conjugate(own));
}
#else
#if READS_TWO && STAGED_ALONE
// A group begins at an even point: its lines have an even number of points in all, and so has a layer.
void load_staged_points(Place first) {
    int before = (first.layer * LINE_COUNT + first.line) * LENGTH / 2;
    int last = staged_points(first, LENGTH) / 2 - 1;
    const int rounds = (LINES * LENGTH / 2 + INVOCATIONS - 1) / INVOCATIONS;
    value loaded[rounds];
    for (int round = 0; round < rounds; ++round) {
        loaded[round] = read_source(ivec3(before + min(staged_number(round), last), 0, 0));
    }
    for (int round = 0; round < rounds; ++round) {
        int number = 2 * staged_number(round);
        if (number < LINES * LENGTH) {
            slots[staged_slot(number, LENGTH)] = loaded[round].x;
            slots[staged_slot(number + 1, LENGTH)] = loaded[round].y;
        }
    }
}
#else
void load_staged_points(Place first) {
    int points = staged_points(first, LOADED_POINTS);
    line_point loaded[ROUNDS(LOADED_POINTS)];
    // All loads are on their way before the first is waited for. Past the last point it is loaded again.
    for (int round = 0; round < ROUNDS(LOADED_POINTS); ++round) {
        bool exists = EVERY_LINE_EXISTS != 0 && all_take_one(round, LOADED_POINTS);
        int number = exists ? staged_number(round) : min(staged_number(round), points - 1);
#if SOURCE_FOLLOWS
        loaded[round] = read_source(texel(number, first.line, first.layer));
#else
        ivec2 point = staged_point(number, LOADED_POINTS);
        loaded[round] = STAGED_LOAD(point.x, first.line + point.y, first.layer);
#endif
    }
    for (int round = 0; round < ROUNDS(LOADED_POINTS); ++round) {
        if (all_take_one(round, LOADED_POINTS) || staged_number(round) < LINES * LOADED_POINTS) {
#if READS_REAL
            put_real(staged_slot(staged_number(round), LOADED_POINTS), loaded[round]);
#else
            put(staged_slot(staged_number(round), LOADED_POINTS), loaded[round]);
#endif
        }
    }
}
#endif

line_point staged_value(int position, int line_in_group) {
#if READS_HERMITIAN && STAGED_ALONE
    bool kept = position < LOADED_POINTS;
    line_point own = got(slot(kept ? position : LENGTH - position, line_in_group));
    return is_real(position) ? real_part(own) : kept ? own : conjugate(own);
#elif (READS_REAL || READS_TWO) && STAGED_ALONE
    return real_part(got(slot(position, line_in_group)));
#else
    return got(slot(position, line_in_group));
#endif
}
#endif

void load_staged(inout line_point v[POINTS], Place place) {
    load_staged_points(place_of(0, 0));
    barrier();
    for (int m = 0; m < FIRST_POINTS; ++m) {
        if (butterfly_exists(place.thread, butterfly_of(m, FIRST_RADIX), FIRST_RADIX)) {
            v[m] = staged_value(position_of(place, m, FIRST_RADIX), place.line_in_group);
        }
    }
}

// Puts a line where all invocations of the group can read it, from the registers after a stage of a radix.
void stage(line_point v[POINTS], Place place, int radix) {
    barrier();
    for (int m = 0; m < radix * BUTTERFLIES(radix); ++m) {
        int position = position_of(place, m, radix);
        if (butterfly_exists(place.thread, butterfly_of(m, radix), radix) && position < STORED_POINTS) {
#if WRITES_REAL && STAGED_ALONE
            put_real(slot(position, place.line_in_group), v[m]);
#else
            put(slot(position, place.line_in_group), v[m]);
#endif
        }
    }
    barrier();
}

#ifdef STAGED_STORE
void store_staged(line_point v[POINTS], Place place) {
    stage(v, place, END_RADIX);
    Place first = place_of(0, 0);
    int points = staged_points(first, STORED_POINTS);
    for (int round = 0; round < ROUNDS(STORED_POINTS); ++round) {
        int number = staged_number(round);
        if ((EVERY_LINE_EXISTS != 0 && all_take_one(round, STORED_POINTS)) || number < points) {
            line_point v = got(staged_slot(number, STORED_POINTS));
#if TARGET_FOLLOWS
            write_target(texel(number, first.line, first.layer), v * float(SCALE));
#else
            ivec2 point = staged_point(number, STORED_POINTS);
            STAGED_STORE(point.x, first.line + point.y, first.layer, v);
#endif
        }
    }
}
#endif
