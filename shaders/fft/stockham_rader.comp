// A transform of lines of COFACTOR * PRIME points in one dispatch, where COFACTOR is no multiple of the prime: with
// n = (PRIME * a + COFACTOR * b) mod (COFACTOR * PRIME), k = ka mod COFACTOR and k = kb mod PRIME,
//     F[k] = sum over a and b of f[n] exp(-2 pi i a ka / COFACTOR) exp(-2 pi i b kb / PRIME)
// without factors in between (Good, The interaction algorithm and practical Fourier analysis, 1958). With b = g^q, where
// the powers of g are all numbers from 1 to PRIME - 1, and kb = g^-s, the sum over b other than 0 is a cyclic convolution
// of PRIME - 1 points (Rader, Discrete Fourier transforms when the number of data samples is prime, 1968).
//
// A line of the stages has COFACTOR * (PRIME - 1) points: q + a * (PRIME - 1) before them, ka + s * COFACTOR after them.
// The stages of the COFACTOR points are done once, those of the convolution twice, with a product in between. What
// remains are the points with b = 0: their transform is a part of all F, and with the first outputs of the first stages
// makes those with kb = 0.
//
// Defines: those of fft/stockham.glsl, with DIRECTION -1 and TWICE, at least COFACTOR THREADS, and
//   PRIME, COFACTOR
//   OF_COFACTOR, OF_PRIME   numbers that are 1 and 0, and 0 and 1, modulo COFACTOR and PRIME
//   CHIRP_OFFSET            where the table has the transform of the roots of unity w^(g^-q), divided by PRIME - 1; then
//                           g^q and g^-q, modulo PRIME, as complex numbers; then the roots of unity of COFACTOR points
//   DEALT                   1: neighbouring threads load and store neighbouring points, which go through shared memory
//                           from and to their positions, as what a GPU moves in sectors should be used whole
//   CHIRP_DIRECTION         -1 forward, +1 inverse: the forward transform with its outputs in the opposite order
//   IN_PAIRS                1: a line is two real ones, fft/real_lines.glsl, forward or inverse; with DEALT, and LOAD and
//                           STORE from there

// Kernels of two transforms are so long that NVIDIA's compiler leaves loops, unless it is told; others ignore the line.
#pragma optionNV(unroll all)
#include "fft/stockham.glsl"
#include "fft/stages_again.glsl"
#if IN_PAIRS
#include "fft/real_lines.glsl"
#endif

const int CONVOLVED = PRIME - 1;
const int LINE = COFACTOR * PRIME;

complex entry(int index) {
    return table_entry(CHIRP_OFFSET + index);
}

// The point of the line that comes to a position before the stages.
int point_loaded(int position) {
    int power = int(entry(CONVOLVED + int(uint(position) % uint(CONVOLVED))).x);
    int point = PRIME * int(uint(position) / uint(CONVOLVED)) + COFACTOR * power;
    return point < LINE ? point : point - LINE;
}

// The point F[k] with these remainders.
int point_with(int ka, int kb) {
    int k = int((uint(ka) * uint(OF_COFACTOR) + uint(kb) * uint(OF_PRIME)) % uint(LINE));
    return CHIRP_DIRECTION < 0 || k == 0 ? k : LINE - k;
}

int point_stored(int position) {
    int power = int(entry(CONVOLVED + int(uint(position) / uint(COFACTOR))).y);
    return point_with(int(uint(position) % uint(COFACTOR)), power);
}

// The position of register m after the stages; where a thread has no such butterfly, the last one.
int nearest_position(Place place, int m) {
    int position = position_of(place, m, LAST_RADIX);
    return shared_evenly(LAST_RADIX) ? position : min(position, LENGTH - 1);
}

#if DEALT
// Numbers of a value that go through shared memory at once, and how often some do. No loop counts the turns: where a
// compiler leaves it, it indexes numbers of registers, which then lie in memory.
#if IN_TURN
#define TURNS NUMBERS
#define PART(v) (v)[turn]
#else
#define TURNS 1
#define PART(v) v
#endif

// Where COFACTOR points are one butterfly of the first stage, the points with b = 0 are another.
#define ONE_BUTTERFLY (COFACTOR == FIRST_RADIX)
#if ONE_BUTTERFLY
const int APART = COFACTOR;
#else
const int APART = 1;
#endif

// Of two real lines' spectra those up to the middle are stored, made of points there and at mirrored positions.
#if IN_PAIRS && CHIRP_DIRECTION < 0
#define SPECTRA 1
#else
#define SPECTRA 0
#endif
const int STORED = SPECTRA == 1 ? LINE / 2 + 1 : LINE;

// Points of the line that a thread loads and stores.
const int SHARE = (LINE + THREADS - 1) / THREADS;
const int STORED_SHARE = (STORED + THREADS - 1) / THREADS;
const int MIRRORED = SPECTRA == 1 ? STORED_SHARE : 1;

int shared_position(Place place, int i) {
    return place.thread + i * THREADS;
}

bool is_shared(Place place, int i, int points) {
    return points % THREADS == 0 || shared_position(place, i) < points;
}

// Numbers of a thread's share go to the positions before the stages. Threads below COFACTOR get their points with b = 0
// too, or what these add to point ka = thread of their transform.
void deal_in(inout line_point v[POINTS], inout line_point apart[APART], line_point share[SHARE],
             int slots_read[FIRST_POINTS], Place place, int turn) {
    if (turn > 0) {
        barrier();
    }
    for (int i = 0; i < SHARE; ++i) {
        if (is_shared(place, i, LINE)) {
            slots[slot(shared_position(place, i), place.line_in_group)] = PART(share[i]);
        }
    }
    barrier();
    for (int m = 0; m < FIRST_POINTS; ++m) {
        PART(v[m]) = slots[slots_read[m]];
    }
    if (place.thread < COFACTOR) {
        for (int a = 0; a < COFACTOR; ++a) {
#if ONE_BUTTERFLY
            PART(apart[a]) = slots[slot(PRIME * a, place.line_in_group)];
#else
            line_point point = line_point(0.0);
            PART(point) = slots[slot(PRIME * a, place.line_in_group)];
            apart[0] += multiply(point, entry(2 * CONVOLVED + int(uint(a * place.thread) % uint(COFACTOR))));
#endif
        }
    }
}

// From the points of the line to the positions before the stages; and point ka = thread of the transform of those with b = 0.
void load_points(out line_point v[POINTS], out line_point multiple, Place place) {
    line_point share[SHARE];
    for (int i = 0; i < SHARE; ++i) {
        share[i] = LOAD(is_shared(place, i, LINE) ? shared_position(place, i) : LINE - 1, place.line, place.layer);
    }
    int slots_read[FIRST_POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        slots_read[m] = slot(point_loaded(loaded_position(place, m)), place.line_in_group);
    }
    line_point apart[APART];
    apart[0] = line_point(0.0);
    deal_in(v, apart, share, slots_read, place, 0);
    if (TURNS > 1) {
        deal_in(v, apart, share, slots_read, place, 1);
    }
    if (TURNS > 2) {
        deal_in(v, apart, share, slots_read, place, 2);
        deal_in(v, apart, share, slots_read, place, 3);
    }
    multiple = apart[0];
#if ONE_BUTTERFLY
    if (place.thread < COFACTOR) {
        dft(apart);
        for (int a = 0; a < COFACTOR; ++a) {
            multiple = a == place.thread ? apart[a] : multiple;
        }
    }
#endif
}

// Numbers of the positions after the stages, and of the outputs with kb = 0, go to a thread's share.
void deal_out(line_point v[POINTS], line_point with_all, inout line_point share[STORED_SHARE],
              inout line_point mirrored[MIRRORED], int slots_written[LAST_POINTS], Place place, int turn) {
    barrier();
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
            slots[slots_written[m]] = PART(v[m]);
        }
    }
    if (place.thread < COFACTOR) {
        slots[slot(point_with(place.thread, 0), place.line_in_group)] = PART(with_all);
    }
    barrier();
    for (int i = 0; i < STORED_SHARE; ++i) {
        int position = shared_position(place, i);
        if (is_shared(place, i, STORED)) {
            PART(share[i]) = slots[slot(position, place.line_in_group)];
#if SPECTRA
            PART(mirrored[i]) = slots[slot(position > 0 ? LINE - position : 0, place.line_in_group)];
#endif
        }
    }
}

// From the positions after the stages, and the outputs with kb = 0, to the points of the line.
void store_points(line_point v[POINTS], line_point with_all, Place place) {
    line_point share[STORED_SHARE], mirrored[MIRRORED];
    int slots_written[LAST_POINTS];
    for (int m = 0; m < LAST_POINTS; ++m) {
        slots_written[m] = slot(point_stored(nearest_position(place, m)), place.line_in_group);
    }
    deal_out(v, with_all, share, mirrored, slots_written, place, 0);
    if (TURNS > 1) {
        deal_out(v, with_all, share, mirrored, slots_written, place, 1);
    }
    if (TURNS > 2) {
        deal_out(v, with_all, share, mirrored, slots_written, place, 2);
        deal_out(v, with_all, share, mirrored, slots_written, place, 3);
    }
    for (int i = 0; i < STORED_SHARE; ++i) {
        if (place.in_picture && is_shared(place, i, STORED)) {
#if SPECTRA
            store_spectra(shared_position(place, i), place.line, place.layer, share[i], mirrored[i]);
#else
            STORE(shared_position(place, i), place.line, place.layer, share[i]);
#endif
        }
    }
}
#else
void load_points(out line_point v[POINTS], out line_point multiple, Place place) {
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = LOAD(point_loaded(loaded_position(place, m)), place.line, place.layer);
    }
    multiple = line_point(0.0);
    if (place.thread < COFACTOR) {
        for (int a = 0; a < COFACTOR; ++a) {
            complex root = entry(2 * CONVOLVED + int(uint(a * place.thread) % uint(COFACTOR)));
            multiple += multiply(LOAD(PRIME * a, place.line, place.layer), root);
        }
    }
}

void store_points(line_point v[POINTS], line_point with_all, Place place) {
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            STORE(point_stored(position_of(place, m, LAST_RADIX)), place.line, place.layer, v[m]);
        }
    }
    if (place.in_picture && place.thread < COFACTOR) {
        STORE(point_with(place.thread, 0), place.line, place.layer, with_all);
    }
}
#endif

void main() {
    Place place = find_place();
    line_point v[POINTS], multiple;
    load_points(v, multiple, place);
    all_stages(v, place, DEALT);
    line_point with_all = multiple + v[0];
    for (int m = 0; m < LAST_POINTS; ++m) {
        line_point product = multiply(v[m], entry(int(uint(nearest_position(place, m)) / uint(COFACTOR))));
        v[m] = conjugate(m == 0 ? product + multiple : product);
    }
    all_stages_again(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_points(v, with_all, place);
}
