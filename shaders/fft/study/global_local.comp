// The stages that a work group can do, in constant geometry and shared memory: those of a whole line, or those of a part
// that earlier stages have left. A thread has one butterfly of each stage.
// Soerman, the chapter on GPU technologies, "Synchronization" and "Calculation".
//
// Decimation in frequency leaves point k of the whole line where the bits of k are reversed.
//
// Defines:
//   LENGTH, STAGES = log2(LENGTH)   of the part
//   PARTS, STAGES_BEFORE = log2(PARTS)
//   THREADS             LENGTH / 2, or 1
//   REVERSED_ON_WRITING 1: shared memory is read in order, and a point goes to the reversed place in the target; 0: the
//                       target is written in order, and shared memory is read at reversed places
//   REVERSED_BY_MASKS   1: bits are reversed by shifts and masks; 0: by GLSL's function
//   DIRECTION
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/complex.glsl"
#include "common/twiddle.glsl"

shared value points[2 * LENGTH];

uint all_bits_reversed(uint number) {
#if REVERSED_BY_MASKS
    number = (number & 0xaaaaaaaau) >> 1 | (number & 0x55555555u) << 1;
    number = (number & 0xccccccccu) >> 2 | (number & 0x33333333u) << 2;
    number = (number & 0xf0f0f0f0u) >> 4 | (number & 0x0f0f0f0fu) << 4;
    number = (number & 0xff00ff00u) >> 8 | (number & 0x00ff00ffu) << 8;
    return number >> 16 | number << 16;
#else
    return bitfieldReverse(number);
#endif
}

int bits_reversed(int number, int bits) {
    return bits == 0 ? 0 : int(all_bits_reversed(uint(number)) >> (32 - bits));
}

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int part = int(gl_WorkGroupID.z);

    for (int position = thread; position < LENGTH; position += THREADS) {
        points[position] = load_point(part * LENGTH + position, line, layer);
    }
    // The same at every stage.
    int in_low = thread;
    int in_high = thread + LENGTH / 2;
    int out_low = 2 * thread;
    int out_high = out_low + 1;
    // The array that holds the points; the other one follows it or goes before it.
    int from = 0;
    for (int stage = 0; stage < STAGES; ++stage) {
        barrier();
        int to = LENGTH - from;
        value a = points[from + in_low];
        value b = points[from + in_high];
        points[to + out_low] = a + b;
        points[to + out_high] = multiply(a - b, twiddle(1, thread >> stage, LENGTH >> (stage + 1), 2));
        from = to;
    }
    barrier();
    for (int position = thread; position < LENGTH; position += THREADS) {
#if REVERSED_ON_WRITING
        int place = bits_reversed(part * LENGTH + position, STAGES_BEFORE + STAGES);
        store_point(place, line, layer, points[from + position]);
#else
        int place = position * PARTS + bits_reversed(part, STAGES_BEFORE);
        store_point(place, line, layer, points[from + bits_reversed(position, STAGES)]);
#endif
    }
}
