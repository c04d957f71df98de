// The points of a line of 4 x 4: how threads read and write them, where they keep them, and how they exchange them.
//
// Defines:
//   COLUMNS_EACH   of a thread: 1, 2 or 4
//   KEPT           where a thread has its points between operations: IN_REGISTERS, IN_SHARED or IN_TARGET
//   EXCHANGE       THROUGH_SHARED, THROUGH_TARGET, or IN_PLACE: no transposition, since the second transforms are those
//                  of rows where the points lie; outputs are put in order as they are written
//   COALESCED      1: a group reads and writes its points in their order, through shared memory, or through the target if
//                  that is where threads keep and exchange them; 0: threads do their own
//   AT_ONCE        points in one access
//   ACCESSES       of a thread to its points
//   UNROLLED       1: loops over accesses are written out
//   SCALE, and those of common/line_access.glsl
//   PLAIN_LOAD, PLAIN_STORE   defined unless a snippet of the caller's reads the source or writes the target

#include "common/line_access.glsl"

#define IN_REGISTERS 0
#define IN_SHARED 1
#define IN_TARGET 2
#define THROUGH_SHARED 1
#define THROUGH_TARGET 2
#define IN_PLACE 3

// A target may hold less than the points, and a snippet may write it elsewhere. Then they are kept out of it.
#if !defined(PLAIN_STORE) || WRITES_REAL || WRITES_HERMITIAN
#define TARGET_HOLDS_POINTS 0
#else
#define TARGET_HOLDS_POINTS 1
#endif
#if KEPT == IN_TARGET && !TARGET_HOLDS_POINTS
#undef KEPT
#define KEPT IN_REGISTERS
#endif
#if EXCHANGE == THROUGH_TARGET && !TARGET_HOLDS_POINTS
#undef EXCHANGE
#define EXCHANGE THROUGH_SHARED
#endif

#if KEPT == IN_TARGET || EXCHANGE == THROUGH_TARGET
layout(std430, binding = TARGET_UNIT) coherent buffer Workplace { value glfft_workplace[]; };
#endif
#define STAGED_IN_TARGET (COALESCED && KEPT == IN_TARGET && EXCHANGE == THROUGH_TARGET)
#if KEPT == IN_SHARED || EXCHANGE == THROUGH_SHARED || (COALESCED && !STAGED_IN_TARGET)
shared value points[16 * LINES_A_GROUP];
#endif
#if KEPT == IN_REGISTERS
value registers[4 * COLUMNS_EACH];
#endif

// What a thread works on.
int thread;
int group_line;
int line;
int layer;
int first_column;
bool has_line;
int first_line;

void begin(int number, int group) {
    const int THREADS_A_LINE = 4 / COLUMNS_EACH;
    thread = number;
    group_line = number / THREADS_A_LINE;
    first_column = number % THREADS_A_LINE * COLUMNS_EACH;
    first_line = group * LINES_A_GROUP;
    line = first_line + group_line;
    layer = int(gl_WorkGroupID.y);
    has_line = line < LINES;
}

// Point i of the thread's column j, or of its row j.
int position(int i, int j, bool of_rows) {
    return of_rows ? 4 * (first_column + j) + i : 4 * i + first_column + j;
}

int target_element(int at_position, int of_line) {
    ivec3 at = texel(at_position, of_line, layer);
#if KEPT == IN_TARGET || EXCHANGE == THROUGH_TARGET || AT_ONCE > 1
    return (plane_of(at.z, TARGET_DEPTH) * TARGET_ROWS + at.y) * TARGET_COLUMNS + at.x;
#else
    return 0;
#endif
}

value kept(int i, int j, bool of_rows) {
#if KEPT == IN_REGISTERS
    return registers[i * COLUMNS_EACH + j];
#elif KEPT == IN_SHARED
    return points[16 * group_line + position(i, j, of_rows)];
#else
    return glfft_workplace[target_element(position(i, j, of_rows), line)];
#endif
}

void keep(int i, int j, bool of_rows, value v) {
#if KEPT == IN_REGISTERS
    registers[i * COLUMNS_EACH + j] = v;
#elif KEPT == IN_SHARED
    points[16 * group_line + position(i, j, of_rows)] = v;
#else
    glfft_workplace[target_element(position(i, j, of_rows), line)] = v;
#endif
}

#if EXCHANGE != IN_PLACE
value exchanged(int at_position) {
#if EXCHANGE == THROUGH_SHARED
    return points[16 * group_line + at_position];
#else
    return glfft_workplace[target_element(at_position, line)];
#endif
}

void exchange(int at_position, value v) {
#if EXCHANGE == THROUGH_SHARED
    points[16 * group_line + at_position] = v;
#else
    glfft_workplace[target_element(at_position, line)] = v;
#endif
}

// What threads exchange is where they keep it: nobody may write before all have read.
const bool SAME_PLACE = (KEPT == IN_SHARED && EXCHANGE == THROUGH_SHARED) ||
                        (KEPT == IN_TARGET && EXCHANGE == THROUGH_TARGET);

void meet() {
#if EXCHANGE == THROUGH_TARGET
    memoryBarrierBuffer();
#endif
    barrier();
}

void transpose() {
    value moved[4 * COLUMNS_EACH];
    if (has_line && !SAME_PLACE) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            int row = i / COLUMNS_EACH;
            int j = i % COLUMNS_EACH;
            exchange(position(row, j, false), kept(row, j, false));
        }
    }
    meet();
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            moved[i] = exchanged(position(i / COLUMNS_EACH, i % COLUMNS_EACH, true));
        }
    }
    if (SAME_PLACE) {
        meet();
    }
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            keep(i / COLUMNS_EACH, i % COLUMNS_EACH, false, moved[i]);
        }
    }
}
#endif

#if AT_ONCE > 1
#if PAIRED
#define QUADS AT_ONCE
#else
#define QUADS (AT_ONCE / 2)
#endif
struct Wide {
    vec4 quads[QUADS];
};
#endif

#if AT_ONCE > 1 && defined(PLAIN_LOAD) && !READS_REAL && !READS_HERMITIAN
layout(std430, binding = SOURCE_UNIT) readonly buffer WideSource { Wide glfft_wide_source[]; };

void load_points(out value v[AT_ONCE], int at_position, int of_line) {
    ivec3 at = texel(at_position, of_line, layer);
    int element = (plane_of(at.z, SOURCE_DEPTH) * SOURCE_ROWS + at.y) * SOURCE_COLUMNS + at.x;
    Wide wide = glfft_wide_source[element / AT_ONCE];
    for (int i = 0; i < AT_ONCE; ++i) {
#if PAIRED
        v[i] = wide.quads[i];
#else
        v[i] = (i & 1) == 0 ? wide.quads[i / 2].xy : wide.quads[i / 2].zw;
#endif
    }
}
#else
void load_points(out value v[AT_ONCE], int at_position, int of_line) {
    for (int i = 0; i < AT_ONCE; ++i) {
        v[i] = load_point(at_position + i, of_line, layer);
    }
}
#endif

#if AT_ONCE > 1 && TARGET_HOLDS_POINTS
layout(std430, binding = TARGET_UNIT) writeonly buffer WideTarget { Wide glfft_wide_target[]; };

void store_points(value v[AT_ONCE], int at_position, int of_line) {
    Wide wide;
    for (int i = 0; i < QUADS; ++i) {
#if PAIRED
        wide.quads[i] = v[i] * float(SCALE);
#else
        wide.quads[i] = vec4(v[2 * i], v[2 * i + 1]) * float(SCALE);
#endif
    }
    glfft_wide_target[target_element(at_position, of_line) / AT_ONCE] = wide;
}
#else
void store_points(value v[AT_ONCE], int at_position, int of_line) {
    for (int i = 0; i < AT_ONCE; ++i) {
        store_point(at_position + i, of_line, layer, v[i]);
    }
}
#endif

#define ONE_ACCESS(number, statement) { const int access = number; statement }
#if !UNROLLED
#define EACH_ACCESS(statement) for (int access = 0; access < ACCESSES; ++access) { statement }
#elif ACCESSES == 4
#define EACH_ACCESS(statement) \
    ONE_ACCESS(0, statement) ONE_ACCESS(1, statement) ONE_ACCESS(2, statement) ONE_ACCESS(3, statement)
#elif ACCESSES == 2
#define EACH_ACCESS(statement) ONE_ACCESS(0, statement) ONE_ACCESS(1, statement)
#else
#define EACH_ACCESS(statement) ONE_ACCESS(0, statement)
#endif

#if COALESCED
// Of the group's points, those of one access; neighbouring threads have neighbours.
int group_point(int access) {
    return (access * THREADS + thread) * AT_ONCE;
}

bool has_points(int point) {
    return point < 16 * LINES_A_GROUP && first_line + point / 16 < LINES;
}

value staged(int point) {
#if STAGED_IN_TARGET
    return glfft_workplace[target_element(point % 16, first_line + point / 16)];
#else
    return points[point];
#endif
}

void stage(int point, value v) {
#if STAGED_IN_TARGET
    glfft_workplace[target_element(point % 16, first_line + point / 16)] = v;
#else
    points[point] = v;
#endif
}

void read_access(int access) {
    int point = group_point(access);
    if (has_points(point)) {
        value v[AT_ONCE];
        load_points(v, point % 16, first_line + point / 16);
        for (int i = 0; i < AT_ONCE; ++i) {
            stage(point + i, v[i]);
        }
    }
}

void write_access(int access) {
    int point = group_point(access);
    if (has_points(point)) {
        value v[AT_ONCE];
        for (int i = 0; i < AT_ONCE; ++i) {
            int n = (point + i) % 16;
            v[i] = staged(point / 16 * 16 + (EXCHANGE == IN_PLACE ? n % 4 * 4 + n / 4 : n));
        }
        store_points(v, point % 16, first_line + point / 16);
    }
}

void read_points() {
    EACH_ACCESS(read_access(access);)
#if STAGED_IN_TARGET
    meet();
#else
    barrier();
#endif
#if KEPT != IN_SHARED && !STAGED_IN_TARGET
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            int row = i / COLUMNS_EACH;
            int j = i % COLUMNS_EACH;
            keep(row, j, false, points[16 * group_line + position(row, j, false)]);
        }
    }
#endif
}

void write_points() {
#if KEPT != IN_SHARED && !STAGED_IN_TARGET
    // Others may still read what was exchanged.
    barrier();
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            int row = i / COLUMNS_EACH;
            int j = i % COLUMNS_EACH;
            points[16 * group_line + position(row, j, false)] = kept(row, j, false);
        }
    }
#endif
#if STAGED_IN_TARGET
    meet();
#else
    barrier();
#endif
    EACH_ACCESS(write_access(access);)
}
#else
// One access is to points side by side, in one row of the thread's columns or in two.
void read_access(int access) {
    value v[AT_ONCE];
    int i = access * AT_ONCE;
    load_points(v, position(i / COLUMNS_EACH, i % COLUMNS_EACH, false), line);
    for (int each = 0; each < AT_ONCE; ++each) {
        keep((i + each) / COLUMNS_EACH, (i + each) % COLUMNS_EACH, false, v[each]);
    }
}

void write_access(int access) {
    value v[AT_ONCE];
    int i = access * AT_ONCE;
    for (int each = 0; each < AT_ONCE; ++each) {
        v[each] = kept((i + each) / COLUMNS_EACH, (i + each) % COLUMNS_EACH, EXCHANGE == IN_PLACE);
    }
    store_points(v, position(i / COLUMNS_EACH, i % COLUMNS_EACH, false), line);
}

void read_points() {
    if (has_line) {
        EACH_ACCESS(read_access(access);)
    }
}

void write_points() {
    if (has_line) {
        EACH_ACCESS(write_access(access);)
    }
}
#endif
