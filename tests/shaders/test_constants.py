"""The constants of butterflies in files: doubles, rounded to the nearest, since kernels in float64 have them too."""

from __future__ import annotations

import re

from support.exact import cosine_and_sine
from support.paths import SHADERS

# Halves and the like have two to four digits.
INEXACT = re.compile(r"(?<![\w.])\d+\.\d{5,}(?!\w)")


def known() -> set[float]:
    """Cosines and sines of parts of a turn, and what Winograd's transform of 5 points makes of two of them."""
    found = {abs(float(part)) for n in range(3, 33) for k in range(n) for part in cosine_and_sine(k, n)}
    (cosine_1, sine_1), (cosine_2, sine_2) = (cosine_and_sine(k, 5) for k in (1, 2))
    return found | {float((cosine_1 - cosine_2) / 2), float(sine_1 + sine_2), float(sine_1 - sine_2)}


def test_every_constant_of_a_butterfly_is_a_double_to_its_last_bit() -> None:
    right = known()
    files = (SHADERS / "fft").iterdir()
    texts = {file.name: file.read_text() for file in files if re.fullmatch(r"(radix\d+|roots)\.glsl", file.name)}
    constants = {name: INEXACT.findall(text) for name, text in texts.items()}
    assert sum(map(len, constants.values())) > 15
    for name, literals in constants.items():
        assert {literal for literal in literals if float(literal) not in right} == set(), name
