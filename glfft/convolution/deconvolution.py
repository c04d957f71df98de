"""Pictures as they were before a known blur: Wiener's filter, and Richardson and Lucy's iterations."""

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.arrays.fast_lengths import next_smooth
from glfft.arrays.kept_plans import at_work
from glfft.convolution import BOUNDARIES, PRODUCT, STORED_AS, KernelSpectrum, pictures
from glfft.convolution.pictures import Picture, ivec2, make_texture, picture_array, shape_of, snippet
from glfft.errors import DataError, at_least_one, check_choice, require
from glfft.gl.releasable import Owner
from glfft.gl.timed import Sections, timed
from glfft.plan import Plan

METHODS = ("wiener", "richardson-lucy")
_STORAGES = ("r32f", "rg32f", "rgba32f")
_PARTS = "make both smaller, or take parts of the picture, which overlap by twice the kernel's size"


class Deconvolution(Owner):
    """Undoes the convolution of textures with a known kernel.

    "wiener" multiplies the spectrum by conj(H) / (|H|^2 + noise), H the kernel's spectrum (Wiener, Extrapolation,
    interpolation, and smoothing of stationary time series, 1949): three dispatches. "richardson-lucy" begins with 1
    everywhere and repeats u <- u * correlation(picture / convolution(u, kernel), kernel) / sum of the kernel
    (Richardson 1972, Lucy 1974), for pictures and kernels without negative values: six dispatches an iteration. More
    iterations bring back more detail, and more noise.

    The picture is taken as glfft.Convolution's with mode="same". It goes on outside as `boundary` says, and fades over
    into its other end within twice the kernel's reach, so that no seam rings. Edges still may with "wiener", most with
    kernels whose mirror images differ from them, such as slanting lines.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later.
        picture_shape: (rows, columns), as those of kernel_shape.
        method: "wiener" or "richardson-lucy".
        noise: for "wiener", the power of the noise divided by the signal's, 0 or more.
        iterations: for "richardson-lucy", at least 1.
        boundary: as for `glfft.Convolution`. With "wrap" the result is as by the formulas, on the picture alone.
        storage: channels that are computed with: "r32f", "rg32f" or "rgba32f". Each is by itself.

    Raises ShapeError where a shape is not two numbers of at least 1, or with "wrap" the kernel is larger than the
    picture, OptionError where an option has none of its values. Other errors are those of `glfft.Plan`.
    """

    def __init__(self, ctx: moderngl.Context, picture_shape: Sequence[int], kernel_shape: Sequence[int], *,
                 method: str = "wiener", noise: float = 0.01, iterations: int = 20, boundary: str = "mirror",
                 storage: str = "r32f") -> None:  # fmt: skip
        super().__init__(ctx)
        self.picture_shape = shape_of("picture", picture_shape)
        self.kernel_shape = shape_of("kernel", kernel_shape)
        self._method = check_choice("method", method, METHODS)
        self._iterations = at_least_one("iterations", iterations)
        check_choice("boundary", boundary, BOUNDARIES)
        plan_storage, real, self._channels = STORED_AS[check_choice("storage", storage, _STORAGES)]
        self._shape = self.picture_shape
        if boundary == "wrap":
            advice = "boundary 'wrap' does not allow that, use 'mirror'"
            pictures.check_within("kernel", self.kernel_shape, self.picture_shape, advice)
        else:
            shapes = zip(self.picture_shape, self.kernel_shape, strict=True)
            # The same on every device, as results depend on how far the picture goes on.
            rows, columns = (next_smooth(length + 2 * (kernel - 1), 7) for length, kernel in shapes)
            self._shape = rows, columns
        pictures.check_size(ctx, {"picture": self.picture_shape, "kernel": self.kernel_shape}, self._shape, _PARTS)
        middle = ((self.kernel_shape[0] - 1) // 2, (self.kernel_shape[1] - 1) // 2)
        self._kernel = self._own(KernelSpectrum(ctx, self._shape, self.kernel_shape, middle=middle, real=real))
        self._defines = {
            "PICTURE_SIZE": ivec2(self.picture_shape),
            "PICTURE_BOUNDARY": BOUNDARIES.index(boundary),
            "REPEATS": 1 + max(-(-whole // part) for whole, part in zip(self._shape, self.picture_shape, strict=True)),
            "CHANNELS": self._channels,
        }
        self._options: dict[str, Any] = {"storage": plan_storage, "real": real, "norm": "forward"}
        if method == "wiener":
            is_number = isinstance(noise, int | float | np.number)
            require(is_number and 0 <= noise < 1e38, "noise", noise, "a number from 0 to 1e38")
            load = snippet("convolution/extended_load", **self._defines)
            store = snippet("convolution/result_store", RESULT_FIRST="ivec2(0)", CHANNELS=self._channels)
            region = [slice(0, length) for length in self.picture_shape]
            self._filter = self._plan(load, "convolution/wiener_product", store, region)
            self._filter.set_uniforms(noise=float(noise))
        else:
            self._make_richardson_lucy()

    def _plan(self, load: str, product: str, store: str, target_region: Sequence[slice] | None = None) -> Plan:
        snippets = {"load": load, "multiply": snippet(product), "store": store}
        ends: dict[str, Any] = {"target_region": target_region, "directions": ["convolve"]}
        plan = self._own(Plan(self.ctx, self._shape, **snippets, **ends, **self._options))
        plan.set_uniforms(factor=self._kernel.spectrum)
        return plan

    def _make_richardson_lucy(self) -> None:
        load = snippet("convolution/estimate_load", CHANNELS=self._channels)
        self._blur = self._plan(load, PRODUCT[False], snippet("convolution/ratio_store", **self._defines))
        kept = {name: self._defines[name] for name in ("PICTURE_SIZE", "CHANNELS")}
        self._correct = self._plan(load, "convolution/adjoint_product", snippet("convolution/estimate_store", **kept))
        form = self.ctx, self._shape, None, self._channels
        ratio, *self._estimates = (self._own(make_texture(*form)) for _ in range(3))
        self._blur.set_uniforms(ratio=ratio)
        self._correct.set_uniforms(estimate=ratio, is_first=False)

    def set_kernel(self, kernel: Picture | ArrayLike) -> None:
        """Undo this kernel from the next run on. A texture costs one transform and never waits for the GPU. `kernel`
        and errors are those of `glfft.Convolution.set_kernel`, with arrays of real numbers. Raises DataError for an
        array with a NaN or an infinity; for "richardson-lucy" with a negative number, or zeros only.
        """
        self._check_alive()
        if not isinstance(kernel, Picture):
            kernel = picture_array("kernel", kernel)
            if self._method == "richardson-lucy" and (kernel.min() < 0 or not kernel.any()):
                raise DataError("The kernel must have a positive sum and no negative number for 'richardson-lucy'.")
        self._kernel.set(kernel)

    def run(self, src: Picture, dst: Picture, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Write `src` without the kernel's blur to `dst`, which may be `src`: both of `picture_shape`, with arguments
        and errors of `glfft.Convolution.run`. For "richardson-lucy" negative values are 0, and profiled passes add up.
        """
        self._check_alive()
        self._kernel.check_set()
        pictures.check_texture(src, "source", self.picture_shape, self.ctx, by_plan=True)
        pictures.check_target(dst, self.picture_shape, self.ctx, None, self._channels)
        if self._method == "wiener":
            self._filter.set_uniforms(picture=src, target=dst)
            self._filter.convolve(None, None, next_use, profiler)
            return
        self._blur.set_uniforms(picture=src)
        self._correct.set_uniforms(target=dst)
        for index in range(self._iterations):
            before, after = self._estimates[index % 2], self._estimates[(index + 1) % 2]
            is_last = index == self._iterations - 1
            self._blur.set_uniforms(estimate=before, is_first=index == 0, of_ones=index == 0)
            with timed(profiler, "blur"):
                self._blur.convolve(None, None, "sample", profiler)
            self._correct.set_uniforms(before=before, had_none=index == 0, after=after, is_last=is_last)
            with timed(profiler, "correction"):
                self._correct.convolve(None, None, next_use if is_last else "sample", profiler)


def deconvolve(picture: ArrayLike, kernel: ArrayLike, *, method: str = "wiener", noise: float = 0.01,
               iterations: int = 20, boundary: str = "mirror",
               ctx: moderngl.Context | None = None) -> NDArray[np.float32]:  # fmt: skip
    """An array as it was before a known blur.

    Picture, kernel and result hold real numbers, [rows, columns]; the kernel is as a convolution with mode="same" had
    it. The filters are those of scikit-image's restoration.wiener (with a constant in place of its Laplacian) and
    richardson_lucy. scipy.signal.deconvolve is another thing, a division of polynomials. `method`, `noise`,
    `iterations` and `boundary` are as for `glfft.Deconvolution`, `ctx` is as for `glfft.fft`.

    Raises ShapeError for an array that is empty or not two-dimensional, OptionError for numbers that are not real or an
    option that has none of its values, DataError for a number that is not finite or a kernel that is none for the
    method. Other errors are those of `glfft.fft`.
    """
    blurred, weights = picture_array("picture", picture), picture_array("kernel", kernel)
    options: dict[str, Any] = {"method": method, "noise": noise, "iterations": iterations, "boundary": boundary}
    with (
        at_work(ctx) as used,
        Deconvolution(used, blurred.shape, weights.shape, **options) as deconvolution,
        pictures.uploaded(used, blurred) as (texture,),
    ):
        deconvolution.set_kernel(weights)
        deconvolution.run(texture, texture, "read")
        return np.frombuffer(texture.read(), np.float32).reshape(blurred.shape).copy()
