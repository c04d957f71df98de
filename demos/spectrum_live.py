"""A live spectrogram in a pygame window: of the microphone (needs sounddevice), of a WAV file, or of synthetic birds.

Each frame feeds samples to a stream and writes the spectra that are ready into a ring of columns. Escape ends it.
"""

import argparse
from collections.abc import Iterator

import moderngl
import numpy as np
import pygame
from PIL import Image

import glfft
from glfft.streaming import Stream, microphone, regroup, wav_samples

LENGTH, HOP, LINES, HISTORY = 2048, 184, 4, 1024  # samples; from line to line; lines in a block; lines that are shown
BINS, RATE = LENGTH // 2 + 1, 44100
SIZE = 1280, 720

LOAD = f"""
layout(std430, binding = 0) readonly buffer Samples {{ float samples[]; }};
value load(ivec3 at) {{
    float hann = 0.5 - 0.5 * cos(6.2831853 * float(at.x) / float(COLUMNS));
    return value(hann * samples[at.y * {HOP} + at.x], 0.0);
}}
"""
STORE = """
layout(std430, binding = 1) writeonly buffer Lines { float decibels[]; };
void store(ivec3 at, value result) {  // a sine of amplitude 1 has 0 dB
    decibels[at.y * (COLUMNS / 2 + 1) + at.x] = 8.6858896 * log(max(length(result) * 4.0 / float(COLUMNS), 1e-6));
}
"""
SCREEN = """
#version 430
out vec2 place;
void main() {
    place = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0;
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}
"""
PICTURE = f"""
#version 430
const float NYQUIST = {RATE / 2}, BINS = {BINS}, SIDE = 0.82;  // where the spectrogram ends and the spectrum begins
uniform sampler2D ring;  // a line of the spectrogram is a row of the texture
uniform float newest;  // row, from 0 to 1
in vec2 place;
out vec4 colour;
float level(float line) {{  // from 0 at -90 dB to 1 at 0 dB; octaves are as high as each other
    float frequency = 100.0 * pow(NYQUIST / 100.0, place.y);
    return clamp(texture(ring, vec2((frequency / NYQUIST * (BINS - 1.0) + 0.5) / BINS, line)).x / 90.0 + 1.0, 0.0, 1.0);
}}
vec3 heat(float v) {{
    vec3 fire = vec3(smoothstep(0.15, 0.75, v), smoothstep(0.45, 1.0, v), 0.55 * smoothstep(0.0, 0.35, v));
    return fire - vec3(0.0, 0.0, 0.45) * smoothstep(0.4, 0.7, v) + vec3(0.0, 0.0, 0.9) * smoothstep(0.75, 1.0, v);
}}
void main() {{
    if (place.x < SIDE) {{
        colour = vec4(heat(level(newest + (place.x / SIDE - 1.0) * 0.996)), 1.0);
        return;
    }}
    float v = level(newest), bar = (place.x - SIDE) / (1.0 - SIDE);
    colour = vec4(mix(vec3(0.035), heat(v), smoothstep(0.004, -0.004, bar - v)), 1.0);
}}
"""


def birds() -> Iterator[np.ndarray]:
    """Synthetic samples for ever, a second at a time: five birds with trills and calls of their own, and soft noise."""
    rng = np.random.default_rng(4)
    seconds = np.arange(RATE) / RATE
    while True:
        sound = 0.002 * rng.standard_normal(RATE)
        for low in (500.0, 1100.0, 2100.0, 3900.0, 7200.0):
            for begin in np.sort(rng.uniform(0.0, 0.7, rng.integers(1, 4))):
                t = np.clip((seconds - begin) / rng.uniform(0.08, 0.3), 0.0, 1.0)
                call = low * (1.0 + rng.uniform(-0.4, 0.6) * t + rng.uniform(0.0, 0.1) * np.sin(t * rng.uniform(9, 90)))
                phase = 2.0 * np.pi * np.cumsum(call) / RATE
                sound += rng.uniform(0.03, 0.2) * np.sin(np.pi * t) ** 2 * (np.sin(phase) + 0.2 * np.sin(2.0 * phase))
        yield sound.astype(np.float32)


def samples(source: str | None) -> Iterator[np.ndarray]:
    """Mono samples: of a WAV file, of the microphone if the source is "microphone", or of birds."""
    if source is None:
        return birds()
    sound = microphone() if source == "microphone" else wav_samples(source)
    return (np.asarray(each, np.float32).reshape(len(each), -1).mean(axis=1) for each in sound.samples)


def open_window() -> moderngl.Context:
    """A pygame window with OpenGL 4.3."""
    needs = {"MAJOR_VERSION": 4, "MINOR_VERSION": 3, "PROFILE_MASK": pygame.GL_CONTEXT_PROFILE_CORE}
    try:
        pygame.display.init()
        for name, value in needs.items():
            pygame.display.gl_set_attribute(getattr(pygame, f"GL_CONTEXT_{name}"), value)
        pygame.display.set_mode(SIZE, pygame.OPENGL | pygame.DOUBLEBUF)
    except pygame.error as error:
        raise SystemExit(f"No window opens ({error}): set DISPLAY, or run the program with xvfb-run -a.") from None
    return moderngl.create_context(require=430)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", help='a WAV file, or "microphone"; synthetic birds by default')
    parser.add_argument("--frames", type=int, help="end after so many frames")
    parser.add_argument("--screenshot", metavar="FILE", help="save the last frame")
    options = parser.parse_args()
    ctx = open_window()
    if pygame.display.get_driver() in ("offscreen", "dummy") and not options.frames:
        raise SystemExit("There is no display: set DISPLAY, or add --frames 256 --screenshot spectrogram.png.")
    plan = glfft.Plan(ctx, (LINES, LENGTH), axes=(1,), real=True, storage="buffer", load=LOAD, store=STORE)

    def transform(block: moderngl.Buffer, lines: moderngl.Buffer) -> None:
        block.bind_to_storage_buffer(0)
        lines.bind_to_storage_buffer(1)
        plan.forward(None, None)

    ring = ctx.texture((BINS, HISTORY), 1, np.full((HISTORY, BINS), -120.0, "f4"), dtype="f4")
    picture, clock = ctx.vertex_array(ctx.program(SCREEN, PICTURE), []), pygame.time.Clock()
    length, frame, row = HOP * (LINES - 1) + LENGTH, 0, 0
    blocks = regroup(samples(options.source), length, step=HOP * LINES)
    with Stream(ctx, transform, block=(length, "f4"), result=((LINES, BINS), "f4")) as stream:
        while frame != options.frames and not any(
            event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE)
            for event in pygame.event.get()
        ):
            frame += 1
            if stream.under_way == stream.in_flight or stream.ready:
                ring.write(stream.take(), viewport=(0, row, BINS, LINES))
                row = (row + LINES) % HISTORY
            if (block := next(blocks, None)) is None:
                break
            stream.feed(block)
            ring.use(0)
            picture.program["newest"] = (row - 0.5) / HISTORY
            picture.render(vertices=3)
            pygame.display.flip()
            clock.tick(60)
    if options.screenshot:
        picture.render(vertices=3)  # what a window has shown is undefined
        Image.frombytes("RGB", SIZE, ctx.screen.read(), "raw", "RGB", 0, -1).save(options.screenshot)


if __name__ == "__main__":
    try:
        main()
    except glfft.GlfftError as error:
        raise SystemExit(str(error)) from None
