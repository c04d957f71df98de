// A layer of low clouds: what it hides of the sky and of the sun.
// Inputs: cloud_tile (see cloud_tile.frag), low_clouds (share of the sky that it covers, 0 to 1).

uniform sampler2D cloud_tile;
uniform float low_clouds;

const float CLOUD_TILE = 14000.0;   // m
const float CLOUD_HEIGHT = 1500.0;  // m
const float CLOUD_MEAN = 0.647;     // mean of the tile and of its ragged reading, and the standard deviation of both mixed
const float CLOUD_DEVIATION = 0.085;
const float CLOUD_SHADOW = 600.0;   // m
const float SUN_WIDTH = 0.0093;    // rad
const float CLOUD_EXTINCTION = 1.9; // of light that passes clouds straight on, for a thickness of 1

float low_cloud_level(float footprint) {
    return log2(footprint * float(textureSize(cloud_tile, 0).x) / CLOUD_TILE);
}

// About the share low_clouds of a normal distribution lies above this.
float cloud_edge() {
    return 0.6 * log((1.0 - low_clouds) / (low_clouds + 1e-3) + 0.003);
}

// How far the mean of the tile and its ragged second reading is above that, in standard deviations.
float above_cloud_edge(float coarse, float ragged) {
    return max(0.0, (0.8 * coarse + 0.2 * ragged - CLOUD_MEAN) / CLOUD_DEVIATION - cloud_edge());
}

float cloud_thickness_of(float over) {
    return 2.2 * over * over / (0.4 + over);
}

// Thickness where the tile and its ragged second reading have these values.
float low_cloud_depth_of(float coarse, float ragged) {
    return cloud_thickness_of(above_cloud_edge(coarse, ragged));
}

float smooth_clouds(vec2 point, float footprint) {
    return textureLod(cloud_tile, point / CLOUD_TILE, low_cloud_level(footprint)).r;
}

float ragged_clouds(vec2 point, float footprint) {
    return textureLod(cloud_tile, 3.7 / CLOUD_TILE * point.yx, low_cloud_level(footprint) + 1.9).r;
}

// Thickness over a point, m, averaged over `footprint` metres.
float low_cloud_depth(vec2 point, float footprint) {
    return low_cloud_depth_of(smooth_clouds(point, footprint), ragged_clouds(point, footprint));
}

// How high clouds stand above their base, 0 at their edges to about 1 at the highest tops; see above_cloud_edge.
float heap_height(float over) {
    float part = min(1.0, over / (2.2 - cloud_edge()));
    return part * (2.0 - part);
}

// The other way round: how far above the edge clouds are that high.
float heap_edge(float height) {
    return (2.2 - cloud_edge()) * (1.0 - sqrt(max(0.0, 1.0 - height)));
}

// Where the sun's rays to a place of the sea, m, pass the clouds.
vec2 below_which_clouds(vec2 place, vec3 to_sun) {
    return place + to_sun.xz / max(0.08, to_sun.y) * CLOUD_HEIGHT;
}

// The share of the sun's light that passes clouds of a thickness. The tile has some thin places even where it covers all, of which
// the least light would glitter below an overcast sky: a closed layer has no gaps.
float sunlight_through(float thick) {
    return exp(-CLOUD_EXTINCTION * thick) * min(1.0, 20.0 * (1.0 - low_clouds));
}

// The share that reaches all that a pixel covers, so many metres along the view. At the horizon there are many shadows, one behind the
// other; the light at one place between two of them would be a dash.
float sunlight_of_many(float sunlight, float covered) {
    return mix(sunlight, 1.0 - low_clouds, smoothstep(CLOUD_SHADOW, 5.0 * CLOUD_SHADOW, covered));
}

// The sun is a disc of 0.53 degrees. Behind an edge of a cloud it sets or rises along h d / sin(e)^2 metres of the sea, of the cloud's
// height h, the sun's width d and its elevation e: over 14 m at noon, and 3 km at 4 degrees, where no shadow has an edge.
float sunlight_of_disc(float sunlight, vec3 to_sun) {
    return sunlight_of_many(sunlight, CLOUD_HEIGHT * SUN_WIDTH / max(1e-3, to_sun.y * to_sun.y));
}

// The share of the sun's light that reaches a place of the sea, m, averaged over `footprint` metres.
float sunlight_below_clouds(vec2 place, vec3 to_sun, float footprint) {
    if (low_clouds <= 0.0) return 1.0;
    // The sun is no point: it blurs the edges of shadows.
    float sunlight = sunlight_through(low_cloud_depth(below_which_clouds(place, to_sun), footprint + 30.0));
    return sunlight_of_disc(sunlight, to_sun);
}

// The same with one reading of the clouds in place of two, and shadows with smooth edges.
float sunlight_below_smooth_clouds(vec2 place, vec3 to_sun, float footprint) {
    if (low_clouds <= 0.0) return 1.0;
    float coarse = smooth_clouds(below_which_clouds(place, to_sun), footprint + 30.0);
    return sunlight_of_disc(sunlight_through(low_cloud_depth_of(coarse, CLOUD_MEAN)), to_sun);
}
