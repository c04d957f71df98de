"""The profiler's overlay over a scene without Fourier transforms: a knot of spinning cubes."""

import argparse

import glfw
import numpy as np
from PIL import Image

import glfft
from glfft.overlay import Overlay
from glfft.ui.window import Window

CUBES, HAZE = 420, (0.045, 0.06, 0.085)

SCENE = f"""#version 430
const vec3 EYE = vec3(0.0, 2.6, 9.5), HAZE = vec3{HAZE}, TO_LIGHT = normalize(vec3(0.5, 0.8, 0.35));
vec3 shown(vec3 light) {{ return pow(light / (light + 0.8) * 1.5, vec3(1.0 / 2.2)); }}
"""
VERTEX = """
in vec3 centre, colour; in vec4 spin;  // spin: axis, angle in radians
uniform float aspect;
out vec3 normal, place, tint;
vec3 rotated(vec3 v) {  // by Rodrigues' formula
    return mix(spin.xyz * dot(spin.xyz, v), v, cos(spin.w)) + cross(spin.xyz, v) * sin(spin.w);
}
void main() {  // six faces of two triangles
    int face = gl_VertexID / 6, axis = face % 3, turned = face < 3 ? 5 - gl_VertexID % 6 : gl_VertexID % 6;
    int corner = int[](0, 1, 2, 2, 1, 3)[turned];  // counter-clockwise seen from outside
    vec3 unit = vec3(face < 3 ? -1 : 1, corner % 2 * 2 - 1, corner / 2 * 2 - 1), out_of = vec3(unit.x, 0.0, 0.0);
    normal = rotated(axis == 0 ? out_of : axis == 1 ? out_of.zxy : out_of.yzx);
    place = centre + 0.12 * rotated(axis == 0 ? unit : axis == 1 ? unit.zxy : unit.yzx);
    tint = colour;
    vec3 back = normalize(EYE), right = normalize(cross(vec3(0.0, 1.0, 0.0), back)), to = place - EYE;
    float away = -dot(to, back);  // the knot is drawn beside the overlay
    vec2 seen = 2.75 * vec2(dot(to, right) / aspect, dot(to, cross(back, right))) + vec2(0.18 * away, 0.0);
    gl_Position = vec4(seen, away - 0.4, away);
}
"""
FRAGMENT = """
in vec3 normal, place, tint; out vec4 fragment;
void main() {
    vec3 n = normalize(normal), to_eye = EYE - place;
    vec3 key = vec3(1.0, 0.93, 0.82) * 1.5 * max(dot(n, TO_LIGHT), 0.0);
    vec3 sky = mix(vec3(0.10, 0.09, 0.10), vec3(0.34, 0.42, 0.55), 0.5 + 0.5 * n.y);
    float highlight = pow(max(dot(n, normalize(TO_LIGHT + normalize(to_eye))), 0.0), 60.0);
    vec3 light = tint * (key + sky) + 0.25 * highlight;
    fragment = vec4(shown(mix(HAZE, light, exp(-0.05 * length(to_eye)))), 1.0);
}
"""


class Knot:
    """Cubes along a torus knot, each turning about its own axis; drawn as one instanced call."""

    def __init__(self, ctx, count: int) -> None:
        self.along = np.linspace(0, 2 * np.pi, count, endpoint=False)
        axes = np.random.default_rng(1).normal(size=(count, 3))
        self.axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        self.colours = 0.36 + 0.3 * np.cos(self.along[:, None] * 2 + np.array([0.3, 1.5, 2.7]))
        self.cubes, self.count = ctx.buffer(reserve=count * 10 * 4), count
        layout = (self.cubes, "3f 4f 3f/i", "centre", "spin", "colour")
        self.mesh = ctx.vertex_array(ctx.program(SCENE + VERTEX, SCENE + FRAGMENT), [layout])

    def move(self, time: float) -> None:
        angle = self.along + 0.15 * time
        ring = 2.3 + np.cos(3 * angle)
        centres = np.column_stack((ring * np.cos(2 * angle), 1.1 * np.sin(3 * angle), ring * np.sin(2 * angle)))
        spins = np.column_stack((self.axes, np.full(self.count, 1.3 * time)))
        self.cubes.write(np.hstack((centres, spins, self.colours)).astype("f4"))

    def draw(self, aspect: float) -> None:
        self.mesh.program["aspect"] = aspect
        self.mesh.render(vertices=36, instances=self.count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cubes", type=int, default=CUBES, help=f"how many (default: {CUBES})")
    parser.add_argument("--frames", type=int, help="end after so many frames, 1/60 s apart")
    parser.add_argument("--screenshot", metavar="FILE", help="save the last frame")
    options = parser.parse_args()
    with Window("Cubes", (1280, 720)) as window, glfft.Profiler(window.ctx) as profiler:
        ctx, overlay = window.ctx, Overlay(window.ctx, profiler, scale=window.content_scale)
        knot, samples, frame = Knot(ctx, max(options.cubes, 1)), None, 0
        background = [(each / (each + 0.8) * 1.5) ** (1 / 2.2) for each in HAZE]  # as the fragment shader shows it
        while not window.should_close and frame != options.frames:
            window.poll()
            time, frame, size = frame / 60 if options.frames else glfw.get_time(), frame + 1, window.size
            if 0 in size:  # minimised
                continue
            if samples is None or samples.size != size:
                parts = ctx.renderbuffer(size, 4, samples=4), ctx.depth_renderbuffer(size, samples=4)
                samples = ctx.framebuffer([parts[0]], parts[1])
            with profiler.frame():
                with profiler.section("move"):
                    knot.move(time)
                with profiler.section("scene"):
                    samples.use()
                    with profiler.section("clear"):
                        samples.clear(*background)
                    with profiler.section("cubes"):
                        ctx.enable_only(ctx.DEPTH_TEST | ctx.CULL_FACE)
                        knot.draw(size[0] / size[1])
                with profiler.section("resolve"):
                    ctx.screen.viewport = (0, 0, *size)
                    ctx.copy_framebuffer(ctx.screen, samples)
                if frame == options.frames:
                    overlay.refresh()
                overlay.render(ctx.screen, size)
            if frame == options.frames and options.screenshot:
                Image.frombytes("RGB", size, ctx.screen.read(), "raw", "RGB", 0, -1).save(options.screenshot)
            window.swap()


if __name__ == "__main__":
    try:
        main()
    except glfft.errors.DisplayError:
        raise SystemExit("No display: run xvfb-run -a python demos/overlay.py --frames 60 --screenshot a.png") from None
