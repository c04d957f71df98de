"""Blur a picture as a lens would, in linear light: python demos/blur.py photo.jpg blurred.png --radius 12"""

import argparse

import numpy as np
from PIL import Image, ImageOps

import glfft

LIGHT = """
uniform sampler2D picture;
uniform int margin;
value load(ivec3 at) {  // beyond an edge of the picture comes its last pixel again
    ivec2 last = textureSize(picture, 0) - 1;
    vec4 pixel = texelFetch(picture, clamp(at.xy - margin, ivec2(0), last), 0);
    return vec4(pow(pixel.rgb, vec3(2.2)), pixel.a);
}
"""
# The transform of a Gaussian is a Gaussian, so no kernel is drawn and transformed.
GAUSSIAN = """
uniform float radius;
value product(ivec3 at, value spectrum) {
    vec2 size = vec2(COLUMNS, ROWS), cycles = min(vec2(at.xy), size - vec2(at.xy)) / size;  // a pixel
    return spectrum * exp(-19.739209 * radius * radius * dot(cycles, cycles));
}
"""
PIXELS = """
writeonly uniform image2D blurred;
uniform int margin;
void store(ivec3 at, value light) {  // what is outside the image is not stored
    imageStore(blurred, at.xy - margin, vec4(pow(max(light.rgb, 0.0), vec3(1.0 / 2.2)), light.a));
}
"""


def blur(picture: Image.Image, radius: float) -> Image.Image:
    """The picture convolved with a Gaussian of this standard deviation in pixels."""
    pixels = picture.convert("RGBA")
    margin = int(np.ceil(3 * radius))  # what is blurred over one edge must not come back at the other
    rows, columns = (glfft.next_fast_len(length + 2 * margin) for length in (pixels.height, pixels.width))
    with glfft.open_context() as ctx:
        source, blurred = ctx.texture(pixels.size, 4, pixels.tobytes()), ctx.texture(pixels.size, 4)
        # A texel is two complex numbers, (red, green) and (blue, alpha): a real filter does not mix their parts.
        plan = glfft.Plan(ctx, (rows, columns), storage="rgba32f", load=LIGHT, multiply=GAUSSIAN, store=PIXELS)
        plan.set_uniforms(picture=source, blurred=blurred, margin=margin, radius=radius)
        plan.convolve(None, None, next_use="read")
        return Image.frombytes("RGBA", pixels.size, blurred.read()).convert(picture.mode)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="a file to read")
    parser.add_argument("blurred", help="a file to write")
    parser.add_argument("--radius", type=float, default=8.0, help="standard deviation, pixels (default: 8)")
    options = parser.parse_args()
    try:
        picture = ImageOps.exif_transpose(Image.open(options.picture))
    except OSError as error:
        parser.error(f"cannot read the picture: {error}")
    blurred = blur(picture, options.radius)
    try:
        blurred.save(options.blurred)
    except (OSError, ValueError) as error:
        parser.error(f"cannot write the picture: {error}")


if __name__ == "__main__":
    main()
