"""Picture files through kernels: the steps of `glfft filter`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.apps.filter_kernels import Kernel, read_kernel
from glfft.apps.spectrum.colours import srgb_from_linear
from glfft.apps.spectrum.outputs import check_picture_suffix, choose_targets, each_file
from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_suffix, read_stored, write_stored
from glfft.convolution import Convolution
from glfft.convolution.deconvolution import Deconvolution
from glfft.errors import DataError, LimitError
from glfft.gl.context import open_context, state_of
from glfft.gl.releasable import Releasable

_STORAGES = {1: "r32f", 2: "rg32f", 3: "rgba32f", 4: "rgba32f"}

Planes = NDArray[np.float32]


@dataclass(frozen=True)
class Filtering:
    """What `filter_files` does to pictures.

    Attributes:
        kernel: see `glfft.apps.filter_kernels.read_kernel`.
        boundary: as for `glfft.Convolution`.
        deconvolve: whether the kernel's blur is undone.
        noise: for Wiener's filter, see `glfft.Deconvolution`.
        iterations: of Richardson and Lucy's algorithm; None for Wiener's filter.
    """

    kernel: str
    boundary: str = "mirror"
    deconvolve: bool = False
    noise: float = 0.01
    iterations: int | None = None


def filter_files(sources: Sequence[Path], how: Filtering, output: str | None = None) -> int:
    """Write a filtered copy of each picture, with its bit depth, alpha, colour profile and EXIF.

    A file that fails is named on standard error and skipped; returned is how many failed.

    Args:
        sources: the files.
        how: the filter.
        output: a picture file, or a folder, as `glfft.apps.spectrum.outputs.choose_targets` has it; None for
            NAME-filtered beside each picture.

    Raises:
        UsageError, DataError: the kernel is none, or `output` cannot take the results.
        OutputError, ContextError: nothing can be written, or there is no OpenGL 4.3.
    """
    kernel = read_kernel(how.kernel)
    targets = _targets(sources, output)
    with PictureFilter(open_context(), kernel, how) as through:

        def work(index: int) -> str:
            picture = read_stored(sources[index])
            write_stored(targets[index], through.filtered(picture))
            rows, columns = picture.samples.shape[:2]
            done = "deconvolved" if how.deconvolve else "convolved"
            parts = [f"{sources[index]}: {columns}x{rows}", *picture.notes, f"{done} with {how.kernel}"]
            return f"{', '.join(parts)} -> {targets[index]}"

        return each_file("glfft filter", sources, work)


def _targets(sources: Sequence[Path], output: str | None) -> list[Path]:
    suffixes = [kept_suffix(source) for source in sources]
    if output is None:
        return choose_targets(sources, None, [f"-filtered{suffix}" for suffix in suffixes])
    is_folder = len(sources) > 1 or os.path.isdir(output) or output.endswith(("/", os.sep))
    if not is_folder:
        check_picture_suffix(output)
    return choose_targets(sources, output, suffixes)


class PictureFilter(Releasable):
    """Filters pictures in one context. Plan and textures serve pictures of one size."""

    def __init__(self, ctx: moderngl.Context, kernel: Kernel, how: Filtering) -> None:
        self._ctx, self._kernel, self._how = ctx, kernel, how
        self._made_for: tuple[tuple[int, int], str] | None = None
        self._filter: Convolution | Deconvolution | None = None

    def filtered(self, picture: StoredPicture) -> StoredPicture:
        """The picture, filtered in linear light: its 8- and 16-bit colours are taken for sRGB's, those of CMYK and
        floats for linear. Alpha is convolved as its colours are, and stays as it is in a deconvolution.

        Raises:
            DataError: a sample is NaN or infinite.
            LimitError: the picture is too large for the device.
        """
        samples = picture.samples
        if samples.dtype.kind == "f" and not np.isfinite(samples).all():
            raise DataError("The picture has NaN or infinity in it; replace those by numbers.")
        is_encoded = samples.dtype.kind == "u" and picture.mode != "CMYK"
        colours: Planes = samples[..., : picture.colours].astype(np.float32) / np.float32(picture.white)
        if is_encoded:
            colours = decoded(colours)
        alpha = None
        if samples.shape[2] > picture.colours and not self._how.deconvolve:
            alpha = samples[..., picture.colours :].astype(np.float32) / np.float32(picture.white)
            # Colours of transparent pixels must not spread.
            light = self._run(np.concatenate((colours * alpha, alpha), axis=2))
            alpha = light[..., picture.colours :]
            colours = np.divide(light[..., : picture.colours], np.maximum(alpha, 1e-6), dtype=np.float32)
        else:
            colours = self._run(colours)
        if is_encoded:
            colours = encoded(colours)
        after = samples.copy()
        after[..., : picture.colours] = _as_stored(colours * np.float64(picture.white), samples.dtype)
        if alpha is not None:
            after[..., picture.colours :] = _as_stored(alpha * np.float64(picture.white), samples.dtype)
        return replace(picture, samples=after)

    def _run(self, planes: Planes) -> Planes:
        """Filter [rows, columns, channels]."""
        rows, columns, channels = planes.shape
        storage = _STORAGES[channels]
        held = 4 if channels == 3 else channels
        run = self._prepared((rows, columns), storage)
        texels = np.zeros((rows, columns, held), np.float32)
        texels[..., :channels] = planes
        texture = self._ctx.texture((columns, rows), held, texels, dtype="f4")
        try:
            run.run(texture, texture, next_use="read")
            found = np.frombuffer(texture.read(), np.float32).reshape(rows, columns, held)
        finally:
            texture.release()
        return found[..., :channels]

    def _prepared(self, shape: tuple[int, int], storage: str) -> Convolution | Deconvolution:
        if self._filter is not None and self._made_for == (shape, storage):
            return self._filter
        self.release()
        limit = state_of(self._ctx).limits.texture_size
        reached = max(length + 2 * size for length, size in zip(shape, self._kernel.shape, strict=True))
        if reached > limit:
            raise LimitError(
                f"The picture is {shape[1]}x{shape[0]}, with the kernel over this device's limit of {limit} a side; "
                "cut it into parts."
            )
        how = self._how
        if how.deconvolve:
            method = "wiener" if how.iterations is None else "richardson-lucy"
            self._filter = Deconvolution(
                self._ctx,
                shape,
                self._kernel.shape,
                method=method,
                noise=how.noise,
                iterations=how.iterations or 1,
                boundary=how.boundary,
                storage=storage,
            )
        else:
            self._filter = Convolution(self._ctx, shape, self._kernel.shape, boundary=how.boundary, storage=storage)
        self._filter.set_kernel(self._kernel)
        self._made_for = (shape, storage)
        return self._filter

    def release(self) -> None:
        """Release what lies on the GPU."""
        if self._filter is not None:
            self._filter.release()
            self._filter = None


def decoded(values: Planes) -> Planes:
    """Linear light of sRGB's numbers, 0 to 1 (IEC 61966-2-1)."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)


def encoded(light: Planes) -> Planes:
    """sRGB's numbers of linear light; light outside 0 to 1 becomes 0 or 1."""
    return srgb_from_linear(np.clip(light, 0.0, 1.0)).astype(np.float32)


def _as_stored(values: NDArray[np.floating], dtype: np.dtype) -> NDArray[np.generic]:
    if dtype.kind == "f":
        return values.astype(dtype)
    ends = np.iinfo(dtype)
    return np.clip(np.rint(values), ends.min, ends.max).astype(dtype)
