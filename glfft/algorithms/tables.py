"""What a pass reads behind its twiddle factors, as data; `glfft.engine.twiddles` computes the numbers, `size` many."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Roots:
    """Roots of unity, each the product of a fine one of w^0 .. w^(fine - 1) and a coarse one of w^0, w^fine, ..."""

    length: int  # of w = exp(-2 pi i / length)

    @property
    def fine_bits(self) -> int:
        """The number of fine ones is this power of two."""
        return ((self.length - 1).bit_length() + 1) // 2

    @property
    def size(self) -> int:
        fine = 1 << self.fine_bits
        return fine + -(-self.length // fine)


@dataclass(frozen=True)
class Chirp:
    """c[n] = exp(-pi i n^2 / size), 0 <= n < size; an inverse transform takes the conjugates."""

    size: int  # points of the transform


@dataclass(frozen=True)
class ChirpSpectrum:
    """The forward transform of a chirp's conjugate, divided by its points; its conjugate is the inverse's."""

    chirp: Chirp  # which
    size: int  # points of the transform
    # where it is done in passes over parts and its outputs are left where they are, the lengths of these
    parts: tuple[int, ...] = ()


@dataclass(frozen=True)
class RaderFactors:
    """What Rader's convolution reads: the transform of roots of unity w^(g^-q) of the prime, divided by prime - 1; g^q
    and g^-q modulo the prime, as complex numbers; and the cofactor's roots of unity.
    """

    cofactor: int
    prime: int

    @property
    def size(self) -> int:
        return 2 * (self.prime - 1) + self.cofactor


@dataclass(frozen=True)
class TrigonometricFactors:
    """The factors of a cosine or sine transform, see fft/trigonometric_lines.glsl: exp(-pi i k / 2N) for 0 <= k < N;
    for type 4 exp(-pi i n / N) and then exp(-pi i (2k + 1) / 4N) for as many.
    """

    type: int  # 2 to 4; type 1 has none
    points: int  # of a line, N

    @property
    def size(self) -> int:
        return 2 * self.points if self.type == 4 else self.points


@dataclass(frozen=True)
class Factors:
    """The factors between two parts of a line, exp(-2 pi i b k / (first second)), 0 <= k < first, 1 <= b < second."""

    first: int  # points of a part in the pass before
    second: int  # in the pass after

    @property
    def size(self) -> int:
        """Entries; those of a b are side by side."""
        return self.first * (self.second - 1)


Table = Factors | Roots | Chirp | ChirpSpectrum | RaderFactors | TrigonometricFactors
