"""Numbers with more digits than floats have."""

from __future__ import annotations

from decimal import Decimal, localcontext

_PI = Decimal("3.14159265358979323846264338327950288419716939937510")


def cosine_and_sine(j: int, length: int) -> tuple[Decimal, Decimal]:
    """Both of 2 pi j / length, with forty digits, by their power series."""
    with localcontext(prec=50):
        angle = 2 * _PI * (j % length) / length
        term, cosine, sine = Decimal(1), Decimal(1), Decimal(0)
        for k in range(1, 80):
            term *= angle / k
            if k % 2:
                sine += term if k % 4 == 1 else -term
            else:
                cosine += term if k % 4 == 0 else -term
    return cosine, sine
