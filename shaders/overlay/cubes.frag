// Shades the example's cubes: a warm key light, a cool sky, a highlight, and haze with distance.
// Inputs: normal, place (world space), tint (linear). Output: sRGB-encoded colour. Uniforms: eye (scene units), haze
// (linear colour at infinity). No defines.

in vec3 normal;
in vec3 place;
in vec3 tint;

uniform vec3 eye;
uniform vec3 haze;

out vec4 fragment;

const vec3 TO_KEY_LIGHT = normalize(vec3(0.5, 0.8, 0.35));

void main() {
    vec3 n = normalize(normal);
    vec3 to_eye = eye - place;
    float distance_to_eye = length(to_eye);
    vec3 key = vec3(1.0, 0.93, 0.82) * 1.5 * max(dot(n, TO_KEY_LIGHT), 0.0);
    vec3 sky = mix(vec3(0.10, 0.09, 0.10), vec3(0.34, 0.42, 0.55), 0.5 + 0.5 * n.y);
    float highlight = pow(max(dot(n, normalize(TO_KEY_LIGHT + to_eye / distance_to_eye)), 0.0), 60.0);
    vec3 light = tint * (key + sky) + 0.25 * highlight;
    light = mix(haze, light, exp(-0.05 * distance_to_eye));
    fragment = vec4(pow(light / (light + 0.8) * 1.5, vec3(1.0 / 2.2)), 1.0);
}
