// A layer of low clouds: what it hides of the sky and of the sun.
// Inputs: cloud_tile (see cloud_tile.frag), low_clouds (share of the sky that it covers, 0 to 1).

uniform sampler2D cloud_tile;
uniform float low_clouds;

const float CLOUD_TILE = 14000.0;   // m
const float CLOUD_HEIGHT = 1500.0;  // m
const float CLOUD_MEAN = 0.647;     // mean of the tile and of its ragged reading, and the standard deviation of both mixed
const float CLOUD_DEVIATION = 0.085;
const float CLOUD_EXTINCTION = 1.9; // of light that passes clouds straight on, for a thickness of 1

float low_cloud_level(float footprint) {
    return log2(footprint * float(textureSize(cloud_tile, 0).x) / CLOUD_TILE);
}

// Thickness where the tile and its ragged second reading have these values.
float low_cloud_depth_of(float coarse, float ragged) {
    float deviations = (0.8 * coarse + 0.2 * ragged - CLOUD_MEAN) / CLOUD_DEVIATION;
    // About the share low_clouds of a normal distribution lies above this.
    float base = 0.6 * log((1.0 - low_clouds) / (low_clouds + 1e-3) + 0.003);
    float over = max(0.0, deviations - base);
    return 2.2 * over * over / (0.4 + over);
}

// Thickness over a point, m, averaged over `footprint` metres.
float low_cloud_depth(vec2 point, float footprint) {
    float level = low_cloud_level(footprint);
    vec2 at = point / CLOUD_TILE;
    float coarse = textureLod(cloud_tile, at, level).r;
    float ragged = textureLod(cloud_tile, 3.7 * at.yx, level + 1.9).r;
    return low_cloud_depth_of(coarse, ragged);
}

// Where the sun's rays to a place of the sea, m, pass the clouds.
vec2 below_which_clouds(vec2 place, vec3 to_sun) {
    return place + to_sun.xz / max(0.08, to_sun.y) * CLOUD_HEIGHT;
}

// The share of the sun's light that reaches a place of the sea, m, averaged over `footprint` metres.
float sunlight_below_clouds(vec2 place, vec3 to_sun, float footprint) {
    if (low_clouds <= 0.0) return 1.0;
    // The sun is no point: it blurs the edges of shadows.
    return exp(-CLOUD_EXTINCTION * low_cloud_depth(below_which_clouds(place, to_sun), footprint + 30.0));
}

// The same with one reading of the clouds in place of two, and shadows with smooth edges.
float sunlight_below_smooth_clouds(vec2 place, vec3 to_sun, float footprint) {
    if (low_clouds <= 0.0) return 1.0;
    float coarse = textureLod(cloud_tile, below_which_clouds(place, to_sun) / CLOUD_TILE, low_cloud_level(footprint + 30.0)).r;
    return exp(-CLOUD_EXTINCTION * low_cloud_depth_of(coarse, CLOUD_MEAN));
}
