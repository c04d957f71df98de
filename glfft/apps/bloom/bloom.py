"""Pictures of linear light with a lens's glare: by convolution, or by mipmaps to compare, and as displays show them."""

import itertools
import os
import warnings
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from moderngl import Context, Texture
from numpy.typing import NDArray

from glfft.apps.bloom.radiance_files import load_exr, read_radiance, write_exr
from glfft.apps.bloom.sources import LARGEST_LIGHT, Source, download
from glfft.apps.glare.glare import DETAIL, Glare, default_kernel, merge
from glfft.apps.glare.lens import Lens
from glfft.apps.ocean.scene import memory_for_picture
from glfft.apps.ocean.screen_pass import ScreenPass, radiance_texture
from glfft.apps.picture_files import read_picture, save_picture
from glfft.errors import DataError, UsageError
from glfft.files import PathName, check_writable
from glfft.gl.context import is_software
from glfft.gl.releasable import Keeper
from glfft.gl.textures import bytes_of
from glfft.gl.timed import Sections, timed
from glfft.profiling.profiler import Profiler, frame_of

Area = tuple[int, int, int, int]
"""X and y of the lower left corner, width and height."""

LEAST_SIDE, MOST_SIDE = 16, 8192


class Bloom(Keeper):
    """Pictures of one size (width, height) with the lens of `glare`; the last is `result`, rgba16f, row 0 on top."""

    def __init__(self, ctx: Context, size: tuple[int, int], kernel_side: int, detail: int) -> None:
        self.ctx, self.size = ctx, size
        self.glare = self._own(Glare(ctx, size, kernel_side, detail))
        self.result = self._own(radiance_texture(ctx, size))
        # The ocean's filmic curve for light beyond white, or sRGB's alone.
        self._tones = [self._own(ScreenPass(ctx, "bloom/develop.frag", {"FILMIC": filmic})) for filmic in (0, 1)]
        self._shown = self._own(ctx.simple_framebuffer(size, components=3))
        self._mipmaps: MipmapBloom | None = None

    def spread(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Make `result` of a picture with the glare of the lens; a profiler times each pass."""
        self.glare.add(picture, self.result, profiler)

    def spread_by_mipmaps(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Make `result` of a picture with as much light spread by a chain of mipmaps; a profiler times each pass."""
        mipmaps = self._mipmaps = self._mipmaps or self._own(MipmapBloom(self.ctx, self.size))
        mipmaps.make(picture, profiler)
        with timed(profiler, "merge", bytes_of(picture, mipmaps.blurred, self.result)):
            merge(picture, mipmaps.blurred, self.glare.kernel.core, self.glare.strength, self.result)

    def develop(self, source: Source, light: Texture, stops: float = 0.0, area: Area | None = None) -> None:
        """Draw a source's linear light, filtered linearly, into an area, by default all, of the bound framebuffer."""
        self.ctx.viewport = area or (0, 0, *self.size)
        exposure = source.exposure * 2.0**stops
        self._tones[source.beyond_white].draw({"light": light}, exposure=exposure, top_first=source.top_first)

    def picture(self, source: Source, light: Texture, stops: float = 0.0) -> NDArray[np.uint8]:
        """What `develop` draws, [height, width, 3], top row first; waits for the GPU."""
        with self.ctx.scope(self._shown):
            self.develop(source, light, stops)
        return read_picture(self._shown)


class MipmapBloom(Keeper):
    """The bloom of engines, to compare with: pictures of one size (width, height) made smaller again and again, and the
    sizes blurred into each other (Jimenez, "Next Generation Post Processing in Call of Duty", SIGGRAPH 2014 courses).
    `blurred`, rgba16f, half as wide and high, is all light of the picture, spread.
    """

    def __init__(self, ctx: Context, size: tuple[int, int]) -> None:
        self._down = self._own(ScreenPass(ctx, "bloom/smaller.frag"))
        self._up = self._own(ScreenPass(ctx, "bloom/larger.frag"))
        sizes = [(max(1, size[0] >> level), max(1, size[1] >> level)) for level in range(1, 8)]
        self._levels = [self._own(radiance_texture(ctx, each)) for each in sizes]
        self._mixed = [self._own(radiance_texture(ctx, each)) for each in sizes[:-1]]
        self.blurred = self._mixed[0]

    def make(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Blur linear light, filtered linearly, into `blurred`; sections: "smaller 1" and on, "larger 6" and back."""
        for number, (finer, level) in enumerate(itertools.pairwise([picture, *self._levels]), 1):
            with timed(profiler, f"smaller {number}", bytes_of(finer, level)):
                self._down.draw_into(level, {"finer": finer})
        coarser = self._levels[-1]
        for number in range(len(self._mixed), 0, -1):
            level, mixed = self._levels[number - 1], self._mixed[number - 1]
            with timed(profiler, f"larger {number}", bytes_of(coarser, level, mixed)):
                # The share of what comes from the sizes below it.
                self._up.draw_into(mixed, {"coarser": coarser, "own": level}, share=0.72)
            coarser = mixed


@dataclass(frozen=True)
class Look:
    lens: Lens = field(default_factory=Lens)
    strength: float = 1.0  # times what diffraction spreads
    kernel: int | None = None  # pixels along a side of the kernel; None for most of the picture's height
    exposure: float = 0.0  # stops
    compare: str | None = None  # "mipmaps": the same picture made so, beside it


def load(source: str) -> tuple[NDArray[np.float32], bool]:
    """The light of a file, and whether it goes beyond white; DataError for pictures that are too small or too large."""
    picture, beyond = read_radiance(source)
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_SIDE or max(height, width) > MOST_SIDE:
        raise DataError(f"{source} has {width} x {height} pixels; resize it to {LEAST_SIDE} to {MOST_SIDE} each way.")
    if not ((picture >= 0) & (picture <= LARGEST_LIGHT)).all():
        warnings.warn(f"{source} has light outside 0 to {LARGEST_LIGHT:g}, which is cut to that range.", stacklevel=2)
    return picture, beyond


def check_output(path: PathName, look: Look) -> None:
    """Refuse what cannot be written, before any work."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr"):
        raise UsageError(f"Cannot write {os.fspath(path)}: name a file that ends in .png, .jpg, .tif, .exr.")
    if suffix == ".exr":
        load_exr()
        if look.exposure:
            raise UsageError("An .exr keeps the light as it is; leave out --exposure.")
    check_writable(path)


def bloom_for(ctx: Context, size: tuple[int, int], look: Look, in_window: bool = False) -> Bloom:
    """Makes pictures of a size, in windows without a GPU with less detail; LimitError, ContextError if too large."""
    detail = DETAIL // 2 if in_window and is_software(ctx) else DETAIL
    with memory_for_picture(ctx, size):
        bloom = Bloom(ctx, size, look.kernel or default_kernel(size), detail)
    bloom.glare.strength = look.strength
    return bloom


def write(
    ctx: Context, source: Source, look: Look, path: PathName, time: float = 0.0, profiler: Profiler | None = None
) -> None:
    """Write a source's light at a time in s with glare, beside it what it is compared with; errors as `bloom_for`."""
    if Path(path).suffix.lower() != ".exr":
        save_picture(path, next(pictures(ctx, source, look, [time], profiler)))
        return
    with bloom_for(ctx, source.size, look) as bloom, frame_of(profiler):
        bloom.glare.use(look.lens, profiler)
        made = [download(each) for each in _made(bloom, source.light(time, profiler), look, profiler)]
        light = np.concatenate(made, axis=1)
        write_exr(path, light if source.top_first else light[::-1])


def pictures(
    ctx: Context, source: Source, look: Look, times: Sequence[float], profiler: Profiler | None = None
) -> Generator[NDArray[np.uint8], None, None]:
    """What a display shows at times in s, [height, width, 3], top row first."""
    with bloom_for(ctx, source.size, look) as bloom:
        bloom.glare.use(look.lens)
        for time in times:
            shown = []
            with frame_of(profiler):
                for made in _made(bloom, source.light(time, profiler), look, profiler):
                    with timed(profiler, "display"):
                        shown.append(bloom.picture(source, made, look.exposure))
            yield np.concatenate(shown, axis=1)


def _made(bloom: Bloom, picture: Texture, look: Look, profiler: Profiler | None) -> Iterator[Texture]:
    """The textures of light to show beside each other, each valid until the next one."""
    with timed(profiler, "glare"):
        bloom.spread(picture, profiler)
    yield bloom.result
    if look.compare:
        with timed(profiler, "mipmaps"):
            bloom.spread_by_mipmaps(picture, profiler)
        yield bloom.result
