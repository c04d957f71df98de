"""How much work goes into a picture: for graphics cards, and for processors that have to draw by themselves."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl

from glfft.demos.ocean.film import GLARE_ROWS
from glfft.gl.context import is_software


@dataclass(frozen=True)
class Quality:
    """One setting.

    Attributes:
        name: as `--quality` takes it.
        samples: a pixel; edges of waves are smooth from 4.
        cells: of a patch of the mesh along a side, a power of two.
        reach: over how many of its sides a patch is used; with the cells, how fine the mesh is.
        anisotropy: of the textures' filter, on graphics cards; 1 for none.
        share: of the picture's width and height that is drawn; the rest is enlarging.
        frugal: whether to save what is hardly seen at such a share: filters between mipmaps, fibres of clouds.
        plain: whether to save more: grains of foam, most of the spray, half of all readings of textures.
        glare_rows: of the picture of the lens's glare.
    """

    name: str
    samples: int
    cells: int
    reach: float
    anisotropy: float
    share: float = 1.0
    frugal: bool = False
    plain: bool = False
    glare_rows: int = GLARE_ROWS

    def drawn(self, size: tuple[int, int]) -> tuple[int, int]:
        """Width and height to draw for a picture of a width and height."""
        width, height = size
        return max(2, round(width * self.share)), max(2, round(height * self.share))


MINIMAL = Quality(
    "minimal", samples=4, cells=4, reach=4.2, anisotropy=2.0, share=0.5, frugal=True, plain=True, glare_rows=45
)
LOW = Quality("low", samples=4, cells=8, reach=4.2, anisotropy=2.0, share=0.5, frugal=True)
MEDIUM = Quality("medium", samples=4, cells=16, reach=8.4, anisotropy=4.0)
HIGH = Quality("high", samples=4, cells=16, reach=8.4, anisotropy=16.0)
QUALITIES = {each.name: each for each in (MINIMAL, LOW, MEDIUM, HIGH)}
AUTO = "auto"


def choose(ctx: moderngl.Context, name: str, moving: bool) -> Quality:
    """The quality of a name, for pictures that follow each other, or for a single one.

    "auto" is high on a graphics card. Without one it is minimal where each picture waits for the one before, in windows
    and films: ten a second of 640 x 360 on two cores; and medium for a single picture.
    """
    if name in QUALITIES:
        return QUALITIES[name]
    if not is_software(ctx):
        return HIGH
    return MINIMAL if moving else MEDIUM


def explained(ctx: moderngl.Context, name: str, quality: Quality) -> str:
    """Why "auto" chose less than the best, as a line for people, or ""."""
    if name != AUTO or quality is HIGH:
        return ""
    share = f"{quality.share:.0%} of the picture's width and height, enlarged" if quality.share < 1 else "all pixels"
    return (
        f"No graphics card was found ({ctx.info['GL_RENDERER'].split(' (')[0]}): quality {quality.name}, which draws "
        f"{share}; --quality high draws all, slowly."
    )
