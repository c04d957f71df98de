// Input of the glare's convolution: a picture's light, and darkness around it.

uniform sampler2D light;

value load(ivec3 at) {
    bool inside = all(lessThan(at.xy, textureSize(light, 0)));
    return inside ? texelFetch(light, at.xy, 0) : value(0.0);
}
