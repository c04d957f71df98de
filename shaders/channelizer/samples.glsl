// The samples of a block, and those before it.
//
// Defines:
//   SAMPLES   FLOAT_32, SIGNED_16, SIGNED_8 or UNSIGNED_8: the numbers of a sample, real part first
//   HISTORY   how many samples before the block are kept
//   SAMPLES_BINDING, HISTORY_BINDING

#define FLOAT_32 0
#define SIGNED_16 1
#define SIGNED_8 2
#define UNSIGNED_8 3

#if SAMPLES == FLOAT_32
layout(std430, binding = SAMPLES_BINDING) readonly restrict buffer Samples { vec2 samples_of_block[]; };
layout(std430, binding = HISTORY_BINDING) readonly restrict buffer History { vec2 samples_before[]; };

// Sample n of the block, counted from 0; with n < 0 one of those before.
vec2 sample_at(int n) {
    return n < 0 ? samples_before[HISTORY + n] : samples_of_block[n];
}
#else
layout(std430, binding = SAMPLES_BINDING) readonly restrict buffer Samples { uint words_of_block[]; };
layout(std430, binding = HISTORY_BINDING) readonly restrict buffer History { uint words_before[]; };

#if SAMPLES == SIGNED_16
vec2 sample_at(int n) {
    int word = int(n < 0 ? words_before[HISTORY + n] : words_of_block[n]);
    return vec2(bitfieldExtract(word, 0, 16), bitfieldExtract(word, 16, 16)) / 32768.0;
}
#else
// Two samples a word.
vec2 sample_at(int n) {
    int place = n < 0 ? HISTORY + n : n;
    uint word = (n < 0 ? words_before[place >> 1] : words_of_block[place >> 1]) >> (16 * (place & 1));
#if SAMPLES == SIGNED_8
    return vec2(bitfieldExtract(int(word), 0, 8), bitfieldExtract(int(word), 8, 8)) / 128.0;
#else
    return (vec2(bitfieldExtract(word, 0, 8), bitfieldExtract(word, 8, 8)) - 128.0) / 128.0;
#endif
}
#endif
#endif
