// The 16 points of a line of 4 x 4: where threads keep them, and how they exchange them.
// Points of a work group are numbered line after line: number 16 l + n is position n of the group's line l.
//
// Defines:
//   LINES_A_GROUP, LINES     of a work group, and of a layer
//   EVERY_LINE_EXISTS   whether the groups have lines for all their threads
//   COLUMNS_EACH   of a thread: 1, 2 or 4
//   KEPT           where a thread has its points between operations: IN_REGISTERS, IN_SHARED or IN_TARGET
//   EXCHANGE       what the transposition goes through: IN_SHARED, IN_TARGET, or NOTHING where there is none, since the
//                  second transforms are of the rows where the points lie; outputs are put in order as they are written
//   SHARING        who reads and writes which points: OWN, each thread its columns; BY_LINE, four threads together those
//                  of their line; BY_GROUP, all threads together those of the group (coalesced)
//   GROUPED        1: the image has the first rows of all lines of a group side by side, then the second ones, and so on
//   UNIT_STRIDE    1: shared memory has column after column of a line, each a thread's; 0: row after row
//   STORE_SNIPPET  1: a snippet of the caller's writes the target
//   those of common/line_access.glsl
// Generated:
//   generated/workplace.glsl   value read_workplace(int element), void write_workplace(int element, value v): the target,
//                              where unfinished points may lie

#include "common/line_access.glsl"

#define IN_REGISTERS 0
#define IN_SHARED 1
#define IN_TARGET 2
#define NOTHING 3

#define OWN 0
#define BY_LINE 1
#define BY_GROUP 2

// A target may hold less than the points, and a snippet may write it elsewhere. Then they are kept out of it.
#if !STORE_SNIPPET && !WRITES_REAL && !WRITES_HERMITIAN
#define TARGET_HOLDS_POINTS 1
#else
#define TARGET_HOLDS_POINTS 0
#endif
#if KEPT == IN_TARGET && !TARGET_HOLDS_POINTS
#undef KEPT
#define KEPT IN_REGISTERS
#endif
#if EXCHANGE == IN_TARGET && !TARGET_HOLDS_POINTS
#undef EXCHANGE
#define EXCHANGE IN_SHARED
#endif

#define USES_SHARED (KEPT == IN_SHARED || EXCHANGE == IN_SHARED)
#define USES_TARGET (KEPT == IN_TARGET || EXCHANGE == IN_TARGET)

// The memory where threads find each other's points.
#if KEPT == IN_REGISTERS
#define MEMORY EXCHANGE
#else
#define MEMORY KEPT
#endif

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

// A point in a memory, which is a constant: IN_SHARED or IN_TARGET.
value recall(int memory, int point) {
#if USES_SHARED && USES_TARGET
    return memory == IN_SHARED ? points[slot(point)] : read_workplace(workplace_element(point));
#elif USES_SHARED
    return points[slot(point)];
#else
    return read_workplace(workplace_element(point));
#endif
}

void remember(int memory, int point, value v) {
#if USES_SHARED
    if (memory == IN_SHARED) {
        points[slot(point)] = v;
    }
#endif
#if USES_TARGET
    if (memory == IN_TARGET) {
        write_workplace(workplace_element(point), v);
    }
#endif
}

value kept(int i, bool of_rows) {
#if KEPT == IN_REGISTERS
    return registers[i];
#else
    return recall(KEPT, own_point(i, of_rows));
#endif
}

void keep(int i, bool of_rows, value v) {
#if KEPT == IN_REGISTERS
    registers[i] = v;
#else
    remember(KEPT, own_point(i, of_rows), v);
#endif
}

// What a thread has written before it, all threads of the group may read after it.
void meet() {
#if EXCHANGE == IN_TARGET || (MEMORY == IN_TARGET && SHARING != OWN)
    memoryBarrierBuffer();
#endif
    barrier();
}

#if EXCHANGE != NOTHING
// A thread gives away its columns, and gets the rows of the same numbers.
void transpose() {
#if KEPT != EXCHANGE
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            remember(EXCHANGE, own_point(i, false), kept(i, false));
        }
    }
#endif
    meet();
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            registers[i] = recall(EXCHANGE, own_point(i, true));
        }
    }
#if KEPT == EXCHANGE
    // Nobody may write before all have read.
    meet();
#endif
#if KEPT != IN_REGISTERS
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            keep(i, false, registers[i]);
        }
    }
#endif
}
#endif
