"""Find how far a picture is shifted against another, by phase correlation: registration.py first.png second.png out.png

The picture written shows both before and after, the first in red and the second in cyan: where they agree it is grey.
"""

import argparse

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import glfft

# The cross spectrum of two shifted pictures has the phase of the shift. Without its magnitude, its transform is a peak.
PHASE = """
#include "common/complex.glsl"
uniform sampler2D first;
value product(ivec3 at, value second) {
    value cross = multiply(second, conjugate(texelFetch(first, at.xy, 0).xy));
    return cross / max(length(cross), 1e-9);
}
"""


def shift_between(first: NDArray[np.float32], second: NDArray[np.float32]) -> tuple[float, float]:
    """Rows and columns by which `second` is shifted against `first`; arrays of one shape, [rows, columns]."""
    rows, columns = first.shape
    with glfft.open_context() as ctx:
        # The window keeps the edges out, which are in the same place in both pictures.
        window = glfft.snippets.hann_load()
        plan = glfft.Plan(ctx, (rows, columns), real=True, load=window, multiply=PHASE)
        images = [
            ctx.texture((columns, rows), 1, (each - each.mean()).tobytes(), dtype="f4") for each in (first, second)
        ]
        spectrum = ctx.texture(plan.spectrum_shape[::-1], 2, dtype="f4")
        correlation = ctx.texture((columns, rows), 1, dtype="f4")
        plan.forward(images[0], spectrum, next_use="sample")
        plan.set_uniforms(first=spectrum)
        plan.convolve(images[1], correlation, next_use="read")
        peaks = np.frombuffer(correlation.read(), np.float32).reshape(rows, columns)
    row, column = np.unravel_index(peaks.argmax(), peaks.shape)
    return _refined(peaks[:, column], int(row)), _refined(peaks[row], int(column))


def _refined(line: NDArray[np.float32], peak: int) -> float:
    """Where the peak of a periodic line lies between its points, from the larger neighbour (Foroosh 2002)."""
    after, before = line[(peak + 1) % len(line)], line[peak - 1]
    side = 1.0 if after > before else -1.0
    neighbour = max(after, before, 0.0)
    place = peak + side * neighbour / (neighbour + line[peak])
    return float((place + len(line) / 2) % len(line) - len(line) / 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", help="a picture")
    parser.add_argument("second", help="a shifted picture of the same size")
    parser.add_argument("out", help="a picture to write")
    options = parser.parse_args()
    first, second = (Image.open(path).convert("L") for path in (options.first, options.second))
    if first.size != second.size:
        parser.error(f"the pictures have the sizes {first.size} and {second.size}, which must be the same")
    down, right = shift_between(*(np.asarray(each, np.float32) for each in (first, second)))
    print(f"{right:+.2f} pixels to the right, {down:+.2f} down")
    moved_back = second.transform(
        second.size, Image.Transform.AFFINE, (1, 0, right, 0, 1, down), Image.Resampling.BICUBIC
    )
    picture = Image.new("RGB", (2 * first.width, first.height))
    for index, cyan in enumerate((second, moved_back)):
        picture.paste(Image.merge("RGB", (first, cyan, cyan)), (index * first.width, 0))
    picture.save(options.out)


if __name__ == "__main__":
    main()
