// Slots of a buffer in place of shared memory, written as such and read as an image. llvmpipe writes and reads shared memory
// and buffers lane by lane, with a test for each, and loads from images for all lanes at once (docs/performance.md).
//
// Defines:
//   SLOTS_UNIT, SLOTS_IMAGE_UNIT   where the buffer is bound as one, and as an image of SLOTS_FORMAT
//   STORES_DOUBLES    1: floats are stored two by two, as slot_as_doubles, storage/doubles.glsl
//   ARRAY_SLOTS   of a work group

#if STORES_DOUBLES
#include "storage/doubles.glsl"
layout(std430, binding = SLOTS_UNIT) coherent writeonly buffer GlfftSlots { slot_as_doubles glfft_slots[]; };
#else
layout(std430, binding = SLOTS_UNIT) coherent writeonly buffer GlfftSlots { line_point glfft_slots[]; };
#endif
layout(binding = SLOTS_IMAGE_UNIT, SLOTS_FORMAT) coherent readonly uniform imageBuffer glfft_slots_read;

// The first group in x of a dispatch: the buffer has room for some of a pass's groups.
uniform int glfft_first_group;

// Where the slots of the work group begin.
int first_slot_of_group() {
    uvec3 group = gl_WorkGroupID;
    return int((group.z * gl_NumWorkGroups.y + group.y) * gl_NumWorkGroups.x + group.x) * ARRAY_SLOTS;
}

void fill_slot(int at, line_point v) {
#if STORES_DOUBLES
    glfft_slots[first_slot_of_group() + at] = as_doubles(v);
#else
    glfft_slots[first_slot_of_group() + at] = v;
#endif
}

line_point slot_value(int at) {
    return line_point(imageLoad(glfft_slots_read, first_slot_of_group() + at));
}

void synchronize_slots() {
    memoryBarrier();
    barrier();
}
