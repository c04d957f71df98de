"""A sea in a window: spectrum, transform and light are computed in each frame; the up and down keys change the wind."""

import argparse

import glfw
import numpy as np
from PIL import Image

import glfft
from glfft.overlay import Overlay
from glfft.ui.window import Window

SIZE, RINGS, SPOKES, FETCH = 256, 600, 400, 3e5  # samples along a tile; the mesh; how far the wind has blown, m
TILES = 610.0, 79.0, 11.3  # sides, m

# Tessendorf (2001), with the spectrum JONSWAP. A tile is two layers of four real fields, (height, dx, dz, slope x) and
# (slope z, dxx, dzz, dxz). Two real fields a and b with spectra A and B are one complex field, a + ib from A + iB.
WAVES = """
#include "common/complex.glsl"
uniform sampler2DArray noise; uniform float tiles[3], alpha, peak, time;
const float PI = 3.14159265, CHOPPINESS = 1.1, EDGES[4] = float[](0.005, 0.477, 3.34, 1e9);  // between tiles, rad/m
vec2 amplitude(ivec2 at, vec2 k, int tile) {  // of the wave that travels to k
    float number = length(k), ratio = sqrt(9.81 * number) / peak, off = (ratio - 1.0) / (ratio < 1.0 ? 0.07 : 0.09);
    if (number < EDGES[tile] || number >= EDGES[tile + 1] || k.x <= 0.0) return vec2(0.0);
    float energy = 0.5 * alpha * exp(-1.25 * pow(ratio, -4.0)) * pow(3.3, exp(-0.5 * off * off)) / pow(number, 4.0);
    return texelFetch(noise, ivec3(at, tile), 0).xy * PI / tiles[tile] * sqrt(2.0 / PI * energy) * k.x / number;
}
value load(ivec3 at) {
    int tile = at.z / 2;
    vec2 k = 2.0 * PI / tiles[tile] * vec2((at.xy + COLUMNS / 2) % COLUMNS - COLUMNS / 2);
    vec2 d = CHOPPINESS * k / max(length(k), 1e-6);  // (dx, dz) has the spectrum i d h
    float phase = sqrt(9.81 * length(k)) * time;
    vec2 turn = vec2(cos(phase), -sin(phase)), h = multiply(amplitude(at.xy, k, tile), turn);
    h += conjugate(multiply(amplitude((COLUMNS - at.xy) % COLUMNS, -k, tile), turn));
    vec4 fields = at.z % 2 == 0 ? vec4(1.0 - d.x, 0.0, -k.x, d.y) : vec4(0.0, k.y - k.x * d.x, -k.y * d.y, -k.x * d.y);
    return vec4(multiply(fields.xy, h), multiply(fields.zw, h));
}
"""
FOAM = """
layout(r16f) uniform image2DArray foam; uniform float fading;
void store(ivec3 at, value result) {  // foam comes where the Jacobian of the displacement is small, and fades
    write_target(at, result);
    float squeezed = 1.0 - determinant(mat2(1.0) + mat2(result.yw, result.wz));
    ivec3 place = ivec3(at.xy, at.z / 2);
    if (at.z % 2 == 1) imageStore(foam, place, vec4(max(squeezed, fading * imageLoad(foam, place).x)));
}
"""
SCENE = f"""#version 430
const float TILES[3] = float[]{TILES}, SIZE = {SIZE}, RINGS = {RINGS}, SPOKES = {SPOKES}, PI = 3.14159265;
const vec3 SUN = normalize(vec3(0.2, 0.14, -0.97)), SUNLIGHT = vec3(5.0, 3.2, 1.5), AIR = vec3(0.046, 0.108, 0.265);
layout(binding = 0) uniform sampler2DArray fields; layout(binding = 1) uniform sampler2DArray foam;
uniform float alpha, aspect;
"""
VERTEX = """
out vec2 calm; out vec3 point;  // from the eye
void main() {  // a strip of triangles from each ring to the next, farthest first; the outer ring is a wall with the sky
    float ring = RINGS - gl_InstanceID - gl_VertexID % 2, ratio = pow(2e4, 1.0 / RINGS), away = pow(ratio, ring);
    float angle = 1.8 * (gl_VertexID / 2 / SPOKES - 0.5);
    calm = away * vec2(sin(angle), -cos(angle));
    point = vec3(calm.x, ring == RINGS ? away : -6.0, calm.y);
    for (int tile = 0; tile < 3 && ring < RINGS; tile++) {
        float level = log2(away * (ratio - 1.0) * SIZE / TILES[tile]);
        point += textureLod(fields, vec3(calm / TILES[tile], 2 * tile), level).yxz;
    }
    gl_Position = vec4(2.2 * point.x / aspect, 2.2 * point.y - 0.25 * point.z, -point.z - 1.0, -point.z);
}
"""
FRAGMENT = """
in vec2 calm; in vec3 point; out vec4 colour;
vec3 sky(vec3 to) {  // light scattered once, by air and by haze
    float c = dot(to, SUN), up = clamp(to.y, 0.0, 1.0), mass = 1.0 / (up + 0.15 * pow(57.3 * asin(up) + 3.9, -1.25));
    vec3 both = AIR + 0.02, scattered = 0.06 * AIR * (1.0 + c * c) + 0.00068 / pow(1.58 - 1.52 * c, 1.5);
    return vec3(7.0, 6.0, 5.0) * scattered / both * (1.0 - exp(-both * mass));
}
vec3 sea(vec3 to) {
    vec2 slope = vec2(0.0), stretch = vec2(1.0), pixel = vec2(length(dFdx(calm)), length(dFdy(calm)));  // m
    float squeezed = 0.6 * texture(foam, vec3(calm / 5.3, 2)).x;
    for (int tile = 0; tile < 3; tile++) {
        vec3 at = vec3(calm / TILES[tile], 2 * tile);
        float level = log2(sqrt(pixel.x * pixel.y) * SIZE / TILES[tile]);
        vec4 second = textureLod(fields, at + vec3(0.0, 0.0, 1.0), level);
        slope += vec2(textureLod(fields, at, level).w, second.x);
        stretch += second.yz;
        squeezed += textureLod(foam, vec3(at.xy, tile), level).x;
    }
    slope /= max(stretch, 0.3);
    float rough = 0.5 * alpha * log(2.0 + 118.0 * max(pixel.x, pixel.y));  // variance of slopes smaller than a pixel
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y)), facet = normalize(SUN - to);
    vec3 mirrored = normalize(reflect(to, normal) + vec3(0.0, 0.5 * sqrt(rough), 0.0));
    float facing = max(-dot(to, normal), 0.05);  // Fresnel's law on rough water: Bruneton and others (2010)
    float mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0 * exp(-2.69 * sqrt(rough))) / (1.0 + 22.7 * pow(rough, 0.75));
    vec2 off = facet.xz / facet.y + slope;  // how far the facets that show the sun are from the mean slope
    float glint = exp(-dot(off, off) / rough) / (4.0 * PI * rough * pow(facet.y, 4.0) * facing);  // Cox and Munk (1954)
    vec3 water = mix(vec3(0.003, 0.014, 0.022), vec3(0.01, 0.09, 0.07), clamp(0.2 * point.y + 1.3, 0.0, 1.0));
    vec3 light = mix(water, sky(mirrored) + glint * SUNLIGHT, mirror);
    light = mix(light, vec3(0.5, 0.46, 0.42), smoothstep(0.55, 0.9, squeezed));
    return mix(sky(normalize(vec3(to.x, 0.0, to.z))), light, exp(-length(point) / 6000.0));
}
void main() {
    vec3 to = normalize(point);
    vec3 light = point.y > 99.0 ? sky(to) + 99.0 * SUNLIGHT * smoothstep(0.99996, 0.99998, dot(to, SUN)) : sea(to);
    light = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);  // Narkowicz's fit of ACES
    colour = vec4(pow(min(light, 1.0), vec3(1.0 / 2.2)), 1.0);
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, help="end after so many frames, 1/30 s apart")
    parser.add_argument("--screenshot", metavar="FILE", help="save the last frame")
    options = parser.parse_args()
    with Window("A sea", (1280, 720), samples=4) as window, glfft.Profiler(window.ctx) as profiler:
        ctx, overlay = window.ctx, Overlay(window.ctx, profiler, corner="bottom-left", scale=window.content_scale)
        fields = ctx.texture_array((SIZE, SIZE, 6), 4, dtype="f2")
        foam = ctx.texture_array((SIZE, SIZE, 3), 1, bytes(6 * SIZE**2), dtype="f2")
        normal = np.random.default_rng(1).standard_normal((3, SIZE, SIZE, 2), np.float32)
        waves = glfft.Plan(ctx, (SIZE, SIZE), layers=6, storage="rgba16f", norm="forward", load=WAVES, store=FOAM)
        waves.set_uniforms(tiles=TILES, foam=foam, noise=ctx.texture_array((SIZE, SIZE, 3), 2, normal, dtype="f4"))
        mesh = ctx.vertex_array(ctx.program(SCENE + VERTEX, SCENE + FRAGMENT), [], mode=ctx.TRIANGLE_STRIP)
        wind, time, frame = 14.0, 0.0, 0
        while not window.should_close and frame != options.frames:
            window.poll()
            before, time, frame = time, frame / 30 if options.frames else glfw.get_time(), frame + 1
            stronger = window.is_down(glfw.KEY_UP) - window.is_down(glfw.KEY_DOWN)
            wind = min(max(wind + 4.0 * (time - before) * stronger, 3.0), 25.0)  # m/s
            alpha, peak = 0.076 * (wind**2 / (FETCH * 9.81)) ** 0.22, 22.0 * (9.81**2 / (wind * FETCH)) ** (1 / 3)
            with profiler.frame():
                with profiler.section("waves"):
                    waves.set_uniforms(alpha=alpha, peak=peak, time=time, fading=0.6 ** (time - before))
                    waves.inverse(None, fields)  # every barrier: the next frame loads foam
                    fields.build_mipmaps()
                    foam.build_mipmaps()
                with profiler.section("scene"):
                    ctx.viewport = (0, 0, *window.size)
                    mesh.program["alpha"], mesh.program["aspect"] = alpha, window.size[0] / max(window.size[1], 1)
                    fields.use(0)
                    foam.use(1)
                    mesh.render(vertices=2 * SPOKES + 2, instances=RINGS)
                overlay.render(size=window.size)
            if frame == options.frames and options.screenshot:
                Image.frombytes("RGB", window.size, ctx.screen.read(), "raw", "RGB", 0, -1).save(options.screenshot)
            window.swap()


if __name__ == "__main__":
    try:
        main()
    except glfft.errors.DisplayError:
        raise SystemExit("No display: run xvfb-run -a python demos/ocean.py --frames 60 --screenshot sea.png") from None
