// The places of the still sea that the samples of a pixel show, as still.frag wrote them.
// Defines: SAMPLES of a pixel.

#if SAMPLES > 1
uniform sampler2DMS still_map;
ivec2 picture_size() { return textureSize(still_map); }
#else
uniform sampler2D still_map;
ivec2 picture_size() { return textureSize(still_map, 0); }
#endif

const float NOT_WATER = 1e30;   // what still_map is cleared to

vec2 still_at(ivec2 pixel, int index) {
    return texelFetch(still_map, pixel, index).xy;
}

bool is_water(vec2 place) {
    return place.x < 0.5 * NOT_WATER;
}

int water_samples(ivec2 pixel) {
    int count = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        count += is_water(still_at(pixel, i)) ? 1 : 0;
    }
    return count;
}

// From -1 at the left and lower edges of the picture to 1 at the others.
vec2 on_screen(ivec2 pixel) {
    return (vec2(pixel) + 0.5) / vec2(picture_size()) * 2.0 - 1.0;
}
