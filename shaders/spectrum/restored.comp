// Draws the real parts of planes as a picture, grey or red, green and blue; 0 is black and 1 is white.
//
// In:   planes[], rg32f, (re, im)
// Out:  picture, rgba8 of the same size
// Defines: PLANES, 1 or 3; PLANE_UNIT, texture unit of the first; IMAGE_UNIT image unit

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = PLANE_UNIT) uniform sampler2D planes[PLANES];
layout(rgba8, binding = IMAGE_UNIT) writeonly uniform image2D picture;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, textureSize(planes[0], 0)))) return;
    vec3 colour = vec3(texelFetch(planes[0], pixel, 0).r);
#if PLANES == 3
    colour.g = texelFetch(planes[1], pixel, 0).r;
    colour.b = texelFetch(planes[2], pixel, 0).r;
#endif
    // Whole levels: what lies between, devices round with errors of their own.
    imageStore(picture, pixel, vec4(floor(255.0 * clamp(colour, 0.0, 1.0) + 0.5) / 255.0, 1.0));
}
