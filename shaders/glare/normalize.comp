// Scales each colour of a kernel to the sum 1, and takes the share of the middle pixel out of it. One work group does it.
// Inputs and outputs: kernel (KERNEL x KERNEL, layers red, green, blue).   Outputs: core (1 x 1, the share of each colour).
// Defines:  KERNEL (odd), KERNEL_UNIT, CORE_UNIT

layout(local_size_x = 1024) in;

layout(r32f, binding = KERNEL_UNIT) uniform image2DArray kernel;
layout(rgba32f, binding = CORE_UNIT) writeonly uniform image2D core;

shared vec3 sums[1024];

vec3 texel(ivec2 at) {
    return vec3(imageLoad(kernel, ivec3(at, 0)).r, imageLoad(kernel, ivec3(at, 1)).r, imageLoad(kernel, ivec3(at, 2)).r);
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    vec3 sum = vec3(0.0);
    for (int row = 0; row < KERNEL; ++row) {
        // A sum for each row first: long sums of small numbers round.
        vec3 of_row = vec3(0.0);
        for (int column = own; column < KERNEL; column += 1024) of_row += texel(ivec2(column, row));
        sum += of_row;
    }
    sums[own] = sum;
    barrier();
    for (int half_as_many = 512; half_as_many > 0; half_as_many /= 2) {
        if (own < half_as_many) sums[own] += sums[own + half_as_many];
        barrier();
    }
    vec3 scale = 1.0 / max(sums[0], vec3(1e-30));
    // Each thread writes the texels that it read.
    for (int row = 0; row < KERNEL; ++row) {
        for (int column = own; column < KERNEL; column += 1024) {
            ivec2 at = ivec2(column, row);
            vec3 value = texel(at) * scale;
            if (at == ivec2(KERNEL / 2)) {
                imageStore(core, ivec2(0), vec4(value, 1.0));
                value = vec3(0.0);
            }
            imageStore(kernel, ivec3(at, 0), vec4(value.r));
            imageStore(kernel, ivec3(at, 1), vec4(value.g));
            imageStore(kernel, ivec3(at, 2), vec4(value.b));
        }
    }
}
