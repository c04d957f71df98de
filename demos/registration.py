"""Find how far a picture is shifted against another, by phase correlation: registration.py first.png second.png out.png

The picture written shows both before and after, the first in red and the second in cyan: where they agree it is grey.
"""

import argparse

import numpy as np
from PIL import Image

import glfft

LOW_SCORE = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", help="a picture")
    parser.add_argument("second", help="a shifted picture of the same size")
    parser.add_argument("out", help="a picture to write")
    options = parser.parse_args()
    try:
        first, second = (Image.open(path).convert("L") for path in (options.first, options.second))
    except OSError as error:
        parser.error(f"cannot read the pictures: {error}")
    if first.size != second.size:
        parser.error(f"the pictures have the sizes {first.size} and {second.size}, which must be the same")
    down, right, score = glfft.phase_correlation(*(np.asarray(each, np.float32) for each in (first, second)))
    print(f"{right:+.2f} pixels to the right, {down:+.2f} down (score {score:.2f} of 1)")
    if score < LOW_SCORE:
        print("The score is low: the pictures may differ in more than a shift.")
    moved_back = second.transform(
        second.size, Image.Transform.AFFINE, (1, 0, right, 0, 1, down), Image.Resampling.BICUBIC
    )
    picture = Image.new("RGB", (2 * first.width, first.height))
    for index, cyan in enumerate((second, moved_back)):
        picture.paste(Image.merge("RGB", (first, cyan, cyan)), (index * first.width, 0))
    try:
        picture.save(options.out)
    except (OSError, ValueError) as error:
        parser.error(f"cannot write the picture: {error}")


if __name__ == "__main__":
    main()
