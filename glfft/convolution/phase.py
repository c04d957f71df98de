"""Phase correlation: how far one picture is shifted against another."""

from typing import Any, NamedTuple

import numpy as np
from moderngl import Context
from numpy.typing import ArrayLike

from glfft.arrays.kept_plans import at_work
from glfft.convolution import pictures
from glfft.convolution.peaks import PeakFinder
from glfft.convolution.pictures import Ints, Picture, check_texture, make_texture, picture_array, snippet
from glfft.errors import DataError, ShapeError, check_flag
from glfft.gl.barriers import barrier_before
from glfft.gl.bindings import SHIFT_BUFFER_BINDING
from glfft.gl.releasable import Owner
from glfft.gl.timed import Sections, timed
from glfft.plan import Plan

# The width of the Gaussian weight of frequencies, in cycles a pixel: 4 % is left of the finest along an axis.
_WIDTH = 0.2


class Shift(NamedTuple):
    """How far a picture is shifted, in pixels, down and to the right, and a score of 1 at most."""

    rows: float
    columns: float
    score: float


class PhaseCorrelation(Owner):
    """Finds the shift between two pictures.

    This is phase correlation (Kuglin and Hines, The phase correlation image alignment method, 1975). Every frequency of
    the cross spectrum counts by its phase alone, times a Gaussian weight exp(-f^2 / (2 * 0.2^2)), f in cycles a pixel,
    as fine detail is mostly noise (Takita and others, High-accuracy subpixel image registration, 2003). The transform
    of that is the correlation; its maximum (see `glfft.PeakFinder`) is at the shift.

    Seven dispatches; with window=True three times, then on what both show. Storage buffer bindings 0, 6 and 7 change.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later.
        shape: (rows, columns) of the pictures.
        window: True fades out the edges of what both show, by a Hann window. False: pictures go on where they began.

    Attributes:
        correlation: r32f, the correlation of the last run, with the shift 0 at its first texel and the score as value.
        buffer: four floats, (rows, columns, score, found), see `glfft.PeakFinder`.

    Raises ShapeError where the shape is not two numbers of at least 1. Other errors are those of `glfft.Plan`.
    """

    def __init__(self, ctx: Context, shape: Ints, *, window: bool = True) -> None:
        super().__init__(ctx)
        self.shape = rows, columns = pictures.shape_of("picture", shape)
        window = check_flag("window", window)
        pictures.check_size(ctx, {"pictures": self.shape}, self.shape, "make them smaller, or compare parts of them")
        weight = {"LEAVE_OUT": int(window), "WEIGHT_WIDTH": _WIDTH, "WEIGHT_SCALE": _scale(rows, columns, window)}
        load = snippet("convolution/phase_load", WINDOW=int(window), FOUND_BINDING=SHIFT_BUFFER_BINDING)
        product = snippet("convolution/phase_product", **weight)
        # Spectra stay as small as the picture by norm "forward", and their squares finite.
        options: dict[str, Any] = {"load": load, "multiply": product, "directions": ["forward", "convolve"]}
        self._plan = self._own(Plan(ctx, self.shape, real=True, norm="forward", **options))
        self._first = self._own(make_texture(ctx, self._plan.spectrum_shape, None, 2))
        self._plan.set_uniforms(first=self._first)
        self.correlation = self._own(make_texture(ctx, self.shape, None, 1))
        self._peak = self._own(PeakFinder(ctx, self.shape, periodic=True))
        self.buffer = self._peak.buffer
        self._window = window

    def run(
        self, first: Picture, second: Picture, next_use: str | None = None, profiler: Sections | None = None
    ) -> None:
        """Find the shift of `second` against `first` and leave it in `buffer`.

        Both are textures of `shape`, of any format that shaders read as floats, whose channel r is taken. `next_use` of
        the buffer and `profiler`, which adds up passes that run twice, are as for `glfft.Plan.forward`. Raises
        TextureError where a texture has another kind, size or context, OptionError where `next_use` is not allowed.
        """
        self._check_alive()
        for role, texture in (("first picture", first), ("second picture", second)):
            check_texture(texture, role, self.shape, self.ctx, by_plan=True)
        barrier_before(next_use, buffer=True)
        if self._window:
            self.buffer.bind_to_storage_buffer(SHIFT_BUFFER_BINDING)
        # A window in one place draws the shift towards 0. Then it moves with the pictures, twice for large shifts.
        for time in range(3) if self._window else (2,):
            one, other = ({"is_second": at, "knows_shift": time > 0} if self._window else {} for at in (False, True))
            self._plan.set_uniforms(picture=first, **one)
            with timed(profiler, "first picture"):
                self._plan.forward(None, self._first, "sample", profiler)
            self._plan.set_uniforms(picture=second, **other)
            with timed(profiler, "second picture"):
                self._plan.convolve(None, self.correlation, "sample", profiler)
            with timed(profiler, "peak"):
                self._peak.run(self.correlation, next_use if time == 2 else "storage", profiler)

    def read(self) -> Shift:
        """The last run's shift; waits for the GPU. Raises OptionError without one, DataError for NaN or infinity."""
        self._check_alive()
        try:
            rows, columns, score = self._peak.read()
            return Shift(rows, columns, min(score, 1.0))  # the interpolated correlation may be more
        except DataError:
            raise DataError("A picture has a NaN or an infinity; replace it by a number.") from None


def phase_correlation(first: ArrayLike, second: ArrayLike, *, window: bool = True, ctx: Context | None = None) -> Shift:
    """How far an array is shifted against another. Both hold real numbers, [rows, columns].

    Returns (rows, columns, score): second[row, column] is about first[row - rows, column - columns]. The score is 1 if
    that holds exactly with the picture going on where it began, and near 0 with no shift in common, or for one value.
    skimage.registration.phase_cross_correlation(first, second) gives the shift with the opposite sign: it says how to
    move `second` back. `window` is as for `glfft.PhaseCorrelation`, `ctx` is as for `glfft.fft`.

    Raises ShapeError where the arrays are not two-dimensional, are empty, or have two shapes, OptionError where they
    are not real numbers, DataError where a number is not finite. Other errors are those of `glfft.fft`.
    """
    before, after = picture_array("first", first), picture_array("second", second)
    if before.shape != after.shape:
        raise ShapeError(f"The arrays have the shapes {before.shape} and {after.shape}; make them equal.")
    with at_work(ctx) as used, PhaseCorrelation(used, before.shape, window=window) as correlation:
        with pictures.uploaded(used, before, after) as (one, other):
            correlation.run(one, other)
        return correlation.read()


def _scale(rows: int, columns: int, leave_out: bool) -> float:
    """What makes the correlation of a picture with itself 1 at its peak."""
    along = [np.exp(-0.5 * (np.fft.fftfreq(length) / _WIDTH) ** 2) for length in (rows, columns)]
    total = along[0].sum() * along[1].sum()
    if leave_out:
        # Those of a constant under a Hann window.
        near = [each[np.abs(np.fft.fftfreq(len(each), 1 / len(each))) < 1.5].sum() for each in along]
        total -= near[0] * near[1]
    return 1.0 / max(total, 1.0)
