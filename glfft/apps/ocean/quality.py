"""How much work goes into a picture: for graphics cards, and for processors that have to draw by themselves."""

import math
from dataclasses import dataclass, replace

import moderngl

from glfft.gl.context import is_software
from glfft.sea import cascades
from glfft.sea.settings import OceanSettings

Size = tuple[int, int]  # width and height, pixels

# Height of the picture of the glare, in which its lengths are measured: so its angles do not depend on the resolution.
GLARE_ROWS = 135


@dataclass(frozen=True)
class Quality:
    name: str
    samples: int  # per pixel; edges of waves are smooth from 4
    cells: int  # of a patch of the mesh along a side, an even number
    # How many of its sides a patch is used for; with the cells, the fineness of the mesh. From 4.2 on, neighbours
    # differ by one level at most, and a patch has changed into the coarser grid where a coarser one begins.
    reach: float
    taps: int = 1  # places along a pixel's footprint where slopes are read; 1 leaves teeth on the backs of waves
    share: float = 1.0  # of the picture's width and height that is drawn and then enlarged
    frugal: bool = False  # saves what is hardly seen at such a share: filters between mipmaps, fibres of clouds
    plain: bool = False  # saves more: grains of foam, most of the spray, half of all readings of textures
    glare_rows: int = GLARE_ROWS  # of the picture of the lens's glare
    # Texels along a side of the lens's aperture, whose diffraction is the glare, at full resolution; 0 for glare_rows.
    diffraction: int = 0
    pixels: int = 0  # about how many a window draws, whatever its size, instead of the share; 0 for the share

    def drawn(self, size: Size, in_window: bool = False) -> Size:
        """Width and height to draw for a picture of a width and height."""
        share = self.share_in_window(size) if in_window else self.share
        return max(2, round(size[0] * share)), max(2, round(size[1] * share))

    def share_in_window(self, size: Size) -> float:
        """The share of width and height that a window of a size draws."""
        return min(1.0, max(1 / 3, math.sqrt(self.pixels / max(1, size[0] * size[1])))) if self.pixels else self.share


MINIMAL = Quality("minimal", 4, cells=6, reach=4.2, share=0.5, frugal=True, plain=True, glare_rows=45, pixels=256 * 144)
LOW = Quality("low", 4, cells=8, reach=4.2, share=0.5, frugal=True)
MEDIUM = Quality("medium", 4, cells=16, reach=8.4, taps=4)
HIGH = Quality("high", 4, cells=16, reach=8.4, taps=8)
QUALITIES = {each.name: each for each in (MINIMAL, LOW, MEDIUM, HIGH)}
AUTO = "auto"


def choose(ctx: moderngl.Context, name: str, in_window: bool) -> Quality:
    """A quality by name; "auto": high on a graphics card, else minimal in windows (10 a second), medium in files."""
    return QUALITIES.get(name, (MINIMAL if in_window else MEDIUM) if is_software(ctx) else HIGH)


def affordable(settings: OceanSettings) -> OceanSettings:
    """The settings with as many samples as a processor computes beside `MINIMAL`; tiles chosen by hand stay."""
    if isinstance(settings.cascades, tuple):
        return settings
    tiles = len(cascades.tiles_of(settings))
    # 2, 3 and 5 are the factors that transforms are best at. Two cores compute so many samples in about 20 ms.
    sizes = (base << power for base in (3, 4, 5, 9) for power in range(4, 12))
    return replace(settings, size=min(settings.size, max(each for each in sizes if tiles * each**2 <= 256**2)))


def explained(ctx: moderngl.Context, name: str, quality: Quality, size: Size, sea: int = 0) -> str:
    """A line for people on why "auto" chose what does not look the best, or ""; with the share of width and height that
    a window of a size draws and, if it was chosen too, the sea's size.
    """
    # Medium looks nearly as high does: they differ in how exactly slopes are read.
    if name != AUTO or quality in (MEDIUM, HIGH):
        return ""
    share = quality.share_in_window(size)
    draws = f"{share:.0%} of the picture's width and height, enlarged" if share < 1 else "all pixels"
    computes = f", of a sea of {sea} samples a side" if sea else ""
    said = f"No graphics card was found ({ctx.info['GL_RENDERER'].split(' (')[0]}): quality {quality.name}"
    return f"{said}, which draws {draws}{computes}; --quality high draws all, slowly."
