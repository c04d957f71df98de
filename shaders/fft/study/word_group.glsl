// Word groups: points that a thread takes through several radix-2 stages of decimation in frequency.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, sections 4.2 to 4.7.
//
// A line has PARTS parts of LENGTH points, and FIRST_STAGE stages of it were done before. A stage halves the blocks that
// the one before has left: butterfly k of a block takes points k and k + half of it, and writes their sum and, times a
// twiddle factor, their difference. A group of 2^LOG_WORDS points spans as many stages.
//
// Defines:
//   LENGTH, STAGES = log2(LENGTH), PARTS, FIRST_STAGE
//   WORDS = 2^LOG_WORDS   points of a group; WORDS <= LENGTH
//   CONSTANT_GEOMETRY   1: stages read and write the same places whatever their number: butterfly j reads j and
//                       j + LENGTH / 2, and writes 2 j and 2 j + 1 (Pease, 1968); 0: they write where they read
//   RADIX_22            1: every second stage, from the line's first, multiplies by 1 and DIRECTION * i only, and the one
//                       after it by both stages' factors (He and Torkelson, 1996); 0: each stage multiplies by its own
//   TWIDDLE_PLACE       of the factors: IN_BUFFER, IN_SHARED memory, or IN_CONSTANT memory
//   ROOT_POINTS         a stage of that many points has all factors needed: the length of the twiddle table
// Generated:
//   generated/roots.glsl   if IN_CONSTANT, CONSTANT_ROOTS, exp(-2 pi i m / ROOT_POINTS) for m < ROOT_POINTS / 2; else
//                          nothing

#include "common/complex.glsl"
#include "common/twiddle.glsl"
#include "common/integers.glsl"
#include "common/powers_of_two.glsl"
#include "fft/roots.glsl"

#define IN_BUFFER 0
#define IN_SHARED 1
#define IN_CONSTANT 2

#if TWIDDLE_PLACE == IN_SHARED
shared complex shared_roots[ROOT_POINTS / 2];
#endif
#include "generated/roots.glsl"

// exp(DIRECTION * 2 pi i m / points), 0 <= m < points / 2.
complex root_of(int m, int points) {
#if TWIDDLE_PLACE == IN_SHARED
    return shared_roots[m * (ROOT_POINTS / points)];
#elif TWIDDLE_PLACE == IN_CONSTANT
    complex w = CONSTANT_ROOTS[m * (ROOT_POINTS / points)];
    return DIRECTION < 0 ? w : conjugate(w);
#else
    return twiddle(1, m, points / 2, 2);
#endif
}

// Where in its line a butterfly of a stage is.
struct Butterfly {
    int number;  // of LENGTH / 2
    int block;
    int k;
};

Butterfly butterfly_at(int number, int stage) {
#if CONSTANT_GEOMETRY
    return Butterfly(number, remainder(number, power_of_two(stage)), divided_by_power(number, stage));
#else
    int k = remainder(number, divided_by_power(LENGTH, stage + 1));
    return Butterfly(number, divided_by_power(number, STAGES - stage - 1), k);
#endif
}

// The butterfly that has words `word` and `word + 2^exponent` of a group, whose first stage is given.
Butterfly butterfly_of(int group, int word, int exponent, int stage, int log_words) {
    int step = log_words - 1 - exponent;
    int number_in_block = remainder(word, power_of_two(exponent));
    int block_in_group = divided_by_power(word, exponent + 1);
#if CONSTANT_GEOMETRY
    int first = group * power_of_two(step) + block_in_group;
    return butterfly_at(first + number_in_block * power_of_two(STAGES - log_words + step), stage + step);
#else
    int stride = divided_by_power(LENGTH, stage + log_words);
    int block = divided_by_power(group, STAGES - stage - log_words) * power_of_two(step) + block_in_group;
    int k = remainder(group, stride) + number_in_block * stride;
    return butterfly_at(block * divided_by_power(LENGTH, stage + step + 1) + k, stage + step);
#endif
}

// Where a group of 2^log_words words that begins with a stage reads a word.
int input_slot(int group, int word, int stage, int log_words) {
#if CONSTANT_GEOMETRY
    return group + word * divided_by_power(LENGTH, log_words);
#else
    int stride = divided_by_power(LENGTH, stage + log_words);
    int k = remainder(group, stride);
    return (group - k) * power_of_two(log_words) + k + word * stride;
#endif
}

// Where it writes it.
int output_slot(int group, int word, int stage, int log_words) {
#if CONSTANT_GEOMETRY
    return group * power_of_two(log_words) + word;
#else
    return input_slot(group, word, stage, log_words);
#endif
}

#if RADIX_22
// Every second stage, from the line's first.
bool is_trivial(int stage) {
    return (FIRST_STAGE + stage) % 2 == 0;
}

// The factor of a butterfly's sum (word 0) or difference (word 1) in the other stages. `part` is the part of its line.
complex factor_of(int word, Butterfly butterfly, int stage, int part) {
    int half_span = divided_by_power(LENGTH, stage + 1);
    // Which output of the stage before this block was.
    int before = (stage == 0 ? part : butterfly.block) % 2;
    int m = butterfly.k * (before + 2 * word);
    complex w = root_of(remainder(m, 2 * half_span), 4 * half_span);
    return m < 2 * half_span ? w : -w;
}
#endif

// The sum (word 0) or difference (word 1) of a butterfly, times its twiddle factor. `part` is the part of its line.
value twiddled(value v, int word, Butterfly butterfly, int stage, int part) {
    int half_span = divided_by_power(LENGTH, stage + 1);
#if RADIX_22
    if (is_trivial(stage)) {
        return word == 1 && 2 * butterfly.k >= half_span ? quarter(v) : v;
    }
    return multiply(v, factor_of(word, butterfly, stage, part));
#else
    return word == 0 ? v : multiply(v, root_of(butterfly.k, 2 * half_span));
#endif
}

// All stages of WORDS words in registers: of one group, or of several groups of fewer words at the end of a line.
void word_groups(inout value v[WORDS], int number, int stage, int log_words, int part) {
    for (int exponent = LOG_WORDS - 1; exponent >= 0; --exponent) {
        if (exponent >= log_words) {
            continue;
        }
        int span = power_of_two(exponent);
        for (int i = 0; i < WORDS; ++i) {
            if ((i & span) == 0) {
                int group = (number << (LOG_WORDS - log_words)) + (i >> log_words);
                int word = i & (power_of_two(log_words) - 1);
                Butterfly butterfly = butterfly_of(group, word, exponent, stage, log_words);
                int its_stage = stage + log_words - 1 - exponent;
                value a = v[i];
                value b = v[i + span];
                v[i] = twiddled(a + b, 0, butterfly, its_stage, part);
                v[i + span] = twiddled(a - b, 1, butterfly, its_stage, part);
            }
        }
    }
}
