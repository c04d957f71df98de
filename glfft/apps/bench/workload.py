"""The data of a case: random pictures in the layout that each contender wants, and the accuracy of its result."""

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import ModuleType
from typing import Any, Generic, TypeVar

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.storage import Storage
from glfft.apps.bench.suite import Case, ConvolutionCase
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.plan_passes import copy_pass
from glfft.engine.request import FORWARD
from glfft.errors import MissingExtraError
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper, release_all, released_after, released_on_error
from glfft.profiling.timing import ContextTimer, Subject, Timing

Made = TypeVar("Made")
_Given = TypeVar("_Given")

SEED = 0
_PHASES = 1 << 16

# Only the first, the middle and the last picture of a batch of more points than this are compared with float64.
_COMPARED_POINTS = 1 << 22
# Width and height of a work group, and the rows that each invocation copies. Which is fastest depends on the size of
# the textures: on an H200 the first copies 8192 rows of 1024 in 82 us, the fourth in 37.5 us, the fifth in 35.4 us.
_COPY_BLOCKS = ((8, 8, 1), (16, 16, 1), (32, 4, 1), (4, 64, 1), (4, 16, 8))
OUT_OF_PLACE, IN_PLACE = "out_of_place", "in_place"  # the result goes to other memory, or over the input


class Workload:
    """Random `pictures`, [batch, rows, columns], since memory moves zeros faster, as exact as the case's storage."""

    def __init__(self, case: Case) -> None:
        self.case = case
        values = random_complex((case.batch, *case.shape), SEED, case.storage.double)
        numbers = values.view(values.real.dtype)
        self.pictures = numbers.astype(case.storage.dtype).astype(numbers.dtype).view(values.dtype)
        if case.real or case.cosine:
            self.pictures = self.pictures.real.copy()
        if isinstance(case, ConvolutionCase) and case.filled:
            rows, columns = case.filled
            self.pictures[:, rows:] = 0
            self.pictures[:, :, columns:] = 0

    @property
    def axes(self) -> tuple[int, ...]:
        return tuple(axis + 1 for axis in self.case.axes)

    def packed(self, storage: Storage) -> npt.NDArray[np.floating]:
        """The pictures as the data of an image: [layers, rows, columns, channels]."""
        texels = self.pictures[..., np.newaxis]
        if storage.paired:
            texels = np.stack((self.pictures[0::2], self.pictures[1::2]), axis=-1)
        return texels.view("f8" if self.case.storage.double else "f4").astype(storage.dtype, copy=False)

    def unpacked(self, data: bytes, storage: Storage) -> npt.NDArray[np.inexact]:
        """The pictures or spectra in the data of an image: [batch, rows, columns], complex unless they are cosines'."""
        real = np.frombuffer(data, storage.dtype).astype("f8" if storage.double else "f4", copy=False)
        numbers = real if self.case.cosine else real.view(np.complex128 if storage.double else np.complex64)
        if storage.paired:
            numbers = np.moveaxis(numbers.reshape(-1, *self.case.spectrum_shape, 2), -1, 1)
        return numbers.reshape(self.case.batch, *self.case.spectrum_shape)

    @cached_property
    def kernel(self) -> npt.NDArray[np.float32]:
        """The kernel of a linear convolution: random, of sum 1, so that results are as large as pictures."""
        assert isinstance(self.case, ConvolutionCase)
        assert self.case.kernel is not None
        numbers = np.random.default_rng(SEED + 1).random(self.case.kernel)
        return (numbers / numbers.sum()).astype(np.float32)

    @cached_property
    def kernel_spectra(self) -> npt.NDArray[np.complex64]:
        """The spectra of a circular convolution's kernels, [batch or 1, rows, columns], of magnitude 1."""
        assert isinstance(self.case, ConvolutionCase)
        count = self.case.batch if self.case.own_kernels else 1
        # So many phases suffice, as exponentials of gigabytes take longer than all that is timed with them.
        roots = np.exp(2j * np.pi * np.arange(_PHASES) / _PHASES).astype(np.complex64)
        return roots[np.random.default_rng(SEED + 1).integers(0, _PHASES, (count, *self.case.shape), np.uint16)]

    @cached_property
    def _compared(self) -> list[int]:
        batch = self.case.batch
        return sorted({0, batch // 2, batch - 1}) if self.case.points > _COMPARED_POINTS else list(range(batch))

    @cached_property
    def _exact(self) -> npt.NDArray[np.inexact]:
        case, pictures = self.case, self.pictures[self._compared]
        if case.cosine:
            return cosine_transform(pictures, self.axes)
        pictures = pictures.astype(np.result_type(pictures, np.float64))
        if not isinstance(case, ConvolutionCase):
            return (np.fft.rfftn if case.real else np.fft.fftn)(pictures, axes=self.axes, norm="ortho")
        if case.kernel is None:
            kernels = self.kernel_spectra[self._compared] if case.own_kernels else self.kernel_spectra
            return np.fft.ifft2(np.fft.fft2(pictures) * kernels)
        full = [size + taps - 1 for size, taps in zip(case.shape, case.kernel, strict=True)]
        product = np.fft.rfft2(pictures, full) * np.fft.rfft2(self.kernel.astype(np.float64), full)
        ((top, rows), (left, columns)) = [((k - 1) // 2, n) for n, k in zip(case.shape, case.kernel, strict=True)]
        return np.fft.irfft2(product, full)[:, top : top + rows, left : left + columns]

    def snr_db(self, result: npt.NDArray[np.inexact], norm: str = "backward") -> float:
        """The signal-to-noise ratio of a forward transform [batch, rows, columns] against float64 numpy, in dB, of
        three pictures of a large batch. `norm` is "backward" if the transform is unscaled, or "ortho".
        """
        got = result[self._compared]
        return snr_db(got if norm == "ortho" else got / math.sqrt(self.case.transform_points), self._exact)


def cosine_transform(array: npt.NDArray[Any], axes: Sequence[int]) -> npt.NDArray[np.float64]:
    """The orthonormal cosine transform of type 2 over some axes, by the Fourier transform of lines continued evenly."""
    result = array.astype(np.float64)
    for axis in axes:
        lines = np.moveaxis(result, axis, -1)
        points = lines.shape[-1]
        spectrum = np.fft.rfft(np.concatenate((lines, lines[..., ::-1]), axis=-1))[..., :points]
        cosines = (spectrum * np.exp(-0.5j * np.pi / points * np.arange(points))).real / np.sqrt(2 * points)
        cosines[..., 0] /= np.sqrt(2.0)
        result = np.moveaxis(cosines, -1, axis)
    return result


def held(stack: ExitStack, made: Made) -> Made:
    """What was made, to be released with the stack."""
    stack.callback(release_all, [made])
    return made


class ImagePair(Keeper):
    """Source, filled with a workload's numbers, and target in a storage. Raises ContextError without enough memory."""

    def __init__(self, ctx: moderngl.Context, workload: Workload, storage: Storage) -> None:
        self.ctx, self.workload = ctx, workload
        self.case = case = replace(workload.case, storage=storage)
        with released_on_error([self]):
            ends = (ImageSpec(ctx, shape, case.layers, kept) for shape, kept in case.request.ends(FORWARD))
            self.source, self.target = (self._own(end.make()) for end in ends)
        self.fill(self.source)

    def fill(self, image: Image) -> None:
        image.write(self.workload.packed(self.case.storage))

    def target_snr_db(self, norm: str = "ortho") -> float:
        """The signal-to-noise ratio of the transform in the target; `norm` as in `Workload.snr_db`."""
        target = self.target
        data = read_copy(self.ctx, target) if isinstance(target, moderngl.Buffer) else target.read()
        return self.workload.snr_db(self.workload.unpacked(data, self.case.storage), norm)


def read_copy(ctx: moderngl.Context, buffer: moderngl.Buffer) -> bytes:
    """A buffer's bytes, read from a copy: some drivers move a buffer that is read to the host, where it stays slow."""
    with released_after(copy := ctx.buffer(reserve=buffer.size)):
        ctx.copy_buffer(copy, buffer)
        return copy.read()


def copies(timer: ContextTimer, images: ImagePair) -> list[Subject]:
    """Shaders that copy the source to the target as a pass does, for several work groups; none for real numbers."""
    case, device = images.case, state_of(images.ctx).device
    if case.real or case.cosine:
        return []

    def copy(each: CompiledPass) -> None:
        each.run(images.source, images.target)
        images.ctx.memory_barrier(each.spec.bindings.source.barrier)

    passes = [CompiledPass(images.ctx, copy_pass(case.request, FORWARD, device, block)) for block in _COPY_BLOCKS]
    return [timer.subject(partial(copy, each)) for each in passes]


@dataclass(eq=False)
class Contender:
    """A transform of one workload, ready to be timed."""

    ways: dict[str, Subject]  # what to time: OUT_OF_PLACE, and IN_PLACE if it can do that
    snr_db: Callable[[], float]  # the signal-to-noise ratio against float64 numpy, in dB: the lower one of both ways
    release: Callable[[], object] = lambda: None  # frees the plan and the data


@dataclass(frozen=True)
class Peer(Generic[_Given, Made]):
    """What glfft is compared with: it makes a `Contender` of a `Workload`, or a `Frame` of an `ImagePair`."""

    name: str
    description: str  # version and settings, for the record
    # plans unscaled forward transforms; LimitError or ContextError where it or its device cannot do them here
    set_up: Callable[[_Given], Made]


def import_library(module: str, how_to_install: str, peer: str) -> ModuleType:
    """Import a module that a peer needs. Raises MissingExtraError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        why = f"--against {peer} needs {module.partition('.')[0]}, which cannot be imported"
        raise MissingExtraError(f"{why}; install it with: {how_to_install}.") from error


@dataclass(frozen=True)
class Measured:
    """What was measured of one contender, or of one kind of frame."""

    # its timings: OUT_OF_PLACE and perhaps IN_PLACE, or those of frames (see `glfft.apps.bench.frames`)
    ways: Mapping[str, Timing]
    # its signal-to-noise ratio against float64 numpy, in dB: the lowest of all ways; None if it was not compared
    snr_db: float | None

    @property
    def best(self) -> Timing:
        return min(self.ways.values(), key=lambda timing: timing.microseconds)
