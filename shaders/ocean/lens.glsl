// Where the lens is under water: the picture lies on a plane a little way before the eye, and a wave may cross it.
// Inputs: lens_depths (see lens_depths.comp), near (distance of that plane, m), boost (how many times brighter the lens shows
// what it sees through water, as the graduated filters do by which photographers hold back the sky above a waterline).

uniform sampler2D lens_depths;
uniform float near;
uniform float boost;

// How deep the lens is under the surface at a point of the screen, -1 to 1, m; negative above.
float lens_depth(vec2 screen) {
    vec2 side = vec2(textureSize(lens_depths, 0));
    return textureLod(lens_depths, (0.5 + (0.5 + 0.5 * screen) * (side - 1.0)) / side, 0.0).r;
}

// Share of the light that is left where the edge of the water runs across the lens, which bends it away.
float through_waterline(float depth) {
    float width = 0.012 * near;
    return 1.0 - 0.75 * exp(-depth * depth / (width * width));
}

// Share of a pixel that is seen through water: on its upper side, the waterline fades over one and a half pixels.
// `screen_up` is how a direction changes per unit of the screen, 2 / `rows` of which are a pixel.
float share_under_water(float depth, vec3 screen_up, int rows) {
    float pixel = near * max(abs(screen_up.y), 0.3 * length(screen_up)) * 2.0 / float(rows);
    return clamp(1.0 + depth / (1.5 * pixel), 0.0, 1.0);
}
