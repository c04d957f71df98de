// The pixel of a thread, of a dispatch over the whole picture or over listed squares of it.
// Defines: GROUP, side of a work group's square of pixels; LISTED, 1 for a list as blocks.comp makes it, with BLOCKS, its buffer
// binding.

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#if LISTED
layout(std430, binding = BLOCKS) readonly buffer Blocks { uvec4 groups; uint blocks[]; };

ivec2 own_pixel() {
    uint place = blocks[gl_WorkGroupID.x];
    return GROUP * ivec2(place & 0xffffu, place >> 16u) + ivec2(gl_LocalInvocationID.xy);
}
#else
ivec2 own_pixel() {
    return ivec2(gl_GlobalInvocationID.xy);
}
#endif
