// What a lens makes of a point of white light: its power spectrum scaled by each wavelength, added up in colour.
// Inputs:   power         |F|^2 of the aperture, zero frequency at (SIDE / 2, SIDE / 2), filtered linearly
//           waves         a texel for each wavelength: what it adds to red, green and blue, and MIDDLE / wavelength
//           bins          of the spectrum to a pixel of the kernel, at the wavelength MIDDLE
//           reach         pixels from the middle to where the kernel has faded to zero
// Outputs:  kernel        KERNEL x KERNEL, layers red, green, blue; not normalised
// Defines:  KERNEL (odd), SIDE, WAVES, POWER_UNIT, WAVES_UNIT, IMAGE_UNIT

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = POWER_UNIT) uniform sampler2D power;
layout(binding = WAVES_UNIT) uniform sampler2D waves;
layout(r32f, binding = IMAGE_UNIT) writeonly uniform image2DArray kernel;

uniform float bins;
uniform float reach;

const int PLACES_IN_MIDDLE = 64;  // for each wavelength; other pixels have one
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, ivec2(KERNEL)))) return;
    vec2 place = vec2(pixel - KERNEL / 2);
    // Samples within a pixel, mirrored as pixels are: a symmetric aperture gives a symmetric kernel.
    vec2 turned = sign(place);
    if (turned.x == 0.0) turned.x = turned.y;
    if (turned.y == 0.0) turned.y = turned.x;
    // The middle pixel is turned nowhere. Most light may be in a small part of it.
    bool is_middle = turned == vec2(0.0);
    if (is_middle) turned = vec2(1.0);
    int places = is_middle ? PLACES_IN_MIDDLE : 1;
    // Squared, as the end of a halo around the sun is seen over many stops.
    float fade = 1.0 - smoothstep(0.3 * reach, reach, length(place));
    fade *= fade;
    vec3 light = vec3(0.0);
    if (fade > 0.0) {
        for (int wave = 0; wave < WAVES; ++wave) {
            vec4 colour = texelFetch(waves, ivec2(wave, 0), 0);
            // A pattern that is smaller is brighter.
            colour.rgb *= colour.a * colour.a / float(places);
            for (int each = wave * places; each < (wave + 1) * places; ++each) {
                // Roberts' R2 sequence: even over the pixel, and over any run of wavelengths.
                vec2 within = fract(0.5 + float(each) * vec2(0.7548776662466927, 0.5698402909980532)) - 0.5;
                vec2 frequency = (place + turned * within) * (bins * colour.a);
                vec2 lookup = (frequency + (0.5 * float(SIDE) + 0.5)) / float(SIDE);
                bool inside = all(lessThan(abs(frequency), vec2(0.5 * float(SIDE) - 1.0)));
                if (inside) light += colour.rgb * textureLod(power, lookup, 0.0).r;
            }
        }
    }
    // Pure colours lie outside what displays can show: less saturated, of the same luminance, they are inside.
    float grey = max(0.0, dot(light, LUMINANCE));
    float least = min(light.r, min(light.g, light.b));
    if (least < 0.0) light = mix(vec3(grey), light, grey / max(grey - least, 1e-30));
    light = max(light, vec3(0.0)) * fade;
    imageStore(kernel, ivec3(pixel, 0), vec4(light.r));
    imageStore(kernel, ivec3(pixel, 1), vec4(light.g));
    imageStore(kernel, ivec3(pixel, 2), vec4(light.b));
}
