// A template less its mean, at a scale of 1, and the sum of its squares then. One work group.
//
// Inputs:  given            the template in channel r
// Outputs: centred          an image of its size
//          energy           the sum of squares of `centred`
// Defines: THREADS          invocations of the work group, a power of two
//          TEXTURE_UNIT     of `given`
//          IMAGE_UNIT       of `centred`
//          ENERGY_BINDING   of the buffer
//          TEMPLATE_SIZE    columns and rows

layout(local_size_x = THREADS) in;

layout(binding = TEXTURE_UNIT) uniform sampler2D given;
layout(binding = IMAGE_UNIT) writeonly uniform image2D centred;

layout(std430, binding = ENERGY_BINDING) writeonly buffer Energy {
    float energy;
};

shared float sums[THREADS];

// The sum over the work group. All invocations must call it.
float sum_of_group(float value) {
    int me = int(gl_LocalInvocationIndex);
    barrier();
    sums[me] = value;
    barrier();
    for (int half_way = THREADS / 2; half_way > 0; half_way /= 2) {
        if (me < half_way) sums[me] += sums[me + half_way];
        barrier();
    }
    return sums[0];
}

float greatest_of_group(float value) {
    int me = int(gl_LocalInvocationIndex);
    barrier();
    sums[me] = value;
    barrier();
    for (int half_way = THREADS / 2; half_way > 0; half_way /= 2) {
        if (me < half_way) sums[me] = max(sums[me], sums[me + half_way]);
        barrier();
    }
    return sums[0];
}

void main() {
    const int texels = TEMPLATE_SIZE.x * TEMPLATE_SIZE.y;
    // Differences from a value within the range, so that a large mean takes no digits from small differences.
    float reference = texelFetch(given, ivec2(0), 0).r;
    float greatest = 0.0;
    for (int place = int(gl_LocalInvocationIndex); place < texels; place += THREADS) {
        ivec2 at = ivec2(place % TEMPLATE_SIZE.x, place / TEMPLATE_SIZE.x);
        greatest = max(greatest, abs(texelFetch(given, at, 0).r - reference));
    }
    // Scores do not depend on the scale, and squares of small and large numbers would be 0 and infinite.
    greatest = greatest_of_group(greatest);
    greatest = greatest > 0.0 ? greatest : 1.0;
    float sum = 0.0;
    for (int place = int(gl_LocalInvocationIndex); place < texels; place += THREADS) {
        ivec2 at = ivec2(place % TEMPLATE_SIZE.x, place / TEMPLATE_SIZE.x);
        sum += (texelFetch(given, at, 0).r - reference) / greatest;
    }
    float mean = sum_of_group(sum) / float(texels);
    float squares = 0.0;
    for (int place = int(gl_LocalInvocationIndex); place < texels; place += THREADS) {
        ivec2 at = ivec2(place % TEMPLATE_SIZE.x, place / TEMPLATE_SIZE.x);
        float difference = (texelFetch(given, at, 0).r - reference) / greatest - mean;
        squares += difference * difference;
        imageStore(centred, at, vec4(difference, 0.0, 0.0, 1.0));
    }
    float total = sum_of_group(squares);
    if (gl_LocalInvocationIndex == 0u) energy = total;
}
