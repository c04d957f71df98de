"""Picture and spectrum side by side: what `--show` draws, into any framebuffer."""

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from moderngl import BLEND, CULL_FACE, DEPTH_TEST, TRIANGLE_STRIP, Context, Framebuffer, Texture

from glfft.apps.spectrum import outputs, painting, radial, retouching
from glfft.apps.spectrum.archive import Archive
from glfft.apps.spectrum.display import Display, SpectrumMaker, choose_range, read_complex
from glfft.apps.spectrum.options import SPECTRUM_ENDING, Treatment, View
from glfft.apps.spectrum.retouch import MASK_UNIT, Retouch, Sketch, make_mipmaps, stroke_uniforms
from glfft.apps.spectrum.screens import Peak
from glfft.apps.spectrum.strokes import Point
from glfft.errors import DataError, GlfftError
from glfft.gl import bindings, programs
from glfft.gl.context import state_of
from glfft.gl.releasable import release_all
from glfft.gl.timed import Sections, timed

Place = tuple[float, float]  # across and down: a pixel of the window, or fractions of a width and a height
Size = tuple[int, int]  # width and height, pixels

_BACKGROUND = (0.085, 0.09, 0.10, 1.0)
_MARGIN = 16
_CLOSEST = 64.0  # times that a part of a picture is enlarged


@dataclass(frozen=True)
class Part:
    """The part of a picture that is seen, as fractions of its width and height."""

    left: float = 0.0
    top: float = 0.0
    side: float = 1.0  # of both sides

    def zoomed(self, factor: float, at: Place) -> "Part":
        """Enlarged by a factor around a place of the pane (fractions of its sides), which stays where it is."""
        side = min(1.0, max(1.0 / _CLOSEST, self.side / factor))
        return self._at(self.left + at[0] * (self.side - side), self.top + at[1] * (self.side - side), side)

    def moved(self, across: float, down: float) -> "Part":
        return self._at(self.left - across * self.side, self.top - down * self.side, self.side)

    def _at(self, left: float, top: float, side: float) -> "Part":
        return Part(min(max(left, 0.0), 1.0 - side), min(max(top, 0.0), 1.0 - side), side)


@dataclass(frozen=True)
class Pane:
    kind: str  # "picture" or "spectrum"
    rectangle: tuple[float, float, float, float]  # left, top, width, height, pixels of the window
    part: Part

    def place(self, pixel: Place) -> Place:
        """A pixel of the window, as fractions of the pane's width and height."""
        left, top, width, height = self.rectangle
        return (pixel[0] - left) / width, (pixel[1] - top) / height

    def contains(self, pixel: Place) -> bool:
        return all(0 <= each < 1 for each in self.place(pixel))

    def of_picture(self, pixel: Place) -> Place:
        """A pixel of the window, as fractions of the whole picture's width and height."""
        across, down = self.place(pixel)
        return self.part.left + across * self.part.side, self.part.top + down * self.part.side

    def frequency(self, pixel: Place, size: Size, shift: bool) -> Point:
        """The frequency that a pixel of the window shows of a spectrum of a width and height."""
        (across, down), (columns, rows) = self.of_picture(pixel), size
        return down * rows - 0.5 - shift * (rows // 2), across * columns - 0.5 - shift * (columns // 2)


def place_of(frequency: Point, size: Size, shift: bool) -> Place:
    """Where a spectrum's picture shows a frequency: fractions of its width and height."""
    (down, across), (columns, rows) = frequency, size
    return (across + 0.5 + shift * (columns // 2)) / columns % 1.0, (down + 0.5 + shift * (rows // 2)) / rows % 1.0


class Viewer:
    """Shows a picture of several and its spectrum, with a mask over the first's if given. GlfftError if none can be."""

    archive: Archive  # the picture shown, as transformed, and its spectrum
    retouch: Retouch  # the mask over the spectrum, to be painted

    def __init__(
        self, ctx: Context, sources: outputs.Paths, treatment: Treatment, view: View, mask: np.ndarray | None = None
    ) -> None:
        self._ctx, self._sources = ctx, list(sources)
        self._maker, self._display = SpectrumMaker(ctx, treatment.algorithm), Display(ctx)
        units = {"TEXTURE_UNIT": bindings.FIRST_DRAWING_TEXTURE_UNIT, "MASK_UNIT": MASK_UNIT}
        self._program = programs.program(ctx, "spectrum/panel.vert", "spectrum/panel.frag", units)
        self._quad = ctx.vertex_array(self._program, [])
        self._made: list[Any] = []  # for the picture shown
        self._painted: tuple[int, tuple[int, int]] | None = None  # index and shape that the sketch is for
        self._parts = {"picture": Part(), "spectrum": Part()}
        self._pictures: list[Texture] = []
        self._stale, self._index = True, 0
        self.treatment = treatment  # channel, fit and window in use; change them with `treat`
        self.view = view  # how the spectrum is shown; change it with `look`
        self.message = ""  # what the user should know about the last change
        self.compares = False  # show picture and spectrum as they were before they were painted on
        self.peaks: list[Peak] = []  # what `find_peaks` found in this picture, the highest first
        self.panes: list[Pane] = []  # what the last frame shows, in order
        self.cursor: Point | None = None  # the frequency around which, and its opposite, the pen's circle is drawn
        complaints = self._show_first(range(len(self._sources)))
        if len(complaints) == len(self._sources):
            raise GlfftError(complaints[-1])
        if mask is not None:
            (height, width), (columns, rows) = mask.shape, self.size
            if (height, width) != (rows, columns):
                raise DataError(f"The mask is {width}x{height} and the spectrum {columns}x{rows}; use another mask.")
            self.retouch.sketch.replace(mask)

    @property
    def source(self) -> Path:
        return self._sources[self._index]

    @property
    def size(self) -> Size:
        """Width and height of the spectrum."""
        return self._spectra[0].size

    @property
    def _shows_mask(self) -> bool:
        return self.retouch.is_painted and not self.compares

    def pane_at(self, pixel: Place) -> Pane | None:
        return next((pane for pane in self.panes if pane.contains(pixel)), None)

    def show_part(self, kind: str, part: Part | None = None) -> None:
        """Show a part of the panes of a kind, "picture" or "spectrum"; None for all of them."""
        self._parts[kind] = part or Part()

    def step(self, by: int) -> None:
        """Go to another picture; those that cannot be read are named in `message` and skipped."""
        count = len(self._sources)
        complaints = self._show_first([(self._index + by * distance) % count for distance in range(1, count + 1)])
        self.message = " ".join(complaints)

    def treat(self, **changes: str) -> None:
        """Change channel, fit or window; if that is impossible, `message` says why and nothing changes."""
        self.message = self._try(self._index, replace(self.treatment, **changes))

    def look(self, view: View) -> None:
        self.message, self.view, self._stale = "", view, self._stale or view != self.view

    def save(self) -> None:
        """Write the spectrum's picture beside its source, as the command does; `message` says where, or why not."""
        target = outputs.choose_targets(self._sources, None, SPECTRUM_ENDING)[self._index]
        with self._failing():
            painting.save_painting(target, painting.paint(self._display, self._spectra, self.archive, self.view))
            self.message = f"Saved {target}."

    def find_peaks(self) -> None:
        """Find the peaks of the spectrum and mark all; `message` says how many there are."""
        with retouching.Retoucher(self._ctx) as retoucher:
            self.peaks = retoucher.peaks(self.archive.input)
        self.mark(len(self.peaks))
        self.message = f"{retouching.counted(self.peaks)} found." if self.peaks else "No peaks found."

    def mark(self, count: int) -> None:
        sketch = self.retouch.sketch
        sketch.mark(self.peaks[: max(count, 0)], sketch.pen.radius)

    def keep(self) -> None:
        """Write the retouched picture and the mask beside the picture; `message` says where, or why not."""
        with self._failing():
            self.retouch.sketch.end()
            written = retouching.write_results(self._ctx, self._sources, self._index, self.retouch.sketch.mask)
            self.message = f"Saved {' and '.join(map(str, written))}."

    def draw(self, framebuffer: Framebuffer, size: Size, profiler: Sections | None = None, right: float = 0.0) -> None:
        """Draw a frame into a framebuffer, left bound, but for so many pixels at the right; a profiler times it."""
        with timed(profiler, "retouch"):
            if self.cursor is not None:
                self.retouch.prepare(self._spectra)  # the pen is over the spectrum
            self.retouch.update(self._spectra)
        if self._stale:
            with timed(profiler, "display"):
                self._show()
            self._stale = False
        with timed(profiler, "pictures"):
            framebuffer.use()
            framebuffer.viewport = (0, 0, *size)
            self._ctx.disable(DEPTH_TEST | BLEND | CULL_FACE)
            framebuffer.clear(*_BACKGROUND)
            self._draw_panels(size, size[0] - right)

    def release(self) -> None:
        self._release_pictures()
        release_all([self._maker, self._display, self._quad])

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Let `message` say why the block failed."""
        try:
            yield
        except GlfftError as error:
            self.message = str(error)

    def _release_pictures(self) -> None:
        release_all([*self._pictures, *self._made])
        self._pictures, self._made = [], []

    def _show_first(self, indices: Sequence[int]) -> list[str]:
        """Show the first of some pictures that can be shown; returns why those before it could not."""
        return list(itertools.takewhile(bool, (self._try(index, self.treatment) for index in indices)))

    def _try(self, index: int, treatment: Treatment) -> str:
        """Show a picture, with the mask of its other channels; returns why that is impossible, or "" if it is not."""
        source = self._sources[index]
        try:
            archive = painting.archive_input(source, treatment, state_of(self._ctx).limits.texture_size)
            self._spectra = self._maker.forward(archive.input)
        except GlfftError as error:
            return f"{source}: {error}"
        self._index, self.treatment = index, treatment
        self._release_pictures()
        rows, columns = shape = archive.fit.fitted
        self.archive = replace(archive, spectrum=read_complex(self._spectra))
        levels = np.rint(np.nan_to_num(np.clip(archive.input, 0, 1)) * 255).astype(np.uint8)
        self._input_picture = self._picture_of(np.moveaxis(np.broadcast_to(levels, (3, rows, columns)), 0, -1))
        before, self._painted = self._painted, (self._index, shape)
        sketch = self.retouch.sketch if before == self._painted else Sketch(shape)
        self.retouch = Retouch(self._ctx, sketch, len(self._spectra))
        self._made = [self._input_picture, self.retouch]
        self.peaks, self._stale = [], True
        return ""

    def _show(self) -> None:
        """Draw the pictures of the spectrum anew; there are none if matplotlib is needed and not installed."""
        release_all(self._pictures)
        self._pictures, spectrum, scale = [], self.archive.spectrum, self.view.scale
        with self._failing():
            painting.check_drawable(self.view)
            if self.view.view == "radial":
                self._pictures = [self._picture_of(radial.plot_radial_profile(spectrum, scale, self.archive.title))]
                return
            limits, groups = choose_range(spectrum, scale), self.view.groups(self._spectra)
            self._pictures = [self._ctx.texture(self.size, 4, dtype="f1") for _ in groups]
            for group, picture in zip(groups, self._pictures, strict=True):
                self._display.draw(group, self.view, limits, picture)
                make_mipmaps(picture)

    def _picture_of(self, pixels: np.ndarray) -> Texture:
        texture = self._ctx.texture(pixels.shape[1::-1], 3, np.ascontiguousarray(pixels).tobytes(), alignment=1)
        make_mipmaps(texture)
        return texture

    def _draw_panels(self, size: Size, width: float) -> None:
        """Draw the pictures at the top, in the part of the window that is `width` wide."""
        height = size[1]
        half = (width - 3 * _MARGIN) / 2
        shown = self.retouch.picture if self._shows_mask else self._input_picture
        panels = [("picture", shown, float(_MARGIN), half)]
        first, each = 2 * _MARGIN + half, (half + _MARGIN) / max(1, len(self._pictures))
        panels += [("spectrum", it, first + place * each, each - _MARGIN) for place, it in enumerate(self._pictures)]
        self._program["window"] = (float(size[0]), float(height))
        self.panes = []
        for kind, picture, left, room in panels:
            if room < 1 or height <= 2 * _MARGIN:
                continue
            # A preview has fewer pixels than the picture that it stands for.
            pixels = self._input_picture.size if kind == "picture" else picture.size
            scale = min(room / pixels[0], (height - 2 * _MARGIN) / pixels[1])
            scale = math.floor(scale) if scale > 1 else scale  # whole pixels stay square and crisp
            drawn = (max(1.0, pixels[0] * scale), max(1.0, pixels[1] * scale))
            self.panes.append(Pane(kind, (round(left + (room - drawn[0]) / 2), _MARGIN, *drawn), self._parts[kind]))
            self._draw_pane(self.panes[-1], picture)

    def _draw_pane(self, pane: Pane, picture: Texture) -> None:
        part, sketch, shift = pane.part, self.retouch.sketch, self.view.shift
        is_spectrum = pane.kind == "spectrum" and self.view.view != "radial"
        columns, rows = self.size
        down, across = self.cursor or (0.0, 0.0)
        radius = sketch.pen.radius if is_spectrum and self.cursor else 0.0  # none is drawn
        ends = (down, across), (-down, -across)
        values = {
            "rectangle": pane.rectangle,
            "part": (part.left, part.top, part.side, part.side),
            "circles": tuple(each for end in ends for each in place_of(end, self.size, shift)),
            "radii": (radius / columns, radius / rows),
            "origin": ((columns + 1) // 2, (rows + 1) // 2) if shift else (0, 0),
            "is_masked": int(is_spectrum and self._shows_mask),
        }
        programs.set_uniforms(self._program, values | stroke_uniforms(sketch.floating))
        (self.retouch.mask if self._shows_mask else picture).use(MASK_UNIT)
        picture.use(bindings.FIRST_DRAWING_TEXTURE_UNIT)
        self._quad.render(TRIANGLE_STRIP, vertices=4)
