// The Stockham autosort transform of a line within a work group: natural order in, natural order out, no bit reversal.
// Govindaraju et al. 2008; the order of Mota, High Performance Fourier Transforms on GPUs, algorithm 3.
//
// An invocation is a thread of one line; LINES lines share a work group. A stage of radix r, after stages that have
// covered `span` points, has LENGTH / r butterflies. Number j, with k = j mod span, is
//     a transform of the r points at positions j + i * LENGTH / r, input i times exp(DIRECTION * 2 pi i * k * i /
//     (r * span)), output i to position (j - k) * r + k + i * span.
// A thread does those numbered thread, thread + THREADS, ..., and keeps their points in registers: point i of its
// butterfly b is v[b + i * BUTTERFLIES(r)]. The outputs find their new owners through shared memory; those of the last
// stage are where its inputs were, so they go straight to the target. Where THREADS does not divide LENGTH / r, some
// threads have one butterfly less in a stage: what they do in its place goes nowhere.
//
// Defines:
//   AXIS, LENGTH, DIRECTION, SCALE
//   LINE_COUNT  numbers of lines in a layer, or with PARTS > 1 of parts of them, fft/four_step.glsl
//   THREADS     invocations a line; POINTS, registers that a thread needs in the largest of its stages
//   FIRST_RADIX, LAST_RADIX     of the first and the last stage
//   LINES       lines in a work group, or pairs of lines; INVOCATIONS = THREADS * LINES
//   line_point  what a register holds: a value, the point of a line; or with LINE_PAIRS, the points of two lines
//   LOAD, STORE the functions for that: load_point and store_point; with PARTS > 1 those of fft/four_step.glsl; with
//               BOTH_AXES those of fft/stockham_pictures.glsl; with LINE_PAIRS those of fft/line_pairs.glsl
//   END_RADIX   of the stage before points are stored: the last one, or the last one back
//   LOADS_LINES 1: a pass loads and stores all registers of the first and the last stage alike
//   GROUPS_ACROSS, GROUPS_DEEP  work groups in x and, where that is not enough, in z; GROUP_LAYERS in y
//   BACKWARDS                   1: begin with the last lines of the last layer
//   EVERY_LINE_EXISTS           1: the groups have lines for all their invocations
//   LINES_MISSING               1: some numbers have no line, common/line_access.glsl and fft/four_step.glsl
//   LINES_SIDE_BY_SIDE          neighbouring invocations are threads of neighbouring lines (1), or of one line (0)
//   TURNS_LINES                 1: neighbouring invocations load points of one line, and from the first exchange on are
//                               threads of neighbouring lines
//   STAGED                      1: neighbouring invocations load and store neighbouring points of all the group's lines,
//                               fft/staged_lines.glsl
//   STORES_MEET                 1: what a thread stores of its two lines fills a texture's sectors only together
//   BOTH_AXES                   1: a line is a whole picture, fft/stockham_pictures.glsl
//   SECOND_FACTORS              where factors for a second list of radices begin in the table
//   MOVES_POINTS                1: threads exchange points at the ends too, fft/moved_points.glsl
//   TWICE                       1: the stages are done twice, fft/stages_again.glsl
//   EXCHANGES                   of points between stages; if there are any:
//   LINE_SLOTS  slots of shared memory a line, with those left free
//   IN_TURN     1: real and imaginary parts are exchanged one after the other through one float array: less shared memory,
//               so more groups at work, for more barriers
//   ALTERNATE   1: points are exchanged through two arrays in turn: one barrier an exchange, for twice the memory
//   PIECES      in which positions are exchanged, one after the other, fft/exchange_in_pieces.glsl
//   SLOTS_IN_BUFFER   1: a buffer takes the place of shared memory, fft/slots_in_buffer.glsl
//   SWAPS       1: positions change places and no slots are left free, fft/padded_exchange.glsl
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl
// Generated:
//   generated/stages.glsl       void all_stages(inout line_point v[POINTS], Place place, int exchanges_before)

#if PARTS > 1 && POINTS > 10
// NVIDIA's compiler (580.159) left some loops over so many points, which then lie in memory: parts of 756 points in stages
// of 27 and 28 took 235 us, and take 14 now. 196 passes over parts take 0.95 of the time in the mean. With fewer points
// such parts take up to 1.1 times as long.
#pragma optionNV(unroll all)
#endif

layout(local_size_x = INVOCATIONS) in;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"

#if PARTS > 1
#include "fft/four_step.glsl"
#endif

#if !EVERY_LINE_EXISTS
bool line_exists(int line) {
#if LINES_MISSING && PARTS > 1
    return all(lessThan(part_place(line), ivec2(LINES_BESIDE, LINES_BEYOND)));
#elif LINES_MISSING
    return all(lessThan(line_place(line), ivec2(LINES_BESIDE, LINES_BEYOND)));
#else
    return line < LINE_COUNT;
#endif
}
#endif

#if BOTH_AXES
#include "fft/stockham_pictures.glsl"
#endif
#if LINE_PAIRS
#include "fft/line_pairs.glsl"
#endif

// Butterflies of a stage that a thread has, the last of which may be past the end of the line.
#define BUTTERFLIES(R) ((LENGTH / (R) + THREADS - 1) / THREADS)

// How many registers the first and the last stage use, and the one before points are stored.
const int FIRST_POINTS = FIRST_RADIX * BUTTERFLIES(FIRST_RADIX);
const int LAST_POINTS = LAST_RADIX * BUTTERFLIES(LAST_RADIX);
const int END_POINTS = END_RADIX * BUTTERFLIES(END_RADIX);

// What an invocation works on.
struct Place {
    int thread;
    int line_in_group;
    int line;
    int layer;
    bool in_picture;
};

// Whether all threads have as many butterflies in a stage of a radix.
bool shared_evenly(int radix) {
    return LENGTH / radix % THREADS == 0;
}

// Whether a thread's butterfly b of a stage exists.
bool butterfly_exists(int thread, int b, int radix) {
    return shared_evenly(radix) || thread + b * THREADS < LENGTH / radix;
}

// The butterfly that register m belongs to in a stage of a radix.
int butterfly_of(int m, int radix) {
    return m % BUTTERFLIES(radix);
}

// The position of register m before or after the butterflies of a stage whose outputs stay where its inputs were.
int position_of(Place place, int m, int radix) {
    return place.thread + butterfly_of(m, radix) * THREADS + m / BUTTERFLIES(radix) * (LENGTH / radix);
}

bool register_exists(Place place, int m, int radix) {
    return place.in_picture && butterfly_exists(place.thread, butterfly_of(m, radix), radix);
}

#if STAGED
#define STAGED_ALONE (LOADS_LINES && (READS_REAL || READS_TWO || WRITES_REAL))
#define STAGED_NUMBERS (STAGED_ALONE && EXCHANGES == 0)
#endif

#if EXCHANGES > 0 || STAGED
#if IN_TURN || STAGED
const int NUMBERS = line_point(0.0).length();
#endif

// Slots between neighbouring positions of a line, and between the lines: these lie side by side where their invocations do.
#if LINES_SIDE_BY_SIDE && !TURNS_LINES
const int SLOT_STRIDE = LINES;
const int LINE_STRIDE = 1;
#else
const int SLOT_STRIDE = 1;
const int LINE_STRIDE = LINE_SLOTS;
#endif
const int ARRAY_SLOTS = LINES * LINE_SLOTS;

// Slots, where points change threads.
#if SLOTS_IN_BUFFER
#include "fft/slots_in_buffer.glsl"
#elif IN_TURN
shared float slots[ARRAY_SLOTS];
#elif ALTERNATE
shared line_point slots[2 * ARRAY_SLOTS];
#elif !STAGED
shared line_point slots[ARRAY_SLOTS];
#elif STAGED_NUMBERS
shared float slots[NUMBERS * ARRAY_SLOTS];
#else
shared line_point slots[ARRAY_SLOTS];
#endif

int slot(int position, int line_in_group) {
    return position * SLOT_STRIDE + line_in_group * LINE_STRIDE;
}

// The position of output 0 of butterfly b; output i is span * i positions further.
int output_position(int thread, int b, int radix, int span) {
    int j = thread + b * THREADS;
    // Unsigned, so that it is cheap where the span is a constant.
    int k = int(uint(j) % uint(span));
    return (j - k) * radix + k;
}
#endif

#if EITHER_DIRECTION
uniform int glfft_backwards;
#endif

Place place_of(int thread, int line_in_group) {
    Place place;
    place.thread = thread;
    place.line_in_group = line_in_group;
    ivec3 group = ivec3(gl_WorkGroupID);
#if SLOTS_IN_BUFFER
    group.x += glfft_first_group;
#endif
#if EITHER_DIRECTION && SLOTS_IN_BUFFER
    group = glfft_backwards != 0 ? ivec3(GROUPS_ACROSS, gl_NumWorkGroups.yz) - 1 - group : group;
#elif EITHER_DIRECTION
    group = glfft_backwards != 0 ? ivec3(gl_NumWorkGroups) - 1 - group : group;
#elif BACKWARDS
    // Signed: of 0u - gl_WorkGroupID.y, which is 0, NVIDIA's compiler makes something else (580.159).
    group = ivec3(GROUPS_ACROSS, GROUP_LAYERS, GROUPS_DEEP) - 1 - group;
#endif
#if LINE_PAIRS
    place.line = (group.x + group.z * GROUPS_ACROSS) * (2 * LINES) + place.line_in_group;
#else
    place.line = (group.x + group.z * GROUPS_ACROSS) * LINES + place.line_in_group;
#endif
    place.layer = group.y;
#if EVERY_LINE_EXISTS
    place.in_picture = true;
#else
    // Barriers follow, so invocations without a line go on, with another one, and store nothing. Those with one line of
    // a pair store it.
    place.in_picture = line_exists(place.line);
#if LINE_PAIRS && LINES_MISSING
    place.in_picture = place.in_picture || line_exists(place.line + LINES);
#endif
    place.line = min(place.line, LINE_COUNT - 1);
#endif
    return place;
}

// Unsigned, so that a division by a power of two is a shift.
#if LINES_SIDE_BY_SIDE && !TURNS_LINES
Place find_place() {
    return place_of(int(gl_LocalInvocationID.x / uint(LINES)), int(gl_LocalInvocationID.x % uint(LINES)));
}
#else
Place find_place() {
    return place_of(int(gl_LocalInvocationID.x % uint(THREADS)), int(gl_LocalInvocationID.x / uint(THREADS)));
}
#endif
#if TURNS_LINES
Place turned_place() {
    return place_of(int(gl_LocalInvocationID.x / uint(LINES)), int(gl_LocalInvocationID.x % uint(LINES)));
}
#endif

#include "generated/stages.glsl"

#if PARTS == 1 && (SOURCE_REGION || TARGET_REGION)
#include "fft/stockham_registers.glsl"
#endif

// Where register m is loaded from. What a thread without such a butterfly loads, the last point, goes nowhere: loads that
// all threads do take less time than those that wait for a condition.
int loaded_position(Place place, int m) {
    int position = position_of(place, m, FIRST_RADIX);
    return shared_evenly(FIRST_RADIX) ? position : min(position, LENGTH - 1);
}

#if LOADS_LINES && STAGED
#define STAGED_LOAD LOAD
#define STAGED_STORE STORE
#define STAGED_POINTS 1
#define STAGED_PAIRS 0
#include "fft/staged_lines.glsl"
#endif

#if LOADS_LINES
void load_line(out line_point v[POINTS], Place place) {
#if STAGED
    load_staged(v, place);
#else
    for (int m = 0; m < FIRST_POINTS; ++m) {
#if PARTS == 1 && SOURCE_REGION
        v[m] = may_be_loaded(m) ? LOAD(loaded_position(place, m), place.line, place.layer) : line_point(0.0);
#else
        v[m] = LOAD(loaded_position(place, m), place.line, place.layer);
#endif
    }
#endif
}

void store_line(line_point v[POINTS], Place place) {
#if STAGED
    store_staged(v, place);
#else
#if TURNS_LINES
    place = turned_place();
#endif
    for (int m = 0; m < END_POINTS; ++m) {
        // No `continue`: with it llvmpipe (LLVM 15) took a hundred times as long to compile.
#if PARTS == 1 && TARGET_REGION
        bool stored = may_be_stored(m) && register_exists(place, m, END_RADIX);
#else
        bool stored = register_exists(place, m, END_RADIX);
#endif
#if STORES_MEET
        // Without a condition NVIDIA's compiler (580.159) seems to store a thread's second line long after the first:
        // 4096 x 4096 points took an H200 232 us, with it 215; in rg16f 192 and 160.
        stored = stored && (!shared_evenly(END_RADIX) || gl_NumWorkGroups.x > 0u);
#endif
        if (stored) {
            STORE(position_of(place, m, END_RADIX), place.line, place.layer, v[m]);
        }
    }
#endif
}
#endif
