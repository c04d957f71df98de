"""A box that floats on the library's sea: the water under it is looked up in each frame, lifts it and turns it."""

import argparse

import numpy as np
from PIL import Image

import glfft
from glfft.sea import OceanSettings, OceanSimulation, SeaQueries
from glfft.ui.window import Window

SEA = OceanSettings(size=128, tile=150.0, cascades=3, wind=8.0, fetch=40e3, choppiness=1.0, seed=2)
BOX, MASS, DRAG = np.array([4.0, 1.6, 2.8]), 8e3, 2.0  # sides, m; kg; 1/s
INERTIA = MASS / 12.0 * (BOX @ BOX - BOX**2)  # about its three axes, kg m²
RINGS, SPOKES, STEP = 400, 512, 1 / 30  # of the sea's mesh; seconds of a frame

SCENE = f"""#version 430
const float RINGS = {RINGS}, SPOKES = {SPOKES}, PI = 3.14159265;
layout(binding = 0) uniform sampler2DArray sea[3];  // surface, stretch, foam
uniform float aspect, choppiness, tiles[3]; uniform vec3 eye;
const vec3 SUN = normalize(vec3(0.05, 0.2, -0.8)), SUNLIGHT = vec3(2.6, 1.9, 1.2);
vec3 sky(vec3 to) {{
    vec3 clear = mix(vec3(0.62, 0.68, 0.72), vec3(0.1, 0.22, 0.42), 1.0 - exp(-4.0 * max(to.y, 0.0)));
    float c = max(dot(to, SUN), 0.0);
    return clear + SUNLIGHT * (0.1 * pow(c, 6.0) + 0.2 * pow(c, 60.0) + 20.0 * smoothstep(0.9996, 0.9998, c));
}}
vec4 projected(vec3 point) {{  // by a camera that looks at the box
    vec3 back = normalize(eye), right = normalize(cross(vec3(0.0, 1.0, 0.0), back)), to = point - eye;
    return vec4(1.9 / aspect * dot(to, right), 1.9 * dot(to, cross(back, right)), -dot(to, back) - 0.4, -dot(to, back));
}}
vec4 shown(vec3 light) {{ return vec4(pow(1.0 - exp(-1.3 * light), vec3(1.0 / 2.2)), 1.0); }}
"""
WATER_VERTEX = """
out vec2 calm; out vec3 point;
void main() {  // a strip of triangles from each ring around the box to the next; the last ring carries the sky
    float ring = gl_InstanceID + gl_VertexID % 2, away = pow(6000.0, ring / RINGS) - 0.99;
    calm = away * vec2(cos(2.0 * PI * (gl_VertexID / 2) / SPOKES), sin(2.0 * PI * (gl_VertexID / 2) / SPOKES));
    point = vec3(calm.x, ring == RINGS ? away : 0.0, calm.y);
    for (int i = 0; i < 3 && ring < RINGS; i++) {
        vec3 at = vec3(calm / tiles[i] + 0.5 / textureSize(sea[0], 0).x, i);
        float level = log2(0.022 * away * textureSize(sea[0], 0).x / tiles[i]);
        vec2 high = textureLod(sea[0], at, level).xy;
        point += vec3(choppiness * high.y, high.x, choppiness * textureLod(sea[1], at, level).x);
    }
    gl_Position = projected(point);
}
"""
WATER_FRAGMENT = """
in vec2 calm; in vec3 point; out vec4 colour;
void main() {
    vec3 to = normalize(point - eye);
    vec2 slope = vec2(0.0);
    float white = texture(sea[2], vec3(calm / tiles[0], 0)).x;
    for (int i = 0; i < 3; i++) slope += texture(sea[0], vec3(calm / tiles[i], i), -1.0).zw;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y)), facet = normalize(SUN - to), mirrored = reflect(to, normal);
    float mirror = 0.02 + 0.8 * pow(1.0 + min(dot(to, normal), 0.0), 5.0), rough = 0.005 + 8e-5 * length(point - eye);
    vec2 off = facet.xz / facet.y + slope;
    vec3 glint = SUNLIGHT * min(exp(-dot(off, off) / rough) / (4.0 * PI * rough * pow(facet.y, 4.0)), 20.0);
    vec3 water = mix(vec3(0.003, 0.016, 0.03), vec3(0.01, 0.065, 0.075), clamp(0.5 + 0.5 * point.y, 0.0, 1.0));
    vec3 light = mix(mix(water, sky(normalize(mirrored + vec3(0.0, 0.1, 0.0))) + glint, mirror), vec3(0.8), white);
    light = mix(sky(normalize(vec3(to.x, 0.0, to.z))), light, exp(-length(point - eye) / 1500.0));
    colour = shown(point.y > 99.0 ? sky(to) : light);
}
"""
BOX_VERTEX = """
uniform mat3 turn; uniform vec3 place, sides;
out vec3 normal, within;
void main() {  // six faces of two triangles
    int face = gl_VertexID / 6, corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexID % 6], axis = face % 3;
    vec3 unit = vec3(face < 3 ? -1 : 1, corner % 2 * 2 - 1, corner / 2 * 2 - 1);
    unit = axis == 0 ? unit : axis == 1 ? unit.zxy : unit.yzx;
    normal = turn[axis] * unit[axis];
    within = 0.5 * sides * unit;
    gl_Position = projected(place + turn * within);
}
"""
BOX_FRAGMENT = """
in vec3 normal, within; out vec4 colour;
void main() {
    float board = abs(fract(within.y * 2.5 + 0.25) - 0.5), wet = step(within.y + 0.1 * sin(4.0 * within.x), 0.0);
    vec3 paint = abs(within.x) < 0.5 ? vec3(0.8, 0.76, 0.68) : vec3(0.7, 0.13, 0.05);
    vec3 light = SUNLIGHT * max(dot(normal, SUN), 0.0) + (0.6 + 0.4 * normal.y) * sky(vec3(0.0, 0.3, 0.0));
    colour = shown(paint * light * (1.0 - 0.5 * wet) * smoothstep(0.5, 0.46, board));
}
"""


class Body:
    """The box as a rigid body that heaves, pitches and rolls where it is, in SI units."""

    def __init__(self) -> None:
        self.place, self.turn, self.velocity, self.spin = np.zeros(3), np.eye(3), 0.0, np.zeros(3)
        self.floor = BOX * [(x / 5, -0.5, z / 5) for x in range(-2, 3) for z in range(-2, 3)]  # of 25 columns

    def move(self, water: np.ndarray) -> None:
        """One step of time; Archimedes' law holds for each column, above which the water has a height."""
        arms = self.floor @ self.turn.T
        immersed = np.clip(water - self.place[1] - arms[:, 1], 0.0, BOX[1])
        lift = np.outer(1025.0 * 9.81 * immersed * BOX[0] * BOX[2] / len(arms), (0.0, 1.0, 0.0))
        arms += np.outer(immersed / 2.0, self.turn[:, 1])  # lift acts on the middle of what is immersed
        self.velocity += STEP * (lift.sum() / MASS - 9.81 - DRAG * self.velocity)
        self.spin += STEP * (self.turn @ (self.turn.T @ np.cross(arms, lift).sum(axis=0) / INERTIA) - DRAG * self.spin)
        self.place[1] += STEP * self.velocity
        left, _, right = np.linalg.svd(self.turn + STEP * np.cross(self.spin, self.turn.T).T)
        self.turn = left @ right  # the nearest rotation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, help="end after so many frames")
    parser.add_argument("--screenshot", metavar="FILE", help="save the last frame")
    options = parser.parse_args()
    with Window("A box", (1280, 720), samples=4) as window, OceanSimulation(window.ctx, SEA) as sea:
        ctx, body, queries, asked, frame = window.ctx, Body(), SeaQueries.following(sea, most=25), None, 0
        water = ctx.vertex_array(ctx.program(SCENE + WATER_VERTEX, SCENE + WATER_FRAGMENT), [], mode=ctx.TRIANGLE_STRIP)
        box = ctx.vertex_array(ctx.program(SCENE + BOX_VERTEX, SCENE + BOX_FRAGMENT), [])
        water.program["tiles"], box.program["sides"] = [each.tile for each in sea.tiles], BOX
        ctx.enable(ctx.DEPTH_TEST)
        while not window.should_close and frame != options.frames:
            window.poll()
            frame += 1
            sea.update(frame * STEP)
            if asked is not None:  # the water of the frame before: nothing waits for the GPU
                body.move(asked.result().height)
            asked = queries.submit(body.place[::2] + (body.floor @ body.turn.T)[:, ::2])
            eye = np.array([9.0 * np.sin(frame / 300 + 0.6), 2.6, 9.0 * np.cos(frame / 300 + 0.6)])
            for each in water, box:
                each.program["eye"], each.program["aspect"] = eye, window.size[0] / max(window.size[1], 1)
            for unit, texture in enumerate((sea.surface, sea.stretch, sea.foam)):
                texture.use(unit)
            water.program["choppiness"] = sea.choppiness
            box.program["turn"] = tuple(body.turn.T.flat)
            box.program["place"] = body.place
            ctx.viewport = (0, 0, *window.size)
            ctx.clear()
            water.render(vertices=2 * SPOKES + 2, instances=RINGS)
            box.render(vertices=36)
            if frame == options.frames and options.screenshot:
                Image.frombytes("RGB", window.size, ctx.screen.read(), "raw", "RGB", 0, -1).save(options.screenshot)
                print(f"box {body.place[1]:+.2f} m, water {asked.result().height.mean():+.2f} m")
            window.swap()


if __name__ == "__main__":
    try:
        main()
    except glfft.errors.DisplayError:
        raise SystemExit(
            "No display: run xvfb-run -a python demos/floating_box.py --frames 90 --screenshot a.png"
        ) from None
