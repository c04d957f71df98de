// Copies a texture's texels, bit for bit, from or to a buffer that holds them without gaps, row by row.
//
// Defines: TO_TEXTURE          0 copies to the buffer
//          TEXEL_BYTES         1, 2, 4, 8 or 16
//          FORMAT              of an image of unsigned integers of so many bytes
//          IMAGE, PLACE        uimage2D and ivec2, or uimage2DArray or uimage3D and ivec3
//          IMAGE_UNIT, BUFFER_BINDING
// Run with a work group for each 256 units of the buffer, in x and y: words with up to four texels, or single texels.

layout(local_size_x = 256) in;

#if TEXEL_BYTES == 16
#define UNIT uvec4
#define OF_UNIT
#elif TEXEL_BYTES == 8
#define UNIT uvec2
#define OF_UNIT , 0u, 0u
#else
#define UNIT uint
#define OF_UNIT , 0u, 0u, 0u
#endif

layout(std430, binding = BUFFER_BINDING) buffer Units { UNIT units[]; };
layout(FORMAT, binding = IMAGE_UNIT) uniform IMAGE texels;
uniform uvec3 size;

PLACE place_of(uint index) {
    uint row = index / size.x;
    ivec3 place = ivec3(index - row * size.x, row % size.y, row / size.y);
    return PLACE(place);
}

void main() {
    uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
    uint count = size.x * size.y * size.z;
#if TEXEL_BYTES >= 4
    if (index >= count) return;
#if TO_TEXTURE
    imageStore(texels, place_of(index), uvec4(units[index] OF_UNIT));
#else
    units[index] = UNIT(imageLoad(texels, place_of(index)));
#endif
#else
    const uint held = 4u / uint(TEXEL_BYTES);
    const uint bits = 8u * uint(TEXEL_BYTES);
    if (index * held >= count) return;
    uint last = min(held, count - index * held);
#if TO_TEXTURE
    uint word = units[index];
    for (uint each = 0u; each < last; each++) {
        uint texel = bitfieldExtract(word, int(bits * each), int(bits));
        imageStore(texels, place_of(index * held + each), uvec4(texel, 0u, 0u, 0u));
    }
#else
    uint word = 0u;
    for (uint each = 0u; each < last; each++) {
        word |= imageLoad(texels, place_of(index * held + each)).x << (bits * each);
    }
    units[index] = word;
#endif
#endif
}
