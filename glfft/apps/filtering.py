"""Picture files through kernels: the steps of `glfft filter`."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.apps.bloom.radiance_files import is_light, read_light, write_exr
from glfft.apps.filter_kernels import Kernel, read_kernel
from glfft.apps.spectrum.colours import linear_from_srgb, srgb_from_linear
from glfft.apps.spectrum.outputs import check_picture_suffix, choose_targets, each_file
from glfft.apps.spectrum.source_pictures import as_samples
from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_suffix, read_stored, write_stored
from glfft.convolution import Convolution
from glfft.convolution.deconvolution import Deconvolution
from glfft.convolution.pictures import uploaded
from glfft.errors import DataError, LimitError, UsageError
from glfft.gl.context import open_context, state_of
from glfft.gl.releasable import Releasable, release_all, released_on_error

_STORAGES = {1: "r32f", 2: "rg32f", 3: "rgba32f", 4: "rgba32f"}

Planes = NDArray[np.float32]


@dataclass(frozen=True)
class Filtering:
    kernel: str  # see `glfft.apps.filter_kernels.read_kernel`
    boundary: str = "mirror"  # as for `glfft.Convolution`
    deconvolve: bool = False  # whether the kernel's blur is undone
    noise: float = 0.01  # for Wiener's filter, see `glfft.Deconvolution`
    iterations: int | None = None  # of Richardson and Lucy's algorithm; None for Wiener's filter


def filter_files(sources: Sequence[Path], how: Filtering, output: str | None) -> int:
    """Write a filtered copy of each picture, with its bit depth, alpha, colour profile and EXIF, or an .exr's
    attributes, to `output` as in `spectrum.outputs.choose_targets`, or None for NAME-filtered beside each picture.
    Returns how many failed, which standard error names. Raises UsageError or DataError where the kernel is none, or
    `output` cannot take the results; OutputError where nothing can be written, ContextError without OpenGL 4.3.
    """
    kernel = read_kernel(how.kernel)
    targets = _targets(sources, output, Path(how.kernel))
    with PictureFilter(open_context(), kernel, how) as through:

        def work(index: int) -> str:
            source, target = sources[index], targets[index]
            picture = through.filtered(read_light(source) if is_light(source) else read_stored(source))
            if is_light(source):
                write_exr(target, picture.samples, picture.options.get("attributes"))
            else:
                write_stored(target, picture)
            rows, columns = picture.samples.shape[:2]
            done = "deconvolved" if how.deconvolve else "convolved"
            parts = [f"{source}: {columns}x{rows}", *picture.notes, f"{done} with {how.kernel}"]
            return f"{', '.join(parts)} -> {target}"

        return each_file("glfft filter", sources, work)


def _targets(sources: Sequence[Path], output: str | None, kernel: Path) -> list[Path]:
    suffixes = [".exr" if is_light(source) else kept_suffix(source) for source in sources]
    if output is None:
        return choose_targets(sources, None, [f"-filtered{suffix}" for suffix in suffixes], [kernel])
    if len(sources) == 1 and not os.path.isdir(output) and not output.endswith(("/", os.sep)):
        if not is_light(sources[0]):
            check_picture_suffix(output)
        elif Path(output).suffix.lower() != ".exr":
            raise UsageError(f"{output} would lose light beyond white, which {sources[0]} may have; name an .exr file.")
    return choose_targets(sources, output, suffixes, [kernel])


class PictureFilter(Releasable):
    """Filters pictures in one context. A plan serves pictures of one size."""

    def __init__(self, ctx: moderngl.Context, kernel: Kernel, how: Filtering) -> None:
        self._ctx, self._kernel, self._how = ctx, kernel, how
        self._made: dict[tuple[tuple[int, int], str], Convolution | Deconvolution] = {}

    def filtered(self, picture: StoredPicture) -> StoredPicture:
        """The picture, filtered in linear light: 8- and 16-bit colours have sRGB's curve, whatever their profile;
        floats are linear. Alpha is convolved too, and stays as it is in a deconvolution. Raises DataError where a
        sample is NaN or infinite, LimitError where picture and kernel are together too large for the device.
        """
        samples = picture.samples
        if samples.dtype.kind == "f" and not np.isfinite(samples).all():
            raise DataError("The picture has NaN or infinity in it; replace those by numbers.")
        encoded = range(picture.colours if samples.dtype.kind == "u" else 0)  # bands
        colours, alpha = np.split(samples.astype(np.float32) / np.float32(picture.white), [picture.colours], axis=2)
        for band in encoded:
            colours[..., band] = linear_from_srgb(colours[..., band])
        after = samples.copy()
        if alpha.size > 0 and not self._how.deconvolve:
            # Colours of transparent pixels must not spread; OpenEXR's are multiplied by alpha already.
            straight = "attributes" not in picture.options
            light = self._run(np.concatenate((colours * alpha if straight else colours, alpha), axis=2))
            colours, alpha = np.split(light, [picture.colours], axis=2)
            colours = colours / np.maximum(alpha, 1e-6) if straight else colours
            after[..., picture.colours :] = as_samples(alpha * np.float64(picture.white), samples.dtype)
        else:
            colours = self._run(colours)
        for band in encoded:
            colours[..., band] = srgb_from_linear(np.clip(colours[..., band], 0.0, 1.0))
        after[..., : picture.colours] = as_samples(colours * np.float64(picture.white), samples.dtype)
        return replace(picture, samples=after)

    def _run(self, planes: Planes) -> Planes:
        """Filter [rows, columns, channels]."""
        rows, columns, channels = planes.shape
        held = 4 if channels == 3 else channels
        run = self._prepared((rows, columns), _STORAGES[channels])
        texels = np.zeros((rows, columns, held), np.float32)
        texels[..., :channels] = planes
        with uploaded(self._ctx, texels, texels) as (source, target):
            run.run(source, target, next_use="read")
            target.read_into(texels)
        return texels[..., :channels]

    def _prepared(self, shape: tuple[int, int], storage: str) -> Convolution | Deconvolution:
        if (shape, storage) in self._made:
            return self._made[shape, storage]
        self.release()
        how, kind = self._how, Convolution
        options: dict[str, Any] = {"boundary": how.boundary, "storage": storage}
        if how.deconvolve:
            kind, options["method"] = Deconvolution, "wiener" if how.iterations is None else "richardson-lucy"
            options |= {"noise": how.noise, "iterations": how.iterations or 1}
        try:
            made = kind(self._ctx, shape, self._kernel.shape, **options)
        except LimitError as error:
            limit, (rows, columns) = state_of(self._ctx).limits.texture_size, self._kernel.shape
            sizes = f"The picture is {shape[1]}x{shape[0]} and the kernel {columns}x{rows}, together over this device's"
            raise LimitError(f"{sizes} limit of {limit} a side; make one of them smaller.") from error
        with released_on_error([made]):
            made.set_kernel(self._kernel)
        self._made[shape, storage] = made
        return made

    def release(self) -> None:
        release_all(self._made.values())
        self._made.clear()
