// How threads read and write the points of lines of 4 x 4, one or several in an access.
//
// Defines:
//   THREADS        of a work group
//   AT_ONCE        points in one access
//   ACCESSES       of a thread: 1, 2 or 4
//   UNROLLED       1: they are written out; 0: they are a loop
//   LOAD_SNIPPET   1: a snippet of the caller's reads the source
//   SCALE, and those of fft/study/four_by_four_points.glsl

#include "fft/study/four_by_four_points.glsl"

// Points in four floats, the widest access that GLSL has. Wider ones are several of these side by side.
const int VALUES_A_QUAD = 2 - PAIRED;

// The first point of an access.
int first_point(int access) {
#if SHARED_BY_GROUP
    return (access * THREADS + thread) * AT_ONCE;
#elif SHARED_BY_LINE
    return 16 * group_line + (access * 4 + thread % 4) * AT_ONCE;
#else
    return own_point(access * AT_ONCE, false);
#endif
}

#if SHARED_BY_LINE || SHARED_BY_GROUP
// Threads share fewer accesses than there are threads where these are wide: others have none.
bool has_access(int access) {
    const bool ENOUGH_FOR_ALL = 4 * ACCESSES * AT_ONCE <= 16;
    int first = first_point(access);
    bool of_these = SHARED_BY_LINE == 1 ? first / 16 == group_line : first < 16 * LINES_A_GROUP;
    return (ENOUGH_FOR_ALL || of_these) && (EVERY_LINE_EXISTS || first_line + first / 16 < LINES);
}
#endif

// Point i of an access goes where threads keep points, or where its owner finds it.
void take(int access, int i, value v) {
#if KEPT_IN_REGISTERS && !SHARED_BY_LINE && !SHARED_BY_GROUP
    registers[access * AT_ONCE + i] = v;
#else
    remember(FOUND_IN_TARGET, first_point(access) + i, v);
#endif
}

value give(int access, int i) {
#if KEPT_IN_REGISTERS && !SHARED_BY_LINE && !SHARED_BY_GROUP
    return registers[access * AT_ONCE + i];
#else
    int point = first_point(access) + i;
#if !TRANSPOSES
    // Output n is in row n mod 4 and column n / 4.
    int n = point % 16;
    point += 4 * (n % 4) + n / 4 - n;
#endif
    return recall(FOUND_IN_TARGET, point);
#endif
}

#if AT_ONCE > 1 && !LOAD_SNIPPET && !READS_REAL && !READS_HERMITIAN
layout(std430, binding = SOURCE_UNIT) readonly buffer WideSource { vec4 glfft_wide_source[]; };

void read_access(int access) {
    int element = source_element(texel_of(first_point(access)));
    for (int i = 0; i < AT_ONCE; i += VALUES_A_QUAD) {
        vec4 read = glfft_wide_source[(element + i) / VALUES_A_QUAD];
#if PAIRED
        take(access, i, read);
#else
        take(access, i, read.xy);
        take(access, i + 1, read.zw);
#endif
    }
}
#else
void read_access(int access) {
    for (int i = 0; i < AT_ONCE; ++i) {
        ivec2 from = place(first_point(access) + i);
        take(access, i, load_point(from.x, from.y, layer));
    }
}
#endif

#if AT_ONCE > 1 && TARGET_HOLDS_POINTS
layout(std430, binding = TARGET_UNIT) writeonly buffer WideTarget { vec4 glfft_wide_target[]; };

void write_access(int access) {
    int element = target_element(texel_of(first_point(access)));
    for (int i = 0; i < AT_ONCE; i += VALUES_A_QUAD) {
#if PAIRED
        vec4 written = give(access, i);
#else
        vec4 written = vec4(give(access, i), give(access, i + 1));
#endif
        glfft_wide_target[(element + i) / VALUES_A_QUAD] = written * float(SCALE);
    }
}
#else
void write_access(int access) {
    for (int i = 0; i < AT_ONCE; ++i) {
        ivec2 to = place(first_point(access) + i);
        store_point(to.x, to.y, layer, give(access, i));
    }
}
#endif

void access_if_there(int access, bool reads) {
#if SHARED_BY_LINE || SHARED_BY_GROUP
    if (!has_access(access)) {
        return;
    }
#endif
    if (reads) {
        read_access(access);
    } else {
        write_access(access);
    }
}

void access_all(bool reads) {
#if !SHARED_BY_LINE && !SHARED_BY_GROUP
    // Once: a condition for each access would have each wait for the one before.
    if (!has_line) {
        return;
    }
#endif
#if !UNROLLED
    for (int access = 0; access < ACCESSES; ++access) {
        access_if_there(access, reads);
    }
#else
    access_if_there(0, reads);
#if ACCESSES > 1
    access_if_there(1, reads);
#endif
#if ACCESSES > 2
    access_if_there(2, reads);
    access_if_there(3, reads);
#endif
#endif
}

void read_points() {
    access_all(true);
#if SHARED_BY_LINE || SHARED_BY_GROUP
    meet();
#endif
#if KEPT_IN_REGISTERS && (SHARED_BY_LINE || SHARED_BY_GROUP)
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            registers[i] = recall(FOUND_IN_TARGET, own_point(i, false));
        }
    }
#endif
}

void write_points() {
#if KEPT_IN_REGISTERS && (SHARED_BY_LINE || SHARED_BY_GROUP)
    // Others may still read what was exchanged.
    meet();
    if (has_line) {
        for (int i = 0; i < 4 * COLUMNS_EACH; ++i) {
            remember(FOUND_IN_TARGET, own_point(i, false), registers[i]);
        }
    }
#endif
#if SHARED_BY_LINE || SHARED_BY_GROUP
    meet();
#endif
    access_all(false);
}
