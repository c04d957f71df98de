// The tone curve: linear light, 1 for display white, to the numbers of a display.
// It follows the shape of Troy Sobotka's AgX: colours are made a little less saturated, encoded as stops, and mapped by a
// sigmoid, so that bright light becomes white, as on film, and not yellow.

const float LOWEST_STOP = -10.0;
const float HIGHEST_STOP = 5.0;

vec3 filmic(vec3 linear) {
    const mat3 draw_together = mat3(
        0.842479, 0.042328, 0.042376,
        0.078434, 0.878469, 0.078434,
        0.079224, 0.079166, 0.879143);
    const mat3 draw_apart = mat3(
        1.196879, -0.052897, -0.052972,
        -0.098021, 1.151903, -0.098043,
        -0.099030, -0.098961, 1.151074);
    vec3 stops = log2(max(draw_together * linear, vec3(1e-6)));
    vec3 x = clamp((stops - LOWEST_STOP) / (HIGHEST_STOP - LOWEST_STOP), 0.0, 1.0);
    // A logistic curve with its steepest point near middle grey, stretched to run from exactly 0 to exactly 1.
    const float pivot = 0.525;
    const float slope = 8.0;
    vec3 bent = 1.0 / (1.0 + exp(-slope * (x - pivot)));
    float low = 1.0 / (1.0 + exp(slope * pivot));
    float high = 1.0 / (1.0 + exp(-slope * (1.0 - pivot)));
    vec3 encoded = (bent - low) / (high - low);
    encoded = draw_apart * encoded;
    float grey = dot(encoded, vec3(0.2126, 0.7152, 0.0722));
    return clamp(mix(vec3(grey), encoded, 1.22), 0.0, 1.0);
}
