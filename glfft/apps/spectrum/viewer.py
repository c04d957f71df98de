"""Picture and spectrum side by side: what `--show` draws, into any framebuffer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum.archive import Archive
from glfft.apps.spectrum.display import Display, choose_range
from glfft.apps.spectrum.options import SPECTRUM_ENDING, Treatment, View
from glfft.apps.spectrum.outputs import choose_targets
from glfft.apps.spectrum.painting import SpectrumPainter, archive_input, check_drawable, describe
from glfft.apps.spectrum.radial import plot_radial_profile
from glfft.apps.spectrum.transform import SpectrumMaker, read_complex
from glfft.errors import GlfftError, MissingExtraError
from glfft.gl import programs
from glfft.gl.bindings import FIRST_DRAWING_TEXTURE_UNIT
from glfft.gl.context import state_of
from glfft.profiling.profiler import Sections, timed

_BACKGROUND = (0.085, 0.09, 0.10, 1.0)
_MARGIN = 16


class Viewer:
    """Shows one of several pictures and its spectrum. Options may change between frames. Raises GlfftError where none
    of the pictures can be shown; the last one's reason.

    Args:
        ctx: the context to draw with.
        sources: the pictures, at least one.
        treatment, view: what to start with.
    """

    def __init__(self, ctx: moderngl.Context, sources: Sequence[Path], treatment: Treatment, view: View) -> None:
        self._ctx = ctx
        self._sources = list(sources)
        self._maker = SpectrumMaker(ctx, treatment.algorithm)
        self._display = Display(ctx)
        self._program = programs.program(
            ctx, "spectrum/panel.vert", "spectrum/panel.frag", {"TEXTURE_UNIT": FIRST_DRAWING_TEXTURE_UNIT}
        )
        self._quad = ctx.vertex_array(self._program, [])
        self._inputs: list[moderngl.Texture] = []
        self._spectra: list[moderngl.Texture] = []
        self._input_picture: moderngl.Texture | None = None
        self._pictures: list[moderngl.Texture] = []
        self._stale = True
        self.index = 0
        self.treatment = treatment
        self.view = view
        self.message = ""
        self.every_frame = False
        self._load_first()

    treatment: Treatment
    """Channel, fit and window in use; change them with `treat`."""
    message: str
    """What the user should know about the last change, "" if nothing."""
    every_frame: bool
    """Transform and draw the spectrum in each frame, and not only after a change, so that the profiler can time it."""

    def _load_first(self) -> None:
        for index in range(len(self._sources)):
            self._try(index, self.treatment)
            if not self.message:
                return
            if index + 1 == len(self._sources):
                raise GlfftError(self.message)

    @property
    def source(self) -> Path:
        """The picture shown."""
        return self._sources[self.index]

    @property
    def description(self) -> str:
        """Size, channel, fit and window in words."""
        return describe(self._archive, self._notes)

    def step(self, by: int) -> None:
        """Go to another picture; those that cannot be read are named in `message` and skipped."""
        complaints = []
        for distance in range(1, len(self._sources) + 1):
            self._try((self.index + by * distance) % len(self._sources), self.treatment)
            if not self.message:
                break
            complaints.append(self.message)
        self.message = " ".join(complaints)

    def treat(self, **changes: str) -> None:
        """Change channel, fit or window; if that is impossible, `message` says why and nothing changes."""
        self._try(self.index, replace(self.treatment, **changes))

    def look(self, view: View) -> None:
        """Change how the spectrum is shown."""
        self.message = ""
        if view != self.view:
            self.view = view
            self._stale = True

    def save(self) -> None:
        """Write the spectrum's picture beside its source, as the command does; `message` says where, or why not."""
        painter = SpectrumPainter(self._ctx, self.treatment.algorithm)
        try:
            target = choose_targets(self._sources, None, SPECTRUM_ENDING)[self.index]
            spectra = painter.transform(self._archive.input)
            title = f"{self.source.name}: {self.description}"
            save_picture(target, painter.paint(spectra, self.view, title, self._archive.fit.middle))
            self.message = f"Saved {target}."
        except GlfftError as error:
            self.message = str(error)
        finally:
            painter.release()

    def draw(
        self,
        framebuffer: moderngl.Framebuffer,
        size: tuple[int, int],
        profiler: Sections | None = None,
        right: float = 0.0,
    ) -> None:
        """Draw one frame.

        Args:
            framebuffer: where to; left bound.
            size: its width and height in pixels.
            profiler: given, times the sections "transform", "display" and "pictures" of its open frame.
            right: pixels at the right edge to leave free for a panel.
        """
        if self._stale or self.every_frame:
            with timed(profiler, "transform"):
                self._maker.transform(self._inputs, self._spectra)
            with timed(profiler, "display"):
                self._show()
            self._stale = False
        with timed(profiler, "pictures"):
            framebuffer.use()
            framebuffer.viewport = (0, 0, *size)
            self._ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
            framebuffer.clear(*_BACKGROUND)
            self._draw_panels(size, size[0] - right)

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._release_pictures()
        self._maker.release()
        self._display.release()
        self._quad.release()

    def _try(self, index: int, treatment: Treatment) -> None:
        source = self._sources[index]
        try:
            archive, notes = archive_input(source, treatment, state_of(self._ctx).limits.texture_size)
            inputs = self._maker.upload(archive.input)
        except GlfftError as error:
            self.message = f"{source}: {error}"
            return
        self.message = ""
        self.index, self.treatment = index, treatment
        self._archive, self._notes = archive, notes
        self._prepare(archive, inputs)

    def _prepare(self, archive: Archive, inputs: list[moderngl.Texture]) -> None:
        self._release_pictures()
        rows, columns = archive.fit.fitted
        self._inputs = inputs
        self._spectra = [self._ctx.texture((columns, rows), 2, dtype="f4") for _ in self._inputs]
        self._maker.transform(self._inputs, self._spectra)
        self._values = read_complex(self._spectra)
        levels = np.rint(np.nan_to_num(np.clip(archive.input, 0, 1)) * 255).astype(np.uint8)
        colours = np.stack([levels[min(band, len(levels) - 1)] for band in range(3)], axis=-1)
        self._input_picture = self._picture_of(colours)
        self._stale = True

    def _show(self) -> None:
        """Bring the pictures of the spectrum up to date; there are none if matplotlib is needed and not installed."""
        composite = self.view.is_composite(len(self._spectra))
        groups = [self._spectra] if composite else [[spectrum] for spectrum in self._spectra]
        if self._stale:
            try:
                self._make_pictures(len(groups))
            except MissingExtraError as error:
                self._set_pictures([])
                self.message = str(error)
        if self.view.view == "radial" or not self._pictures:
            return
        for group, picture in zip(groups, self._pictures, strict=True):
            self._display.draw(group, self.view, self._range, picture, self._archive.fit.middle)
            _make_mipmaps(picture)

    def _make_pictures(self, count: int) -> None:
        """Make what does not change from frame to frame: a plot, or `count` pictures to draw into, and their range."""
        check_drawable(self.view)
        if self.view.view == "radial":
            plot = plot_radial_profile(self._values, self.view.scale, f"{self.source.name}: {self.description}")
            self._set_pictures([self._picture_of(np.asarray(plot))])
            return
        self._range = choose_range(self._values, self.view.scale)
        size = self._spectra[0].size
        self._set_pictures([self._ctx.texture(size, 4, dtype="f1") for _ in range(count)])

    def _picture_of(self, pixels: np.ndarray) -> moderngl.Texture:
        rows, columns = pixels.shape[:2]
        texture = self._ctx.texture((columns, rows), 3, np.ascontiguousarray(pixels).tobytes(), alignment=1)
        _make_mipmaps(texture)
        return texture

    def _set_pictures(self, pictures: list[moderngl.Texture]) -> None:
        for picture in self._pictures:
            picture.release()
        self._pictures = pictures

    def _release_pictures(self) -> None:
        self._set_pictures([])
        for spectrum in self._spectra:
            spectrum.release()
        self._spectra = []
        if self._input_picture is not None:
            self._input_picture.release()
            self._input_picture = None

    def _draw_panels(self, size: tuple[int, int], width: float) -> None:
        """Draw the pictures at the top, in the part of the window that is `width` wide."""
        height = size[1]
        half = (width - 3 * _MARGIN) / 2
        assert self._input_picture is not None
        panels = [(self._input_picture, float(_MARGIN), half)]
        count = max(1, len(self._pictures))
        each = (half - (count - 1) * _MARGIN) / count
        for index, picture in enumerate(self._pictures):
            panels.append((picture, 2 * _MARGIN + half + index * (each + _MARGIN), each))
        self._program["window"] = (float(size[0]), float(height))
        for picture, left, room in panels:
            if room < 1 or height <= 2 * _MARGIN:
                continue
            scale = min(room / picture.width, (height - 2 * _MARGIN) / picture.height)
            if scale > 1:
                scale = float(int(scale))  # whole pixels stay square and crisp
            drawn = (max(1.0, picture.width * scale), max(1.0, picture.height * scale))
            corner = (round(left + (room - drawn[0]) / 2), _MARGIN)
            self._program["rectangle"] = (*corner, *drawn)
            picture.use(FIRST_DRAWING_TEXTURE_UNIT)
            self._quad.render(moderngl.TRIANGLE_STRIP, vertices=4)


def _make_mipmaps(texture: moderngl.Texture) -> None:
    """Make the mipmaps of a picture, and then set the filter that reads them.

    A texture whose filter asks for mipmaps that it has not is incomplete, and the driver drops what is stored in it.
    """
    texture.build_mipmaps()  # which sets a filter of its own
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.NEAREST)
    texture.repeat_x = texture.repeat_y = False
