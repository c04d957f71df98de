// Lays what floats, drawn in a picture of its own, over the lit sea and sky.
// Defines: GROUP, side of a work group's square of pixels; SAMPLES of a pixel; IMAGE_UNIT
// Inputs: solids (radiance times how much is hidden, and how much is hidden).
// Output: radiance.

layout(local_size_x = GROUP, local_size_y = GROUP) in;
layout(binding = IMAGE_UNIT, rgba16f) uniform image2D radiance;

#if SAMPLES > 1
uniform sampler2DMS solids;
#else
uniform sampler2D solids;
#endif

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(radiance)))) return;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; ++i) sum += texelFetch(solids, pixel, i);
    if (sum.a <= 0.0) return;
    sum /= float(SAMPLES);
    vec3 behind = imageLoad(radiance, pixel).rgb;
    imageStore(radiance, pixel, vec4(sum.rgb + (1.0 - min(1.0, sum.a)) * behind, 1.0));
}
