// The 16 points of a line of 4 x 4: where threads keep them, and how they exchange them.
// Points of a work group are numbered line after line: number 16 l + n is position n of the group's line l.
//
// Defines:
//   LINES_A_GROUP, LINES     of a work group, and of a layer
//   EVERY_LINE_EXISTS   whether the groups have lines for all their threads
//   COLUMNS_EACH   of a thread: 1, 2 or 4
//   KEPT_IN_REGISTERS, KEPT_IN_TARGET   where a thread has its points between operations; else they are in shared memory
//   TRANSPOSES          0: the second transforms are of the rows where the points lie; outputs are put in order as they are
//                       written
//   EXCHANGED_IN_TARGET   the transposition goes through the target; else through shared memory
//   EXCHANGED_IN_PLACE    it goes through the memory that points are kept in
//   SHARED_BY_LINE      1: four threads together read and write the points of their line
//   SHARED_BY_GROUP     1: all threads together read and write the points of the group (coalesced); else each its columns
//   FOUND_IN_TARGET     threads find each other's points in the target; else in shared memory
//   USES_SHARED, USES_TARGET   which memories there are
//   TARGET_HOLDS_POINTS   1: the target holds all points, and no snippet of the caller's writes it
//   GROUPED        1: the image has the first rows of all lines of a group side by side, then the second ones, and so on
//   UNIT_STRIDE    1: shared memory has column after column of a line, each a thread's; 0: row after row
//   those of common/line_access.glsl
// Generated:
//   generated/workplace.glsl   value read_workplace(int element), void write_workplace(int element, value v): the target,
//                              where unfinished points may lie

#include "common/line_access.glsl"

value registers[4 * COLUMNS_EACH];
#if USES_SHARED
shared value points[16 * LINES_A_GROUP];
#endif

// What a thread works on.
int thread;
int group_line;
int first_line;
int layer;
bool has_line;

void begin(int number, int group) {
    thread = number;
    group_line = number * COLUMNS_EACH / 4;
    first_line = group * LINES_A_GROUP;
    layer = int(gl_WorkGroupID.y);
    has_line = EVERY_LINE_EXISTS || first_line + group_line < LINES;
}

int first_column() {
    return thread * COLUMNS_EACH % 4;
}

// Point i of a thread: row after row of its columns, or column after column of its rows.
int own_point(int i, bool of_rows) {
    int across = first_column() + i % COLUMNS_EACH;
    int along = i / COLUMNS_EACH;
    return 16 * group_line + (of_rows ? 4 * across + along : 4 * along + across);
}

// Position and line of a point in the image.
ivec2 place(int point) {
#if GROUPED
    point = point % 16 / 4 * (4 * LINES_A_GROUP) + point / 16 * 4 + point % 4;
#endif
    return ivec2(point % 16, first_line + point / 16);
}

ivec3 texel_of(int point) {
    ivec2 position_and_line = place(point);
    return texel(position_and_line.x, position_and_line.y, layer);
}

#if USES_TARGET
#include "generated/workplace.glsl"

int workplace_element(int point) {
    return target_element(texel_of(point));
}
#endif

#if USES_SHARED
// Where a point lies in shared memory.
int slot(int point) {
#if UNIT_STRIDE
    int position = point % 16;
    return point - position + 4 * (position % 4) + position / 4;
#else
    return point;
#endif
}
#endif

// A point in a memory, a constant: 1, the target, or 0, shared memory.
value recall(int in_target, int point) {
#if USES_SHARED && USES_TARGET
    return in_target == 1 ? read_workplace(workplace_element(point)) : points[slot(point)];
#elif USES_SHARED
    return points[slot(point)];
#else
    return read_workplace(workplace_element(point));
#endif
}

void remember(int in_target, int point, value v) {
#if USES_SHARED
    if (in_target == 0) {
        points[slot(point)] = v;
    }
#endif
#if USES_TARGET
    if (in_target == 1) {
        write_workplace(workplace_element(point), v);
    }
#endif
}

value kept(int i, bool of_rows) {
#if KEPT_IN_REGISTERS
    return registers[i];
#else
    return recall(KEPT_IN_TARGET, own_point(i, of_rows));
#endif
}

void keep(int i, bool of_rows, value v) {
#if KEPT_IN_REGISTERS
    registers[i] = v;
#else
    remember(KEPT_IN_TARGET, own_point(i, of_rows), v);
#endif
}

// What a thread has written before it, all threads of the group may read after it.
void meet() {
#if EXCHANGED_IN_TARGET || (FOUND_IN_TARGET && (SHARED_BY_LINE || SHARED_BY_GROUP))
    memoryBarrierBuffer();
#endif
    barrier();
}

#if TRANSPOSES
// A thread gives away its columns, and gets the rows of the same numbers.
void transpose() {
#if !EXCHANGED_IN_PLACE
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            remember(EXCHANGED_IN_TARGET, own_point(i, false), kept(i, false));
        }
    }
#endif
    meet();
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            registers[i] = recall(EXCHANGED_IN_TARGET, own_point(i, true));
        }
    }
#if EXCHANGED_IN_PLACE
    // Nobody may write before all have read.
    meet();
#endif
#if !KEPT_IN_REGISTERS
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            keep(i, false, registers[i]);
        }
    }
#endif
}
#endif
