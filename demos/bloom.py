"""Bloom as a camera has it: a bright scene convolved with the diffraction pattern of a six-bladed aperture.

The up and down keys open and close the aperture: a small one makes large stars. Without a display, add
--window headless --backend egl --frames 1 --screenshot bloom.png.
"""

import moderngl_window
import numpy as np
from numpy.typing import NDArray
from PIL import Image

import glfft

ROWS, COLUMNS, MARGIN = 360, 640, 72  # of the convolved picture, and the dark margin that keeps its sides apart
SHAPE = ROWS + 2 * MARGIN, COLUMNS + 2 * MARGIN

SCREEN = """
#version 430
void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0.0, 1.0); }
"""
LAMPS = """
#version 430
uniform float time;
uniform vec2 size;
out vec4 light;
vec4 hit(vec3 from, vec3 to) {  // light of the nearest lamp, and how far away it is
    vec4 nearest = vec4(vec3(0.03, 0.045, 0.09) * exp(-9.0 * abs(to.y - 0.02)), 1e9);
    for (int i = 0; i < 36; i++) {
        bool star = i % 5 == 0;
        float turn = 2.39996 * i + time * (0.1 + 0.3 / (1.0 + 0.2 * i)), radius = star ? 0.022 : 0.05 + 0.03 * (i % 4);
        vec3 lamp = vec3((0.9 + 0.14 * i) * vec2(sin(turn), cos(turn)), 0.55 + 0.4 * sin(1.7 * i + time)).xzy - from;
        float along = dot(lamp, to), inside = radius * radius + along * along - dot(lamp, lamp);
        float away = along - sqrt(max(inside, 0.0));
        vec3 hue = mix(vec3(1.0, 0.42, 0.1), vec3(0.12, 0.55, 1.0), 0.5 + 0.5 * sin(2.1 * i)) * (star ? 1500.0 : 4.0);
        float limb = sqrt(max(inside, 0.0)) / radius;
        if (inside > 0.0 && away > 0.0 && away < nearest.w) nearest = vec4(hue * (0.2 + limb), away);
    }
    return nearest;
}
void main() {
    vec3 from = vec3(0.0, 1.3, 6.0), to = normalize(vec3((gl_FragCoord.xy - 0.5 * size) / size.y, -1.1));
    vec4 seen = hit(from, to);
    float floor_away = from.y / max(-to.y, 1e-6);
    if (floor_away < seen.w && to.y < 0.0) {  // a wet floor mirrors more of the light that grazes it
        vec3 place = from + floor_away * to;
        vec2 ripple = 0.02 * vec2(sin(place.x * 19.0 + sin(place.z * 17.0)), sin(place.z * 31.0 + sin(place.x * 9.0)));
        vec3 mirrored = normalize(reflect(to, normalize(vec3(ripple.x, 1.0, ripple.y))));
        seen = hit(place, mirrored) * (0.04 + 0.96 * pow(1.0 - mirrored.y, 5.0));
    }
    light = vec4(seen.rgb, 1.0);
}
"""
# Red, green and blue are three layers of one plan; it reads the scene at half its size, and nothing outside it.
LOAD = """
uniform sampler2D scene;
uniform int margin;
value load(ivec3 at) {
    ivec2 size = ivec2(COLUMNS, ROWS) - 2 * margin, place = at.xy - margin;
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, size))) return value(0.0);
    return value(textureLod(scene, (vec2(place) + 0.5) / vec2(size), 1.0)[at.z], 0.0);
}
"""
MULTIPLY = """
#include "common/complex.glsl"
uniform sampler2DArray aperture;
value product(ivec3 at, value spectrum) { return multiply(spectrum, texelFetch(aperture, at, 0).xy); }
"""
PICTURE = """
#version 430
layout(binding = 0) uniform sampler2D scene;
layout(binding = 1) uniform sampler2DArray bloom;
uniform vec2 size, share;
out vec4 colour;
void main() {
    vec2 place = gl_FragCoord.xy / size, within = 0.5 + (place - 0.5) * share;
    vec3 glow = vec3(0.0);
    for (int i = 0; i < 3; i++) glow[i] = max(texture(bloom, vec3(within, i)).x, 0.0);
    vec3 light = mix(texture(scene, place).rgb, glow, 0.5);
    colour = vec4(pow(1.0 - exp(-light), vec3(1.0 / 2.2)), 1.0);
}
"""


def aperture_spectra(radius: float) -> NDArray[np.complex64]:
    """Transforms of the patterns of a hexagon, [3, rows, columns // 2 + 1]: each the mean over a band of wavelengths.

    The pattern is the squared magnitude of the aperture's transform, and grows with the wavelength.
    """
    y, x = np.meshgrid(np.fft.fftfreq(SHAPE[0]), np.fft.fftfreq(SHAPE[1]), indexing="ij")
    across = np.max([np.abs(x * np.cos(a) + y * np.sin(a)) for a in np.radians([15, 75, 135])], axis=0)
    spectra = []
    for band in (570, 680), (490, 590), (430, 500):  # nm
        patterns = [np.abs(glfft.ifft2(across < radius * 550 / each)) ** 2 for each in np.linspace(*band, 9)]
        spectra.append(sum(glfft.rfft2(each / each.sum()) for each in patterns) / len(patterns))
    return np.array(spectra, np.complex64)


class Bloom(moderngl_window.WindowConfig):
    gl_version, title, window_size, resizable = (4, 3), "Bloom", (2 * COLUMNS, 2 * ROWS), False

    @classmethod
    def add_arguments(cls, parser):
        parser.add_argument("--frames", type=int, help="end after so many frames")
        parser.add_argument("--screenshot", metavar="FILE", help="save the last frame")

    def __init__(self, **keywords):
        super().__init__(**keywords)
        ctx, self.radius, self.frame, half = self.ctx, 0.15, 0, SHAPE[1] // 2 + 1
        self.scene = ctx.texture(self.window_size, 4, dtype="f2")
        self.target = ctx.framebuffer([self.scene])
        self.bloom = ctx.texture_array((SHAPE[1], SHAPE[0], 3), 1, dtype="f4")
        self.aperture = ctx.texture_array((half, SHAPE[0], 3), 2, aperture_spectra(self.radius), dtype="f4")
        self.plan = glfft.Plan(ctx, SHAPE, layers=3, real=True, load=LOAD, multiply=MULTIPLY)
        self.plan.set_uniforms(scene=self.scene, aperture=self.aperture, margin=MARGIN)
        self.lamps = ctx.vertex_array(ctx.program(SCREEN, LAMPS), [])
        self.picture = ctx.vertex_array(ctx.program(SCREEN, PICTURE), [])
        self.picture.program["share"] = COLUMNS / SHAPE[1], ROWS / SHAPE[0]
        for each in self.lamps, self.picture:
            each.program["size"] = self.window_size

    def on_key_event(self, key, action, modifiers):
        step = {self.wnd.keys.UP: 1.1, self.wnd.keys.DOWN: 1 / 1.1}.get(key)
        if step and action == self.wnd.keys.ACTION_PRESS:
            self.radius = float(np.clip(self.radius * step, 0.03, 0.3))
            self.aperture.write(aperture_spectra(self.radius))

    def on_render(self, time, frame_time):
        self.frame += 1
        self.lamps.program["time"] = self.frame / 60
        self.target.use()
        self.lamps.render(vertices=3)
        self.scene.build_mipmaps()
        self.plan.convolve(None, self.bloom, next_use="sample")
        self.wnd.use()
        self.scene.use(0)
        self.bloom.use(1)
        self.picture.render(vertices=3)
        if self.frame == self.argv.frames:
            if self.argv.screenshot:
                pixels = self.wnd.fbo.read()
                Image.frombytes("RGB", self.wnd.fbo.size, pixels, "raw", "RGB", 0, -1).save(self.argv.screenshot)
            self.wnd.close()


if __name__ == "__main__":
    try:
        Bloom.run()
    except Exception as error:  # each of moderngl-window's backends has an error of its own
        named = "Display" in type(error).__name__
        raise (SystemExit(f"No display: add {__doc__.splitlines()[-1]}") if named else error) from None
