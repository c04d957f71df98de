"""What the radio link depends on, without numpy and OpenGL, so that help comes at once."""

from dataclasses import dataclass

CHANNELS = ("flat", "multipath")

FLOAT32, FLOAT16, FIXED8 = "float32", "float16", "fixed8"
WIDTHS = (FLOAT32, FLOAT16, *(f"fixed{bits}" for bits in range(8, 1, -1)))

LOWEST_DB, HIGHEST_DB = -10.0, 60.0  # noise worth showing, as Eb / N0 in dB


@dataclass(frozen=True)
class LinkSettings:
    channel: str = "multipath"  # one of CHANNELS
    bit_energy_db: float = 14.0  # Eb / N0, see `glfft.apps.ofdm.link.symbols.Channel`
    samples: str = FIXED8  # one of WIDTHS
    symbols: int | None = None  # of a block, a multiple of 22; None for as many as suit the device
    algorithm: str = "auto"  # of the transforms
    in_flight: int = 3  # how many blocks may be under way
    direct: bool = False  # the transforms read the memory that samples are written to, and not a copy on the device
    seed: int = 0  # of the bits and the noise
